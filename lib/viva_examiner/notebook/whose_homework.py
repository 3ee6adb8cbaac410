"""Which homework a notebook is, whatever its file is called: recognised by its cells."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from viva_examiner.notebook.reading import BadSubmission, parsed
from viva_examiner.travel import Travels

DIGITS, GAPS = "0123456789", " _-"
BEGINS = re.compile(r"""\bbegin\(\s*["'](\w+)["']""")
DEFINES = re.compile(r"^(?:def|class)[ \t]+(\w+)", re.M)  # a student's text need not parse
ENOUGH = 2  # cells or names in common; one may be a coincidence


def plain_stem(name: str) -> str:
    """A file's name as it was before browsers and platforms numbered its copies, in small letters.

    "Kernel_Attention (1).ipynb" and "kernel_attention-2.ipynb" are both kernel_attention.
    """
    stem, before = name.rsplit(".", 1)[0], ""
    while stem != before:
        stem, before = _before_copy(stem), stem
    return stem.strip().lower()


def _before_copy(stem: str) -> str:
    """Without one mark of a copy at the end: " (1)", " copy 2", "-Copy1", "-2", "_2"."""
    if stem.endswith(")"):
        opened = stem[:-1].rstrip(DIGITS)
        return opened[:-1].rstrip(GAPS) if opened.endswith("(") and stem[-2] in DIGITS else stem
    plain = stem.rstrip(DIGITS)
    if plain[-4:].lower() == "copy" and plain[-5:-4] in GAPS and len(plain) > 4:
        return plain[:-4].rstrip(GAPS)
    return plain[:-1] if plain != stem and plain[-1:] in GAPS and plain else stem


@dataclass(frozen=True)
class Profile(Travels):
    """What a homework is known by: its notebook, the ids of its cells, the names they define."""

    homework: str
    notebook: str
    ids: tuple[str, ...]
    names: tuple[str, ...]

    def likeness(self, ids: set[str], names: set[str], begun: set[str]) -> int:
        """How much of it a notebook with these ids and names has."""
        return (2 * len(ids.intersection(self.ids)) + len(names.intersection(self.names))
                + (ENOUGH if self.homework in begun else 0))


def profile_of(homework: str, path: Path) -> Profile:
    """Of a released notebook."""
    ids, names, _ = _seen(json.loads(path.read_text()))
    return Profile(homework, path.stem, tuple(sorted(ids)), tuple(sorted(names)))


def recognised(data: bytes, profiles: list[Profile], homework: str = "") -> Profile | None:
    """The homework that a submitted file is, or None if nobody can know.

    homework: what it should be; then it is another one only if it has nothing of this one
    """
    try:
        seen = _seen(parsed(data))
    except (BadSubmission, TypeError, AttributeError):
        return None
    for profile in profiles:
        if profile.homework == homework and profile.likeness(*seen) > ENOUGH:
            return profile
    scores = [(profile.likeness(*seen), profile) for profile in profiles]
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
