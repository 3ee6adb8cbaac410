"""Run hidden test code on the trusted side, with proxies where it names the student's work."""

import ast
import contextlib
import importlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import CapturedIO, capture_output
from traitlets.config import Config

import viva
import viva_examiner
from viva import seam
from viva_examiner.examination.code_of_tests import FILENAME, compiled, line_of
from viva_examiner.examination.namespace import GONE, Names
from viva_examiner.examination.one_kernel import ASKS_AN_EXAM, KEPT, one_kernel_shows
from viva_examiner.examination.one_process import as_one_process
from viva_examiner.examination.watchdog import TestTooLong, watchdog
from viva_examiner.examination.work_folder import WorkFolder, folders_on_path, looks_for_files
from viva_examiner.notebook.cells import (
    DEFINITIONS,
    imports_in,
    names_bound,
    names_used,
    tree_of,
)
from viva_examiner.notebook.released import Released
from viva_examiner.records import Kind
from viva_examiner.sandbox import wall_doors
from viva_examiner.sandbox.bridge.proxies import Proxy
from viva_examiner.sandbox.errors import CandidateError, CannotCross, EngineError
from viva_examiner.sandbox.inside.doors import OPENED
from viva_examiner.sandbox.inside.protocol import STAFF
from viva_examiner.sandbox.isolation import SYSTEM
from viva_examiner.sandbox.session import Session
from viva_examiner.sandbox.wall import WALL, RunsText

LIBRARIES = (*{sys.prefix, sys.base_prefix}, OPENED)
OURS = tuple(os.path.dirname(package.__file__ or "") for package in (viva, viva_examiner))
MAX_SAID = 50_000  # characters; a test may say what it was answered


@dataclass
class RunResult:
    """What came of a stretch of trusted code."""

    outputs: list[dict] = field(default_factory=list)
    value: object = None  # of a trailing expression
    error: BaseException | None = None
    line: int = 0  # where the error was raised
    fault: str = ""  # of the exam itself, in a sentence for staff
    unseen: frozenset[str] = frozenset()  # what one kernel would have shown to the test


