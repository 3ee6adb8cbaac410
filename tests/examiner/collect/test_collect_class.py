"""A class of sixty on five platforms, twelve on each, with twenty messy hand-ins among them.

Each notebook holds its owner's id, so that work under another name is seen.
"""

from datetime import datetime
from pathlib import Path

import pytest

from collecting import ATTENTION, DUE, KERNELS, collected, owners, refused, work
from platform_exports import (
    archive,
    blackboard,
    brightspace,
    canvas,
    canvas_text,
    gradescope,
    moodle,
    worksheet,
    zipped,
)
from viva_examiner.collect.students import Students
from viva_examiner.collect.worksheet import Worksheet

FIRST = "Ada Ben Cyd Dan Eva Flo Gus Hal Ida Jon Kim Lea".split()
LAST = ["Müller", "O'Brien", "van der Berg", "Smith_Jones", "Núñez"]
AT = "2026-10-1{}-17-05-09"
CLOCK = datetime(2026, 10, 12, 17, 5)


def person(group: int, number: int) -> dict[str, str]:
    """Student `number` of the platform `group`; no two have one name."""
    first, last = FIRST[number], LAST[group]
    login = f"{first}_{group}".lower() if number % 2 else f"{first}{group}".lower()
    return {"id": login, "first_name": first, "last_name": last,
            "email": f"{login}@example.org", "lms_user_id": str(50_000 + 100 * group + number)}


CLASS = [[person(group, number) for number in range(12)] for group in range(5)]
TABLE = Students.of([each for group in CLASS for each in group])


def sortable(who: dict) -> str:
    return f"{who['last_name']}, {who['first_name']}"


def full(who: dict) -> str:
    return f"{who['first_name']} {who['last_name']}"


def own(who: dict) -> dict[str, bytes]:
    return work(who["id"])


def alone(data: bytes, name: str) -> dict[str, bytes]:
    return {name: data}


def notebook_of(who: dict) -> bytes:
    return own(who)["attention.ipynb"]


@pytest.fixture
def on_canvas(tmp_path) -> Path:
    """Messy: a text, an anonymous upload, a zip with a classmate's folder, a browser's ending."""
    files = {}
    for number, who in enumerate(CLASS[0]):
        handed_in = own(who)
        if number == 0:
            files |= canvas_text(sortable(who), int(who["lms_user_id"]), b"<p>text")
            continue
        if number == 2:
            handed_in = {"work.zip": zipped({f"{CLASS[0][3]['id']}/{k}": v
                                             for k, v in own(who).items()})}
        if number == 4:
            handed_in = alone(notebook_of(who), "attention.ipynb.txt")
        files |= canvas(sortable(who), int(who["lms_user_id"]), handed_in, late=number == 5,
                        anonymous="aB3xZ" if number == 1 else "", first=9000 + 10 * number)
    return archive(tmp_path, "submissions.zip", files)


def test_canvas(on_canvas):
    found = collected(on_canvas, students=TABLE, due=DUE)
    people = [each["id"] for each in CLASS[0]]
    assert owners(found) == {name: name for name in people[2:]}
    assert not found.taken[people[0]].has_notebook and refused(found, "anon_aB3xZ")
    assert [name for name in found.taken if found.taken[name].late] == [people[5]]


@pytest.mark.parametrize("flat", [True, False])
def test_moodle(tmp_path, flat):
    """Messy: numbers that are others' on the platform, a text, a PDF, another homework, a stranger
    with a student's name."""
    files, rows = {}, {}
    for number, who in enumerate(CLASS[1]):
        participant = 50_000 + (number + 5) % 12  # all of them are somebody's lms_user_id
        rows[participant] = (full(who), who["email"])
        handed_in, plugin = own(who), "file"
        if number == 0:
            handed_in, plugin = {"onlinetext.html": b"<p>text"}, "onlinetext"
        if number == 1:
            handed_in = {"work.pdf": b"%PDF"}
        if number == 2:
            handed_in = alone(KERNELS, "kernels.ipynb")
        files |= moodle(full(who), participant, handed_in, flat, plugin)
    files |= moodle(full(CLASS[1][3]), 77, work("stranger"), flat)
    rows[77] = (full(CLASS[1][3]), "stranger@example.org")
    made = archive(tmp_path, "moodle.zip", files)
    people = [each["id"] for each in CLASS[1]]
    found = collected(made, students=TABLE)
    assert owners(found) == {name: name for name in people[4:]}
    assert refused(found, "two people on the platform have the name of", people[3])
    assert all(not found.taken[name].has_notebook for name in people[:3])
    (tmp_path / "grades.csv").write_text(worksheet(rows))
    sheet = Worksheet.in_file(tmp_path / "grades.csv")
    found = collected(made, students=TABLE, worksheet=sheet)
    assert owners(found) == {name: name for name in people[3:]}
    assert refused(found, "the e-mail is not: stranger@example.org")


