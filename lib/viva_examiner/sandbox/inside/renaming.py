"""What a test does to names that the student's functions read, done over here as in one kernel."""

import importlib
from typing import Any

from viva_examiner.sandbox.inside import candidate_files
from viva_examiner.sandbox.inside.mutation import MUTABLE, is_table, packed, write_into


class Renaming:
    """The notebook's global names, and functions of libraries, while a test replaces some."""

    def __init__(self, names: dict) -> None:
        self.names = names
        self.saved: dict[str, object] = {}  # the student's own, of names that a test has replaced
        self.originals: dict[str, object] = {}  # the libraries' own, of replaced functions
        self.lent: dict[str, bytes | None] = {}  # data that a test has bound, as it was then

    def forget(self) -> None:
        """A cell of the notebook runs: its own bindings count from now on."""
        self.saved.clear()
        self.lent.clear()

    def has_changed(self) -> bool:
        """Whether student code has changed data that a test has bound here, in place."""
        return any(packed(self.names.get(name)) != seen for name, seen in self.lent.items()
                   if seen is not None)

    def follow(self, request: dict) -> None:
        """Do what a request says about names, functions and files before it is served."""
        for name in request.get("restore", ()):
            if name in self.saved:
                self.names[name] = self.saved.pop(name)
        for name in request.get("unbind", ()):
            if name in self.names:
                self.saved.setdefault(name, self.names.pop(name))
        for name, value in request.get("changed", {}).items():
            if not write_into(self.names.get(name), value):
                self.names[name] = value
        for name, value in {**request.get("bind", {}), **modules(request)}.items():
            if name in self.names:
                self.saved.setdefault(name, self.names[name])
            self.names[name] = value
            if isinstance(value, MUTABLE) or is_table(value):
                self.lent[name] = packed(value)
        if "replaced" in request:
            self.replace(request["replaced"])
        candidate_files.write(request.get("written", {}))

    def replace(self, functions: dict) -> None:
        """Put these functions in the place of the libraries', and back what was there before."""
        for place, original in self.originals.items():
            put(place, original)
        for place, function in functions.items():
            original = put(place, function)
            self.originals.setdefault(place, original)


def modules(request: dict) -> dict:
    """The modules that a test has imported, as far as they are not staff's own."""
    found = {}
    for name, module in request.get("modules", {}).items():
        try:
            found[name] = importlib.import_module(module)
        except ImportError:
            pass
    return found


def put(place: str, function: object) -> Any:
    """Put a function in the place of a library's (`random.choice`); what was there before."""
    module, _, name = place.rpartition(".")
    owner = importlib.import_module(module)
    before = getattr(owner, name)
    setattr(owner, name, function)
    return before
