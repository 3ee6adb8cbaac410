"""Marks first: the same marks without the cells that decide none, and then these cells."""

import json
import shutil
from pathlib import Path

import nbformat
import pytest

import courses
import one_homework
from viva_examiner.autograde.agenda import Agenda, Job
from viva_examiner.autograde.grading_run import autograde
from viva_examiner.autograde.wanted import ask_for, asked_for
from viva_examiner.demo.cohort import CHEAT, with_first_cell
from viva_examiner.examination.as_handed_in import MARK

HOMEWORK = one_homework.HOMEWORK


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    course = one_homework.make(tmp_path_factory.mktemp("course"), names=("stable_softmax",))
    released = nbformat.read(
        Path(course.path("release", ".", HOMEWORK)) / f"{HOMEWORK}.ipynb", as_version=4)
    right = one_homework.answered(released)
    moved = nbformat.from_dict(right)
    moved.cells.insert(1, moved.cells.pop(next(
        i for i, cell in enumerate(moved.cells) if cell.id == "figure")))
    edited = nbformat.from_dict(right)  # a changed look cell that breaks what was right
    next(cell for cell in edited.cells if cell.id == "figure").source = (
        "def stable_softmax(x, axis=-1): return x")
    edited.cells.insert(2, edited.cells.pop(next(
        i for i, cell in enumerate(edited.cells) if cell.id == "figure")))
    shown = nbformat.from_dict(right)
    next(cell for cell in shown.cells if cell.id == "figure").outputs = [nbformat.v4.new_output(
        "stream", text="my own output\n")]
    students = {"right": right, "untouched": released, "moved": moved, "edited": edited,
                "wrong": one_homework.answered(released, stable_softmax=one_homework.WRONG_AXIS),
                "cheat": with_first_cell(released, CHEAT), "shown": shown}
    for student, notebook in students.items():
        folder = Path(course.path("submitted", student, HOMEWORK))
        folder.mkdir(parents=True)
        nbformat.write(notebook, folder / f"{HOMEWORK}.ipynb")
    return course


def marks(course) -> dict:
    return {path.parts[-3]: {name: mark["score"] for name, mark in
                             json.loads(path.read_text())["metadata"]["viva"]["marks"].items()}
            for path in Path(course.root).glob("autograded/*/*/*.ipynb")}


def figure_of(course, student: str) -> dict:
    path = Path(course.path("autograded", student, HOMEWORK)) / f"{HOMEWORK}.ipynb"
    return next(cell for cell in json.loads(path.read_text())["cells"] if cell["id"] == "figure")


def test_marks_are_the_same_and_the_rest_is_shown_as_handed_in(course):
    autograde(course, HOMEWORK, marks_only=True)
    quick = marks(course)
    assert len(quick) == 7 and quick["right"]["test_stable_softmax"] == 5
    texts = [output.get("text", "") for output in figure_of(course, "shown")["outputs"]]
    assert texts == [MARK, "my own output\n"]
    assert quick["edited"]["test_stable_softmax"] < 5  # what a student changed always runs

    again = autograde(course, HOMEWORK, marks_only=True)
    assert (len(again.results), again.skipped) == (0, 7)
    whole = autograde(course, HOMEWORK)  # asked for everything, it runs the rest
    assert (len(whole.results), whole.skipped) == (0, 7)
    assert marks(course) == quick
    assert any("image/png" in output.get("data", {})
               for output in figure_of(course, "shown")["outputs"])
    assert autograde(course, HOMEWORK, marks_only=True).skipped == 7  # all of it is there already


@pytest.fixture()
def class_of_seven(course, tmp_path, examiner_here):
    """(a fresh copy of the course, a function that grades it and gives the events)."""
    copy = courses.copy_of(course, tmp_path / "course")
    for path in Path(copy.root).glob("autograded/*"):
        if path.is_dir():
            shutil.rmtree(path)

    def grade(on_event=lambda event, **facts: None, run=examiner_here.run):
        events = []

        def note(event, **facts):
            events.append((event, getattr(facts.get("graded"), "student", "")))
            on_event(event, **facts)

        return autograde(copy, HOMEWORK, jobs=2, on_event=note, run=run), events

    return copy, grade


def drawn(course) -> set[str]:
    """The students whose figure was drawn by us."""
    return {path.parts[-3] for path in Path(course.root).glob("autograded/*/*/*.ipynb")
            if any("image/png" in output.get("data", {})
                   for output in figure_of(course, path.parts[-3])["outputs"])}


def test_all_marks_are_in_the_gradebook_before_the_first_figure_is_drawn(class_of_seven):
    course, grade = class_of_seven
    seen = {}

    def tell(event, **facts):
        if event == "marked":
            seen.update(grades=courses.grades(course, HOMEWORK), drawn=drawn(course),
                        left=facts["left"])

    summary, events = grade(tell)
    assert len(summary.results) == 7 and 0 < summary.marks_seconds <= summary.seconds
    assert seen["drawn"] <= {"moved", "edited", "cheat"}  # what a student changed always runs
    assert seen["left"] == sum(event == "completed" for event, _ in events) >= 4
    assert seen["grades"] == courses.grades(course, HOMEWORK)
    assert {"right", "wrong", "shown"} <= drawn(course)
    again, events = grade()
    assert (again.skipped, len(again.results)) == (7, 0)
    assert not any(event == "completed" for event, _ in events)


def test_an_interruption_loses_nothing_and_the_next_run_goes_on(class_of_seven):
    course, grade = class_of_seven

    def stop(event, **facts):
        if event == "completed":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grade(stop)
    before = courses.grades(course, HOMEWORK)
    assert len(marks(course)) == 7 and len(drawn(course)) < 5
    summary, events = grade()
    assert summary.skipped == 7 and {"right", "wrong", "shown"} <= drawn(course)
    assert courses.grades(course, HOMEWORK) == before


def test_a_fault_while_the_rest_is_run_changes_no_mark(class_of_seven, examiner_here):
    course, grade = class_of_seven

    def faulty(jobs, order, count, started=lambda job: None):
        while jobs.first:
            yield from examiner_here.run([jobs.take()], order, count)
        for job in jobs:
            yield job.not_graded("the worker died")

    summary, _ = grade(run=faulty)
    assert not summary.not_graded and len(marks(course)) == 7
    assert marks(course)["right"]["test_stable_softmax"] == 5
    grade()
    assert {"right", "wrong", "shown"} <= drawn(course)


def test_whom_somebody_looks_at_is_completed_next(class_of_seven):
    course, grade = class_of_seven

    def tell(event, **facts):
        if event == "marked":
            ask_for(course, HOMEWORK, "wrong")

    _, events = grade(tell)
    assert next(student for event, student in events if event == "completed") == "wrong"
    assert list(asked_for(course, HOMEWORK)) == []


def test_the_agenda_gives_marks_first_then_who_needs_a_look():
    agenda = Agenda([Job("ada", "hw", "hw", bytes)])
    agenda.add_rest(Job("ben", "hw", "hw", bytes, rest=True))
    agenda.add_rest(Job("eve", "hw", "hw", bytes, rest=True), urgent=True)
    agenda.again(Job("dan", "hw", "hw", bytes, rest=True))
    agenda.again(Job("cy", "hw", "hw", bytes))
    assert [job.student for job in agenda] == ["ada", "cy", "eve", "ben", "dan"]
