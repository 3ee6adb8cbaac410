"""Files beside a notebook: where a test finds them, and how they come and go.

Staff's own files come from the released folder; the test may open and import them. What a
student's code has written may be opened by a test that looks for files, if it is text or a
picture: nothing that a program could run or unpickle comes over here. A module that a student
handed in is never imported here; a test that imports it gets a stand-in that asks the candidate.
"""

import contextlib
import functools
import importlib.abc
import importlib.machinery
import os.path
import re
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from viva_examiner.limits import MAX_FILES_BYTES
from viva_examiner.sandbox.bridge.forwarding import Global
from viva_examiner.sandbox.inside.protocol import STAFF
from viva_examiner.sandbox.session import Session

HARMLESS = (".txt", ".csv", ".tsv", ".json", ".md", ".dat", ".log", ".out", ".html", ".xml", ".svg",
            ".png", ".jpg", ".jpeg")
LOOKS = re.compile(r"\bopen\(|\bread_\w+\(|\bload\w*\(|genfromtxt|fromfile|exists|isfile|isdir|"
                   r"listdir|glob|scandir|\bPath\(|\bto_\w+\(|\bsave\w*\(|getsize|stat\(")

ON_PATH = re.compile(r"\bpath\.(?:append|insert|extend)\(")  # of sys
QUOTED = re.compile(r"""["']([^"'\n]+)["']""")
# stays what it is while tests run: a kernel has loaded most of it too, and we need the rest
KEPT = sys.stdlib_module_names | {"IPython", "traitlets", "numpy", "torch", "viva", *STAFF}


def looks_for_files(source: str) -> bool:
    """Whether a test reads or writes files, as far as its text tells."""
    return LOOKS.search(source) is not None


def folders_on_path(sources: Iterable[str], files: Iterable[str]) -> list[str]:
    """Folders beside the notebook that cells of the instructor put on Python's path."""
    with_modules = {str(folder) for name in files if name.endswith(".py")
                    for folder in Path(name).parents} - {"."}
    named = {os.path.normpath(word) for source in sources if ON_PATH.search(source)
             for word in QUOTED.findall(source)}
    return sorted(with_modules & named)


def released_files(folder: str) -> dict[str, bytes]:
    """The files beside a released notebook, by relative path; none if the folder is not here."""
    root = Path(folder)
    if not folder or not root.is_dir():
        return {}
    found = []
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        hidden = any(part.startswith(".") or part == "__pycache__" for part in name.parts)
        if path.is_file() and not hidden and path.suffix != ".ipynb":
            about = path.stat()
            found.append((str(name), about.st_mtime_ns, about.st_size))
    return dict(_read(folder, tuple(found)))


@functools.lru_cache(maxsize=4)
def _read(folder: str, names: tuple) -> tuple:
    room, found = MAX_FILES_BYTES * 4, []
    for name, _, size in names:
        if size <= room:
            room -= size
            found.append((name, (Path(folder) / name).read_bytes()))
    return tuple(found)


