"""The second wall, inside a judge: a test does not run what a student's code made.

Python's audit hooks see every `eval`, `exec` and `compile`, every class that a pickle names, every
import, process, connection and file. While test code runs, what is asked for must stand in the
test's own text, or be what a library does on its own. What is refused leaves the mark to a person,
whatever the test makes of the refusal: `TEXT` says why.

Off until a judge raises it, and off while the bridge itself works on an answer.
"""

import builtins
import contextlib
import keyword
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from types import FrameType
from typing import Any

from viva_examiner.sandbox.errors import Undecided
from viva_examiner.sandbox.said import SHORTEST

TEXT = "this test runs text that the student's code made"
PLACE = "this test reaches a place that the student's code named"
# libraries whose business is to run a text that they are given
EVALUATORS = re.compile(
    r"(sympy\.parsing|jinja2|mako|numexpr|patsy|timeit|doctest|code|codeop|runpy|pdb|bdb|cProfile|"
    r"profile|trace|IPython|numpy\.testing|torch\.package|tornado\.template)(\.|$)")
MADE_NAMES = re.compile(r"\b(?:Symbol|Function) *\( *'\w+' *\)")  # sympy's, of a word it was given
WORD = re.compile(r"[A-Za-z_]\w*")
ARITHMETIC = re.compile(r"(?!.*\*\*)[\d\s+\-*/%().,]*")  # numbers are run by no one
PICKLED = re.compile(  # what holds data and runs nothing
    r"numpy(?:\.(?:_?core\.(?:multiarray|numeric)|dtypes))?:\w+|torch(?:\._utils)?:\w+|"
    r"torch\.(?:storage|serialization|nn\.parameter|_tensor):\w+|collections:OrderedDict|"
    r"collections:(?:Counter|deque|defaultdict)|_codecs:encode|datetime:\w+|decimal:Decimal|"
    r"fractions:Fraction|builtins:(?:set|frozenset|complex|slice|range|bytearray|list|dict|tuple|"
    r"int|float|str|bytes|bool)")
UNSAFE = frozenset(name for name in vars(builtins) if callable(getattr(builtins, name))) - {
    "abs", "min", "max", "sum", "round", "pow", "int", "float", "complex", "len", "range", "list",
    "tuple", "set", "dict", "str", "bool", "sorted", "zip", "enumerate", "divmod", "all", "any"}
SPEAKS = ("socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo",
          "socket.gethostbyname", "urllib.Request", "ftplib.connect", "smtplib.connect",
          "http.client.connect")
STARTS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "pty.spawn",
          "os.startfile")
PATHS = {"open": 1, "os.listdir": 1, "os.scandir": 1, "os.remove": 1, "os.rmdir": 1, "os.mkdir": 1,
         "os.rename": 2, "os.link": 2, "os.symlink": 2, "os.truncate": 1, "os.chmod": 1,
         "os.chown": 1, "os.utime": 1, "os.chdir": 1, "shutil.rmtree": 1, "shutil.move": 2,
         "shutil.copyfile": 2, "shutil.copytree": 2, "sqlite3.connect": 1}
PUBLIC = ("/dev/null", "/dev/urandom", "/dev/random", "/proc/cpuinfo", "/proc/meminfo",
          "/proc/self/status", "/proc/self/statm", "/proc/thread-self/schedstat")


Heard = Callable[..., bool]  # (text, whole=False)


class RunsText(Undecided):
    """A test was about to run, or to reach, what a student's code made."""


