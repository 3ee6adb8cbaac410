"""The audit finds what is wrong with an exam, and nothing where nothing is."""

import copy
import dataclasses
import os
import time
from types import SimpleNamespace

import numpy as np
import pytest

import doubling
import exam_checks
import toy
from viva import case
from viva.compare import difference, measured
from viva_course import rubric
from viva_examiner.audit.exams import RIGHT, WRONG, AuditFinding, audit
from viva_examiner.audit.staff_forks import TaskLimits, in_forks
from viva_examiner.audit.table import summary, table
from viva_examiner.cli import main
from viva_examiner.notebook.staff import read_notebook


@pytest.fixture
def exercise(monkeypatch):
    """The toy exercise, free to be spoilt."""
    rubric.exercises()  # loaded here once, not in every fork
    one = copy.copy(toy.toy)
    one.items, one.mistakes, one.variants = [*one.items], [*one.mistakes], [*one.variants]
    monkeypatch.setitem(rubric.EXERCISES, "centre", one)
    rubric.reference_record.cache_clear()
    rubric.mistake_records.cache_clear()
    return one


def audited(exercise, seeds=3) -> AuditFinding:
    (finding,) = audit([exercise], {}, jobs=2, seeds=seeds)
    return finding


def test_a_good_exam_has_no_problems(exercise):
    finding = audited(exercise)
    assert finding.problems() == []
    assert len(finding.of(RIGHT)) == 2 * 3  # the reference and a variant, three secrets
    assert {row.name for row in finding.of(WRONG)} == {"wrong_axis", "in_place", "variance"}


def test_the_table_says_which_item_rejects_which_mistake(exercise):
    lines = table(audited(exercise))
    assert any(line.split() == ["in_place", ".", ".", "x", "1", "yes"] for line in lines)
    assert any(line.split() == ["wrong_axis", "x", "x", ".", "3", "yes"] for line in lines)
    assert any("full marks on 3 of 3 secrets: variant loop over rows" in line for line in lines)
    assert any("untouched" in line and line.split()[-1] == "4" for line in lines)


def test_a_case_that_is_not_deterministic_is_found(exercise, monkeypatch):
    def luck(rng, centre, spread):
        """four numbers that nobody can draw again"""
        return centre(np.random.default_rng().normal(size=4))

    wavering = dataclasses.replace(toy.toy.cases[0], name="luck", scenario=luck)
    monkeypatch.setitem(case.CASES, "centre", [*toy.toy.cases, wavering])
    assert ("the case luck is not deterministic: let it draw everything from rng"
            in audited(exercise).problems())


def test_a_mistake_that_survives_is_found(exercise):
    @exercise.mistake("none", "This one is right.")
    def centre(x):
        return toy.toy.reference[0](x)

    assert "mistake none survives (secret audit 0)" in audited(exercise).problems()


def test_an_item_that_no_mistake_needs_is_found(exercise):
    @exercise.item(1, "Finite.")
    def finite(exam, centre, spread):
        found = centre(np.ones((2, 2)) + np.eye(2))
        exam.true(np.shape(found) == (2, 2) and bool(np.isfinite(found).all() and np.ptp(found)),
                  "not finite")

    assert audited(exercise).problems() == ["no mistake needs the item 'finite'"]


def test_a_rejected_variant_is_found_even_if_one_secret_in_many_rejects_it(exercise):
    @exercise.variant("off when the first number is large")
    def centre(x):
        good = toy.toy.reference[0](x)
        return good + (x.flat[0] > 0.9)

    problems = audited(exercise, seeds=20).problems()
    assert problems and all(problem.startswith("variant off when") for problem in problems)


def test_a_solution_that_raises_is_told_with_its_exception(exercise):
    @exercise.variant("with a name that does not exist")
    def centre(x):
        return x - means  # noqa: F821

    [problem] = audited(exercise).problems()
    assert "NameError" in problem and "means" in problem and "is right" not in problem


def test_a_fault_of_one_item_is_one_line(exercise):
    @exercise.item(1, "A question that nobody can answer.")
    def misspelt(exam, centre, spread):
        exam.trew(centre(np.ones((2, 2))) is not None, "never")

    found = audited(exercise).problems()
    assert len(found) == 1, found
    [problem] = found
    assert "'misspelt'" in problem and "fails by itself" in problem and "line" in problem


def test_points_for_the_untouched_cell_are_found(exercise):
    @exercise.item(1, "For free.")
    def given(exam, centre, spread):
        exam.true(True, "never")

    problems = audited(exercise).problems()
    assert "the untouched cell earns 1 points: given" in problems


def test_points_for_one_and_the_same_answer_are_found(exercise):
    @exercise.item(1, "Never negative.")
    def quiet(exam, centre, spread):
        exam.true(np.all(np.asarray(spread(np.zeros((2, 3)))) >= 0), "negative")

    problems = audited(exercise).problems()
    assert "to return 0.0 always earns 1 points: quiet" in problems
    assert "to return [] always earns 1 points: quiet" in problems
    assert not any("to refuse" in problem for problem in problems)


