"""Bring a submitted notebook into the form staff released, whatever was done to it.

Outputs go, locked cells get their source back, points and ids are the released ones, missing test
cells return to their place. What was changed is noted for the TA.
"""

import json
import re

import nbformat

from viva_examiner.limits import MAX_NOTEBOOK_BYTES
from viva_examiner.notebook.released import Released, ReleasedCell

VALID_ID = re.compile("[a-zA-Z0-9_-]{1,64}")  # of a cell, as nbformat has it
FIELDS = {"code": {"execution_count": None, "outputs": []}, "markdown": {}, "raw": {}}
KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


class BadSubmission(Exception):
    """The file cannot be read as a notebook. The message is for the student and the TA."""


def read_submission(data: bytes):
    """The cells of a submitted file as (type, id, source, metadata, attachments), any version."""
    if not data.strip():
        raise BadSubmission("the file is empty or was not handed in")
    if len(data) > MAX_NOTEBOOK_BYTES:
        raise BadSubmission(f"the file has {len(data) / 2**20:.0f} MB; clear its outputs")
    try:
        raw = json.loads(data)
    except (ValueError, RecursionError):
        raise BadSubmission("the file is not a notebook: it is not JSON") from None
    if not isinstance(raw, dict):
        raise BadSubmission("the file is not a notebook: it is JSON of another kind")
    if raw.get("nbformat") != 4:
        raw = _upgraded(raw)
    if not isinstance(raw.get("cells"), list):
        raise BadSubmission("the file is not a notebook: it has no cells")
    return [cell for cell in map(_cell, raw["cells"]) if cell is not None]


def restore(data: bytes, released: Released):
    """(notebook, notes): the submission with everything that staff own restored."""
    notes: list[str] = []
    known = {cell.name: cell for cell in released.cells}
    placed: dict[str, int] = {}  # grade_id -> index
    cells: list = []
    for cell_type, cell_id, source, metadata, attachments in read_submission(data):
        name = _grade_id(metadata)
        owner = known.get(name)
        if owner is not None and name in placed:
            notes.append(f"cell {name} was there twice; the first one counts")
            owner = None
        if owner is None:
            if name is not None and name not in known:
                notes.append(f"cell {ascii(name)[:60]} is not one of this homework's; it counts "
                             "as ordinary")
            cell = new_cell(cell_type, cell_id, source)
        else:
            cell = _restored(owner, cell_type, cell_id, source, metadata, notes)
            placed[name] = len(cells)
        if attachments and cell.cell_type != "code":
            cell.attachments = attachments
        cells.append(cell)
    _add_missing(released, cells, placed, notes)
    _unique_ids(cells)
    return new_notebook(cells), notes


def _upgraded(raw: dict) -> dict:
    try:
        old = nbformat.from_dict(raw)
        return nbformat.convert(old, 4)
    except Exception:  # nbformat raises whatever it trips over
        raise BadSubmission("the file is a notebook of a version that cannot be read") from None


def _cell(raw):
    kind = raw.get("cell_type") if isinstance(raw, dict) else None
    if not isinstance(kind, str) or kind not in FIELDS:
        return None
    source = raw.get("source", "")
    if isinstance(source, list):
        source = "".join(map(str, source))
    metadata = raw.get("metadata")
    cell_id = raw.get("id")
    return (
        kind,
        cell_id if isinstance(cell_id, str) else "",
        _utf8(str(source)),
        metadata if isinstance(metadata, dict) else {},
        _attachments(raw.get("attachments")),
    )


def _utf8(text: str) -> str:
    """Text that can be written: JSON may hold halves of characters."""
    return text.encode("utf-8", "replace").decode()


def _attachments(raw) -> dict:
    """Pictures pasted into a markdown cell: {name: {type: base64}}, and nothing else."""
    found = {}
    for name, bundle in raw.items() if isinstance(raw, dict) else ():
        if isinstance(bundle, dict) and all(isinstance(data, str) for data in bundle.values()):
            found[_utf8(name)] = {_utf8(kind): _utf8(data) for kind, data in bundle.items()}
    return nbformat.from_dict(found)


def _grade_id(metadata: dict) -> str | None:
    nbgrader = metadata.get("nbgrader")
    name = nbgrader.get("grade_id") if isinstance(nbgrader, dict) else None
    return name if isinstance(name, str) else None


def _restored(owner: ReleasedCell, cell_type, cell_id, source, metadata, notes):
    said = metadata["nbgrader"]
    if cell_type != owner.cell_type:
        notes.append(f"cell {owner.name} had become a {cell_type} cell")
    if owner.grade and _differs(said.get("points"), owner.points):
        claim = ascii(said.get("points"))[:40]
        notes.append(f"cell {owner.name} claimed {claim} points, not {owner.points:g}")
    if owner.locked:
        source = owner.source
    cell = new_cell(owner.cell_type, cell_id, source)
    cell.metadata["nbgrader"] = owner.metadata()
    return cell


def new_notebook(cells: list):
    """A notebook of such cells as nbformat makes it, which would validate the whole of it."""
    return nbformat.from_dict({"cells": cells, "metadata": KERNEL, "nbformat": 4,
                               "nbformat_minor": 5})


def new_cell(cell_type: str, cell_id: str, source: str):
    """A cell as nbformat makes it, which would validate each one for a millisecond.

    The id may be no valid one yet: _unique_ids sees to that.
    """
    return nbformat.from_dict({"cell_type": cell_type, "id": cell_id, "metadata": {},
                               "source": source} | FIELDS[cell_type])


def _differs(said, points: float) -> bool:
    try:
        return said is not None and float(said) != points
    except (TypeError, ValueError):
        return True


def _add_missing(released: Released, cells: list, placed: dict, notes: list) -> None:
    """Put graded cells that are gone behind the released cell that stood before them."""
    position = 0
    for owner in released.cells:
        if owner.name in placed:
            position = placed[owner.name] + 1
            continue
        if not (owner.grade or owner.task):
            continue
        notes.append(f"cell {owner.name} was missing; it was put back")
        cell = new_cell(owner.cell_type, owner.name[:60], owner.source)
        cell.metadata["nbgrader"] = owner.metadata()
        cells.insert(position, cell)
        placed.update({name: at + 1 for name, at in placed.items() if at >= position})
        placed[owner.name] = position
        position += 1


def _unique_ids(cells: list) -> None:
    seen = set()
    for index, cell in enumerate(cells):
        if not VALID_ID.fullmatch(cell.id) or cell.id in seen:
            cell.id = f"cell-{index}"
            while cell.id in seen:
                cell.id += "-"
        seen.add(cell.id)
