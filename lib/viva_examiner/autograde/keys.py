"""Keys of everything a mark depends on: equal keys, equal marks."""

import functools
import hashlib
import json
import re
import sys
from importlib.metadata import version
from pathlib import Path

import viva
from viva_examiner.notebook.metadata import graded, is_test
from viva_examiner.notebook.released import Released
from viva_examiner.notebook.restore import BadSubmission, restore

EXAMINES = re.compile(r"""examine\(\s*["'](\w+)["']""")


def digest(*parts) -> str:
    """A short hash of strings and bytes, each with its length, so that none runs into the next."""
    total = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        total.update(len(data).to_bytes(8, "little") + data)
    return total.hexdigest()[:32]


@functools.cache
def package_digest(name: str) -> str:
    """Of all files of an installed package."""
    module = sys.modules.get(name) or __import__(name)
    root = Path(module.__file__).parent
    files = sorted(p for p in root.rglob("*") if p.is_file() and "__pycache__" not in p.parts)
    return digest(*(part for p in files for part in (p.relative_to(root), p.read_bytes())))


@functools.cache
def machinery() -> str:
    """Of the interpreter, the libraries, the student kit and the examiner itself."""
    libraries = [f"{name} {version(name)}" for name in ("numpy", "torch", "matplotlib", "ipython")]
    kit = package_digest(viva.__name__)
    return digest(sys.version, *libraries, kit, package_digest("viva_examiner"))


def exam_digest(source: str, library) -> str:
    """Of what a test cell's hidden code rests on in the course library."""
    if library is None or library.__name__ not in source:
        return ""
    names = EXAMINES.findall(source)
    if names and hasattr(library, "digest"):
        return digest(*map(library.digest, names))
    return package_digest(library.__name__)


def submission_keys(data: bytes, files: dict[str, bytes], released: Released, library,
                    settings: dict, secret: str) -> tuple[str, dict[str, str]]:
    """(key of the submission, {grade_id: key of the test cell}).

    The keys are a chain: a test's key covers every cell above it and every exam on the way, for
    a question may leave its trace in the student's process. So a changed exam asks for its own
    test and those below it to be examined again, and for nothing else.
    """
    beside = [part for item in sorted(files.items()) for part in item]
    link = digest(json.dumps(settings, sort_keys=True), secret, machinery(), *beside,
                  json.dumps(released.imports, sort_keys=True))
    try:
        notebook, remarks = restore(data, released)
    except BadSubmission:
        return digest(link, data), {}
    keys = {}
    for cell in notebook.cells:
        owned = json.dumps(graded(cell), sort_keys=True)
        link = digest(link, cell.cell_type, cell.source, owned)
        if is_test(cell):
            link = digest(link, exam_digest(cell.source, library))
            keys[cell.metadata.nbgrader.grade_id] = link
    return digest(link, *remarks), keys