class WorkFolder:
    """The folder in which hidden code runs: staff's files, what tests write, what students wrote.

    root: an empty folder; released: staff's files; handed_in: names of the student's own files
    folders: those in which a notebook finds modules, besides its own
    """

    def __init__(self, root: str, released: Mapping[str, bytes], handed_in: Iterable[str],
                 folders: Iterable[str] = ()) -> None:
        self.root, self.released, self.folders = Path(root), released, ("", *folders)
        self.theirs = {name for name in handed_in if name not in released}
        self.modules: dict[str, types.ModuleType] = {}  # staff's, imported by this test's notebook
        self.stamps: dict[str, tuple] = {}
        self.laid_out = False

    def lay_out(self) -> None:
        """Put staff's files there, once."""
        if not self.laid_out:
            for name, data in self.released.items():
                place = self.root / name
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(data)
            self.laid_out, self.stamps = True, self._stamps()

    def fetch(self, session: Session) -> None:
        """Bring over what the student's code has written."""
        room = MAX_FILES_BYTES
        for name, data in session.files_written(HARMLESS).items():
            place, room = self.root / name, room - len(data)
            inside = place.resolve().is_relative_to(self.root.resolve())
            if inside and name not in self.released and room >= 0:
                with contextlib.suppress(OSError):  # a file where a folder is, or the reverse
                    place.parent.mkdir(parents=True, exist_ok=True)
                    place.write_bytes(data)
                    self.stamps[name] = _stamp(place)

    def written(self) -> dict[str, bytes]:
        """What the test has written since the last time, for the student's code."""
        now = self._stamps()
        new = {name for name, stamp in now.items() if self.stamps.get(name) != stamp}
        self.stamps = now
        return {name: (self.root / name).read_bytes() for name in new
                if now[name][1] < MAX_FILES_BYTES}

    def stand_in(self, session: Session, module: str) -> "StudentModule | None":
        """What stands for a module that the student's notebook imports from a file beside it."""
        if not self.places_of(module) & (self.theirs | self.released.keys()):
            return None
        found = StudentModule(module)
        found.__dict__["_viva_session"] = session
        return found

    def places_of(self, module: str) -> set[str]:
        """Where the file of a module may lie, among the files beside the notebook."""
        place = module.replace(".", "/")
        return {os.path.join(folder, f"{place}{end}") for folder in self.folders
                for end in (".py", "/__init__.py")}

    def _stamps(self) -> dict[str, tuple]:
        return {str(path.relative_to(self.root)): _stamp(path)
                for path in self.root.rglob("*") if path.is_file()}

    @contextlib.contextmanager
    def importable(self, session: Session) -> Iterator[None]:
        """In this block staff's modules can be imported, and stand-ins for the student's."""
        finder = StudentModules(session, lambda name: bool(self.places_of(name) & self.theirs))
        places = [str(self.root / folder) for folder in self.folders]
        first = StaffModules(places[:1], _top_modules(self.released))
        path = [each for each in sys.path if each not in ("", ".")]
        before, sys.path = sys.path, [*path, *places] if self.released else path
        aside = {name: sys.modules.pop(name) for name in list(sys.modules)
                 if name.partition(".")[0] in first.names - KEPT}
        sys.modules.update(self.modules)
        sys.meta_path.insert(sys.meta_path.index(importlib.machinery.PathFinder), first)
        sys.meta_path.append(finder)
        try:
            yield
        finally:
            sys.path = before
            sys.meta_path.remove(first)
            sys.meta_path.remove(finder)
            for place in places:
                sys.path_importer_cache.pop(place, None)
            for name, module in list(sys.modules.items()):
                place = getattr(module, "__file__", None) or ""
                if isinstance(module, StudentModule) or place.startswith(f"{self.root}/"):
                    if not isinstance(module, StudentModule):
                        self.modules[name] = module
                    del sys.modules[name]
            sys.modules.update(aside)


class StaffModules(importlib.abc.MetaPathFinder):
    """Staff's own files come before a library of the same name, as in a kernel."""

    def __init__(self, places: list[str], names: frozenset[str]) -> None:
        self.places, self.names = places, names

    def find_spec(self, name: str, path: Sequence[str] | None = None,
                  target: types.ModuleType | None = None) -> importlib.machinery.ModuleSpec | None:
        if path is None and name in self.names:
            return importlib.machinery.PathFinder.find_spec(name, self.places)
        return None


class StudentModule(types.ModuleType):
    """A module that the student handed in: its attributes are asked of the candidate."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        session = self.__dict__["_viva_session"]
        found = session.call_global("builtins", "getattr", [Global(self.__name__, ""), name])
        session.know(found, name)
        return found


class StudentModules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds what nothing else finds: modules among the files that the student handed in."""

    def __init__(self, session: Session, is_theirs: Callable[[str], bool]) -> None:
        self.session, self.is_theirs = session, is_theirs

    def find_spec(self, name: str, path: Sequence[str] | None = None,
                  target: types.ModuleType | None = None) -> importlib.machinery.ModuleSpec | None:
        if self.is_theirs(name):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> StudentModule:
        module = StudentModule(spec.name)
        module.__dict__["_viva_session"] = self.session
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        self.session.call_global("importlib", "import_module", [module.__name__])


def _top_modules(files: Iterable[str]) -> frozenset[str]:
    """The modules and packages that lie directly beside the notebook."""
    return frozenset(name.removesuffix("/__init__.py").removesuffix(".py") for name in files
                     if name.endswith(".py") and (
                         "/" not in name or name.count("/") == 1 and name.endswith("/__init__.py")))


def _stamp(path: Path) -> tuple:
    about = path.stat()
    return about.st_mtime_ns, about.st_size