class HiddenCode:
    """The examiner's namespace for one submission: it lives from the first test to the last.

    released: its `imports` {name: (module, attribute)} are imported here, whatever the student's
        notebook made of these names; its files lie where the tests run
    handed_in: names of the files that the student handed in
    files: those of the released folder
    """

    def __init__(self, released: Released, handed_in: Iterable[str],
                 files: Mapping[str, bytes]) -> None:
        self.imports, self.asked = released.imports, frozenset(released.asked)
        self.folder = tempfile.TemporaryDirectory(prefix="viva-hidden-")  # what tests write
        self.files = WorkFolder(self.folder.name, files, handed_in,
                                folders_on_path(released.staffs_code, files))
        self.names = Names(self._import, self._is_public, released.reads, self.files.stand_in,
                           released.shadows)
        self.changes = frozenset(released.changes)
        self.sources = self.names.sources
        self.ready: set[str] = set()  # packages of which everything is imported
        self.session: Session | None = None
        self.looks_for_files = False
        self.patched: Callable[[], dict[str, Any]] = dict  # what the test replaces
        self.replaced: dict[str, Any] = {}  # what the candidate was sent of it

    def close(self) -> None:
        self.folder.cleanup()

    def run(self, source: str, session: Session, seconds: float, hidden: bool = True) -> RunResult:
        """Execute trusted code; what the student's code does wrong is an error in the result.

        A test may loop over a number that the student returned: after `seconds` it is stopped,
        and with it the candidate, which may be in the middle of an answer.
        """
        try:
            body, last = compiled(source)
        except SyntaxError as error:  # ours; one that a student's code raises is the student's
            return RunResult(error=CannotCross(f"the test is not plain Python: {error}"))
        shell()
        result = RunResult()
        session.spoken.clear()
        session.unseen.clear()
        session.kept.begin(ASKS_AN_EXAM.search(source) is None)
        session.changes, session.codec.is_students = self.changes, self._is_known_to_students
        with (capture_output() as captured, contextlib.chdir(self.folder.name),
              session.forward_seeds(), self.files.importable(session),
              as_one_process(session, self.names) as self.patched):
            try:
                self._prepare(source, session, hidden)
                with watchdog(seconds, session.undisturbed), self._wall(source, session):
                    exec(body, self.names)
                    if last is not None:
                        result.value = eval(last, self.names)
            except TestTooLong:
                reason = f"a test ran longer than {seconds:.3g} seconds with its answers"
                session.end(reason, Kind.TIME)
                result.error = CandidateError(reason)
            except (KeyboardInterrupt, EngineError):
                raise
            except BaseException as error:  # pytest's own failures are no Exceptions
                if seam.is_staff_fault(error):
                    result.fault = f"{error}"
                elif seam.is_engine_error(error):
                    raise
                result.error, result.line = error, line_of(error)
        if WALL.refused:  # whatever the test made of it
            result = RunResult(error=RunsText(WALL.refused))
        if session.kept.has_changed():
            session.unseen.add(KEPT)
        session.kept.begin(False)
        result.unseen = frozenset(session.unseen) | one_kernel_shows(source)
        result.outputs = _outputs(captured, session.spoken)
        return result

    def _wall(self, source: str, session: Session) -> AbstractContextManager[None]:
        """Around test code: it runs and reaches nothing that the student's code made."""
        root = os.path.realpath(self.folder.name)
        wall_doors.watch(source)
        return WALL.around(
            source, lambda name: name == FILENAME or is_staffs_code(name),
            (os.environ.get("HOME", root), root),
            (*LIBRARIES, *OURS, *SYSTEM, *(path for path in sys.path if not path.startswith(root))),
            session.said.holds,
            lambda path: bool(path) and os.path.relpath(path, root) in self.files.released)

    def _prepare(self, source: str, session: Session, hidden: bool) -> None:
        """Names and files, as the test would find them in the student's own kernel."""
        self.files.lay_out()
        self.looks_for_files = looks_for_files(source)
        session.said.forget_numbers()
        if session is not self.session:
            if self.session is not None:
                session.said.follow(self.session.said)
            self.session, session.test_updates, self.replaced = session, self._updates, {}
        self.names.begin(source, session, hidden)
        if self.looks_for_files:
            self.files.fetch(session)
            session.after_call = lambda: self.files.fetch(session)
        else:
            session.after_call = None

    def handed_over(self, source: str) -> tuple[str, dict | None]:
        """(definitions and imports of a stretch of test code, the data that it has bound).

        None for the data if something is neither, such as an object of a class of the test's own.
        """
        tree, found = tree_of(source), {}
        defined = [node for node in (tree.body if tree is not None else ())
                   if isinstance(node, DEFINITIONS | ast.Import | ast.ImportFrom)]
        text = "\n".join(ast.unparse(node) for node in defined)
        for name in names_bound(source) - names_bound(text):
            value = self.names.own(name)
            if value is not GONE:
                if callable(value) and not isinstance(value, Proxy):
                    return text, None
                found[name] = value
        return text, found if tree is not None else None

    def end(self) -> None:
        """After a test: what it replaced in the student's process is put back."""
        self.names.end()
        self.patched, self.looks_for_files = dict, False
        if self.session is not None:
            self.session.after_call = None
            self.session.hung.clear()

    def _updates(self) -> dict:
        """What every question carries along: names, files and functions that the test replaced."""
        message, patched = self.names.updates(), self.patched()
        if patched.keys() != self.replaced.keys() or any(
                patched[name] is not self.replaced[name] for name in patched):
            self.replaced, message["replaced"] = patched, patched
        if self.looks_for_files and (written := self.files.written()):
            message["written"] = {name: np.frombuffer(data, np.uint8)
                                  for name, data in written.items()}
        return message

    def _is_public(self, source: str) -> bool:
        """Whether a test uses only modules that every student has: libraries and released files."""
        places = {**imports_in(source), **{name: self.imports[name] for name in
                                           names_used(source) & self.imports.keys()}}
        return all(self._is_known_to_students(module) for module, _ in places.values())

    def _is_known_to_students(self, module: str) -> bool:
        top = module.partition(".")[0]
        if self.files.places_of(top) & self.files.released.keys() or top in sys.stdlib_module_names:
            return True
        place = getattr(sys.modules.get(top), "__file__", None) or ""
        return top not in STAFF and place.startswith((sys.prefix, sys.base_prefix))

    def _import_around(self, package: str) -> None:
        """All that the instructor's notebook imports of a package: `matplotlib.patches` is there
        once pyplot is.
        """
        if package not in self.ready:
            self.ready.add(package)
            for module, _ in self.imports.values():
                if module.partition(".")[0] == package:
                    with contextlib.suppress(ImportError):
                        importlib.import_module(module)

    def _import(self, name: str) -> Any:
        if name not in self.imports or (name in self.asked and not any(
                name in names_bound(source) for source in self.sources)):
            return None
        module, attribute = self.imports[name]
        self._import_around(module.partition(".")[0])
        with contextlib.suppress(ImportError, AttributeError):
            found = importlib.import_module(module)
            if attribute and not hasattr(found, attribute):  # `from matplotlib import pyplot`
                importlib.import_module(f"{module}.{attribute}")
            return getattr(found, attribute) if attribute else found
        return None


def is_staffs_code(filename: str) -> bool:
    """Whether code lies in a file that is no library's: a course's own, or beside the notebook."""
    return filename.startswith("/") and not filename.startswith((*LIBRARIES, *OURS))


def error_output(error: BaseException, line: int = 0, source: str = "") -> dict:
    """A notebook's error output: the exception, and for staff the line of the test that failed."""
    name, words = type(error).__name__, f"{error}"[:MAX_SAID]
    trace = [f"{name}: {words}"]
    text = source.splitlines()[line - 1].strip() if 0 < line <= len(source.splitlines()) else ""
    if text:
        trace.insert(0, f"in the test, line {line}: {text}")
    return {"output_type": "error", "ename": name, "evalue": words, "traceback": trace}


def _outputs(captured: CapturedIO, spoken: list[str]) -> list[dict]:
    """What the test shows, without what the student's code printed: it knows the test's inputs."""
    found = []
    for name in ("stdout", "stderr"):
        text = getattr(captured, name)
        for words in spoken:
            text = text.replace(words, "", 1)
        if text:
            found.append({"output_type": "stream", "name": name, "text": text[:MAX_SAID]})
    for shown in captured.outputs:
        found.append({"output_type": "display_data", "data": shown.data, "metadata": {}})
    return found


def shell() -> InteractiveShell:
    """IPython's shell, so that `display` in hidden code can be captured. Keeps no history."""
    if not InteractiveShell.initialized():
        quiet = Config()
        quiet.HistoryManager.enabled = False
        InteractiveShell.instance(config=quiet)
    return InteractiveShell.instance()
