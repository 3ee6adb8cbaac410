"""Which homework a notebook is, whatever its file is called: told by its cells."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from viva_examiner.notebook.reading import BadSubmission, parsed
from viva_examiner.notebook.released import DEFINES

COPY = re.compile(r"(?:[ _-]*\(\d+\)|[ _-]+copy\d*|-copy\d*|-\d+|[ _]\d+)+$", re.I)
BEGINS = re.compile(r"""\bbegin\(\s*["'](\w+)["']""")
ENOUGH = 2  # cells or names in common; one may be a coincidence


def plain_stem(name: str) -> str:
    """A file's name as it was before browsers and platforms numbered its copies, in small letters.

    "Kernel_Attention (1).ipynb" and "kernel_attention-2.ipynb" are both kernel_attention.
    """
    stem = name.rsplit(".", 1)[0]
    return COPY.sub("", stem).strip().lower()


@dataclass(frozen=True)
class Face:
    """What a homework is known by: its notebook, the ids of its cells, the names they define."""

    homework: str
    notebook: str
    ids: frozenset[str]
    names: frozenset[str]


def face_of(homework: str, path: Path) -> Face:
    """Of a released notebook."""
    ids, names, _ = _seen(json.loads(path.read_text()))
    return Face(homework, path.stem, frozenset(ids), frozenset(names))


def recognised(data: bytes, faces: list[Face]) -> Face | None:
    """The homework that a submitted file is, or None if it cannot be told."""
    try:
        ids, names, begun = _seen(parsed(data))
    except (BadSubmission, TypeError, AttributeError):
        return None
    scores = [(2 * len(ids & face.ids) + len(names & face.names)
               + (ENOUGH if face.homework in begun else 0), face) for face in faces]
    scores.sort(key=lambda pair: -pair[0])
    best = scores[0] if scores else (0, None)
    runner_up = scores[1][0] if len(scores) > 1 else 0
    return best[1] if best[0] >= ENOUGH and best[0] > runner_up else None


def _seen(notebook: dict) -> tuple[set[str], set[str], set[str]]:
    """(grade_ids, names defined at the top level, homeworks begun) of a notebook's cells."""
    ids, names, begun = set(), set(), set()
    for cell in notebook.get("cells", []):
        about = cell.get("metadata", {}).get("nbgrader") if isinstance(cell, dict) else None
        if isinstance(about, dict) and isinstance(about.get("grade_id"), str):
            ids.add(about["grade_id"])
        source = cell.get("source", "") if isinstance(cell, dict) else ""
        text = "".join(filter(lambda line: isinstance(line, str), source)) \
            if isinstance(source, list) else source if isinstance(source, str) else ""
        names.update(DEFINES.findall(text))
        begun.update(BEGINS.findall(text))
    return ids, names, begun
