"""What goes wrong in the staff's own code is told with its place, and never costs a point."""

from dataclasses import replace

import numpy as np
import pytest

import toy
from viva import case, tables
from viva_course import examining, expected, rubric
from viva_course.exam import reference_error
from viva_course.faults import StaffFault


@pytest.fixture(autouse=True)
def toy_is_registered(monkeypatch):
    monkeypatch.setitem(rubric.EXERCISES, "centre", toy.toy)
    for kept in (rubric.reference_record, rubric.mistake_records, reference_error):
        kept.cache_clear()


def asked(monkeypatch, ask, *candidates):
    """What comes of a question that is put instead of the toy's own."""
    monkeypatch.setattr(toy.toy, "items", [rubric.Item("asked", 4, "A question.", ask)])
    return toy.toy.examine(candidates or toy.toy.reference, "s")


def test_a_name_that_does_not_exist_in_a_question(monkeypatch):
    def ask(exam, centre, spread):
        exam.same(centre(np.ones(3)), nothing)  # noqa: F821

    with pytest.raises(StaffFault, match=r"'asked' of centre fails by itself \(test_staff_faults.py"
                                         r", line \d+\): NameError: name 'nothing'"):
        asked(monkeypatch, ask)


def test_a_question_that_calls_the_function_wrongly(monkeypatch):
    def ask(exam, centre, spread):
        centre(np.ones(3), 1)

    with pytest.raises(StaffFault, match="fails by itself"):
        asked(monkeypatch, ask)


def test_a_misspelt_function_of_a_library(monkeypatch):
    def ask(exam, centre, spread):
        exam.true(np.allcloze(centre(np.ones(3)), 0), "zero")

    with pytest.raises(StaffFault, match="allcloze"):
        asked(monkeypatch, ask)


def test_what_an_answer_explains_is_the_students(monkeypatch):
    def ask(exam, centre, spread):
        exam.true(bool(abs(centre(np.ones((2, 3))).mean()) < 1e-9), "zero")

    assert asked(monkeypatch, ask, lambda x: None, toy.spread).score == 0  # None has no mean
    assert asked(monkeypatch, ask, lambda x: undefined, toy.spread).score == 0  # noqa: F821
    assert asked(monkeypatch, ask).score == 4


def test_an_error_in_a_message_for_wrong_answers_only(monkeypatch):
    source = "def ask(exam, centre, spread):\n    exam.true(spread(x) == 0, f'{wrod}')\n"
    names = {"__name__": "viva_course.exams.toy.section", "x": np.ones(3)}
    exec(compile(source, "section.py", "exec"), names)
    with pytest.raises(StaffFault, match="section.py, line 2.*NameError"):
        asked(monkeypatch, names["ask"], toy.centre, lambda x: 1.0)


def test_an_exercise_that_stands_in_no_table_is_told_with_its_place():
    with pytest.raises(StaffFault, match=r"centr \(test_staff_faults.py, line \d+\) stands in no "
                                         "table of exercises"):
        rubric.Exercise("centr", "a number")


def test_a_function_that_the_reference_lacks_is_told(monkeypatch):
    entry = tables.ExerciseEntry("purification", "losses", ("f", "g"))
    monkeypatch.setitem(tables.ENTRIES, "f", entry)
    with pytest.raises(StaffFault, match="reference.purification has no f, g, which the table of "
                                         "purification names"):
        rubric.Exercise("f", "a number")


def test_a_misspelt_exercise():
    with pytest.raises(StaffFault, match="no exercise named 'purifer'; did you mean purifier"):
        examining.examine("purifer", np.sum)


def test_a_function_that_was_forgotten():
    with pytest.raises(StaffFault, match="examined with 1 functions; it needs centre, spread"):
        toy.toy.examine(toy.toy.reference[:1], "s")


def test_a_case_that_raises_by_itself_is_refused(monkeypatch):
    def forgotten_import(rng, centre, spread):
        return sp.special.expit(centre(rng.normal(size=3)))  # noqa: F821

    broken = replace(toy.toy.cases[0], name="forgotten_import", scenario=forgotten_import)
    monkeypatch.setitem(case.CASES, "centre", [*toy.toy.cases, broken])
    words = "the case forgotten_import of centre raises by itself .*line .*NameError: name 'sp'"
    with pytest.raises(StaffFault, match=words):
        expected.public_record(toy.toy)
    with pytest.raises(StaffFault, match=words):
        toy.toy.examine(toy.toy.reference, "s")


def test_a_case_in_which_the_function_raises_is_none(monkeypatch):
    def refused(rng, centre, spread):
        return centre(np.array(1.0))

    raising = replace(toy.toy.cases[0], name="refused", scenario=refused)
    monkeypatch.setitem(case.CASES, "centre", [*toy.toy.cases, raising])
    assert expected.public_record(toy.toy)["cases"]["refused"] == {"raised": "ValueError"}


def test_two_mistakes_of_one_name_are_refused():
    """One would hide the other's hint."""
    with pytest.raises(ValueError, match="centre has two mistakes with the name variance"):
        toy.toy.mistake("variance", "Another hint.")