def test_blackboard(tmp_path):
    """Messy: three attempts, an impossible date, a file that names a classmate, a text alone, a
    corrupt zip."""
    files = {}
    for number, who in enumerate(CLASS[2]):
        handed_in, when = own(who), AT.format(2)
        if number == 0:
            for day in (3, 1):
                files |= blackboard("HW_1", who["id"], full(who), AT.format(day),
                                    work(f"attempt {day}"))
            handed_in = work("attempt 2")
        if number == 1:
            when = "2026-02-31-25-61-61"
        if number == 2:
            forged = f"HW_1_{CLASS[2][3]['id']}_attempt_{AT.format(4)}_attention.ipynb"
            handed_in = alone(notebook_of(who), forged)
        if number == 4:
            handed_in = {}
        if number == 5:
            handed_in = {"work.zip": b"PK\x03\x04 half"}
        files |= blackboard("HW_1", who["id"], full(who), when, handed_in)
    found = collected(archive(tmp_path, "gradebook.zip", files), students=TABLE)
    people = [each["id"] for each in CLASS[2]]
    expected = {name: name for name in people if name not in (people[4], people[5])}
    assert owners(found) == expected | {people[0]: "attempt 3"}
    assert found.taken[people[1]].when is None and not found.taken[people[4]].has_notebook
    assert refused(found, "work.zip: not a zip archive") and people[5] not in found.taken


def test_brightspace(tmp_path):
    """Messy: a repeated upload, two people of one name, a list, a login before the name."""
    files = {}
    for number, who in enumerate(CLASS[3]):
        name = f"{who['id']} {full(who)}" if number == 2 else full(who)
        files |= brightspace(name, 700 + number, CLOCK, own(who))
        if number == 0:
            files |= brightspace(name, 700, CLOCK.replace(day=11), work("older"))
        if number == 1:
            files |= brightspace(name, 799, CLOCK, work("namesake"))
    found = collected(archive(tmp_path, "brightspace.zip", files), students=TABLE)
    people = [each["id"] for each in CLASS[3]]
    assert owners(found) == {name: name for name in people if name != people[1]}
    assert refused(found, "two people on the platform have the name of", people[1])


def test_gradescope(tmp_path):
    """Messy: a group of three, an empty sid, a stranger, results that imitate the manifest."""
    at = "2026-10-12 17:05:09.123456789 Z"
    everyone = [(full(who), "" if number == 1 else who["id"], who["email"])
                for number, who in enumerate(CLASS[4])]
    handed_in = [(everyone[9:], at, work("group"))]
    handed_in += [([each], at, own(who)) for each, who in zip(everyone[:9], CLASS[4], strict=False)]
    handed_in.append(([("Eve Mallory", "", "eve@example.org")], at, work("stranger")))
    more = ("  :results:\n    :tests:\n    - :output: |\n        submission_98:\n"
            "        :submitters:\n        - :sid: ada0\n")
    found = collected(archive(tmp_path, "export.zip", gradescope(handed_in, more)), students=TABLE)
    people = [each["id"] for each in CLASS[4]]
    assert owners(found) == ({name: name for name in people[:9]}
                             | {name: "group" for name in people[9:]})
    assert refused(found, "Eve Mallory", "not in the table")


def test_all_of_them_at_once_are_not_read_as_exports(tmp_path, on_canvas):
    """Several archives are one student's each: an export among others could be forged."""
    other = archive(tmp_path, "moodle.zip", moodle(full(CLASS[1][0]), 1, {"a.ipynb": ATTENTION}))
    found = collected(on_canvas, other, students=TABLE)
    assert not found.taken and refused(found, "submissions.zip", "collect it by itself")


def test_the_class_has_sixty_people_with_sixty_names():
    assert len(TABLE.ids) == 60
    assert all(len(found) == 1 for (kind, _), found in TABLE.words.items())
