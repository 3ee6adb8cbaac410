"""viva autograde against stock nbgrader and against the physical limit, in one run.

    python bench/autograde.py [--submissions 40] [--homework NAME …] [--stock N]

For each homework: a cohort of mixed submissions (right, one known mistake each, untouched) is
graded by `viva autograde` on all cores and by stock `nbgrader autograde`, from the same files. The
limit is the CPU time of the same cells run one after the other in a warm process and nothing else,
divided by the cores. Printed: throughput, the ratios, whether the grades agree, and peak memory.
"""

import argparse
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

os.environ.update(OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", VIVA_SECRET="bench")
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

import nbformat  # noqa: E402

import courses  # noqa: E402
from viva_examiner import cohort  # noqa: E402
from viva_examiner.course import Course  # noqa: E402
from viva_examiner.release import release  # noqa: E402

CORES = os.cpu_count()


def prepare(folder: Path, homework: str, examined: bool) -> Course:
    """A course with one homework released."""
    (folder / "source").mkdir(parents=True)
    shutil.copytree(ROOT / "source" / homework, folder / "source" / homework)
    config = courses.EXAMINED if examined else courses.STOCK
    extra = 'c.Examiner.course = "viva_course"\nc.Examiner.cell_seconds = 120'
    text = config.format(root=str(folder), extra=extra)
    if not examined:
        text += "c.Execute.timeout = 300\n"
    (folder / "nbgrader_config.py").write_text(text)
    course = Course(folder)
    release(course, homework)
    return course


def submissions(course: Course, homework: str, count: int) -> dict[str, object]:
    """{student: notebook} of a mixed cohort."""
    from viva_course import exercises

    source = nbformat.read(_path(course, "source", homework), as_version=4)
    released = nbformat.read(_path(course, "release", homework), as_version=4)
    right = cohort.solutions(source)
    kinds = [cohort.filled(released, right), released]
    for exercise in exercises(homework).values():
        for mistake in exercise.mistakes:
            if code := cohort.mistake_code(source, exercise, mistake):
                kinds.append(cohort.filled(released, right | {exercise.name: code}))
                break
    chosen = itertools.islice(itertools.cycle(kinds), count)
    return {f"student-{number:04}": notebook for number, notebook in enumerate(chosen)}


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


class Memory:
    """The largest memory, shared pages divided, of all processes of the examiner together."""

    def __init__(self):
        self.peak_mb, self.over = 0.0, threading.Event()

    def __enter__(self) -> "Memory":
        self.thread = threading.Thread(target=self._watch)
        self.thread.start()
        return self

    def __exit__(self, *_) -> None:
        self.over.set()
        self.thread.join()

    def _watch(self) -> None:
        while not self.over.wait(1.0):
            self.peak_mb = max(self.peak_mb, sum(map(_share_mb, Path("/proc").glob("[0-9]*"))))


def _share_mb(process: Path) -> float:
    try:
        if not (process / "comm").read_text().startswith("viva-"):
            return 0.0
        account = (process / "smaps_rollup").read_text()
    except OSError:
        return 0.0  # it has ended
    return int(re.search(r"^Pss: +(\d+)", account, re.MULTILINE)[1]) / 1024


def ours(folder: Path, homework: str, count: int) -> dict:
    """The limit, and our time for the same submissions."""
    course = prepare(folder / "viva" / homework, homework, examined=True)
    handed_in = submissions(course, homework, count)
    for student, notebook in handed_in.items():
        courses.hand_in(course, homework, student, nbformat.writes(notebook).encode())
    row = {"homework": homework, "course": course, "handed_in": handed_in}
    row["limit"] = limit_seconds(course, homework, handed_in.values()) / CORES
    command = [sys.executable, "-m", "viva_examiner.cli", "autograde", homework, "--json"]
    began = time.monotonic()
    with Memory() as memory:
        done = subprocess.run(command, cwd=course.root, capture_output=True, text=True)
    row["viva"] = time.monotonic() - began
    assert done.returncode == 0, done.stderr[-2000:]
    row["worker_mb"] = memory.peak_mb / CORES
    row["grades"] = courses.grades(course, homework)
    return row


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--submissions", type=int, default=40)
    parser.add_argument("--homework", nargs="*", default=Course(ROOT).homeworks())
    parser.add_argument("--stock", type=int, default=40, metavar="N",
                        help="submissions that stock nbgrader grades (0: none)")
    args = parser.parse_args()
    print(f"{args.submissions} submissions each, {CORES} cores; limit = CPU of the cells / cores")
    with tempfile.TemporaryDirectory(prefix="viva-bench-") as scratch:
        folder, rows = Path(scratch), []
        for homework in args.homework:
            row = ours(folder, homework, args.submissions)
            rows.append(row)
            print(f"{homework:<26} limit {row['limit']:6.1f} s   viva {row['viva']:6.1f} s = "
                  f"{row['viva'] / row['limit']:.2f} x limit, "
                  f"{3600 * args.submissions / row['viva'] / CORES:.0f} an hour and core, "
                  f"{row['worker_mb']:.0f} MB per worker", flush=True)
        for row in rows if args.stock else ():
            stock(folder, row, args.stock)
            print(f"{row['homework']:<26} stock {row['stock']:6.1f} s a submission = "
                  f"{row['stock'] / row['viva'] * args.submissions:.1f} x viva, "
                  f"{len(row['differ'])} of {row['compared']} grades differ "
                  f"{row['differ'][:5] or ''}", flush=True)


if __name__ == "__main__":
    main()
