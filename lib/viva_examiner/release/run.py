"""From source/ to release/: nbgrader's own generation, kept only if nothing leaks or breaks.

A homework is generated into a temporary directory, examined there, then generated once more with
the gradebook, and only then moved to release/. A refused homework leaves the old release and the
gradebook as they were. The same source gives the same bytes.
"""
import filecmp
import logging
import tempfile
from pathlib import Path

from nbgrader.converters import GenerateAssignment
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import SaveCells

from viva_examiner.files import write_whole
from viva_examiner.notebook.canonical import formatted
from viva_examiner.notebook.metadata import graded
from viva_examiner.release.agreement import problems_of_agreement
from viva_examiner.release.kit_cell import AddKitCell, problems_of_address
from viva_examiner.release.problems import Problem, Refused
from viva_examiner.release.refusals import (
    RefuseLeaks,
    problems_solved,
    problems_untouched,
    read,
    released_problems,
    source_problems,
)


def release(course, homework, trial=None):
    """Releases one homework of a Course; returns warnings (strings), raises Refused.

    trial: what examines the staff's own notebook and the untouched one (release.trial.Trial);
           without it these two questions are not asked
    """
    sources = course.notebooks(homework)
    if not sources:
        known = ", ".join(course.homeworks()) or "none yet"
        _refuse(homework, [Problem("the source", f"there is no {homework}/{homework}.ipynb",
                                   f"choose one of the homeworks: {known}")])
    for source in sources:
        _refuse(source.stem, [*source_problems(source), *_of_exam(course, homework, read(source))])
    _refuse(homework, problems_of_address(AddKitCell(config=course.config).url))
    with tempfile.TemporaryDirectory(prefix="viva-release-") as staging:
        staged = Path(staging) / homework
        generate(course, homework, staging, gradebook=False)
        for source in sources:
            notebook = staged / source.name
            _refuse(source.stem, released_problems(source, read(notebook)))
            if trial is not None:
                _refuse(source.stem, problems_solved(read(source), trial.solved(source)))
                _refuse(source.stem, problems_untouched(read(notebook), trial.untouched(notebook)))
        generate(course, homework, staging, gradebook=True)
        install(staged, Path(course.path("release", ".", homework)))
    return list(warnings(homework, sources))


def _of_exam(course, homework, source):
    """In what the notebook and the exam of the course's library differ, if it has one."""
    exercises = course.library.exercises(homework) if course.library else {}
    return problems_of_agreement(source, exercises) if exercises else ()


def _refuse(homework, problems):
    problems = list(problems)
    if problems:
        raise Refused(homework, problems)


def generate(course, homework, target, gradebook):
    """nbgrader's GenerateAssignment of one homework, into target/<homework>."""
    log = logging.Logger("viva.release")
    lines = _Lines()
    log.addHandler(lines)
    directory = CourseDirectory(config=course.config, root=str(course.root), log=log,
                                assignment_id=homework, release_directory=str(target))
    converter = GenerateAssignment(coursedir=directory, config=course.config, log=log, force=True)
    steps = [step for step in converter.preprocessors if step not in (AddKitCell, RefuseLeaks)]
    steps.append(AddKitCell)  # also where a course's own configuration does not name it
    if not gradebook:
        converter.no_database = True
        steps = [step for step in steps if step is not SaveCells]
    converter.preprocessors = steps
    try:
        converter.start()
    except (NbGraderException, SystemExit):
        raise Refused(homework, [Problem("nbgrader", lines.last_error(),
                                         "mend it, then release again")]) from None


class _Lines(logging.Handler):
    """Keeps what nbgrader logs: its exceptions do not say what went wrong."""

    def __init__(self):
        super().__init__(logging.ERROR)
        self.lines = []

    def emit(self, record):
        self.lines += record.getMessage().strip().splitlines()

    def last_error(self):
        """The last line of the last traceback, else the last line."""
        errors = [line for line in self.lines if ("Error: " in line or "Exception: " in line)]
        return (errors or self.lines or ["failed without a message"])[-1].strip()


def install(staged, target):
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


def warnings(homework, sources):
    """What an author should know but may release."""
    total = sum(graded(cell).get("points", 0) for source in sources for cell in read(source).cells
                if graded(cell).get("grade"))
    if total != 100:
        yield f"{homework}: the points add up to {total:g}, not 100"
    for source in sources:
        if source.read_text(encoding="utf-8") != formatted(source):
            yield f"{source.stem}: the source is not in canonical form; run `viva format`"
