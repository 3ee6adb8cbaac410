"""Test code runs in a judge: a process without rights, whose record is checked before it counts."""

import json
import os
from types import SimpleNamespace

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from plain_course import nbgrader
from viva.seam import RUBRIC_MIME
from viva_examiner.examination.grade import grade
from viva_examiner.examination.judge_record import Record, checked
from viva_examiner.examination.judges import Judges
from viva_examiner.limits import Limits
from viva_examiner.notebook.released import Released, ReleasedCell
from viva_examiner.records import NOT_GRADED, Work
from viva_examiner.sandbox.interpreter import WarmInterpreter
from viva_examiner.sandbox.isolation import OTHER_USER

LIMITS = Limits(cell_seconds=10, question_seconds=5, submission_seconds=20)


@pytest.fixture(scope="module")
def warm():
    with WarmInterpreter(("numpy", "IPython", "viva"), LIMITS) as warm:
        yield warm


def graded(warm, *tests: str, code: str = "def one():\n    return 1"):
    """What this code gets in a homework with these tests, 2 points each."""
    cells = [ReleasedCell("work", "code", "", "", locked=False, solution=True)]
    cells += [ReleasedCell(f"test_{number}", "code", text, "", locked=True, grade=True, points=2)
              for number, text in enumerate(tests)]
    written = new_code_cell(code, id="work", metadata=nbgrader("work", solution=True))
    data = nbformat.writes(new_notebook(cells=[written])).encode()
    return grade(warm, Released("hw", "hw", tuple(cells)), Work(data, student="ada"), LIMITS)


HIDDEN = "### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"


@pytest.mark.parametrize("wrap", ["{}", HIDDEN], ids=["visible", "hidden"])
def test_a_test_has_none_of_our_rights(warm, wrap, tmp_path):
    secret = tmp_path / "gradebook.db"
    secret.write_text("marks")
    words = ["import os",
             f"assert os.getpid() != {os.getpid()} and not os.path.exists({str(secret)!r})",
             "rights = [row for row in open('/proc/self/status') if row.startswith('Cap')]",
             "assert {row.split()[1] for row in rights} == {'0' * 16}"]
    if os.geteuid() == 0:
        words.append("assert 0 not in (*os.getresuid(), *os.getresgid())")
    assert graded(warm, wrap.format("\n".join([*words, "assert one() == 1"]))).score == 2


def test_what_one_test_leaves_behind_no_other_submission_finds(warm):
    leaves = "import builtins, pathlib\nbuiltins.left = pathlib.Path('/tmp/left').write_text('x')"
    finds = ("import builtins, pathlib\n"
             "assert not hasattr(builtins, 'left') and not pathlib.Path('/tmp/left').exists()")
    assert graded(warm, leaves).score == 2
    assert graded(warm, finds).score == 2


def test_a_judge_that_ends_leaves_no_mark_and_no_zero(warm):
    found = graded(warm, HIDDEN.format("import os\nos._exit(0)"), "assert one() == 1")
    assert found.status == NOT_GRADED
    assert {mark.score for mark in found.marks.values()} == {None}
    assert "the process of the tests left with exit code 0" in "\n".join(map(str, found.remarks))
    assert graded(warm, "assert one() == 1").score == 2  # the next one is not held up


FORGED = """
import json, os, struct
shown = {"outputs": [], "count": 1}
record = {"marks": {"test_0": {"score": SCORE, "points": 2.0}}, "seconds": {}, "log": "",
          "incidents": [], "shown": {"0": shown, "1": shown}}
for message in ({"op": "record", "failed": ""}, record):
    data = json.dumps(message).encode() + b"\\n"
    os.write(3, struct.pack(">I", len(data)) + data)
"""


@pytest.mark.parametrize("score", ["100.0", "-1.0", "float('nan')", "True", "'2'"])
def test_a_forged_record_with_impossible_points_is_not_written(warm, score):
    found = graded(warm, HIDDEN.format(FORGED.replace("SCORE", score)))
    assert found.status == NOT_GRADED and found.marks["test_0"].score is None
    assert "cannot be trusted" in "\n".join(map(str, found.remarks))


def test_a_forged_record_with_possible_points_is_not_written_either(warm):
    """A student's code may name the descriptor to which a test writes; it does not know the word
    that this judge was given.
    """
    found = graded(warm, HIDDEN.format(FORGED.replace("SCORE", "2.0")), code="one = None")
    assert found.status == NOT_GRADED and found.marks["test_0"].score is None
    assert "not the judge's own" in "\n".join(map(str, found.remarks))


@pytest.mark.parametrize("message", [
    {"op": "signal", "number": 19}, {"op": "fork", "seconds": 1}, {"op": "close"},
    {"op": "__init__"}, {"op": "left", "seconds": "long"}, {"op": None}])
def test_a_judge_may_ask_for_nothing_else(warm, message):
    asks = ("import json, os, struct\n"
            f"data = json.dumps({message!r}).encode()\n"
            "os.write(3, struct.pack('>I', len(data)) + data)\n"
            "os.read(3, 1)\n")
    found = graded(warm, HIDDEN.format(asks))
    assert found.status == NOT_GRADED and "cannot be trusted" in "\n".join(map(str, found.remarks))


