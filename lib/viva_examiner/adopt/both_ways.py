"""One notebook, marked by stock nbgrader and by the examiner, test by test.

Stock is nbclient, which runs the notebook in a kernel on this machine without a sandbox, and
nbgrader's own scoring of what the cells show. So only notebooks that a course runs anyway may come
here.
"""

import json
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError
from nbformat import NotebookNode
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.utils import determine_grade

from viva_examiner.examination.engine import Engine
from viva_examiner.notebook.metadata import is_test
from viva_examiner.notebook.released import Released
from viva_examiner.records import Work

SECONDS = 60.0  # for one cell, by stock
START = 300  # seconds for a kernel to answer, on a machine that others use
EQUAL, MORE, OPEN, LOST = "equal", "more", "open", "lost"
KINDS = (EQUAL, MORE, OPEN, LOST)
CLOSE = 0.005  # nbgrader rounds to two digits
ON_STDERR = "a warning or other text on stderr"
ONLY_STOCK = "only stock nbgrader marks this test: the examiner did not find it"


@dataclass(frozen=True)
class ComparedTest:
    """One automatic test, both ways. ours: None if it is open for a TA.

    reason: why ours is what it is; theirs: why stock gives less than all points; line: of the test,
    where it failed here; source: its whole text
    """

    test: str
    points: float
    stock: float
    ours: float | None
    reason: str = ""
    theirs: str = ""
    line: str = ""
    source: str = ""

    @property
    def kind(self) -> str:
        """Equal, more or lost points, or open with a reason."""
        if self.ours is None:
            return OPEN
        if abs(self.ours - self.stock) < CLOSE:
            return EQUAL
        return MORE if self.ours > self.stock else LOST


@dataclass
class WayMarks:
    """What one way gives. marks: {test: (score, points, reason)}; a score of None is no mark.

    faults: {source of a cell that is no test: the error it ended with}
    lines: {test: the line of it that failed}
    sources: {test: its text}
    """

    marks: dict[str, tuple] = field(default_factory=dict)
    seconds: float = 0.0
    faults: dict[str, str] = field(default_factory=dict)
    lines: dict[str, str] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)


def upgrade(notebook: NotebookNode) -> NotebookNode:
    """The notebook with today's nbgrader metadata."""
    MetadataValidator().upgrade_notebook_metadata(notebook)
    for cell in notebook.cells:
        cell.setdefault("id", "")
    return notebook


def by_stock(notebook: NotebookNode, files: dict[str, bytes], seconds: float = SECONDS) -> WayMarks:
    """What nbgrader's scoring gives after nbclient ran the notebook beside these files.

    No test has a mark if the kernel died: nbgrader writes none then.
    """
    with tempfile.TemporaryDirectory(prefix="viva-adopt-") as place:
        lay_out(files, Path(place))
        client = NotebookClient(notebook, timeout=int(seconds), allow_errors=True,
                                kernel_name="python3", interrupt_on_timeout=True,
                                startup_timeout=START, resources={"metadata": {"path": place}})
        began = time.monotonic()
        try:  # what a kernel warns of at its start is not about the course
            client.execute(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except (RuntimeError, CellTimeoutError):  # it did not start, or died
            return WayMarks(seconds=time.monotonic() - began)
    marked = WayMarks(seconds=time.monotonic() - began, faults=faults_of(notebook.cells))
    for cell in filter(is_test, notebook.cells):
        about = cell.metadata.nbgrader
        try:
            score = determine_grade(cell)[0]
        except ValueError:  # stock itself has no mark for it
            score = None
        marked.sources[about.grade_id] = cell.source
        marked.marks[about.grade_id] = (score, float(about.points), _why_less(cell.outputs))
    return marked


def _why_less(outputs: list[NotebookNode]) -> str:
    """What makes nbgrader give less than all points for these outputs, in words."""
    for output in outputs:
        if output.output_type == "error":
            return f"{output.ename}: {output.evalue}".strip(": ")[:300]
        if output.output_type == "stream" and output.name == "stderr":
            return f"{ON_STDERR}: {output.text.strip()}"[:300]
        if output.output_type == "execute_result":
            return f"the test ends in {output.data.get('text/plain', 'something')}"[:300]
    return ""


def by_examiner(engine: Engine, released: Released, notebook: NotebookNode, work: Work) -> WayMarks:
    """What the examiner gives for a notebook in its released form."""
    began = time.monotonic()
    engine.serve([released])
    graded = engine.grade_restored(notebook, work)
    marks = {name: (mark.score, mark.points, mark.reason) for name, mark in graded.tests.items()}
    cells = json.loads(graded.text)["cells"]
    return WayMarks(marks, time.monotonic() - began, faults_of(cells), _lines_of(cells))


def _lines_of(cells: list[dict]) -> dict[str, str]:
    """{test: the line that failed}, as the examiner writes it above the error."""
    return {cell["metadata"]["nbgrader"]["grade_id"]: trace[0]
            for cell in cells if is_test(cell) for output in cell.get("outputs", ())
            if len(trace := output.get("traceback", ())) > 1}


def compare(stock: WayMarks, ours: WayMarks) -> list[ComparedTest]:
    """Test by test, where stock has a mark; the reason begins with what failed here alone."""
    new = [f"a cell above fails here and not there: {error}"
           for source, error in ours.faults.items() if source not in stock.faults]
    found = []
    for name, (theirs, points, why) in stock.marks.items():
        if theirs is None:
            continue
        source = stock.sources.get(name, "")
        if name not in ours.marks:
            found.append(ComparedTest(name, points, theirs, None, ONLY_STOCK, why, source=source))
            continue
        score, points, reason = ours.marks[name]
        reason = "; ".join(filter(None, [*new[:1], reason]))
        line = ours.lines.get(name, "")
        found.append(ComparedTest(name, points, theirs, score, reason, why, line, source))
    return found


def faults_of(cells: list[dict]) -> dict[str, str]:
    """{source: error} of the cells that are no tests and ended with one."""
    return {cell["source"]: f"{output['ename']}: {output['evalue']}"[:300]
            for cell in cells if cell["cell_type"] == "code" and not is_test(cell)
            for output in cell.get("outputs", ()) if output["output_type"] == "error"}


def lay_out(files: dict[str, bytes], place: Path) -> None:
    """Write files by their relative paths below a folder."""
    for name, data in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
