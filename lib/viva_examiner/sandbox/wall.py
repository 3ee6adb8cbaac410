"""The second wall, inside a judge: a test does not run what a student's code made.

Python's audit hooks see every `eval`, `exec` and `compile`, every class that a pickle names, every
process, connection and file; a finder sees imports, and `wall_doors` the few calls of libraries
that no hook sees. While test code runs, what is asked for must stand in the test's own text, or be
what a library does on its own. What is refused leaves the mark to a person, whatever the test makes
of the refusal: `TEXT` says why.

Off until a judge raises it, and off while the bridge itself works on an answer.
"""

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from viva_examiner.sandbox import wall_rules as rules
from viva_examiner.sandbox.candidate_text import SHORTEST
from viva_examiner.sandbox.errors import Undecided
from viva_examiner.sandbox.shapes import Shapes
from viva_examiner.sandbox.wall_rules import caller, module_of, outside

TEXT = "this test runs text that the student's code made"
PLACE = "this test reaches a place that the student's code named"

WasSaid = Callable[..., bool]  # (text, whole=False, anyhow=False)


class RunsText(Undecided):
    """A test was about to run, or to reach, what a student's code made."""


class Wall:
    """Stands while test code runs. One per process: an audit hook cannot be taken away."""

    def __init__(self) -> None:
        self.up = False
        self.here = threading.local()  # down: this thread is the bridge's now, or looks
        self.others: frozenset[int] = frozenset()  # threads that are none of the test's
        self.left: frozenset[int] = frozenset()  # that a test has started and not ended
        self.shapes = Shapes()
        self.refused = ""  # why a person must look, in a sentence
        self.source = ""  # the text of the test
        self.tests: Callable[[str], bool] = lambda filename: False
        self.scratch: tuple[str, ...] = ()
        self.readable: tuple[str, ...] = ()
        self.heard: WasSaid = lambda text, **how: False
        self.is_staffs: Callable[[str], bool] = lambda path: False
        self.opened = ""  # by the test itself, last
        self.hooked = False

    # when it stands

    @contextlib.contextmanager
    def around(self, source: str, is_test: Callable[[str], bool], scratch: Iterable[str],
               readable: Iterable[str], heard: WasSaid,
               is_staffs: Callable[[str], bool]) -> Iterator[None]:
        """Around one stretch of test code.

        is_test: file name of code -> whether staff wrote it for this notebook
        scratch: folders in which a test may do as it likes; readable: those of libraries
        heard: text, and how it is looked for -> whether it came from the candidate
        is_staffs: real path of a file -> whether it is one of the released folder
        """
        if not self.hooked:
            self.hooked = True
            sys.addaudithook(self._hook)
            sys.meta_path.insert(0, self)
        self.source, self.tests, self.heard, self.refused = source, is_test, heard, ""
        self.is_staffs, self.opened = is_staffs, ""
        self.scratch = tuple(map(os.path.realpath, scratch))
        self.readable = tuple(map(os.path.realpath, filter(None, readable)))
        before = frozenset(sys._current_frames()) - {threading.get_ident()}
        self.left &= before
        self.others = before - self.left
        self.here.down, self.up = False, True
        try:
            yield
        finally:
            self.left = frozenset(sys._current_frames()) - {threading.get_ident()} - self.others
            self.up, self.source = False, ""
            if changed := self.shapes.put_back():
                self.refused = self.refused or f"{TEXT} (pickle, which changes {changed})"

    @contextlib.contextmanager
    def standing(self, up: bool) -> Iterator[None]:
        """In this block it stands, or does not: the bridge works, or calls the test back."""
        before, self.here.down = getattr(self.here, "down", False), not up
        try:
            yield
        finally:
            self.here.down = before

    # what it sees

    def stands(self) -> bool:
        thread = threading.get_ident()
        if getattr(self.here, "down", False):
            return False
        return thread not in self.others if self.up else thread in self.left

    def _hook(self, event: str, args: tuple) -> None:
        if event in HANDLERS and (self.stands() or self._is_a_test(caller())):  # `__del__`, say
            with self.standing(False):  # what is done to look is no deed of the test
                HANDLERS[event](self, event, args)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        """As a finder of modules, which finds none: `importlib.import_module` has no event."""
        if self.stands():
            with self.standing(False):
                self._check_import(name)

    def refuse(self, why: str, what: str) -> None:
        self.refused = self.refused or f"{why} ({what})"
        raise RunsText(self.refused)

    def _on_compile(self, event: str, args: tuple) -> None:
        source, frame = args[0], caller()
        by = module_of(frame)
        text = source.decode(errors="replace") if isinstance(source, bytes) else source
        if by == "ast":
            return self._check_parsed(text, outside(frame, "ast"))  # which itself runs nothing
        theirs = self._is_a_file_of_theirs(args[1])
        if by.startswith("importlib") and not theirs:
            return
        if isinstance(text, str) and self._stands_in_the_test(text):
            return
        if theirs or self._is_a_test(frame) or not rules.evaluates(frame):
            self.refuse(TEXT, "eval, exec or compile")
        if isinstance(text, str) and self._holds_theirs(text, by):
            self.refuse(TEXT, by.partition(".")[0])

    def _stands_in_the_test(self, text: str) -> bool:
        return rules.bare(text) in rules.bare(self.source) or (
            rules.ARITHMETIC.fullmatch(text) is not None)

    def _is_a_file_of_theirs(self, name: Any) -> bool:
        place = os.path.realpath(rules.path_of(name) or "/")
        return (rules.below(place, self.scratch) and not rules.below(place, self.readable)
                and os.path.isfile(place) and not self.is_staffs(place))

    def _holds_theirs(self, text: str, by: str) -> bool:
        """Whether a library is about to run what is neither its own text nor the test's."""
        known = set(rules.WORD.findall(self.source))
        words = rules.words_in(rules.MADE_NAMES.sub("", text)) - known
        if rules.EVALUATORS.match(by):
            return bool(words - rules.own_words(by))
        if rules.TEMPLATES.match(by):
            return self._was_said({*words, text.strip()})
        if rules.HINTS.match(by) and rules.does_more_than_name(text):
            return True
        if rules.FORMULAS.match(by):
            deeds = rules.deeds_in(text) - known
            return any(map(rules.reaches, deeds)) or self._was_said(deeds - rules.harmless_words())
        if not text.strip().isidentifier() and self._was_said({text.strip()}):
            return True  # else a part of what a library writes itself, say a name that it was given
        return self._was_said({deed for deed in rules.spelled_in(text) if deed not in self.source})

    def _was_said(self, texts: Iterable[str]) -> bool:
        return any(self.heard(text, anyhow=True) for text in texts)

    def _check_parsed(self, text: Any, frame: Any) -> None:
        """pandas walks through the tree of a text by itself; it keeps the text as it was given.

        Others compile the tree: a text is the last that is seen of it.
        """
        by = module_of(frame)
        if isinstance(text, str) and (rules.EVALUATORS.match(by) or rules.TEMPLATES.match(by)):
            if not self._stands_in_the_test(text) and self._holds_theirs(text, by):
                self.refuse(TEXT, by.partition(".")[0])
        if rules.FORMULAS.match(module_of(frame)) and isinstance(text, str):
            given = frame.f_locals.get("node")
            if self._stands_in_the_test(given if isinstance(given, str) else text):
                return
            deeds = rules.deeds_in(text)
            known = set(rules.WORD.findall(self.source))
            if any(map(rules.reaches, deeds - known)) or self._was_said(deeds):
                self.refuse(TEXT, "pandas")

    def _on_code(self, event: str, args: tuple) -> None:
        frame = caller()
        if self._is_a_test(frame) or (event != "code.__new__" and not module_of(
                frame).startswith(("importlib", "zipimport"))):
            self.refuse(TEXT, event.partition(".")[0])

    def _on_memory(self, event: str, args: tuple) -> None:
        if self._is_a_test(outside(caller(), "ctypes")):
            self.refuse(PLACE, "memory")

    def _on_symbol(self, event: str, args: tuple) -> None:
        name = str(args[1])
        if self._is_a_test(outside(caller(), "ctypes")) and name not in self.source:
            self.refuse(TEXT, "ctypes")

    def _on_library(self, event: str, args: tuple) -> None:
        """A library of C: none that the candidate named, and none of its own files."""
        path = rules.path_of(args[0])
        if path and (self._is_a_file_of_theirs(path) or (
                path not in self.source and self.heard(path))):
            self.refuse(TEXT, "a library of C")

    def _on_pickle(self, event: str, args: tuple) -> None:
        module, name = args[:2]
        if self.reads_a_file_of_staff():
            return
        if not rules.PICKLED.fullmatch(f"{module}:{name}"):
            self.refuse(TEXT, "pickle")
        self.shapes.keep(module, name)

    def reads_a_file_of_staff(self) -> bool:
        """Whether what is unpickled lies in a file of the released folder."""
        frame = caller()
        if self._is_a_test(frame):
            return self.is_staffs(self.opened) and "loads" not in self.source
        while frame is not None and not self._is_a_test(frame):
            for value in list(frame.f_locals.values()):
                name = getattr(value, "name", None)
                if isinstance(name, str | os.PathLike) and hasattr(value, "read"):
                    return self.is_staffs(os.path.realpath(name))
            frame = frame.f_back
        return False

    def _check_import(self, name: str) -> None:
        frame = outside(caller(), "importlib")
        if set(name.split(".")) <= set(rules.WORD.findall(self.source)):
            return
        if self._is_a_test(frame) or not rules.imports_by_itself(frame, name):
            if self.heard(name.rpartition(".")[2]):
                self.refuse(TEXT, f"import of {name[:40]}")

    def _on_start(self, event: str, args: tuple) -> None:
        words = [word for part in args[:2] for word in rules.words_of(part)]
        if not all(word in self.source or word == sys.executable for word in words) or any(
                map(self._is_a_file_of_theirs, rules.files_below(self.scratch[-1]))):
            self.refuse(TEXT, "a process")  # which could run what lies there

    def _on_extension(self, event: str, args: tuple) -> None:
        if args[1] and self._is_a_file_of_theirs(args[1]):
            self.refuse(TEXT, "a library of C")

    def _on_speech(self, event: str, args: tuple) -> None:
        self.refuse(PLACE, "the network")

    def _on_path(self, event: str, args: tuple) -> None:
        frame = rules.behind_tools(caller())
        if module_of(frame).startswith(("importlib", "zipimport")):
            if self._is_a_file_of_theirs(args[0]):  # code without text, or in an archive
                self.refuse(TEXT, "import of a file")
            return
        if rules.is_of_a_traceback(frame, args[0]):
            return
        for value in args[:rules.PATHS[event]]:
            if path := rules.path_of(value):
                self.check_path(path, self._is_a_test(frame))

    def check_path(self, path: str, by_test: bool) -> None:
        place = os.path.realpath(path)
        if by_test:
            self.opened = place
        library = rules.below(place, self.readable)  # may lie below the scratch disk's folder
        if path in rules.PUBLIC or path in self.source or (
                rules.below(place, self.scratch) and not library):
            return
        theirs = self.heard(path) or self._named(path) or self._named(place)
        theirs = theirs or rules.OF_A_PROCESS.match(place) is not None
        if theirs or (by_test and not library):
            self.refuse(PLACE, "a path")

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


def _handlers() -> dict[str, Callable[[Wall, str, tuple], None]]:
    found = {"compile": Wall._on_compile, "pickle.find_class": Wall._on_pickle,
             "ctypes.dlsym": Wall._on_symbol, "ctypes.dlopen": Wall._on_library,
             "import": Wall._on_extension}
    found |= dict.fromkeys(rules.CODE, Wall._on_code)
    found |= dict.fromkeys(rules.MEMORY, Wall._on_memory)
    found |= dict.fromkeys(rules.STARTS, Wall._on_start)
    found |= dict.fromkeys(rules.SPEAKS, Wall._on_speech)
    return found | dict.fromkeys(rules.PATHS, Wall._on_path)


HANDLERS = _handlers()
WALL = Wall()
