"""What a test does to names that the student's functions read, done over here as in one kernel."""

import importlib

from viva_examiner.sandbox.inside import beside
from viva_examiner.sandbox.inside.mutation import write_into


class Renaming:
    """The notebook's global names, and functions of libraries, while a test replaces some."""

    def __init__(self, names: dict):
        self.names = names
        self.saved: dict[str, object] = {}  # the student's own, of names that a test has replaced
        self.originals: dict[str, object] = {}  # the libraries' own, of replaced functions

    def forget(self) -> None:
        """A cell of the notebook runs: its own bindings count from now on."""
        self.saved.clear()

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
        if "replaced" in request:
            self.replace(request["replaced"])
        beside.write(request.get("written", {}))

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


def put(place: str, function):
    """Put a function in the place of a library's (`random.choice`); what was there before."""
    module, _, name = place.rpartition(".")
    owner = importlib.import_module(module)
    before = getattr(owner, name)
    setattr(owner, name, function)
    return before
