"""The kit on the oldest and on the newest libraries that it asks for (make test-kit).

The environments are made by the bundle's own commands. Every notebook runs on both, solved and
untouched; checks, hints and logs must be the same, and the grader must read both logs alike.
"""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest

import kit_sets
from kit_sets import SETS, versions
from repository import ROOT
from student_machine import COURSE, HOMEWORKS, STUDENT, answers_of, checks_of, run, run_notebooks
from viva import plain
from viva.case import cases_of
from viva.compare import difference
from viva.log import LOG_NAME
from viva_examiner.examination import submission_log

pytestmark = pytest.mark.ranges
# Mistakes that draw their answers with torch, whose streams differ between versions.
DRAWS_FROM_TORCH = {"pretraining greedy_decode sampled"}


def of_both(function) -> dict:
    """{set: what the function gives for it}, both at once."""
    with ThreadPoolExecutor(len(SETS)) as pool:
        return dict(zip(SETS, pool.map(function, SETS)))


@pytest.fixture(scope="module")
def students(pytestconfig):
    """{set: the folder of a student who has it}; says what is in it."""
    folders = {name: kit_sets.set_up(name) for name in SETS}  # pip's cache serves one at a time
    shown = pytestconfig.pluginmanager.get_plugin("capturemanager").global_and_fixture_disabled
    for name, folder in folders.items():
        found = ", ".join(f"{each} {version}" for each, version in versions(folder).items())
        with shown():
            print(f"\n{name}: {found}", flush=True)
        for left in ("solved", "untouched"):
            shutil.rmtree(folder / left, ignore_errors=True)
    return folders


@pytest.fixture(scope="module")
def solved(students):
    return of_both(lambda name: run_notebooks(students[name], solved=True))


@pytest.fixture(scope="module")
def untouched(students):
    return of_both(lambda name: run_notebooks(students[name], solved=False))


def test_the_oldest_set_is_what_the_kit_says(students):
    found = versions(students["oldest"])
    for name, bound in kit_sets.oldest().items():
        assert f"{found[name]}.".startswith(f"{bound}."), f"{name} {found[name]}, not {bound}"


@pytest.mark.parametrize("name", SETS)
def test_the_doctor_finds_it_well(students, name):
    told = run(students[name], "-m", "viva", "doctor", "--student")
    assert told.returncode == 0, told.stdout


@pytest.mark.parametrize("homework", HOMEWORKS)
@pytest.mark.parametrize("name", SETS)
def test_solved_every_check_passes(solved, name, homework):
    cells, exercises = solved[name][homework]
    for cell in cells:
        assert cell["error"] == "" and cell["stderr"] == "", cell
    assert {each: entry["status"] for each, entry in exercises.items()} == {
        each: "passed" for each in checks_of(homework)}


@pytest.mark.parametrize("homework", HOMEWORKS)
@pytest.mark.parametrize("name", SETS)
def test_untouched_nothing_crashes(untouched, name, homework):
    cells, exercises = untouched[name][homework]
    answers = answers_of(homework)
    for cell in cells:
        assert cell["error"] == "" or cell["id"] in answers, cell
        assert cell["stderr"] == "", cell
    assert exercises and {entry["status"] for entry in exercises.values()} == {"missing"}


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_the_checks_say_the_same(solved, untouched, homework):
    for ran in (solved, untouched):
        one, two = ({cell["id"]: cell["stdout"] for cell in ran[name][homework][0]
                     if cell["id"].endswith("-check")} for name in SETS)
        assert len(one) == len(checks_of(homework)) and one == two


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_the_logs_are_the_same(solved, untouched, homework):
    """Status and source to the letter; outputs within the tolerance of their case."""
    for ran in (solved, untouched):
        one, two = (ran[name][homework][1] for name in SETS)
        assert set(one) == set(two)
        for exercise in one:
            for part in ("status", "source"):
                assert one[exercise][part] == two[exercise][part], exercise
            assert apart(exercise, one[exercise]["outputs"], two[exercise]["outputs"]) == []


def apart(exercise: str, one: dict, two: dict) -> list[str]:
    """The cases whose recorded outputs differ by more than their tolerance."""
    assert set(one) == set(two)
    cases = {case.name: case for case in cases_of(exercise)}
    return [name for name in one if difference(
        plain.from_json(one[name]), plain.from_json(two[name]), cases[name].rtol,
        cases[name].atol, cases[name].dtype)]


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_the_grader_reads_both_logs_alike(students, solved, homework):
    """`viva grade-log`, on this machine's own versions: all that a log can earn."""
    for name in SETS:
        path = students[name] / "solved" / homework / LOG_NAME
        graded = submission_log.grade(COURSE.library, path, STUDENT, False, homework)
        assert not graded.refused and graded.score == graded.judged > 0, graded.remarks


def test_known_mistakes_are_told_the_same_hints(students):
    """Headline, rows and causes, for every mistake of every exercise; but for the words of numpy's
    and torch's own exceptions."""
    def said(name):
        done = run(students[name], ROOT / "tests/support/judge_mistakes.py", ROOT / "lib",
                   *HOMEWORKS)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    one, two = of_both(said).values()
    assert set(one) == set(two) and len(one) > 500
    apart = {name: (one[name], two[name]) for name in one if one[name] != two[name]}
    assert set(apart) <= DRAWS_FROM_TORCH, apart
    for (status, *_), (other, *_) in apart.values():
        assert status == other == "failed", "noticed on both, whatever was drawn"
