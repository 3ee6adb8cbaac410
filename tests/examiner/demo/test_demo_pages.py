"""What the demo says at its end."""

from viva_examiner.demo import pages
from viva_examiner.demo.play import reason
from viva_examiner.records import Graded, Kind, Mark, Remark


def graded(score: float, *remarks: str) -> Graded:
    marks = {"test_f": Mark(score, 90.0, "wrong"), "written": Mark(None, 10.0, manual=True)}
    return Graded("ada", "hw", "hw", "graded", marks,
                  remarks=tuple(Remark(Kind.CRASHED, text) for text in remarks))


def test_a_crash_that_cost_nothing_is_said_so():
    assert reason(graded(90.0, "crashed with SIGSEGV")) == "crashed once, went on: 90 / 90"
    assert reason(graded(80.0, "crashed with SIGSEGV")) == "crashed with SIGSEGV"
    assert reason(graded(90.0)) == "full marks on all hidden tests"


def test_an_exercise_is_called_by_its_own_name_and_a_mark_not_rounded():
    lost = {f"test_f{number}": Mark(0.0, 5.0) for number in range(4)}
    assert reason(Graded("ada", "hw", "hw", "graded", lost)) == (
        "4 exercises with no points, f0 the first")
    lost = {"test_f": Mark(2.0, 5.0, "values differ")}
    assert reason(Graded("ada", "hw", "hw", "graded", lost)) == "f: values differ"
    assert "88.25 / 90" in pages.table([row(score=88.25, points=90.0)])


def row(**changes) -> dict:
    return {"homework": "hw", "student": "ada", "did": "", "score": 1.0, "points": 2.0,
            "reason": "short"} | changes


def test_no_line_is_cut_in_the_middle_of_a_word():
    words = [f"word{number}" for number in range(60)]
    told = pages.table([row(reason=" ".join(words)), row(student="a-longer-name")], 80)
    assert all(len(line) <= 80 for line in told.splitlines())
    assert set(words) <= set(told.split())


def test_one_page_leads_to_all_others(tmp_path):
    report = tmp_path / "reports" / "hw.html"
    report.parent.mkdir()
    report.write_text("")
    page = pages.write_index(tmp_path, [row(reason="<b>bold</b>"), row(homework="other")])
    text = page.read_text()
    assert 'href="reports/hw.html"' in text and "reports/other" not in text
    assert "&lt;b&gt;" in text and "<b>bold" not in text
