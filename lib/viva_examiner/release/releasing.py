"""From source/ to release/: nbgrader's own generation, kept only if nothing leaks or breaks.

A homework is generated into a temporary directory, examined there, then generated once more with
the gradebook, and only then moved to release/. A refused homework leaves the old release and the
gradebook as they were. The same source gives the same bytes.
"""
import filecmp
import logging
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbgrader.converters import GenerateAssignment
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import SaveCells

from viva.whole import write_whole
from viva_examiner.course import Course
from viva_examiner.notebook.canonical import formatted_text
from viva_examiner.notebook.metadata import graded
from viva_examiner.release.agreement import problems_of_agreement
from viva_examiner.release.authored import problems_of_placeholders, problems_of_run
from viva_examiner.release.claim_faults import problems_of_claims
from viva_examiner.release.kit_cell import AddKitCell, problems_of_address
from viva_examiner.release.problems import Problem, ReleaseRefused
from viva_examiner.release.refusals import (
    RefuseLeaks,
    Source,
    problems_solved,
    problems_untouched,
    read,
    read_source,
    source_problems,
)
from viva_examiner.release.released_faults import problems_of_released
from viva_examiner.release.strip_claims import StripClaims
from viva_examiner.release.trial import Trial


def release(course: Course, homework: str, trial: Trial | None = None) -> list[str]:
    """Releases one homework of a Course; returns warnings (strings), raises Refused.

    trial: what examines the staff's own notebook and the untouched one (release.trial.Trial);
           without it these two questions are not asked
    """
    sources = course.notebooks(homework)
    if not sources:
        known = ", ".join(course.homeworks()) or "none yet"
        _refuse(homework, [Problem("the source", f"there is no {homework}/{homework}.ipynb",
                                   f"choose one of the homeworks: {known}")])
    opened = [read_source(path) for path in sources]
    for source in opened:
        _refuse(source.path.stem, [*source_problems(source.path, source.notebook),
                                   *_of_exam(course, homework, source.notebook)])
    _refuse(homework, problems_of_address(AddKitCell(config=course.config).url))
    with tempfile.TemporaryDirectory(prefix="viva-release-") as staging:
        staged = Path(staging) / homework
        generate(course, homework, staging, False, opened)
        target = Path(course.path("release", ".", homework))
        is_new = not _same(staged, target)  # a cell that no mark needs runs once, when it is new
        for source in opened:
            name, solved = source.path.stem, source.notebook
            released = read(staged / source.path.name)
            _refuse(name, problems_of_released(solved, released))
            if trial is not None:
                ran = trial.solved(solved, source.path.parent, whole=is_new)
                _refuse(name, [*problems_solved(solved, ran.tests),
                               *problems_of_run(nbformat.reads(ran.text, 4))])
                _refuse(name, problems_untouched(
                    released, trial.untouched(released, solved, staged)))
        generate(course, homework, staging, True, opened)
        install(staged, target)
    return list(warnings(homework, opened))


def _of_exam(course: Course, homework: str, source: NotebookNode) -> Iterator[Problem]:
    """In what the notebook differs from the exam and the claims of the course's library."""
    exercises = course.library.exercises(homework) if course.library else {}
    yield from problems_of_agreement(source, exercises) if exercises else ()
    yield from problems_of_placeholders(course, homework, source)
    claims = course.library.claims_of(homework) if hasattr(course.library, "claims_of") else None
    yield from problems_of_claims(source, claims) if claims is not None else ()


def _refuse(homework: str, problems: Iterable[Problem]) -> None:
    problems = list(problems)
    if problems:
        raise ReleaseRefused(homework, problems)


def generate(course: Course, homework: str, target: Path | str, gradebook: bool,
             opened: Iterable[Source] = ()) -> None:
    """nbgrader's GenerateAssignment of one homework, into target/<homework>.

    opened: source notebooks that need not be read again
    """
    log = logging.Logger("viva.release")
    lines = _Lines()
    log.addHandler(lines)
    directory = CourseDirectory(config=course.config, root=str(course.root), log=log,
                                assignment_id=homework, release_directory=str(target))
    converter = GenerateAssignment(coursedir=directory, config=course.config, log=log, force=True)
    ours = (StripClaims, AddKitCell, RefuseLeaks)
    steps = [step for step in converter.preprocessors if step not in ours]
    steps = [StripClaims, *steps, AddKitCell]  # also where a course's configuration names neither
    if not gradebook:
        converter.no_database = True
        steps = [step for step in steps if step is not SaveCells]
    converter.preprocessors = steps
    converter.exporter_class = _exporter({source.path.name: source.notebook for source in opened})
    try:
        converter.start()
    except (NbGraderException, SystemExit):
        raise ReleaseRefused(homework, [Problem("nbgrader", lines.last_error(),
                                                "fix it, then release again")]) from None


def _exporter(opened: dict[str, NotebookNode]) -> type[NotebookExporter]:
    """nbgrader's exporter, which takes these notebooks from memory."""

    class Opened(NotebookExporter):
        def from_filename(self, filename: str, resources: dict | None = None,
                          **others: Any) -> tuple[NotebookNode, dict]:
            path = Path(filename)
            if path.name not in opened:
                return super().from_filename(filename, resources, **others)
            about = {"metadata": {"name": path.stem, "path": str(path.parent)}}
            return self.from_notebook_node(opened[path.name], (resources or {}) | about, **others)

    return Opened


class _Lines(logging.Handler):
    """Keeps what nbgrader logs: its exceptions do not say what went wrong."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines += record.getMessage().strip().splitlines()

    def last_error(self) -> str:
        """The last line of the last traceback, else the last line."""
        errors = [line for line in self.lines if ("Error: " in line or "Exception: " in line)]
        return (errors or self.lines or ["failed without a message"])[-1].strip()


def _same(staged: Path, target: Path) -> bool:
    """Whether what was generated is what was released before."""
    names = [path.relative_to(staged) for path in staged.rglob("*") if path.is_file()]
    return all((target / name).is_file()
               and filecmp.cmp(staged / name, target / name, shallow=False) for name in names)


def install(staged: Path, target: Path) -> None:
    """Makes target equal to staged; a reader never sees half a file, equal files stay untouched."""
    wanted = {path.relative_to(staged) for path in staged.rglob("*") if path.is_file()}
    for name in sorted(wanted):
        old, new = target / name, staged / name
        if old.is_file() and filecmp.cmp(old, new, shallow=False):
            continue
        write_whole(old, new.read_bytes())
    for path in sorted(target.rglob("*"), reverse=True):
        if path.is_file() and path.relative_to(target) not in wanted:
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()


def warnings(homework: str, sources: list[Source]) -> Iterator[str]:
    """What an author should know but may release."""
    total = sum(graded(cell).get("points", 0) for source in sources
                for cell in source.notebook.cells if graded(cell).get("grade"))
    if total != 100:
        yield f"{homework}: the points add up to {total:g}, not 100"
    for source in sources:
        if source.text != formatted_text(source.text):
            yield f"{source.path.stem}: the source is not in canonical form; run `viva format`"
