"""Submission logs graded per second, and how that grows with their number.

    python bench/submission_log.py                           # every homework; a minute or two
    python bench/submission_log.py --homework purification --logs 400

Makes the logs of a cohort in which `--wrong` of all entries hold a known mistake; of the others
half hold an accepted variant where there is one, which is right but not bit for bit the reference.
Then grades them in this process, on one core; once more with `--items`, where every
wrong entry is compared with the outputs of all known mistakes. Ends in 1 when 300 logs of a
homework would take more than 15 s, or when four times the logs cost more than five times the
time. Measured in CPU time, in two passes over all logs of which the faster counts for each log:
what else runs on the machine can only slow.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.update(OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")
import numpy as np  # noqa: E402
import torch  # noqa: E402

from viva import case, plain, sources  # noqa: E402
from viva import log as log_form  # noqa: E402
from viva_course import exercises, log_grading  # noqa: E402
from viva_examiner.examination import submission_log  # noqa: E402

CLASS, WANTED = 300, 15.0  # so many logs of a homework take so many seconds on a core, or less
PASSES = 2


def outputs(exercise, candidates, student):
    """What desk.own_outputs records; with the reference's answers without watching it."""
    return {each.name: plain.to_json(each.run(candidates, "log", each.homework, student).record())
            for each in exercise.cases if each.log}


def chosen(rng: np.random.Generator, solutions: list) -> tuple:
    """The candidates of one of these mistakes or variants."""
    return solutions[rng.integers(len(solutions))].candidates


def write_log(folder: Path, homework: str, student: str, wrong: float) -> Path:
    rng = case.generator("bench", homework, student)
    log = {"schema": log_form.SCHEMA, "homework": homework, "student": student, "kit": "1.0.0",
           "exercises": {}}
    for name, exercise in exercises(homework).items():
        candidates, status = exercise.reference, "passed"
        if exercise.mistakes and rng.random() < wrong:
            candidates, status = chosen(rng, exercise.mistakes), "failed"
        elif exercise.variants and rng.random() < 0.5:
            candidates = chosen(rng, exercise.variants)
        source = "\n".join([*map(sources.source_of, candidates), f"# {student}"])
        entry = {"status": status, "time": "2026-01-01T00:00:00Z", "source": source,
                 "outputs": outputs(exercise, candidates, student)}
        entry["digest"] = log_form.digest(log, name, entry)
        log["exercises"][name] = entry
    path = folder / f"{student}.json"
    path.write_text(json.dumps(log, separators=(",", ":")))
    return path


def seconds(paths, causes: bool = False) -> float:
    """CPU time to grade these files, with known mistakes recognised or not."""
    library = sys.modules["viva_course"]
    best = np.full(len(paths), np.inf)
    for _ in range(PASSES):
        graded = []
        for i, path in enumerate(paths):
            began = time.process_time()
            graded.append(submission_log.grade(library, path, "", causes))
            best[i] = min(best[i], time.process_time() - began)
    assert not any(each.refused for each in graded)
    began = time.process_time()
    submission_log.find_replays(graded)
    return best.sum() + time.process_time() - began


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    known = sorted({each.homework for each in exercises().values()})
    parser.add_argument("--homework", nargs="*", default=known)
    parser.add_argument("--logs", type=int, default=200)
    parser.add_argument("--wrong", type=float, default=0.1)
    parser.add_argument("--slowest", type=int, default=0, help="show this many slowest cases")
    args = parser.parse_args()
    torch.set_num_threads(1)
    good = True
    print(f"{'homework':28} exercises  KB/log  logs/s  s for {CLASS}  of {WANTED:g} s  4n/n  "
          "with causes")
    for homework in args.homework:
        with tempfile.TemporaryDirectory() as folder, np.errstate(all="ignore"):
            paths = [write_log(Path(folder), homework, f"s{i}", args.wrong)
                     for i in range(args.logs)]
            seconds(paths[:2])  # the papers are made once
            few, many = seconds(paths[: len(paths) // 4]), seconds(paths)
            some = paths[: len(paths) // 4]
            explained = len(some) / seconds(some, causes=True)
            size = sum(path.stat().st_size for path in paths) / len(paths) / 1e3
        rate, count = args.logs / many, len(exercises(homework))
        taken = CLASS / rate
        good &= taken <= WANTED and many / few < 5
        print(f"{homework:28} {count:9}  {size:6.1f}  {rate:6.0f}  {taken:9.1f}  "
              f"{taken / WANTED:7.2f}  {many / few:4.1f}  {explained:11.0f}", flush=True)
        for spent, name in slowest(homework)[: args.slowest]:
            print(f"    {spent * 1e3:6.2f} ms  {name}")
    return 0 if good else 1


def slowest(homework: str) -> list[tuple[float, str]]:
    """(CPU seconds of the reference, exercise and case) of what a log holds, slowest first."""
    found = []
    for name in exercises(homework):
        sheet = log_grading.paper(name)
        for each in sheet.logged:
            if each.name not in sheet.fixed:
                began = time.process_time()
                for i in range(10):
                    log_grading.reference_record(each, sheet.exercise.reference, f"s{i}")
                found.append(((time.process_time() - began) / 10, f"{name}: {each.name}"))
    return sorted(found, reverse=True)


if __name__ == "__main__":
    sys.exit(main())
