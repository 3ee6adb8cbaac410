"""Every reason for which a homework is not released, provoked."""
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from doubling import ANSWER, SOLUTION, nbgrader, released, write_course
from viva_examiner.cli import main
from viva_examiner.records import GRADED, Graded, Mark
from viva_examiner.release.authored import problems_of_run
from viva_examiner.release.problems import ReleaseRefused
from viva_examiner.release.released_faults import secret_lines
from viva_examiner.release.releasing import release


def refusal(made, **options):
    """Why the homework is refused; the old release and the gradebook must stay as they were."""
    gradebook = (made.root / "gradebook.db").read_bytes()
    released(made).parent.mkdir(parents=True, exist_ok=True)
    released(made).write_text("the old release")
    with pytest.raises(ReleaseRefused) as caught:
        release(made, "doubling", **options)
    assert released(made).read_text() == "the old release"
    assert (made.root / "gradebook.db").read_bytes() == gradebook
    assert str(caught.value).startswith("doubling is not released: ")
    assert all(problem.remedy for problem in caught.value.problems)
    return "\n".join(map(str, caught.value.problems))


@pytest.mark.parametrize("cell, old, new, words", [
    ("double", "    ### END SOLUTION", "", "cell double (number 3): has BEGIN SOLUTION without"),
    ("double", "    ### BEGIN SOLUTION", "", "double (number 3): has END SOLUTION without BEGIN"),
    ("test_double", "### END HIDDEN TESTS", "", "has BEGIN HIDDEN TESTS without END"),
    ("test_double", "### BEGIN HIDDEN TESTS", "### BEGIN HIDDEN TESTS\n### BEGIN HIDDEN TESTS",
     "has a second BEGIN HIDDEN TESTS"),
    ("title", "One exercise.", "### BEGIN SOLUTION\nx\n### END SOLUTION",
     "has a solution region but is not a solution cell"),
    ("setup", "import math", "### BEGIN HIDDEN TESTS\nx\n### END HIDDEN TESTS",
     "has a hidden tests region but is not a test cell"),
    ("setup", "import math", "# begin solution", "cell setup (number 2): keeps a marker"),
    ("test_double", "# The", "### BEGIN HIDDEN TEST\n# The", "cell test_double (number 4): keeps"),
    ("title", "One exercise.", "END HIDDEN TEST", "cell title (number 1): keeps a marker"),
])
def test_markers_that_survive_or_do_not_match(course, cells, cell, old, new, words):
    cells[cell].source = cells[cell].source.replace(old, new)
    assert words in refusal(course())


@pytest.mark.parametrize("cell, addition", [
    ("setup", "\nreturn_value = lambda x: 0\nif 1:\n    scaled  =  x*2.0"),
    ("setup", "\nx = 0\nx = x + 10.5"),
    ("title", "\nHint: write `return scaled + 0*x` at the end."),
    ("test_double", '\nexamine("double", double)'),
    ("title", "\nExample: multiplication by two is linear\n"
     "Because multiplication by two is linear in every entry."),
])
def test_a_line_of_an_answer_that_survives(course, cells, cell, addition):
    cells[cell].source += addition
    message = refusal(course())
    assert f"cell {cell} (number" in message and "shows a line of the solution of cell" in message


def test_a_line_may_be_shared_on_purpose(course, cells):
    cells["setup"].source += "\nx = 1\nscaled = x * 2.0"
    cells["setup"].metadata["tags"] = ["shares-solution"]
    release(course(), "doubling")


@pytest.mark.parametrize("line", [
    "import numpy as np", "batch, tokens, width = x.shape", "rng = np.random.default_rng(seed)",
    "for row in range(len(x)):", "return weights, values", "fig, ax = plt.subplots(1, 2)"])
def test_a_line_that_says_nothing_may_stand_anywhere(line):
    cell = {"cell_type": "code", "metadata": nbgrader("f", solution=True), "source":
            f"### BEGIN SOLUTION\n{line}\n### END SOLUTION"}
    assert list(secret_lines(nbformat.from_dict({"cells": [cell]}))) == []


def test_code_after_the_stub(course, cells):
    cells["double"].source = SOLUTION.replace(
        "    return scaled + 0 * x\n    ### END SOLUTION",
        "    ### END SOLUTION\n    return scaled + 0 * x")
    assert "cell double (number 3): line 5 comes after the stub" in refusal(course())


def test_a_model_answer_that_is_cut_only_in_part(course, cells):
    cells["written_why"].source = "Short.\n### BEGIN SOLUTION\n" + ANSWER + "\n### END SOLUTION"
    assert "keeps a part of the model answer or its rubric" in refusal(course())


@pytest.mark.parametrize("source", [
    "def double(x):\n    return (\n        ### BEGIN SOLUTION\n        2 * x\n"
    "        ### END SOLUTION\n    )",
    "def double(x):\n### BEGIN SOLUTION\n    return 2 * x\n### END SOLUTION",
    "### BEGIN SOLUTION\ndef double(x):\n    ### END SOLUTION\n    return 2 * x",
])
def test_a_stub_that_does_not_parse(course, cells, source):
    cells["double"].source = source
    message = refusal(course())
    assert "cell double (number 3): does not parse without its solution" in message


def test_magics_and_await_do_parse(course, cells):
    cells["setup"].source = "%matplotlib inline\nimport asyncio\nawait asyncio.sleep(0)\n!true"
    release(course(), "doubling")


def test_outputs(course, cells):
    cells["setup"].outputs = [new_output("stream", text="the answer is 42\n")]
    assert "cell setup (number 2): has outputs\n    remedy: run `make format`" in refusal(course())


def test_execution_counts(course, cells):
    cells["setup"].execution_count = 7
    assert "cell setup (number 2): has an execution count" in refusal(course())


