"""What questions about a submission cost, beside what it costs to grade it, in one run.

    python bench/voce.py                                    # every homework; half an hour
    python bench/voce.py kernel_attention --rounds 5

The notebook's own solutions are graded, and asked about (five questions about all exercises), by
the tools of the pool's workers: an engine and an asker, both warm. They take turns, so that what
else runs on the machine slows both. Printed: the seconds of each, and their ratio. Ends in 1 where
questions take more than three times as long as grading.
"""

import argparse
import os
import statistics
import sys
import time
from pathlib import Path

os.environ.update(OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", VIVA_SECRET="bench")
ROOT = Path(__file__).resolve().parent.parent

import nbformat  # noqa: E402

from viva import tables  # noqa: E402
from viva_examiner.course import Course  # noqa: E402
from viva_examiner.demo import cohort  # noqa: E402
from viva_examiner.examination.engine import Engine  # noqa: E402
from viva_examiner.examination.orders import order_of  # noqa: E402
from viva_examiner.notebook.released import released_from  # noqa: E402
from viva_examiner.records import Work  # noqa: E402
from viva_examiner.voce.sittings import VoceTask, VoceWorker, seed_of  # noqa: E402

MOST = 3.0  # times the time of grading
QUESTIONS = 5


def right_work(course: Course, homework: str) -> Work:
    """The released notebook with the staff's own solutions."""
    source, released = (nbformat.read(Path(course.path(room, ".", homework)) / f"{homework}.ipynb",
                                      as_version=4) for room in ("source", "release"))
    text = nbformat.writes(cohort.filled(released, cohort.solutions(source)))
    return Work(text.encode(), student="bench", notebook=homework)


def seconds(course: Course, homework: str, rounds: int) -> tuple[list[float], list[float], int]:
    """(of grading, of asking, how many questions), a number for each round."""
    folder = Path(course.path("release", ".", homework))
    source = nbformat.read(Path(course.path("source", ".", homework)) / f"{homework}.ipynb", 4)
    released = released_from(source, homework, homework, folder=str(folder))
    order = order_of(course, [released], secret="bench")
    work, graded, asked = right_work(course, homework), [], []
    asking = VoceTask("bench", homework, (work,), tuple(tables.exercises_of(homework)),
                    seed_of("bench", homework, "bench"), QUESTIONS)
    asker = VoceWorker(order)
    with Engine(order) as engine:
        engine.start()
        asker.start()
        for _ in range(rounds):
            began = time.monotonic()
            record = engine.grade(work)
            graded.append(time.monotonic() - began)
            began = time.monotonic()
            sitting = asker.sit(asking)
            asked.append(time.monotonic() - began)
            if record.needs_a_look or sitting.notes:
                raise SystemExit(f"{homework}: {record.look} {sitting.notes}")
    asker.close()
    return graded, asked, len(sitting.questions)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("homework", nargs="*", default=tables.homeworks())
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    course, worst = Course(ROOT), 0.0
    for homework in args.homework:
        graded, asked, count = seconds(course, homework, args.rounds)
        ratio = sum(asked) / sum(graded)
        worst = max(worst, ratio)
        print(f"{homework:<26} grading {statistics.median(graded):6.1f} s, {count} questions "
              f"{statistics.median(asked):6.1f} s: {ratio:.2f} times", flush=True)
    print(f"at most {worst:.2f} times the time of grading (bar: {MOST:g})")
    return int(worst > MOST)


if __name__ == "__main__":
    sys.exit(main())
