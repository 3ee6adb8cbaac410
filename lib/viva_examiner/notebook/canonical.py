"""One form for every notebook in the repository, so that a diff shows what an author changed.

No outputs, no execution counts, no widget state, no traces of the editor; every cell has a stable
id; keys sorted, one space of indent, one newline at the end: byte for byte what nbformat writes.
"""

import json
import re
from pathlib import Path
from typing import Any

from viva.whole import write_whole
from viva_examiner.failure import Failure
from viva_examiner.notebook.metadata import grade_id

KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
CELL_METADATA = ("nbgrader", "tags", "viva", "deletable", "editable")
CELL_FIELDS = {
    "code": ("cell_type", "execution_count", "id", "metadata", "outputs", "source"),
    "markdown": ("attachments", "cell_type", "id", "metadata", "source"),
    "raw": ("cell_type", "id", "metadata", "source"),
}
ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")


class NotANotebook(Failure, ValueError):
    """The file is not a notebook of format 4."""


def text(source: str | list[str]) -> str:
    """The source of a cell, which the format stores as a string or as a list of lines."""
    return source if isinstance(source, str) else "".join(source)


def slug(words: str) -> str:
    """Lower-case words joined by hyphens, at most 48 characters: "# The idea!" -> "the-idea"."""
    return re.sub(r"[^a-z0-9_]+", "-", words.lower()).strip("-")[:48].strip("-")


def canonical(notebook: dict[str, Any], points: dict[str, float] | None = None) -> dict[str, Any]:
    """The canonical form of a notebook given as nested dicts and lists; the argument is kept.

    points: {grade_id: points} of cells whose points are stated elsewhere, in an exam

    Valid unique ids stay. A missing, invalid or repeated id is made from the cell's grade_id,
    else from the nearest heading above it, so that it is the same on every machine.
    """
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list) or notebook.get("nbformat") != 4:
        raise NotANotebook("not a notebook of format 4; open it in JupyterLab and save it")
    cells = [_cell(cell) for cell in cells]
    _name_hints(cells)
    points = points or {}
    for cell in cells:
        if grade_id(cell) in points:
            worth = float(points[grade_id(cell)])
            cell["metadata"]["nbgrader"] = cell["metadata"]["nbgrader"] | {
                "points": int(worth) if worth.is_integer() else worth}
    reserved = {cell.get("id") for cell in cells if _valid(cell.get("id"))}
    heading = "top"
    taken: set[str] = set()
    for cell in cells:
        lines = cell["source"].lstrip().splitlines() if cell["cell_type"] == "markdown" else []
        if lines and lines[0].startswith("#"):
            heading = slug(lines[0]) or heading
        if not _valid(cell.get("id")) or cell["id"] in taken:
            base = slug(grade_id(cell)) or heading
            cell["id"] = _unused(base, taken | reserved)
        taken.add(cell["id"])
    return {"cells": cells, "metadata": KERNEL, "nbformat": 4, "nbformat_minor": 5}


def _name_hints(cells: list[dict[str, Any]]) -> None:
    """The cell of hints after a test gets the id that a failed check links to."""
    exercise = ""
    for cell in cells:
        name = grade_id(cell)
        if name.startswith("test_"):
            exercise = name.removeprefix("test_")
        elif cell["cell_type"] == "code" or name:
            exercise = ""
        elif exercise and "<details" in cell["source"]:
            cell["id"], exercise = f"{exercise}-hints", ""


def _cell(cell: dict[str, Any]) -> dict[str, Any]:
    kind = cell.get("cell_type")
    if kind not in CELL_FIELDS:
        raise NotANotebook(f"a cell of unknown type {kind!r}")
    metadata = {key: cell["metadata"][key] for key in CELL_METADATA
                if cell.get("metadata", {}).get(key) not in (None, [], {})}
    cell = {**cell, "metadata": metadata, "source": text(cell.get("source", ""))}
    if "checksum" not in metadata.get("nbgrader", {}):  # a released cell is signed as it is
        cell["source"] = _tidy(cell["source"], kind)
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
    return {key: cell[key] for key in CELL_FIELDS[kind] if key in cell}


def _tidy(source: str, kind: str) -> str:
    if kind == "code":  # in markdown, two blanks at the end of a line are a line break
        source = "\n".join(line.rstrip() for line in source.split("\n"))
    return source.strip("\n")


def _valid(name: object) -> bool:
    return isinstance(name, str) and ID.fullmatch(name) is not None


def _unused(base: str, taken: set[str]) -> str:
    name, number = base, 1
    while name in taken:
        number += 1
        name = f"{base}-{number}"
    return name


def dumps(notebook: dict[str, Any]) -> str:
    """The notebook as text, exactly as nbformat writes it."""
    split = [cell | {"source": text(cell["source"]).splitlines(True)} for cell in notebook["cells"]]
    return json.dumps(notebook | {"cells": split}, indent=1, sort_keys=True, ensure_ascii=False,
                      separators=(",", ": ")) + "\n"


def formatted(path: Path, points: dict[str, float] | None = None) -> str:
    """The canonical text of the notebook in a file; points as for `canonical`."""
    try:
        return formatted_text(Path(path).read_text(encoding="utf-8"), points)
    except UnicodeDecodeError as error:
        raise NotANotebook(f"not JSON: {error}") from None


def formatted_text(text: str, points: dict[str, float] | None = None) -> str:
    """The canonical text of a notebook; points as for `canonical`."""
    try:
        return dumps(canonical(json.loads(text), points))
    except json.JSONDecodeError as error:
        raise NotANotebook(f"not JSON: {error}") from None


def format_file(path: Path | str, write: bool = True,
                points: dict[str, float] | None = None) -> bool:
    """Brings one file into canonical form; returns whether it was (or would be) changed."""
    path = Path(path)
    new = formatted(path, points)
    if path.read_text(encoding="utf-8") == new:
        return False
    if write:
        write_whole(path, new)
    return True
