"""What a mark rests on, as digests: equal digests, equal marks.

The interpreter and the libraries; what runs a notebook (sandbox, examination, notebook); the kit's
core and what this homework has in the kit; and this exercise's exam. A new homework, or a word in
the report, is none of these.
"""

import functools
import importlib.util
import json
import platform
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

from nbformat import NotebookNode

import viva
import viva_examiner
from viva_examiner.files import digest, digest_of, files_of
from viva_examiner.notebook.calls import exercises_called
from viva_examiner.notebook.metadata import graded, is_test
from viva_examiner.records import Keys

LIBRARIES = ("numpy", "torch", "matplotlib", "ipython")  # those of them that are installed
MODULES = {"ipython": "IPython"}  # where they are called otherwise
EXAMINER = ("sandbox", "examination", "notebook", "records.py", "travel.py", "limits.py",
            "harmless.py", "allowed.py")
ROOMS = ("cases", "kits", "expected")  # of the kit: a folder or a file per homework
ASIDE = ("voce", "probes")  # questions about code: no mark rests on them
KIT = Path(viva.__file__).parent
OURS = Path(viva_examiner.__file__).parent


@functools.cache
def versions() -> dict[str, str]:
    """Of Python and the libraries that students use, as far as they are installed."""
    found = [name for name in LIBRARIES if importlib.util.find_spec(MODULES.get(name, name))]
    return {"Python": platform.python_version()} | {name: version(name) for name in found}


@functools.cache
def libraries() -> str:
    """Of the interpreter, as it was built, and the libraries that students use."""
    return digest(sys.version, *(f"{name} {number}" for name, number in versions().items()))


@functools.cache
def kit_digest(homework: str, kit: Path = KIT) -> str:
    """Of the student kit, as far as a notebook of this homework may use it."""
    return digest_of(kit, kit_files(kit, homework))


def kit_files(kit: Path, homework: str) -> Iterator[Path]:
    """The kit's core, and what it has for this homework."""
    for path in files_of(kit):
        room, *rest = path.relative_to(kit).parts
        if room in ASIDE:
            continue
        if room not in ROOMS or Path(rest[0]).stem in (homework, "__init__"):
            yield path


@functools.cache
def examiner_digest(examiner: Path = OURS, parts: tuple[str, ...] = EXAMINER) -> str:
    """Of those parts of the examiner that a mark passes through."""
    return digest(*(digest_of(examiner, files_of(examiner / part)) for part in parts))


@functools.cache
def package_digest(name: str) -> str:
    """Of all files of an installed package."""
    module = sys.modules.get(name) or __import__(name)
    root = Path(module.__file__ or "").parent
    return digest_of(root, files_of(root))


def test_keys(notebook: NotebookNode, keys: Keys) -> dict[str, str]:
    """{grade_id: key of the test cell} of a notebook in its released form.

    The keys are a chain: a test's key covers every cell above it and every exam on the way, for
    a question may leave its trace in the student's process. So a changed exam asks for its own
    test and those below it to be examined again, and for nothing else.
    """
    link, found = keys.link, {}
    for cell in notebook.cells:
        link = digest(link, cell.cell_type, cell.source, json.dumps(graded(cell), sort_keys=True))
        if is_test(cell):
            name = cell.metadata.nbgrader.grade_id
            link = found[name] = digest(link, keys.exams.get(name, ""))
    return found


def exam_digest(source: str, library: ModuleType | None) -> str:
    """Of what a test cell's hidden code rests on in the course library."""
    if library is None or library.__name__ not in source:
        return ""
    names = [name for name, _ in exercises_called(source, "examine")]
    if names and hasattr(library, "digest"):
        return digest(*map(library.digest, names))
    return package_digest(library.__name__)
