"""`viva export`, `viva feedback`, `viva roster` on a class: what is not known is never a zero."""

import csv
import random
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

import courses
from marked_course import DUE, HOMEWORKS, TEST, WRITTEN, hand_in, write_course
from viva_examiner.autograde.progress import Progress
from viva_examiner.cli import main
from viva_examiner.gradebook.book import Book
from viva_examiner.gradebook.results import Results
from viva_examiner.gradebook.standing import LOOK, NOT_HANDED_IN, UNGRADED, of_record
from viva_examiner.nbgrader_steps import feedback_page
from viva_examiner.nbgrader_steps.exporters import EXPORTERS
from viva_examiner.nbgrader_steps.spreadsheet import inert, write_csv
from viva_examiner.records import Graded, Mark

PEOPLE = ["ada", "bob", "cyd", "dan", "eve"]
DAY = timedelta(days=1)


@pytest.fixture
def course(tmp_path, empty_gradebook, monkeypatch):
    """ada is graded, bob's words wait, cyd's file was not a notebook, dan handed in nothing."""
    course = write_course(tmp_path / "course", empty_gradebook, PEOPLE)
    hand_in(course, "one", "ada", 5.5, 3.0)
    hand_in(course, "one", "bob", 6.0)
    hand_in(course, "one", "cyd", 0.0, 0.0, look=True)
    hand_in(course, "one", "eve", None)  # the engine could not examine it
    monkeypatch.chdir(course.root)
    return course


