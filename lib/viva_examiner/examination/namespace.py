"""The namespace of hidden code: what one kernel would hold, in two processes.

A name is what a test bound; else what the instructor's notebook imports; else what the student's
notebook binds, asked for when it is used. Student code sees of a test's own names what staff mean
it to see: a name that the instructor's solution reads, one that visible test code binds, or an
object that is the student's already. Everything else, such as an expected value, stays here.
"""

import builtins
import re
import types
from collections.abc import Callable, Iterable
from typing import Any

from viva import plain
from viva_examiner.notebook.cells import definition, names_used
from viva_examiner.notebook.solutions import globals_read, globals_written
from viva_examiner.sandbox.bridge.codec import ModuleName
from viva_examiner.sandbox.bridge.proxies import Proxy
from viva_examiner.sandbox.session import Session

GONE = object()  # no such name
BUILTINS = vars(builtins)
LISTS_NAMES = re.compile(r"\b(?:dir|globals|locals|vars)\(\)")
QUOTED = re.compile(r"""["']([A-Za-z_]\w*)["']""")
MUTABLE = (list, dict, set, bytearray)
UNCHANGING = (str, bytes, int, float, complex, bool, type(None), range, frozenset,
              types.ModuleType, types.FunctionType, type)
MAX_COMPARED = 1 << 20  # bytes; in larger data a change in place goes unnoticed