def test_points_for_infinity_are_found(exercise):
    """It is half of itself: two answers of the candidate, compared with each other."""
    @exercise.item(1, "Half as much.")
    def halves(exam, centre, spread):
        once = float(np.max(spread(np.ones((2, 3)))))
        exam.true(once > 0, "nothing")
        exam.same(float(np.max(spread(2 * np.ones((2, 3))))), once / 2)

    problems = audited(exercise).problems()
    assert "to return inf always earns 1 points: halves" in problems


def test_points_for_an_object_that_agrees_with_everything_are_found(exercise):
    @exercise.item(1, "Twice the same.")
    def agrees(exam, centre, spread):
        once, twice = centre(np.ones((2, 3))), centre(2 * np.ones((2, 3)))
        exam.true(bool((2 * once == twice).all()), "not linear")

    problems = audited(exercise).problems()
    assert "to agree with everything (True, torch.float64) earns 1 points: agrees" in problems


def test_a_mistake_that_kills_its_process_is_a_problem(exercise):
    @exercise.mistake("dies", "The process ends.")
    def spread(x):
        os._exit(7)

    assert any("status 7" in problem for problem in audited(exercise).problems())


def test_margins_are_measured_in_tolerances():
    with measured() as errors:
        difference(np.array([1.0, 2.0]), np.array([1.0, 2.0 + 1e-6]), rtol=0, atol=1e-5)
        difference(3.0, 3.5, rtol=0, atol=0.1)
    assert errors == [pytest.approx(0.1), pytest.approx(5)]


def test_margins_of_an_exam(exercise):
    finding = audited(exercise)
    assert finding.largest_right().largest < 1e-3
    assert finding.smallest_wrong().excess > 1e3
    assert "centre" in summary([finding])[1]


def test_a_task_that_hangs_is_ended_and_the_others_go_on():
    def work(seconds):
        time.sleep(seconds)
        return seconds

    ended = dict(in_forks(work, [60, 0.01, 0.02], jobs=2, limits=TaskLimits(seconds=2)))
    assert ended[0.01].value == 0.01 and ended[0.02].value == 0.02
    assert "2 s" in ended[60].why


def test_a_task_is_limited_in_cpu_time_and_memory():
    def work(task):
        while task == "spin":
            pass
        return len(np.ones(2**28))  # 2 GB

    ended = dict(in_forks(work, ["spin", "grow"], limits=TaskLimits(cpu_seconds=1, memory_mb=256)))
    assert "CPU" in ended["spin"].why
    assert "memory" in ended["grow"].why


def test_a_large_result_arrives_whole():
    ((_, ended),) = in_forks(lambda n: "v" * n, [3_000_000])
    assert len(ended.value) == 3_000_000


def test_the_notebook_gives_its_solution_and_its_stub(tmp_path):
    course = doubling.write_course(tmp_path, doubling.doubling_cells())
    notebook = read_notebook(course, "doubling")
    (double,) = notebook.candidates(("double",))
    assert double(3) == 6 and "scaled" in double.__viva_source__
    (stub,) = notebook.stub(("double",))
    with pytest.raises(NotImplementedError):
        stub(3)
    with pytest.raises(NameError, match="triple"):
        notebook.candidates(("triple",))


def test_the_command_needs_an_exercise(capsys):
    assert main(["audit", "--exercise", "no_such_exercise"]) == 2
    assert main(["audit", "--questions", "--exercise", "cosine"]) == 2
    assert "no such exercise" in capsys.readouterr().err


def test_an_exercise_that_trains_is_tried_on_every_secret_by_one_after_the_other(
        exercise, monkeypatch):
    monkeypatch.setattr("viva_examiner.audit.exams.SLOW", 0.0)
    rows = audited(exercise, seeds=20).of(RIGHT)
    assert len(rows) == 20 and len({row.secret for row in rows}) == 20
    assert {row.name for row in rows} == {"the reference", "variant loop over rows"}


def test_a_bar_that_fails_in_a_homeworks_test_says_which(exercise, monkeypatch):
    """It once was a bare assertion, of which a busy machine's log told nothing."""
    monkeypatch.setattr(exam_checks, "notebooks", lambda homework: {})
    monkeypatch.setattr(exam_checks, "Proven", lambda *about: SimpleNamespace(
        recall=lambda exercise: None, keep=lambda finding: None))
    finding = SimpleNamespace(problems=lambda: ["mistake none survives (secret audit 0)"])
    monkeypatch.setattr(exam_checks, "audit", lambda *args, **options: [finding])
    with pytest.raises(AssertionError, match="centre: mistake none survives"):
        exam_checks.check_exercise(exercise)
