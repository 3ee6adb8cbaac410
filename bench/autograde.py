"""viva autograde against stock nbgrader and against the physical limit, in one run.

    python bench/autograde.py                       # four homeworks and a small one; an hour
    python bench/autograde.py --homework purification --submissions 40 --stock 0
    python bench/autograde.py --marks --submissions 40 --stock 2
    python bench/autograde.py --stock 0 --class-of 1000

For each homework: a cohort of mixed submissions (right, one known mistake each, untouched) is
graded by `viva autograde` on all cores, which gives everybody's marks first and then runs the rest,
and the first of them by stock `nbgrader autograde`, from the same files; then one student alone,
from the command to the mark. The limit is the CPU time of the same cells, hidden tests included, in
forks of a warm process and nothing else, divided by the cores. Printed: the ratios of times per
submission, start-up included, whether the grades agree, and peak memory. `--marks` stops where all
marks are there, and measures no limit. `--class-of N` compares a large class with the first forty
of it. Ends in 1 where a bar is missed.
"""

import argparse
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ.update(OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", VIVA_SECRET="bench")
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

import nbformat  # noqa: E402
from peak_memory import Memory  # noqa: E402

import courses  # noqa: E402
import plain_course  # noqa: E402
from viva_examiner.course import Course  # noqa: E402
from viva_examiner.demo import cohort  # noqa: E402
from viva_examiner.release.releasing import release  # noqa: E402

CORES = os.cpu_count()
PLAIN = "plain"  # a small notebook of plain asserts, from the tests: the light end of the scale
# CPU that the cells of a light homework take: with more of it, the limit itself is less than 30
# times as fast as stock nbgrader, whose own cost is 4 s: 2 (4 + c) / (1.15 c) = 30 at c = 0.25.
LIGHT_SECONDS = 0.25
OF_LIMIT, WORKER_MB, OF_FORTY = 1.15, 700, 0.9
ONE_STUDENT = 2.5  # seconds from the command to the mark of one student, beside the cells' own
MARKS_OF_STOCK = 15  # times the pace of stock, until the marks of a class are there
OF_STOCK = {"light": 30, "heavy": 10}  # times the throughput, where the limit allows as much


def prepare(folder: Path, homework: str, examined: bool) -> Course:
    """A course with one homework released."""
    extra = "c.Examiner.cell_seconds = 120" if examined else "c.Execute.timeout = 300"
    if homework == PLAIN:
        return courses.make(folder, PLAIN, plain_course.source_notebook(), examined, extra)
    (folder / "source").mkdir(parents=True)
    shutil.copytree(ROOT / "source" / homework, folder / "source" / homework)
    config = courses.EXAMINED if examined else courses.STOCK
    extra += '\nc.Examiner.course = "viva_course"'
    (folder / "nbgrader_config.py").write_text(config.format(root=str(folder), extra=extra))
    course = Course(folder)
    release(course, homework)
    return course


def submissions(course: Course, homework: str, count: int) -> dict[str, object]:
    """{student: notebook} of a mixed cohort."""
    return {f"student-{number:04}": notebook for number, notebook in
            enumerate(itertools.islice(itertools.cycle(kinds(course, homework)), count))}


def kinds(course: Course, homework: str) -> list:
    """The right notebook, the untouched one, and one for a mistake of each exercise."""
    from viva_course import exercises

    if homework == PLAIN:
        return [nbformat.reads(plain_course.submission(name).decode(), as_version=4)
                for name in plain_course.COHORT]
    source = nbformat.read(_path(course, "source", homework), as_version=4)
    released = nbformat.read(_path(course, "release", homework), as_version=4)
    right = cohort.solutions(source)
    found = [cohort.filled(released, right), released]
    for exercise in exercises(homework).values():
        for mistake in exercise.mistakes:
            if code := cohort.mistake_code(source, exercise, mistake):
                found.append(cohort.filled(released, right | {exercise.name: code}))
                break
    return found


def _path(course: Course, room: str, homework: str) -> Path:
    return Path(course.path(room, ".", homework)) / f"{homework}.ipynb"


def limit_seconds(course: Course, homework: str, notebooks) -> float:
    """CPU seconds of the cells alone: a warm process, forked per submission, plain exec."""
    source = nbformat.read(_path(course, "source", homework), as_version=4)
    tests = {c.metadata.nbgrader.grade_id: c.source for c in source.cells
             if c.metadata.get("nbgrader", {}).get("grade")}
    folder = Path(tempfile.mkdtemp(prefix="viva-bench-"))
    paths = []
    for number, notebook in enumerate(notebooks):
        cells = []
        for cell in notebook.cells:
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            if cell.cell_type == "code":
                cells.append(tests.get(name, cell.source))
        paths.append(folder / f"{number}.txt")
        paths[-1].write_text("\x00".join(cells))
    script = Path(__file__).with_name("warm_cells.py")
    # All cores at work, as in grading: a core is slower when its neighbour is busy.
    runs = [subprocess.Popen([sys.executable, script, *paths[first::CORES]], cwd=folder, text=True,
                             stdout=subprocess.PIPE, env=os.environ | {"MPLBACKEND": "agg"})
            for first in range(CORES)]
    spent = [float(run.communicate()[0].split()[-1]) for run in runs]
    shutil.rmtree(folder)
    return sum(spent)


def ours(course: Course, homework: str, *options: str) -> tuple[float, float, Memory]:
    """Seconds until all marks are there, seconds in all, and memory of `viva autograde`."""
    command = [sys.executable, "-m", "viva_examiner.cli", "autograde", homework, "--json", *options]
    began = time.monotonic()
    with tempfile.TemporaryFile() as words:
        run = subprocess.Popen(command, cwd=course.root, stdout=words, stderr=words)
        with Memory(run.pid) as memory:
            run.wait()
        words.seek(0)
        spent, said = time.monotonic() - began, words.read()
        assert run.returncode == 0, said[-2000:]
    end = json.loads(said.splitlines()[-1])
    return spent - end["seconds"] + end["marks_seconds"], spent, memory


def one_student(course: Course, homework: str, student: str) -> tuple[float, float]:
    """(seconds from the command to the mark, seconds of them in the cells); the best of three."""
    command = [sys.executable, "-m", "viva_examiner.cli", "autograde", homework, "--json",
               "--student", student, "--force"]
    best = None
    for _ in range(3):
        began = time.monotonic()
        with subprocess.Popen(command, cwd=course.root, stdout=subprocess.PIPE) as run:
            told = next(event for event in map(json.loads, run.stdout) if event["event"] == "done")
            spent = time.monotonic() - began
            run.communicate()
        if best is None or spent - told["seconds"] < best[0] - best[1]:
            best = spent, told["seconds"]
    return best


def class_handed_in(folder: Path, homework: str, count: int) -> tuple[Course, dict]:
    """A course whose class has handed in, and {student: notebook}."""
    course = prepare(folder / "viva" / homework, homework, examined=True)
    handed_in = submissions(course, homework, count)
    for student, notebook in handed_in.items():
        courses.hand_in(course, homework, student, nbformat.writes(notebook).encode())
    return course, handed_in


def only_marks(folder: Path, homework: str, count: int) -> dict:
    """The time until everybody has a mark, and nothing after it."""
    course, handed_in = class_handed_in(folder, homework, count)
    marks, _, memory = ours(course, homework, "--marks")
    return {"homework": homework, "course": course, "handed_in": handed_in, "marks": marks,
            "worker_mb": memory.others_mb / CORES, "grades": courses.grades(course, homework)}


def measured(folder: Path, homework: str, count: int) -> dict:
    """The limit, and our time for the same submissions."""
    course, handed_in = class_handed_in(folder, homework, count)
    # Half of it before and half of it after: a machine is not equally fast all the time.
    notebooks = list(handed_in.values())
    limit = limit_seconds(course, homework, notebooks[::2])
    marks, seconds, memory = ours(course, homework)
    limit += limit_seconds(course, homework, notebooks[1::2])
    grades = courses.grades(course, homework)
    ours(course, homework, "--force", "--marks")  # its grades are compared
    alone, cells = one_student(course, homework, next(iter(handed_in)))
    return {"homework": homework, "course": course, "handed_in": handed_in,
            "cells": limit / count, "limit": limit / CORES, "viva": seconds,
            "worker_mb": memory.others_mb / CORES, "grades": grades, "marks": marks,
            "equal": courses.grades(course, homework) == grades,
            "alone": alone, "alone_cells": cells,
            "kind": "light" if limit / count < LIGHT_SECONDS else "heavy"}


def class_of(folder: Path, homework: str, count: int) -> bool:
    """A large class against its first forty: throughput and memory."""
    course = prepare(folder / "class" / homework, homework, examined=True)
    for student, notebook in submissions(course, homework, count).items():
        courses.hand_in(course, homework, student, nbformat.writes(notebook).encode())
    _, few, small = ours(course, homework, "--student", "student-00[0-3]?")
    _, many, large = ours(course, homework, "--force")
    ratio = (count / many) / (40 / few)
    print(f"{homework:<26} {count} submissions: {60 * count / many:.0f} a minute = {ratio:.2f} x "
          f"forty; coordinator {large.own_mb:.0f} MB (forty: {small.own_mb:.0f}), "
          f"worker {large.others_mb / CORES:.0f} MB (forty: {small.others_mb / CORES:.0f})")
    return ratio >= OF_FORTY


def stock(folder: Path, row: dict, count: int) -> None:
    """Stock nbgrader's time for a submission, and its grades."""
    homework, chosen = row["homework"], list(row["handed_in"].items())[:count]
    course = prepare(folder / "stock" / homework, homework, examined=False)
    for student, notebook in chosen:
        courses.hand_in(course, homework, student, nbformat.writes(notebook).encode())
    command = [sys.executable, "-m", "nbgrader", "autograde", homework]
    began = time.monotonic()
    subprocess.run(command, cwd=course.root, capture_output=True)
    row["stock"] = (time.monotonic() - began) / len(chosen)
    theirs = courses.grades(course, homework)
    ours = {key: row["grades"].get(key, (None,))[0] for key in theirs}
    row["compared"] = len(theirs)
    row["differ"] = [(key, ours[key], grade[0]) for key, grade in theirs.items()
                     if grade[0] != ours[key]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--submissions", type=int, default=200)
    parser.add_argument("--homework", nargs="*", default=[*Course(ROOT).homeworks(), PLAIN])
    parser.add_argument("--stock", type=int, default=40, metavar="N",
                        help="submissions that stock nbgrader grades (0: none)")
    parser.add_argument("--marks", action="store_true",
                        help="only until everybody has a mark, against stock nbgrader")
    parser.add_argument("--class-of", type=int, default=0, metavar="N",
                        help="instead: a class of N of the first homework named")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="viva-bench-") as scratch:
        if args.class_of:
            return 0 if class_of(Path(scratch), args.homework[0], args.class_of) else 1
        if args.marks:
            return 0 if marked(Path(scratch), args) else 1
        return 0 if compared(Path(scratch), args) else 1


def marked(folder: Path, args) -> bool:
    """Print how much sooner than by stock nbgrader a class has its marks; whether that suffices."""
    print(f"marks of {args.submissions} submissions each, {CORES} cores")
    good = True
    for homework in args.homework:
        row = only_marks(folder, homework, args.submissions)
        stock(folder, row, args.stock)
        times = row["stock"] / row["marks"] * args.submissions
        good &= times >= MARKS_OF_STOCK and row["worker_mb"] < WORKER_MB
        print(f"{homework:<26} {row['marks']:6.1f} s, {row['worker_mb']:.0f} MB per worker   "
              f"stock {row['stock']:5.1f} s a submission = {times:.1f} x "
              f"(wanted: {MARKS_OF_STOCK}); {_differing(row)}", flush=True)
    return good


def _differing(row: dict) -> str:
    return f"{len(row['differ'])} of {row['compared']} grades differ {row['differ'][:5] or ''}"


def compared(folder: Path, args) -> bool:
    """Print all ratios; whether every bar holds."""
    print(f"{args.submissions} submissions each, {CORES} cores; limit = CPU of the cells / cores")
    rows, good = [], True
    for homework in args.homework:
        row = measured(folder, homework, args.submissions)
        rows.append(row)
        # A small notebook costs less than a start divided by the class: no limit to be near to.
        near = row["kind"] == "light" or row["viva"] <= OF_LIMIT * row["limit"]
        beside = row["alone"] - row["alone_cells"]
        good &= near and row["worker_mb"] < WORKER_MB and row["equal"] and beside < ONE_STUDENT
        print(f"{homework:<26} {row['kind']} ({row['cells']:.2f} s of cells)   "
              f"limit {row['limit']:6.1f} s   viva {row['viva']:6.1f} s = "
              f"{row['viva'] / row['limit']:.2f} x limit, "
              f"{3600 * args.submissions / row['viva'] / CORES:.0f} an hour and core, "
              f"{row['worker_mb']:.0f} MB per worker")
        print(f"{'':<26} all marks after {row['marks']:.1f} s, {row['viva'] / row['marks']:.2f} x "
              f"as fast as all; {'the same' if row['equal'] else 'OTHER'} grades with --marks; "
              f"a student "
              f"alone {row['alone']:.2f} s, {row['alone_cells']:.2f} s of them in the cells: "
              f"{beside:.2f} s beside (wanted: {ONE_STUDENT})", flush=True)
    for row in rows if args.stock else ():
        stock(folder, row, args.stock)
        times, marks = (row["stock"] / row[mode] * args.submissions for mode in ("viva", "marks"))
        possible = row["stock"] / row["limit"] * args.submissions
        wanted = min(OF_STOCK[row["kind"]], possible / OF_LIMIT)
        good &= times >= wanted and marks >= min(MARKS_OF_STOCK, possible)
        print(f"{row['homework']:<26} stock {row['stock']:6.1f} s a submission = "
              f"{times:.1f} x viva (wanted: {wanted:.1f}; the limit: {possible:.1f}), "
              f"{marks:.1f} x until the marks (wanted: {MARKS_OF_STOCK}); "
              f"{_differing(row)}", flush=True)
    return good


if __name__ == "__main__":
    sys.exit(main())