def test_widget_metadata(course, cells):
    assert "metadata: has widget state" in refusal(course({"widgets": {"state": {}}}))
    cells["setup"].metadata["widgets"] = {}
    assert "cell setup (number 2): has widget metadata" in refusal(course())


def test_attachments(course, cells):
    cells["title"].attachments = {"board.png": {"image/png": "AAAA"}}
    assert "cell title (number 1): has attachments: board.png" in refusal(course())


@pytest.mark.parametrize("name", [
    "doubling.py", "double.pyc", "__pycache__/double.pyc", "answers.ipynb", "notes.md", ".env"])
def test_files_beside_the_notebook(course, name):
    made = course()
    path = made.root / "source/doubling" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("answers")
    assert f"file {name}: lies beside the notebook" in refusal(made)


def test_checkpoints_of_the_editor_are_never_copied(course):
    made = course()
    path = made.root / "source/doubling/.ipynb_checkpoints/doubling-checkpoint.ipynb"
    path.parent.mkdir()
    path.write_text("answers")
    release(made, "doubling")
    assert [path.name for path in released(made).parent.iterdir()] == ["doubling.ipynb"]


@pytest.mark.parametrize("line", [
    "import viva_course", "from viva_examiner import engine", "import viva_course.reference as r",
    "__import__('viva_course')"])
def test_staff_packages(course, cells, line):
    cells["setup"].source += "\n" + line
    assert "cell setup (number 2): mentions viva_" in refusal(course())


def test_ids_of_the_toolbar(course, cells):
    cells["test_double"].metadata["nbgrader"]["grade_id"] = "cell-3f0e5c8b9a7d6e21"
    message = refusal(course())
    assert "cell cell-3f0e5c8b9a7d6e21 (number 4): still has the id" in message


def test_ids_used_twice(course, cells):
    cells["test_double"].metadata["nbgrader"]["grade_id"] = "double"
    assert "the id double is used by 2 cells" in refusal(course())


def test_points_that_are_no_points(course, cells):
    cells["test_double"].metadata["nbgrader"]["points"] = -1
    assert "cell test_double (number 4): has -1 points" in refusal(course())


def test_a_test_that_an_untouched_notebook_passes(course):
    made = course()
    trial = FakeTrial(solved=98.0, untouched=98.0)
    message = refusal(made, trial=trial)
    assert "cell test_double (number 4): the untouched notebook earns 98 of 98 points" in message
    assert trial.seen["untouched"].endswith("raise NotImplementedError()")
    assert "could not be examined on the untouched notebook: why" in refusal(
        made, trial=FakeTrial(solved=98.0, untouched=None))
    assert release(made, "doubling", trial=FakeTrial(solved=98.0, untouched=0.0)) == []


def test_a_test_that_the_staffs_own_notebook_fails(course):
    made = course()
    trial = FakeTrial(solved=97.0, untouched=0.0)
    message = refusal(made, trial=trial)
    assert "cell test_double (number 4): the staff's own notebook earns 97 of 98 points (why)" in (
        message)
    assert "scaled = x * 2.0" in trial.seen["solved"]
    assert "could not be examined on the staff's own notebook: why" in refusal(
        made, trial=FakeTrial(solved=None, untouched=0.0))


def test_a_cell_that_fails_when_it_is_run():
    failed = new_output("error", ename="TypeError", evalue="one argument too few", traceback=[])
    look, meant = (new_code_cell("f(1)", id=name, outputs=[failed]) for name in ("look", "meant"))
    meant.metadata["tags"] = ["raises-exception"]
    [problem] = problems_of_run(new_notebook(cells=[look, meant, new_code_cell("1", id="fine")]))
    assert str(problem).startswith("cell look (number 1): fails in the staff's own notebook: "
                                   "TypeError: one argument too few")


class FakeTrial:
    """A trial with a known outcome, which remembers the solution cell it was given."""

    def __init__(self, **scores):
        self.scores, self.seen = scores, {}

    def solved(self, source, folder, whole=False):
        return Graded("trial", "doubling", "doubling", GRADED, self.examined("solved", source),
                      text=nbformat.writes(source))

    def untouched(self, released, source, folder):
        return self.examined("untouched", released)

    def examined(self, kind, notebook):
        self.seen[kind] = notebook.cells[2].source
        return {"test_double": Mark(self.scores[kind], 98.0, "why")}


def test_code_that_is_not_python(course, cells):
    cells["test_double"].source = "### BEGIN HIDDEN TESTS\nx = (1\n### END HIDDEN TESTS"
    assert "cell test_double (number 4): line 2 is not Python: '(' was never closed" in refusal(
        course())


def test_the_examiner_says_what_an_untouched_notebook_earns(course, cells, monkeypatch, capsys):
    """The command, the sandbox and nbgrader, on a real test and on one that any stub passes."""
    hidden = "### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"
    cells["test_double"].source = hidden.format("assert math.isclose(double(2), 4)")
    made = course()
    cells["test_double"].source = hidden.format("assert callable(double)")
    write_course(made.root, cells, homework="hollow")
    monkeypatch.chdir(made.root)
    assert main(["release"]) == 1
    said = capsys.readouterr()
    assert said.out == "doubling: released\n" and released(made).is_file()
    assert said.err.startswith("hollow is not released: 1 problem\n")
    assert "test_double (number 4): the untouched notebook earns 98 of 98 points" in said.err
    assert not (made.root / "release/hollow").exists()


@pytest.mark.parametrize("content", ["not json", "{}", '{"nbformat": 3, "worksheets": []}', ""])
def test_a_source_that_is_no_notebook(course, content):
    made = course()
    (made.root / "source/doubling/doubling.ipynb").write_text(content)
    assert "is not a notebook of format 4" in refusal(made)
