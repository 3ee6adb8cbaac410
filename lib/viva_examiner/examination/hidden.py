"""Run hidden test code on the trusted side, with proxies where it names the student's work."""

import ast
import contextlib
import importlib
import linecache
import math
import numbers
import tempfile
import traceback
from dataclasses import dataclass, field

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

from viva import seam
from viva_examiner.examination.watchdog import TestTooLong, watchdog
from viva_examiner.notebook.cells import definition, names_used
from viva_examiner.sandbox.bridge.codec import ModuleName
from viva_examiner.sandbox.bridge.proxies import Proxy
from viva_examiner.sandbox.errors import CandidateError, CannotCross

FILENAME = "<hidden tests>"


@dataclass
class Ran:
    """What came of a stretch of trusted code."""

    outputs: list[dict] = field(default_factory=list)
    value: object = None  # of a trailing expression
    error: Exception | None = None
    line: int = 0  # where the error was raised
    fault: str = ""  # of the exam itself, in a sentence for staff


class HiddenCode:
    """The examiner's namespace for one submission: it lives from the first test to the last.

    imports: {name: (module, attribute)} of the instructor's own notebook. These names are imported
        here, whatever the student's notebook made of them.
    """

    def __init__(self, imports: dict[str, tuple[str, str]]):
        self.imports = imports
        self.sources: list[str] = []  # what the student's notebook has run so far
        self.names: dict[str, object] = {"__name__": "__main__"}
        self.used: set[str] = set()  # by any test so far: helpers of an earlier test come back
        self.own: set[str] = set()  # bound by a test, not by the student
        self.folder = tempfile.TemporaryDirectory(prefix="viva-hidden-")  # what tests write

    def close(self) -> None:
        self.folder.cleanup()

    def forget(self, names: set[str]) -> None:
        """The student's notebook binds these names: the last binding counts."""
        self.own -= names

    def run(self, source: str, session, seconds: float) -> Ran:
        """Execute trusted code; what the student's code does wrong is an error in the result.

        A test may loop over a number that the student returned: after `seconds` it is stopped,
        and with it the candidate, which may be in the middle of an answer.
        """
        try:
            body, last = _compiled(source)
        except SyntaxError as error:  # ours; one that a student's code raises is the student's
            return Ran(error=CannotCross(f"the test is not plain Python: {error}"))
        try:
            self._resolve(source, session)
        except CandidateError as error:
            return Ran(error=error)
        before = dict(self.names)
        _shell()
        result = Ran()
        session.spoken.clear()
        with (capture_output() as captured, contextlib.chdir(self.folder.name),
              session.forward_seeds()):
            try:
                with watchdog(seconds):
                    exec(body, self.names)
                    if last is not None:
                        result.value = eval(last, self.names)
            except TestTooLong:
                reason = f"a test ran longer than {seconds:.3g} seconds with its answers"
                session.end(reason)
                result.error = CandidateError(reason)
            except Exception as error:
                if seam.is_staff_fault(error):
                    result.fault = f"{error}"
                elif seam.is_engine_error(error):
                    raise
                result.error, result.line = error, _line(error)
        self.own |= {
            name for name, value in self.names.items()
            if name not in before or before[name] is not value
        }
        result.outputs = _outputs(captured, session.spoken)
        return result

    def _resolve(self, source: str, session) -> None:
        self.used |= names_used(source)
        wanted = self.used - self.own
        for name in wanted:
            self.names.pop(name, None)
        trusted = {name: value for name in wanted if (value := self._import(name)) is not None}
        theirs = session.resolve(sorted(wanted - set(trusted)))
        for name, value in theirs.items():
            if isinstance(value, ModuleName):
                continue  # a module counts only if the instructor's notebook imports it
            if isinstance(value, Proxy):
                value.__dict__["_viva_text"] = definition(self.sources, name)
            self.names[name] = value
        self.names.update(trusted)

    def _import(self, name: str):
        if name not in self.imports:
            return None
        module, attribute = self.imports[name]
        with contextlib.suppress(ImportError, AttributeError):
            found = importlib.import_module(module)
            return getattr(found, attribute) if attribute else found
        return None


def score_of(value, points: float) -> tuple[float, str]:
    """(score, remark) of a test that ended without an error, from its trailing expression.

    As in nbgrader a number is partial credit and anything else full marks; unlike there, what is
    not a number between 0 and the maximum never counts as full marks, nor stops the grading.
    """
    if not is_number(value):
        return points, ""
    value = float(value)
    if math.isnan(value) or value < 0:
        return 0.0, f"the test gave {value:g} points, which counts as 0"
    if value > points:
        return points, f"the test gave {value:g} points of {points:g}, which counts as {points:g}"
    return value, ""


def is_number(value) -> bool:
    """A number that may be partial credit: of Python or numpy, but not a truth value."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def error_output(error: Exception, line: int = 0, source: str = "") -> dict:
    """A notebook's error output: the exception, and for staff the line of the test that failed."""
    name = type(error).__name__
    trace = [f"{name}: {error}"]
    text = source.splitlines()[line - 1].strip() if 0 < line <= len(source.splitlines()) else ""
    if text:
        trace.insert(0, f"in the test, line {line}: {text}")
    return {"output_type": "error", "ename": name, "evalue": str(error), "traceback": trace}


def _compiled(source: str):
    tree = ast.parse(source, FILENAME)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = compile(ast.Expression(tree.body.pop().value), FILENAME, "eval")
    # Assertion messages and inspect look up source lines by this name.
    linecache.cache[FILENAME] = (len(source), None, source.splitlines(keepends=True), FILENAME)
    return compile(tree, FILENAME, "exec"), last


def _line(error: Exception) -> int:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == FILENAME]
    return frames[0].lineno if frames else 0


def _outputs(captured, spoken: list[str]) -> list[dict]:
    """What the test shows, without what the student's code printed: it knows the test's inputs."""
    found = []
    for name in ("stdout", "stderr"):
        text = getattr(captured, name)
        for words in spoken:
            text = text.replace(words, "", 1)
        if text:
            found.append({"output_type": "stream", "name": name, "text": text})
    for shown in captured.outputs:
        found.append({"output_type": "display_data", "data": shown.data, "metadata": {}})
    return found


def _shell() -> InteractiveShell:
    """IPython's shell, so that `display` in hidden code can be captured. Keeps no history."""
    if not InteractiveShell.initialized():
        quiet = Config()
        quiet.HistoryManager.enabled = False
        InteractiveShell.instance(config=quiet)
    return InteractiveShell.instance()
