"""The main job end to end, in plain sight: release, a cohort of demo students, grades, feedback."""

import logging
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.apps import NbGraderAPI

from viva_examiner.autograde.grading_run import autograde
from viva_examiner.course import Course
from viva_examiner.demo import cohort
from viva_examiner.library import Mistake
from viva_examiner.records import Graded, Kind
from viva_examiner.release.releasing import release

CONFIG = '''"""The demo course: the same configuration, its own gradebook and rooms."""
c = get_config()
load_subconfig("nbgrader_config.py", path={root!r})
c.CourseDirectory.root = {demo!r}
'''
MISTAKES = 3  # demo students per homework who made a known mistake


def prepare(course: Course, folder: Path) -> Course:
    """An empty copy of the course next to the real one, so that no real grade is touched."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copytree(course.root / "source", folder / "source")
    text = CONFIG.format(root=str(course.root), demo=str(folder))
    (folder / "nbgrader_config.py").write_text(text)
    return Course(folder)


def enrol(course: Course, homework: str, small: bool) -> dict[str, str]:
    """Hand in the submissions of the demo students; {student: what they did}.

    small: only one who did all right and one with a known mistake
    """
    source = nbformat.read(_notebook(course, "source", homework), as_version=4)
    released = nbformat.read(_notebook(course, "release", homework), as_version=4)
    right = cohort.solutions(source)
    students = {"reference": ("all solutions right", cohort.filled(released, right))}
    for exercise, mistake, code in _mistakes(course, homework, source, 1 if small else MISTAKES):
        wrong = cohort.filled(released, right | {exercise: code})
        students[f"mistake-{mistake.slug}"] = (f"{mistake.slug} in {exercise}", wrong)
    if not small:
        students["untouched"] = ("nothing written", released)
        crash = cohort.with_first_cell(cohort.filled(released, right), cohort.CRASH)
        students["crash"] = ("a cell that kills its process", crash)
        students["cheat"] = ("patches numpy and asserts, solves nothing",
                             cohort.with_first_cell(released, cohort.CHEAT))
    for student, (_, notebook) in students.items():
        folder = Path(course.path("submitted", student, homework))
        folder.mkdir(parents=True)
        nbformat.write(notebook, folder / f"{homework}.ipynb")
    return {student: did for student, (did, _) in students.items()}


def _mistakes(course: Course, homework: str, source: NotebookNode,
              count: int) -> list[tuple[str, Mistake, str]]:
    """The first usable mistake of each of several exercises, spread over the homework."""
    found = []
    for exercise in course.library.exercises(homework).values():
        for mistake in exercise.mistakes:
            code = cohort.mistake_code(source, exercise, mistake)
            if code:
                found.append((exercise.name, mistake, code))
                break
    step = max(len(found) // count, 1)
    return found[::step][:count]


def _notebook(course: Course, room: str, homework: str) -> Path:
    return Path(course.path(room, ".", homework)) / f"{homework}.ipynb"


def feedback(course: Course, homework: str) -> int:
    """nbgrader's own feedback pages for all students; how many there are."""
    log = logging.Logger("viva.demo")
    log.addHandler(logging.NullHandler())
    api = NbGraderAPI(config=course.config, log=log)
    api.generate_feedback(homework)
    return len(list((course.root / "feedback").glob(f"*/{homework}/*.html")))


def play(course: Course, folder: Path, homeworks: list[str],
         say: Callable[[str], None] = print) -> list[dict]:
    """Run the demo; one row per student and homework for the closing table."""
    demo = prepare(course, folder)
    rows = []
    for number, homework in enumerate(homeworks):
        release(demo, homework)
        did = enrol(demo, homework, small=number > 0)
        say(f"{homework}: released, {len(did)} demo students have handed in")
        began = time.monotonic()
        summary = autograde(demo, homework, marks_only=True)
        pages = feedback(demo, homework)
        say(f"{homework}: {len(summary.results)} graded in {time.monotonic() - began:.0f} s "
            f"(marks only), {pages} feedback pages")
        for graded in sorted(summary.results, key=lambda g: list(did).index(g.student)):
            rows.append({
                "homework": homework, "student": graded.student, "did": did[graded.student],
                "score": graded.score, "points": sum(
                    mark.points for mark in graded.tests.values()),
                "reason": reason(graded),
            })
    return rows


def reason(graded: Graded) -> str:
    """A sentence that says why a student has these marks."""
    score = sum(mark.score or 0.0 for mark in graded.tests.values())
    points = sum(mark.points for mark in graded.tests.values())
    crashes = sum(remark.kind is Kind.CRASHED for remark in graded.remarks)
    if crashes and score == points:
        times = "once" if crashes == 1 else f"{crashes} times"
        return f"crashed {times}, went on: {score:g} / {points:g}"
    if graded.remarks:
        return graded.remarks[0].text.splitlines()[0]
    hints = [r.hint for mark in graded.marks.values() for r in mark.rubric if r.hint]
    if hints:
        return hints[0]
    lost = {name: mark for name, mark in graded.tests.items() if mark.points and mark.lost}
    if not lost:
        return "full marks on all hidden tests"
    if all(mark.score == 0 for mark in lost.values()) and len(lost) > 3:
        first = next(iter(lost)).removeprefix("test_")
        return f"{len(lost)} exercises with no points, {first} the first"
    name, mark = next(iter(lost.items()))
    items = [item for item in mark.items if item.message]
    said = items[0].message if items else mark.reason
    return f"{name.removeprefix('test_')}: {said}"