class Wall:
    """Stands while test code runs. One per process: an audit hook cannot be taken away."""

    def __init__(self) -> None:
        self.up = False
        self.thread = 0
        self.refused = ""  # why a person must look, in a sentence
        self.source = ""  # the text of the test
        self.tests: Callable[[str], bool] = lambda filename: False
        self.scratch: tuple[str, ...] = ()
        self.readable: tuple[str, ...] = ()
        self.heard: Heard = lambda text, whole=False: False
        self.is_staffs: Callable[[str], bool] = lambda path: False
        self.opened = ""  # by the test itself, last
        self.hooked = False

    # when it stands

    @contextlib.contextmanager
    def around(self, source: str, is_test: Callable[[str], bool], scratch: Iterable[str],
               readable: Iterable[str], heard: Heard,
               is_staffs: Callable[[str], bool]) -> Iterator[None]:
        """Around one stretch of test code.

        is_test: file name of code -> whether staff wrote it for this notebook
        scratch: folders in which a test may do as it likes; readable: those of libraries
        heard: text, and whether it is a word of its own -> whether it came from the candidate
        is_staffs: real path of a file -> whether it is one of the released folder
        """
        if not self.hooked:
            self.hooked = True
            sys.addaudithook(self._hook)
        self.source, self.tests, self.heard, self.refused = source, is_test, heard, ""
        self.is_staffs, self.opened = is_staffs, ""
        self.scratch = tuple(map(os.path.realpath, scratch))
        self.readable = tuple(map(os.path.realpath, filter(None, readable)))
        self.thread, self.up = threading.get_ident(), True
        try:
            yield
        finally:
            self.up, self.source = False, ""

    @contextlib.contextmanager
    def standing(self, up: bool) -> Iterator[None]:
        """In this block it stands, or does not: the bridge works, or calls the test back."""
        before, self.up = self.up, up and bool(self.source)
        try:
            yield
        finally:
            self.up = before

    # what it sees

    def _hook(self, event: str, args: tuple) -> None:
        if not self.up or event not in HANDLERS or threading.get_ident() != self.thread:
            return
        self.up = False  # what is done to look is no deed of the test
        try:
            HANDLERS[event](self, event, args)
        finally:
            self.up = True

    def _refuse(self, why: str, what: str) -> None:
        self.refused = self.refused or f"{why} ({what})"
        raise RunsText(self.refused)

    def _on_compile(self, event: str, args: tuple) -> None:
        source, frame = args[0], _caller()
        caller = _module_of(frame)
        if caller == "ast":
            return  # ast.parse and ast.literal_eval run nothing
        text = source.decode(errors="replace") if isinstance(source, bytes) else source
        if self._is_a_test(frame):
            if not isinstance(text, str) or not self._stands_in_the_test(text):
                self._refuse(TEXT, "eval, exec or compile")
        elif EVALUATORS.match(caller) and isinstance(text, str) and self._holds_theirs(text):
            self._refuse(TEXT, caller.partition(".")[0])

    def _stands_in_the_test(self, text: str) -> bool:
        return _bare(text) in _bare(self.source) or ARITHMETIC.fullmatch(text) is not None

    def _holds_theirs(self, text: str) -> bool:
        """Whether a library's text has a word that came from the candidate and not from the test.

        Names of sympy's and of symbols that it makes run nothing.
        """
        harmless = vars(sys.modules.get("sympy", builtins)).keys() - UNSAFE
        words = set(WORD.findall(MADE_NAMES.sub("", text))) - harmless - set(keyword.kwlist)
        return any(map(self.heard, words - set(WORD.findall(self.source))))

    def _on_pickle(self, event: str, args: tuple) -> None:
        module, name = args[:2]
        if not PICKLED.fullmatch(f"{module}:{name}") and not self._reads_a_file_of_staff():
            self._refuse(TEXT, "pickle")

    def _reads_a_file_of_staff(self) -> bool:
        """Whether what is unpickled lies in a file of the released folder."""
        frame = _caller()
        if self._is_a_test(frame):
            return self.is_staffs(self.opened) and "loads" not in self.source
        while frame is not None and not self._is_a_test(frame):
            for value in list(frame.f_locals.values()):
                name = getattr(value, "name", None)
                if isinstance(name, str | os.PathLike) and hasattr(value, "read"):
                    return self.is_staffs(os.path.realpath(name))
            frame = frame.f_back
        return False

    def _on_import(self, event: str, args: tuple) -> None:
        frame = _caller()
        while frame is not None and _module_of(frame).startswith("importlib"):
            frame = frame.f_back
        if self._is_a_test(frame) and not set(args[0].split(".")) <= set(WORD.findall(self.source)):
            if self.heard(args[0].rpartition(".")[2]):
                self._refuse(TEXT, f"import of {args[0][:40]}")

    def _on_start(self, event: str, args: tuple) -> None:
        words = [word for part in args[:2] for word in _words_of(part)]
        if not all(word in self.source or word == sys.executable for word in words):
            self._refuse(TEXT, "a process")

    def _on_speech(self, event: str, args: tuple) -> None:
        self._refuse(PLACE, "the network")

    def _on_path(self, event: str, args: tuple) -> None:
        frame = _caller()
        if _module_of(frame).startswith("importlib") or _is_of_a_traceback(frame, args[0]):
            return
        for path in args[:PATHS[event]]:
            if isinstance(path, str | bytes | os.PathLike):
                self._check_path(os.fsdecode(path), self._is_a_test(frame))

    def _check_path(self, path: str, by_test: bool) -> None:
        place = os.path.realpath(path)
        if by_test:
            self.opened = place
        library = _below(place, self.readable)  # which may lie below the scratch disk's folder
        if path in PUBLIC or path in self.source or (_below(place, self.scratch) and not library):
            return
        theirs = self.heard(path) or self._named(path) or self._named(place)
        if theirs or (by_test and not library):
            self._refuse(PLACE, "a path")

    def _named(self, path: str) -> bool:
        """Whether the candidate has said the last part of a path that the test does not name.

        What it says is joined to folders of others, and others join their endings to it.
        """
        parts = [part for part in path.split("/") if len(part) >= SHORTEST]
        while parts and parts[-1] in self.source:
            parts.pop()
        if not parts:
            return False
        return any(self.heard(word, whole=True) for word in (parts[-1], parts[-1].split(".")[0]))

    def _is_a_test(self, frame: Any) -> bool:
        return frame is not None and self.tests(frame.f_code.co_filename)


def _caller() -> Any:
    """The frame of Python that did what the hook was called for."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    return frame


def _module_of(frame: Any) -> str:
    return frame.f_globals.get("__name__") or "" if frame is not None else ""


def _is_of_a_traceback(frame: Any, path: Any) -> bool:
    """Whether a library reads the lines of code that is running, to tell where it stands."""
    if _module_of(frame) not in ("linecache", "tokenize"):
        return False
    while frame is not None and frame.f_code.co_filename != path:
        frame = frame.f_back
    return frame is not None


def _bare(text: str) -> str:
    return "".join(text.split())


def _below(path: str, folders: tuple[str, ...]) -> bool:
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)


def _words_of(part: Any) -> list[str]:
    if isinstance(part, str | bytes | os.PathLike):
        return [os.fsdecode(part)]
    return [word for each in part for word in _words_of(each)] if isinstance(
        part, list | tuple) else []


def _handlers() -> dict[str, Callable[[Wall, str, tuple], None]]:
    found = {"compile": Wall._on_compile, "pickle.find_class": Wall._on_pickle,
             "import": Wall._on_import}
    found |= dict.fromkeys(STARTS, Wall._on_start) | dict.fromkeys(SPEAKS, Wall._on_speech)
    return found | dict.fromkeys(PATHS, Wall._on_path)


HANDLERS = _handlers()
WALL = Wall()