def record(**changes) -> dict:
    empty = {"outputs": [], "count": 1}
    return {"marks": {"t": {"score": 1.0, "points": 2.0}}, "seconds": {"b": 0.1}, "log": "",
            "incidents": [], "shown": {"0": empty, "1": empty}} | changes


def check(message: dict):
    about = {"grade": True, "solution": False, "grade_id": "t", "points": 2, "locked": True}
    cells = [new_code_cell("", id="a"),
             new_code_cell("", id="b", metadata={"nbgrader": about})]
    return checked(Record.from_plain(message), new_notebook(cells=cells))


def shown(*outputs: dict) -> dict:
    cells = {name: {"outputs": list(outputs), "count": 1} for name in "01"}
    return record(shown=cells)


def test_a_record_as_it_should_be():
    found = check(record())
    assert found.marks["t"].score == 1.0 and found.shown["0"].outputs == ()


MARK = record()["marks"]["t"]
CRASH = {"kind": "crashed", "text": "crashed with SIGSEGV"}


@pytest.mark.parametrize("changes", [
    {"marks": {}}, {"marks": {"t": MARK, "u": MARK}}, {"marks": {"t": MARK | {"score": 2.5}}},
    {"marks": {"t": MARK | {"points": 20.0}}}, {"marks": {"t": MARK | {"reason": "x" * 9999}}},
    {"marks": {"t": MARK | {"rubric": [{"exercise": "f", "points": 2, "score": 3}]}}},
    {"marks": {"t": MARK | {"stock": 3.0}}}, {"marks": {"t": MARK | {"extra": 1}}},
    {"marks": {"t": MARK | {"manual": True}}},
    {"seconds": {"nobody": 1.0}}, {"seconds": {"b": -1.0}}, {"log": 5}, {"incidents": [5]},
    {"shown": {}}, shown({"output_type": "x"}), shown({"output_type": "stream", "name": "x"}),
    shown("text"), {"incidents": [CRASH] * 5000},
    {"incidents": [CRASH | {"kind": "engine"}]}, {"incidents": [CRASH | {"kind": "new"}]},
    {"incidents": [CRASH | {"text": "x" * 9999}]}, {"log": "x" * 3_000_000},
], ids=lambda changes: json.dumps(changes)[:60])
def test_a_record_that_cannot_be(changes):
    with pytest.raises(ValueError):
        check(record(**changes))


def test_pages_of_a_record_are_cleaned_once_more():
    data = {"text/html": "<b>1</b><script>alert(1)</script>", "image/svg+xml": "<svg/>",
            "application/javascript": "alert(1)", "text/plain": "1"}
    found = check(shown({"output_type": "display_data", "data": data, "metadata": {}}))
    (output,) = found.shown["0"].outputs
    assert output["data"] == {"text/html": "<b>1</b>", "text/plain": "1"}


def test_a_rubric_passes_whole():
    item = {"name": "values", "points": 2, "earned": 1.5, "message": "close"}
    rubric = {"exercise": "f", "homework": "hw", "score": 1.5, "points": 2, "mistake": "",
              "hint": "", "note": "", "items": [item], "leaderboard": []}
    data = {"text/plain": "f", "text/html": "<b>f</b>", RUBRIC_MIME: rubric}
    found = check(shown({"output_type": "display_data", "data": data, "metadata": {}}))
    page = found.shown["0"].outputs[0]["data"]
    assert page[RUBRIC_MIME] == rubric and "class='viva-rubric'" in page["text/html"]


def answers(tmp_path, **kept: bytes) -> set[str]:
    """What is written down of what a judge says that its library keeps."""
    released = Released("hw", "hw", (ReleasedCell("t", "code", "examine('f', f)", "", True, True),))
    folder = tmp_path / "answers"
    judges = SimpleNamespace(answers=str(folder))
    Judges.keep(judges, SimpleNamespace(answers={n.replace("__", "-"): d for n, d in kept.items()}),
                released)
    return {path.name for path in folder.iterdir()} if folder.is_dir() else set()


def test_what_a_library_keeps_is_well_formed_new_and_about_this_homework(tmp_path):
    from viva import plain

    fine = plain.pack({"values": [1, 2]})
    assert answers(tmp_path, f__outputs__abc=fine) == {"f-outputs-abc"}
    assert (tmp_path / "answers" / "f-outputs-abc").stat().st_mode & 0o777 == 0o600
    assert answers(tmp_path, f__outputs__abc=plain.pack({"values": [3]}),
                   g__outputs__abc=fine, f__other__abc=b"no data") == {"f-outputs-abc"}
    assert (tmp_path / "answers" / "f-outputs-abc").read_bytes() == fine
    assert answers(tmp_path, f__outputs__abd=fine) == {"f-outputs-abd"}  # of another exam


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_judge_as_another_user_has_a_scratch_disk_too():
    """What its mother remembers of temporary folders is not its own."""
    with WarmInterpreter(("numpy", "IPython", "viva"), LIMITS, way=OTHER_USER) as warm:
        found = graded(warm, "import tempfile\nopen('mine.txt', 'w').write('x')\n"
                       "with tempfile.TemporaryFile() as file:\n    assert one() == 1")
    assert found.score == 2, found.remarks
