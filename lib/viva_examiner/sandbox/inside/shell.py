"""IPython's shell as a kernel would run it, with every output handed to one function in order."""

import ast
import builtins
import contextlib
import getpass
import io
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.error import StdinNotImplementedError
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type
from traitlets.config import Config

from viva_examiner.sandbox.inside.protocol import Shown

FLUSH_CHARACTERS = 8192


class Publisher(DisplayPublisher):
    """display(...), figures and clear_output."""

    def publish(self, data: dict, metadata: dict | None = None, source: object = None, *,
                transient: dict | None = None, update: bool = False, **kwargs: object) -> None:
        self.shell.emit({"o": Shown.UPDATE if update else Shown.DISPLAY, "data": dict(data),
                         "metadata": dict(metadata or {}),
                         "display_id": (transient or {}).get("display_id")})

    def clear_output(self, wait: bool = False) -> None:
        self.shell.emit({"o": Shown.CLEAR, "wait": bool(wait)})


class LastValueHook(DisplayHook):
    """The value of a cell's last expression."""

    shell: "Shell"
    pending: dict[str, Any] | None = None

    def write_output_prompt(self) -> None:
        self.pending = None

    def write_format_data(self, format_dict: dict, md_dict: dict | None = None) -> None:
        self.pending = {"o": Shown.RESULT, "data": dict(format_dict),
                        "metadata": dict(md_dict or {})}

    def finish_displayhook(self) -> None:
        pending, self.pending = self.pending, None
        if pending is not None:
            self.shell.emit(pending)


class Shell(InteractiveShell):
    """Runs cells; `emit` receives outputs, `error` holds the last one shown."""

    displayhook_class = Type(LastValueHook)
    display_pub_class = Type(Publisher)
    own_transformers: list  # IPython's own; a student may add to them
    error: dict[str, Any] | None = None

    def emit(self, output: dict) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        self.sink(output)

    def sink(self, output: dict) -> None:
        """Replaced by the agent once there is somebody to send outputs to."""

    def _showtraceback(self, etype: type[BaseException], evalue: BaseException,
                       stb: list[str]) -> None:
        message = str(evalue)
        self.error = {"ename": str(etype.__name__), "evalue": message, "traceback": list(stb)}
        self.emit({"o": Shown.ERROR, **self.error})

    def _tee(self, channel: str) -> Any:
        """IPython keeps all that is printed, for `%notebook`: a loop that prints a lot would end in
        a MemoryError here, and take the right cells below it along."""
        return contextlib.nullcontext()

    def enable_gui(self, gui: str | None = None) -> None:
        """There is no event loop to integrate with."""

    def ask_exit(self) -> NoReturn:
        raise SystemExit

    def system(self, command: str) -> None:
        """`!command`: its output goes to this process's own descriptors."""
        sys.stdout.flush()
        self.user_ns["_exit_code"] = subprocess.call(self.var_expand(command, depth=1), shell=True)

    def transform_cell(self, raw_cell: str) -> str:
        """A cell of plain Python stands for itself: to look for magics in it takes a millisecond.

        Not if it begins with a blank line or a pasted prompt, or if the notebook has transformers
        of its own.
        """
        if not raw_cell.startswith(("\n", "In [")) and self.transformers() == self.own_transformers:
            try:
                ast.parse(raw_cell)
                return raw_cell if raw_cell.endswith("\n") else raw_cell + "\n"
            except Exception:
                pass  # magics, or too deep for a parser; IPython finds out
        return super().transform_cell(raw_cell)

    def transformers(self) -> list:
        """Everything that may change a cell before it is run."""
        manager = self.input_transformer_manager
        return [*self.input_transformers_post, *manager.cleanup_transforms,
                *manager.line_transforms, *manager.token_transformers]

    def run(self, source: str) -> dict | None:
        """Run a cell; the error it ended with, if any."""
        self.error = None
        builtins.input = getpass.getpass = no_input
        result = self.run_cell(source, store_history=True)
        if result.success:
            return None
        failure = result.error_in_exec or result.error_before_exec
        return self.error or {"ename": type(failure).__name__, "evalue": str(failure),
                              "traceback": []}


class Stream(io.TextIOBase):
    """sys.stdout or sys.stderr: collected in order, sent in pieces."""

    encoding, errors = "utf-8", "replace"

    def __init__(self, name: str, descriptor: int, emit: Callable[[dict], None]) -> None:
        self.stream, self.descriptor, self.emit = name, descriptor, emit
        self.owner, self.size = os.getpid(), 0
        self.parts: list[str] = []
        self.buffer = Bytes(self)

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if os.getpid() != self.owner:  # a process the student forked has no conversation with us
            os.write(self.descriptor, text.encode(errors="replace"))
            return len(text)
        self.parts.append(str(text))
        self.size += len(text)
        if self.size >= FLUSH_CHARACTERS:
            self.flush()
        return len(text)

    def flush(self) -> None:
        if self.parts and os.getpid() == self.owner:
            text, self.parts, self.size = "".join(self.parts), [], 0
            self.emit({"o": Shown.STREAM, "name": self.stream, "text": text})

    def fileno(self) -> int:
        return self.descriptor

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return False


class Bytes(io.RawIOBase):
    """sys.stdout.buffer."""

    def __init__(self, stream: Stream) -> None:
        self.text = stream

    def write(self, data: Any) -> int:
        self.text.write(bytes(data).decode(errors="replace"))
        return len(data)

    def flush(self) -> None:
        self.text.flush()

    def writable(self) -> bool:
        return True


def no_input(*prompt: object, **options: object) -> NoReturn:
    """As in any notebook that runs without a person in front of it."""
    raise StdinNotImplementedError(
        "raw_input was called, but this frontend does not support input requests.")


def _error() -> tuple:
    try:
        raise RuntimeError
    except RuntimeError:
        return sys.exc_info()


def create() -> Shell:
    """The shell, made in the warm interpreter. No history file: its saver is a thread."""
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.xmode = "Plain"  # with colours and context it takes 50 times as long
    shell = Shell.instance(config=config)
    shell.own_transformers = shell.transformers()
    shell.set_hook("show_in_pager", lambda *args, **kwargs: None, 0)
    if "matplotlib" in sys.modules:
        from matplotlib_inline.backend_inline import configure_inline_support

        sys.modules["matplotlib"].use("module://matplotlib_inline.backend_inline")
        configure_inline_support(shell, "module://matplotlib_inline.backend_inline")
    shell.run_cell("None", store_history=False, silent=True)  # what the first cell would import
    shell.InteractiveTB.structured_traceback(*_error())  # and the first error
    return shell
