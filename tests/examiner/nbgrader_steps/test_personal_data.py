"""`viva export --student` hands a person their own data; `--anonymous` hands out nobody's."""

import csv
import json
import zipfile

import pytest

from viva_examiner.cli import main
from viva_examiner.written.grading import WrittenGrading
from written_course import ANSWERS, HOMEWORK, write_course


@pytest.fixture
def course(tmp_path, empty_gradebook, monkeypatch):
    course = write_course(tmp_path / "course", empty_gradebook)
    (course.root / "roster.csv").write_text("student,homework,late_days\nada,*,2\ncyd,*,1\n")
    for student in ("cyd", "ada"):
        for room, name in (("submitted", "essays.ipynb"), ("feedback", "essays.html")):
            folder = course.root / room / student / HOMEWORK
            folder.mkdir(parents=True)
            (folder / name).write_text(f"{room} of {student}")
    desk = WrittenGrading(course, HOMEWORK, "tina")
    for student in ("cyd", "ada"):
        rows = next(unit["rows"] for unit in desk.question(0)["units"]
                    if student in [row["student"] for row in unit["rows"]])
        desk.grade(0, rows, [1.0, 0.5], f"Words for {student}", None)
    desk.close()
    monkeypatch.chdir(course.root)
    return course


def test_a_person_gets_everything_of_their_own_and_nothing_of_others(course, capsys):
    assert main(["export", "--student", "cyd"]) == 0
    assert "for cyd alone" in capsys.readouterr().out
    path = course.root / "exports" / "cyd.zip"
    assert path.stat().st_mode & 0o077 == 0
    with zipfile.ZipFile(path) as archive:
        held = {name: archive.read(name).decode() for name in archive.namelist()}
    assert set(held) == {"about.json", f"submitted/cyd/{HOMEWORK}/essays.ipynb",
                         f"feedback/cyd/{HOMEWORK}/essays.html"}
    about = json.loads(held["about.json"])
    assert [each["id"] for each in about["students"]] == ["cyd"]
    assert about["ledger"][0]["payload"]["answer"] == ANSWERS["cyd"]
    assert {each["cell"]: each["by_hand"] for each in about["marks"]} == {
        "written_why": 2.5, "written_how": None}
    assert about["roster"][0]["late_days"] == 1 and "ada" not in "".join(held.values())


def test_what_is_anonymous_names_nobody_and_quotes_nothing(course, capsys):
    texts = []
    for _ in range(2):
        assert main(["export", HOMEWORK, "--anonymous"]) == 0
        texts.append((course.root / "exports" / f"{HOMEWORK}-anonymous.csv").read_text())
    rows = list(csv.DictReader(texts[0].splitlines()))
    assert len(rows) == 2 * len(ANSWERS) and len({row["pseudonym"] for row in rows}) == len(ANSWERS)
    assert sorted(row["score"] for row in rows if row["score"]) == ["2.5"] * 3
    for word in (*ANSWERS, "Words for", "Because", ":"):
        assert word not in texts[0]
    first, second = ({row["pseudonym"] for row in csv.DictReader(text.splitlines())}
                     for text in texts)
    assert not first & second, "two exports cannot be joined"
    assert main(["export", "--anonymous"]) == 0  # the whole course
    assert main(["export"]) == 2
    assert "which homework?" in capsys.readouterr().err