def exported(course, form: str, homework: str = "one") -> dict[str, dict]:
    """The rows of an export by student."""
    assert main(["export", homework, "--for", form, "--to", f"{form}.csv"]) == 0
    with (course.root / f"{form}.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    key = {"canvas": "SIS Login ID", "moodle": "ID number"}.get(form, "student_id")
    return {row[key]: row for row in rows}


def test_only_final_marks_are_exported_and_the_rest_is_said_in_words(course, capsys):
    found = exported(course, "csv")
    assert (found["ada"]["score"], found["ada"]["max_score"]) == ("8.5", "10")
    assert found["ada"]["status"] == "final"
    bob = found["bob"]
    assert (bob["score"], bob["so_far"], bob["of"], bob["waits_for_a_ta"]) == ("", "6", "6", "4")
    assert bob["status"] == f"{UNGRADED}: written_why"
    assert (found["cyd"]["score"], found["cyd"]["status"]) == ("", f"{LOOK}: sum")
    assert (found["dan"]["score"], found["dan"]["status"]) == ("", NOT_HANDED_IN)
    assert found["eve"]["status"] == f"{UNGRADED}: written_why; {LOOK}: sum"
    said = capsys.readouterr().out
    assert "1 of 5 marks are final" in said and f"{NOT_HANDED_IN}: dan" in said


def test_canvas_meets_an_existing_assignment_by_its_number(course):
    with (course.root / "nbgrader_config.py").open("a") as file:
        file.write('c.Examiner.columns = {"one": "HW 11 (12345)"}\n')
    assert exported(course, "canvas")["ada"]["HW 11 (12345)"] == "8.5"
    assert exported(course, "moodle")["ada"]["HW 11"] == "8.5"


@pytest.mark.parametrize("form", ["canvas", "moodle"])
def test_platforms_get_a_mark_or_nothing(course, form):
    found = exported(course, form)
    assert {name: found[name]["one"] for name in PEOPLE} == {
        "ada": "8.5", "bob": "", "cyd": "", "dan": "", "eve": ""}
    if form == "moodle":
        assert found["dan"]["one (feedback)"] == NOT_HANDED_IN
    else:
        assert NOT_HANDED_IN in (course.root / "canvas_notes.csv").read_text()


def test_a_tas_mark_makes_it_final_everywhere(course):
    hand_in(course, "one", "bob", 6.0, 4.0)
    assert exported(course, "csv")["bob"]["score"] == "10"
    assert exported(course, "exercises")["bob"]["note"] == ""


def test_nbgraders_own_export_says_the_same(course):
    courses.nbgrader_here(course.root, "export", "--to=grades.csv", "--assignment=['one']")
    assert exported(course, "csv")
    assert (course.root / "grades.csv").read_text() == (course.root / "csv.csv").read_text()


def test_no_field_runs_in_a_spreadsheet(tmp_path):
    rows = [("=1+1", "+cmd", "-2", "-x", "@sum", "\tx", "plain", "a=b", "    Points Possible")]
    write_csv(tmp_path / "x.csv", rows)
    with (tmp_path / "x.csv").open(newline="") as file:
        [row] = csv.reader(file)
    assert row == ["'=1+1", "'+cmd", "-2", "'-x", "'@sum", " x", "plain", "a=b",
                   "    Points Possible"]


@pytest.mark.parametrize("field, left", [
    ("x;=cmd|' /C calc'!A0", "x;'=cmd|' /C calc'!A0"), ("x,=cmd", "x,'=cmd"), ("x|@sum", "x|'@sum"),
    ("\n=cmd", "' =cmd"), ("a\r\n=cmd", "a  =cmd"), ("\t=cmd", "' =cmd"), ("\u2028=cmd", "' =cmd"),
    ("\uff1dcmd", "'\uff1dcmd"), ("\uff0bcmd", "'\uff0bcmd"), ("\uff0dcmd", "'\uff0dcmd"),
    ("\uff20cmd", "'\uff20cmd"), ("\ufe66cmd", "'\ufe66cmd"), ("\u2212cmd", "'\u2212cmd"),
    ("\u200b=cmd", "'\u200b=cmd"), ("\ufeff=cmd", "'\ufeff=cmd"), (" =cmd", "' =cmd"),
    ("\u3000=cmd", "'\u3000=cmd"), ("-1\n", "'-1 "), ("+1", "'+1"), ("-1e-05", "-1e-05"),
    ("Jean-Luc; late", "Jean-Luc; late"), ("a@b.org", "a@b.org"), ("", ""),
])
def test_what_some_spreadsheets_would_compute_is_text(field, left):
    assert inert(field) == left


def test_every_form_has_an_exporter():
    from viva_examiner.cli.export import FORMS

    assert set(FORMS) == set(EXPORTERS)


def test_terminal_and_gradebook_say_the_same_of_random_marks(course):
    """Two dozen random records, some graded by hand before: the line of `viva autograde` is what
    the gradebook says after it was written."""
    rng = random.Random(5)
    names, records = [f"s{number:02}" for number in range(24)], []
    for name in names:
        hand_in(course, "two", name, rng.choice([None, 0.0, 2.5, TEST]),
                rng.choice([None, 0.0, WRITTEN]))
    with Book(course, "two") as book:
        known = book.records()
        for name in names:
            marks = {"test_sum": Mark(rng.choice([None, 0.0, 2.5, TEST]), TEST),
                     "written_why": Mark(rng.choice([None, 0.0]), WRITTEN, manual=True)}
            status = rng.choice(["graded", "graded", "unreadable"])
            records.append(Graded(name, "two", "two", status, marks))
        book.write([(record, None) for record in records])
        after = Results(book.gradebook, course).submitted("two")
        for record in records:
            said = of_record(record, known[record.student, "two"]).words
            assert said == after[record.student].words, record


def test_the_terminal_counts_what_waits_apart(capsys):
    marks = {"test_sum": Mark(90.0, 90.0), "written_why": Mark(None, 10.0, manual=True)}
    graded = Graded("ada", "h", "h", "graded", marks)
    Progress(as_json=False).on_event("done", graded=graded, known={})
    assert capsys.readouterr().out == "ada: 90 of 90, 10 wait for a TA\n"


def roster(course, text: str) -> None:
    (course.root / "in.csv").write_text(text)
    assert main(["roster", "--in", "in.csv"]) == 0


def test_extensions_and_late_days_change_the_penalty(course):
    hand_in(course, "two", "ada", 6.0, 4.0, late=2 * DAY)
    hand_in(course, "two", "bob", 6.0, 4.0, late=2 * DAY)
    hand_in(course, "two", "cyd", 6.0, 4.0, late=2 * DAY)
    assert exported(course, "csv", "two")["ada"]["score"] == "8"  # two days begun, 10% each
    roster(course, "student,homework,extension_days,late_days\nada,two,2,\nbob,*,,1\n")
    found = exported(course, "csv", "two")
    assert (found["ada"]["score"], found["bob"]["score"], found["cyd"]["score"]) == ("10", "9", "8")
    assert (found["bob"]["late_days"], found["bob"]["late_penalty"]) == ("1", "1")
    with Book(course, "two") as book:  # formgrader and feedback read nbgrader's own column
        penalties = {name: s.notebooks[0].late_submission_penalty for name, s in (
            (s.student_id, s) for s in book.gradebook.assignment_submissions("two"))}
    assert penalties == {"ada": None, "bob": 1.0, "cyd": 2.0}


def test_one_submission_of_a_group_is_everybodys(course):
    roster(course, "student,homework,group\nada,one,red\ndan,one,red\n")
    found = exported(course, "csv")
    assert (found["dan"]["score"], found["dan"]["submission_of"]) == ("8.5", "ada")
    assert main(["feedback", "one"]) == 0
    pages = [Path(course.path("feedback", name, "one")) / "one.html" for name in ("ada", "dan")]
    assert pages[0].read_text() == pages[1].read_text()


@pytest.mark.parametrize("counts, score", [("best", "9"), ("last", "6")])
def test_best_or_last_of_several_attempts(course, counts, score):
    hand_in(course, "two", "ada", 5.0, 4.0)
    hand_in(course, "two", "ada+2", 3.0, 3.0, late=-DAY / 2)
    roster(course, f"student,homework,attempt_of,counts\nada+2,*,ada,\n*,two,,{counts}\n")
    found = exported(course, "csv", "two")
    assert found["ada"]["score"] == score and "ada+2" not in found


def test_an_attempt_that_may_still_be_better_keeps_the_mark_open(course):
    hand_in(course, "two", "ada", 5.0, 0.0)
    hand_in(course, "two", "ada+2", 3.0)  # up to 7, when its words are graded
    roster(course, "student,homework,attempt_of,counts\nada+2,*,ada,\n*,two,,best\n")
    ada = exported(course, "csv", "two")["ada"]
    assert (ada["score"], ada["status"]) == ("", "another attempt may be better: ada+2")
    hand_in(course, "two", "ada", 6.0, 2.0)
    assert exported(course, "csv", "two")["ada"]["score"] == "8"


def test_the_roster_is_shown_changed_and_written(course, capsys):
    assert main(["roster", "ada", "two", "--extension", "2"]) == 0
    assert main(["roster", "ada", "--late-days", "3"]) == 0
    said = capsys.readouterr().out
    assert "ada, two: due 2 days later" in said and "ada: 3 of 3 late days left" in said
    assert main(["roster", "--out", "out.csv"]) == 0
    assert (course.root / "out.csv").read_text() == (
        "student,homework,extension_days,late_days,group,attempt_of,counts,grader\n"
        "ada,*,,3,,,,\nada,two,2,,,,,\n")
    assert main(["roster", "adda", "--late-days", "3"]) == 2
    assert "did you mean ada?" in capsys.readouterr().err
    assert main(["roster", "ada", "two", "--remove"]) == 0
    assert "ada,two" not in (course.root / "roster.csv").read_text()


@pytest.mark.parametrize("command", ["export", "feedback", "report", "roster"])
def test_a_broken_roster_is_told_in_one_line(course, command, capsys):
    (course.root / "roster.csv").write_text("student,late_days\nada,many\n")
    assert main([command, *(["one"] if command != "roster" else [])]) == 2
    said = capsys.readouterr().err
    assert "roster.csv: line 2: late_days is a number of days" in said and "Trace" not in said


@pytest.mark.parametrize("words, says", [
    (["export", "onee"], "there is no homework onee; did you mean one?"),
    (["report", "tow"], "there is no homework tow; did you mean two?"),
    (["feedback", "one", "--student", "eev"], "there is no student eev; did you mean eve?"),
    (["autograde", "one", "--student", "adda"], "there is no student adda; did you mean ada?"),
])
def test_a_slip_of_the_keyboard_is_answered_with_the_nearest_name(course, words, says, capsys):
    assert main(words) == 2
    assert says in capsys.readouterr().err


def test_feedback_before_and_after_manual_grading(course):
    page = Path(course.path("feedback", "bob", "one")) / "one.html"
    assert main(["feedback", "one"]) == 0
    text = page.read_text()
    assert "6 of 6, 4 wait for a TA" in text
    assert "This page was made before everything was graded" in text
    assert '<a href="#test_sum"><code>sum</code></a>: 6 of 6 points' in text
    assert "not graded yet (4 points, waits for a TA)" in text and "0 of 4" not in text
    hand_in(course, "one", "bob", 6.0, 4.0)
    assert main(["feedback", "one"]) == 0  # nbgrader alone would keep the old page
    text = page.read_text()
    assert "10 of 10" in text and "before everything was graded" not in text


def test_feedback_holds_what_was_handed_in_and_no_script(course):
    log = Path(course.path("autograded", "ada", "one")) / "submission_log.json"
    log.write_text('{"of": "the examiner"}')
    own = Path(course.path("submitted", "bob", "one")) / "submission_log.json"
    own.parent.mkdir(parents=True)
    own.write_text('{"of": "the student"}')
    copy = Path(course.path("autograded", "bob", "one")) / log.name
    copy.write_text('{"of": "the examiner"}')
    assert main(["feedback", "one"]) == 0
    assert not (Path(course.path("feedback", "ada", "one")) / log.name).exists()
    bob = Path(course.path("feedback", "bob", "one"))
    assert (bob / log.name).read_text() == own.read_text()
    page = (bob / "one.html").read_text()
    assert "<script" not in page and "default-src 'none'" in page
    assert page.count("<math") == 2 and "$" not in page.split("<body")[1]


def test_a_log_that_is_read_only_is_no_fault_for_who_is_not_root(course, monkeypatch):
    own, copy = (Path(course.path(room, "bob", "one")) / "submission_log.json"
                 for room in ("submitted", "autograded"))
    own.parent.mkdir(parents=True)
    for path in own, copy:
        path.write_text("{}")
        path.chmod(0o444)  # as what came through an exchange

    def copyfile(source, target):
        if Path(target).exists() and not Path(target).stat().st_mode & 0o200:
            raise PermissionError(target)  # root, as whom the tests run, would not be told
        Path(target).write_bytes(Path(source).read_bytes())

    monkeypatch.setattr(feedback_page, "shutil", SimpleNamespace(copyfile=copyfile))
    assert main(["feedback", "one"]) == 0
    assert (Path(course.path("feedback", "bob", "one")) / own.name).is_file()


def test_a_homework_of_nobody_is_exported_and_has_no_feedback(course, capsys):
    assert {row["status"] for row in exported(course, "csv", "two").values()} == {NOT_HANDED_IN}
    assert main(["feedback", "two"]) == 2
    assert "viva autograde two" in capsys.readouterr().err
    assert set(DUE) == set(HOMEWORKS)
