"""Keys of everything a mark depends on: equal keys, equal marks."""

import functools
import hashlib
import json
import re
import sys
from importlib.metadata import version
from pathlib import Path

import viva
from viva_examiner.sanitise import BadSubmission, read_submission
from viva_examiner.trusted import Trusted

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


def submission_key(data: bytes, files: dict[str, bytes], trusted: Trusted, library,
                   settings: dict, secret: str) -> str:
    """Of one submission: its cells, the exam, the kit, the limits and the secret."""
    try:
        cells = json.dumps([(kind, source, str(metadata.get("nbgrader")))
                            for kind, _, source, metadata, _ in read_submission(data)])
    except BadSubmission:
        cells = hashlib.sha256(data).hexdigest()
    exams = [exam_digest(cell.source, library) for cell in trusted.cells]
    beside = [part for item in sorted(files.items()) for part in item]
    limits = json.dumps(settings, sort_keys=True)
    return digest(cells, *beside, trusted.to_json(), *exams, limits, secret, machinery())
