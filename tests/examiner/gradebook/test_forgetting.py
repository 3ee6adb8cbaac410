"""`viva forget`: afterwards no file of the course and no row of the gradebook knows the person."""

import pytest
from nbgrader.api import Gradebook

from viva_examiner.cli import main
from viva_examiner.gradebook import dump, ledger
from viva_examiner.written.grading import WrittenGrading
from written_course import HOMEWORK, write_course


@pytest.fixture
def course(tmp_path, empty_gradebook, monkeypatch):
    course = write_course(tmp_path / "course", empty_gradebook)
    for path, text in {
            f"submitted/cyd/{HOMEWORK}/essays.ipynb": "by cyd",
            f"feedback/cyd/{HOMEWORK}/essays.html": "for cyd",
            f"reports/explained/{HOMEWORK}/cyd-to-send.html": "for cyd",
            f"reports/voce/{HOMEWORK}/cyd.html": "questions",
            f"reports/.{HOMEWORK}.alike.json": '[["ada", "cyd"]]', ".viva-desk/log": "cyd: 3 of 4",
            f".viva-wanted/{HOMEWORK}/0f": "cyd", "exports/cyd.zip": "all about one person",
            f"exports/{HOMEWORK}-feedback-moodle.zip": "pages by a platform's names",
            "exports/ada.zip": "about somebody else",
            f"reports/{HOMEWORK}.html": "<td>cyd</td>", "reports/other.html": "cydney",
            "exports/essays-csv.csv": "student_id,score\nada,1\ncyd,2\ncydney,3\n",
            "roster.csv": "student,homework,late_days,attempt_of\ncyd,*,2,\ncyd+2,*,,cyd\n",
    }.items():
        (course.root / path).parent.mkdir(parents=True, exist_ok=True)
        (course.root / path).write_text(text)
    desk = WrittenGrading(course, HOMEWORK, "tina")
    for student in ("cyd", "ada"):
        rows = next(unit["rows"] for unit in desk.question(0)["units"]
                    if student in [row["student"] for row in unit["rows"]])
        desk.grade(0, rows, [1.0, 0.5], "", None)
    desk.close()
    monkeypatch.chdir(course.root)
    return course


def test_nothing_of_the_person_is_left_and_everything_of_the_others(course, capsys):
    assert main(["forget", "cyd"]) == 2, "nobody was there to confirm it"
    assert main(["forget", "cyd", "--yes"]) == 0
    said = capsys.readouterr().out
    assert "submissions: 1, entries of the ledger: 1" in said and "downloaded" in said
    assert '"cyd' not in "".join(dump.dumped(course).values())
    left = [path for path in course.root.rglob("*") if path.is_file()
            and path.name != "gradebook.db"]
    assert not [path for path in left if "cyd" in path.relative_to(course.root).parts]
    texts = {path.name: path.read_text() for path in left if path.suffix in (".html", ".csv")}
    assert texts["essays-csv.csv"] == "student_id,score\nada,1\ncydney,3\n"
    assert texts["other.html"] == "cydney" and f"{HOMEWORK}.html" not in texts
    assert "cyd" not in texts["roster.csv"]
    assert not [path for path in left if b"cyd" in path.read_bytes()
                and path.name not in ("other.html", "essays-csv.csv", "essays.ipynb")]
    assert (course.root / "exports" / "ada.zip").is_file()
    assert not list(course.root.glob("exports/*feedback*"))
    with ledger.opened(course) as book:
        assert book.last(ledger.FORGOTTEN).student == ""
        assert {entry.student for entry in book.entries(ledger.MARK)} == {"ada", "bob"}


def test_the_only_work_of_a_group_is_not_removed_by_the_way(course, capsys):
    (course.root / "roster.csv").write_text(
        f"student,homework,group\ncyd,{HOMEWORK},red\nzoe,{HOMEWORK},red\n")
    with Gradebook(course.db_url, "w") as book:
        book.add_student("zoe")
    assert main(["forget", "cyd", "--yes"]) == 2
    assert "work of a group lies under cyd's name" in capsys.readouterr().err
    assert (course.root / "submitted" / "cyd").is_dir()
    assert main(["forget", "cyd", "--yes", "--anyway"]) == 0
