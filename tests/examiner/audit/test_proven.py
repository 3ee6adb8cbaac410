"""Findings that are kept: recalled while nothing they rest on has changed, never when something is
wrong."""

from types import SimpleNamespace

import pytest

import toy
from viva_examiner.audit.exams import RIGHT, WRONG, AuditFinding, AuditRow
from viva_examiner.audit.proven import Proven

ROWS = [AuditRow(RIGHT, "the reference", "audit 0", 4.0),
        AuditRow(WRONG, "wrong_axis", "audit 0", 1.0, tuple(item.name for item in toy.toy.items))]


@pytest.fixture
def proven(tmp_path):
    """What an audit of a course would ask, with a library whose digest a test may change."""
    library = SimpleNamespace(exam="as it was")
    library.digest = lambda name: library.exam
    course = SimpleNamespace(root=tmp_path, library=library)
    return lambda notebook="cells", seeds=20: Proven(course, {"toy": notebook}, seeds)


def test_a_finding_is_recalled_row_by_row(proven):
    assert proven().recall(toy.toy) is None
    proven().keep(AuditFinding(toy.toy, ROWS))
    assert proven().recall(toy.toy).rows == ROWS


def test_a_change_of_what_it_rests_on_is_noticed(proven):
    proven().keep(AuditFinding(toy.toy, ROWS))
    assert proven(notebook="other cells").recall(toy.toy) is None
    assert proven(seeds=21).recall(toy.toy) is None
    proven().library.exam = "changed"
    assert proven().recall(toy.toy) is None


def test_a_finding_with_problems_is_not_kept(proven):
    proven().keep(AuditFinding(toy.toy, ROWS[:1]))  # no mistake needs the items
    assert proven().recall(toy.toy) is None


def test_a_file_that_cannot_be_read_proves_nothing(proven):
    proven().keep(AuditFinding(toy.toy, ROWS))
    [path] = proven().folder.rglob("*.json")
    path.write_text("{")
    assert proven().recall(toy.toy) is None


def test_the_public_check_is_kept_beside_it(proven):
    asked = []

    def noticed(exercise):
        asked.append(exercise.name)
        return {"name": exercise.name}

    def row(again=False):
        proven().library.noticed = noticed
        return proven().public_check(toy.toy, again)

    assert row() == row() == {"name": toy.toy.name} and len(asked) == 1
    row(again=True)
    proven().library.exam = "changed"
    row()
    assert len(asked) == 3


def test_an_older_finding_is_replaced(proven):
    proven().keep(AuditFinding(toy.toy, ROWS))
    proven(seeds=3).keep(AuditFinding(toy.toy, ROWS))
    assert len(list(proven().folder.rglob("*.json"))) == 1


def test_what_the_public_check_makes_of_the_mistakes_is_asked_once(proven):
    asked = []
    proven().library.noticed = lambda exercise: asked.append(exercise.name) or {"tried": 3}
    assert proven().public_check(toy.toy) == proven().public_check(toy.toy) == {"tried": 3}
    assert asked == ["centre"]
    proven().public_check(toy.toy, again=True)
    proven().library.exam = "changed"
    proven().public_check(toy.toy)
    assert len(asked) == 3 and len(list(proven().folder.rglob("*.check"))) == 1