class Names(dict):
    """Holds the names that tests bind; asks for all others.

    imports: name -> the object that the instructor's notebook imports under it, or None
    is_public: source of a test -> whether it uses nothing but libraries that students have
    reads: global names that the instructor's own functions read
    shadows: builtins that the instructor's own cells bind: the student's are meant then
    stand_in: (session, name of a module) -> what stands for it if it is a file beside the notebook
    """

    def __init__(self, imports: Callable[[str], Any], is_public: Callable[[str], bool],
                 reads: Iterable[str], stand_in: Callable[[Session, str], Any],
                 shadows: Iterable[str] = ()) -> None:
        super().__init__({"__name__": "__main__", "__builtins__": builtins})
        self.imports, self.is_public, self.reads = imports, is_public, frozenset(reads)
        self.stand_in, self.builtins = stand_in, BUILTINS.keys() - set(shadows)
        self.session: Session | None = None
        self.sources: list[str] = []  # what the student's notebook has run so far
        self.shown: dict[str, object] = {}  # what is held here and is no test's own
        self.theirs: dict[str, object] = {}  # the student's names, as they were last asked for
        self.asked: dict[str, int] = {}  # when that was, in calls of the session
        self.used: set[str] = set()  # by any test so far: helpers of an earlier test come back
        self.deleted: set[str] = set()
        self.open: set[str] = set()  # bound by visible code that knows nothing hidden
        self.secret: set[str] = set()  # bound by hidden code, or with the help of it
        self.sent: dict[str, object] = {}  # what the candidate has been sent for a name of a test
        self.agreed: dict[str, bytes | None] = {}  # the student's data, as both sides have it
        self.restored: list[str] = []
        self.is_open, self.cell = False, ""
        self.called = self.rebound = frozenset[str]()

    # one stretch of test code after the other

    def begin(self, source: str, session: Session, hidden: bool) -> None:
        """Before a stretch of test code: ask for all that it names, in one question."""
        if session is not self.session:  # a candidate that was started again knows nothing
            self.session, self.sent = session, {}
        used = names_used(source)
        self.used |= used
        self.is_open = not hidden and not used & self.secret and self.is_public(source)
        self.cell = source
        for name, value in self.shown.items():
            if dict.get(self, name, GONE) is value:
                self.pop(name)
        self.theirs, self.asked, self.agreed, self.shown = {}, {}, {}, {}
        self.called = frozenset().union(*map(globals_read, self.sources))
        self.rebound = frozenset().union(*map(globals_written, self.sources))
        others = {name for name in self.used if name not in self.keys()}
        imported = {name: value for name in others if (value := self.imports(name)) is not None}
        listed = _looked_for(source) - self.keys()  # `"f" in dir()`: theirs, or not there
        found = session.resolve(sorted((others - imported.keys() - {"In"}) | listed))
        self._take({name: value for name, value in found.items() if name not in imported})
        for name, value in (self.theirs | imported).items():
            self._show(name, value)
        for name in listed & found.keys():
            self.shown.setdefault(name, found[name])
            dict.setdefault(self, name, found[name])

    def end(self) -> None:
        """After a test: what it did to the student's functions is undone, as far as it went."""
        for name, what in list(self.sent.items()):
            if what is GONE or isinstance(self.theirs.get(name), Proxy):
                self.restored.append(name)
                del self.sent[name]
                self.pop(name, None)
        self.deleted.clear()

    def shared(self, used: frozenset[str]) -> set[str]:
        """Of the names that a cell of the notebook uses, those of visible tests that it may have
        changed in place: what it has made of them counts from then on.
        """
        return {name for name in self.open & used
                if (value := self.own(name)) is not GONE and not isinstance(value, UNCHANGING)}

    def forget(self, names: frozenset[str]) -> None:
        """The student's notebook binds these names: the last binding counts."""
        for name in names:
            self.pop(name, None)
            self.sent.pop(name, None)
        self.open -= names
        self.secret -= names

    # what Python asks for

    def __getitem__(self, name: str) -> Any:
        value = dict.get(self, name, GONE)
        if value is not GONE and value is not self.shown.get(name, GONE):
            return value  # a test's own, bound here or by a function with `global`
        if name in self.builtins:
            return BUILTINS[name]  # whatever the student's notebook made of it
        if value is not GONE and (name not in self.theirs or not self._is_stale(name)):
            return value
        if name in self.deleted or self.session is None:
            raise KeyError(name)
        if name == "In":  # from our own record: the candidate's could be anything
            return ["", *self.sources, self.cell]
        found = self.imports(name)
        if found is None:
            self._take(self.session.look_up(name))
            found = self.theirs[name]
        self._show(name, found)
        return found

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name, GONE) is not GONE

    def get(self, name: str, default: Any = None) -> Any:
        try:
            return self[name]
        except KeyError:
            return default

    def __setitem__(self, name: str, value: object) -> None:
        self.deleted.discard(name)
        self.shown.pop(name, None)
        (self.open if self.is_open else self.secret).add(name)
        (self.secret if self.is_open else self.open).discard(name)
        super().__setitem__(name, value)

    def __delitem__(self, name: str) -> None:
        self[name]  # a KeyError if there is none
        self.pop(name, None)
        self.deleted.add(name)

    def _show(self, name: str, value: object) -> None:
        """Hold it here as well: Python looks the names of a class body up without asking us."""
        self.shown[name] = value
        super().__setitem__(name, value)

    def own(self, name: str) -> Any:
        """What a test bound to this name, or GONE."""
        value = dict.get(self, name, GONE)
        return GONE if value is self.shown.get(name, GONE) else value

    # the student's names

    def _take(self, found: dict) -> None:
        assert self.session is not None  # it was asked for these
        for name, value in found.items():
            if isinstance(value, ModuleName):  # a library counts only if staff's notebook has it
                value = self.stand_in(self.session, str(value))
                if value is None:
                    continue
            if isinstance(value, Proxy):
                value.__dict__["_viva_text"] = definition(self.sources, name)
            elif name in self.theirs and _packed(value) == _packed(self.theirs[name]) is not None:
                value = self.theirs[name]
            self.theirs[name] = value
            self.asked[name] = self.session.calls
            if name in self.called and _is_mutable(value):
                self.agreed[name] = _packed(value)

    def _is_stale(self, name: str) -> bool:
        """Whether the student's code has run meanwhile and may have changed it."""
        if self.session is None or self.asked[name] == self.session.calls:
            return False
        value = self.theirs[name]
        return name in self.rebound or (name in self.called and not isinstance(value, Proxy)
                                        and _is_mutable(value))

    # what the candidate is sent with every question

    def updates(self) -> dict:
        """What a test did to global names that the student's functions read, since the last time.

        A name that is sent and was the student's own function is given back by `end`.
        """
        message = {}
        if self.restored:
            message["restore"], self.restored = self.restored, []
        gone = [name for name in self.deleted if self.sent.get(name) is not GONE]
        if gone:
            message["unbind"] = gone
            self.sent |= dict.fromkeys(gone, GONE)
        bound, modules, changed = {}, {}, {}
        for name in self.agreed.keys() - self.deleted:
            if self.own(name) is GONE and (seen := _packed(self.theirs[name])) != (
                    self.agreed[name]):
                self.agreed[name], changed[name] = seen, self.theirs[name]
        for name in self.keys() & self.called:
            if (value := self.own(name)) is not GONE and self._is_new(name, value):
                if isinstance(value, types.ModuleType):
                    modules[name] = value.__name__
                elif self.session is not None and self.session.can_send(value):
                    bound[name] = value
        parts = {"bind": bound, "modules": modules, "changed": changed}
        return message | {part: sent for part, sent in parts.items() if sent}

    def _is_new(self, name: str, value: object) -> bool:
        """Whether a name of the test may be sent and has not been; it counts as sent then."""
        if not (name in self.reads or name in self.open or isinstance(value, Proxy)):
            return False
        seen = _packed(value) if _is_mutable(value) else value
        last, self.sent[name] = self.sent.get(name, GONE), seen
        return last != seen if isinstance(seen, bytes) and isinstance(last, bytes) else (
            last is not seen)



def _looked_for(source: str) -> frozenset[str]:
    """The names that a test looks for by their text, in a list of all names."""
    if not LISTS_NAMES.search(source):
        return frozenset()
    return frozenset(word for word in QUOTED.findall(source) if not hasattr(builtins, word))


def _is_mutable(value: object) -> bool:
    return isinstance(value, MUTABLE) or type(value).__name__ in ("ndarray", "Tensor")


def _packed(value: object) -> bytes | None:
    """Plain data as bytes, to see whether it has changed; None if it is none, or large."""
    if getattr(value, "nbytes", 0) > MAX_COMPARED:
        return None
    try:
        return plain.pack(value)
    except plain.NotPlain:
        return None
