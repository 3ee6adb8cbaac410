"""Bring a submitted notebook into the form staff released, whatever was done to it.

Outputs go, locked cells get their source back, points and ids are the released ones, missing test
cells return to their place. What was changed is noted for the TA.
"""

import re
from typing import Any

import nbformat
from nbformat import NotebookNode

from viva_examiner.harmless import fenced, harmless_markdown
from viva_examiner.notebook.reading import FIELDS, read_submission
from viva_examiner.notebook.recover import in_released_order, missing_imports, recognise
from viva_examiner.notebook.released import Released, ReleasedCell

MAX_NOTES = 40
MAX_RENDERED = 400_000  # characters of a student's texts that are rendered to look at them
ATTACHED = re.compile(r"attachment:([^)\s\"'>\]]+)")
REMARKS_ID = "viva-remarks"  # the id of the examiner's own cell

VALID_ID = re.compile("[a-zA-Z0-9_-]{1,64}")  # of a cell, as nbformat has it
KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def restore(data: bytes, released: Released) -> tuple[NotebookNode, list[str]]:
    """(notebook, notes): the submission with everything that staff own restored."""
    notes = Notes()
    submitted = read_submission(data)
    named = [(kind, cell_id, source, _grade_id(metadata))
             for kind, cell_id, source, metadata, _ in submitted]
    recognised = recognise(named, released)
    if recognised:
        notes.add(f"{len(recognised)} cells had lost nbgrader's metadata; they were recognised by "
                  "their ids and by what they define")
    known = {cell.name: cell for cell in released.cells}
    ranks = _places(released)
    placed: dict[str, int] = {}  # grade_id -> index
    cells: list = []
    standing: dict[int, int] = {}  # index -> place in the release
    for number, (cell_type, cell_id, source, metadata, attachments) in enumerate(submitted):
        name = recognised.get(number, named[number][3])
        owner = known.get(name) if name is not None else None
        if owner is not None and name in placed:
            notes.add(f"cell {name} was there twice; the first one counts")
            owner = None
        if owner is None:
            if name is not None and name not in known:
                notes.add_unknown(name)
            cell = _own(cell_type, cell_id, source, released, notes)
            rank = ranks.get((cell_type, source))
        else:
            cell = _restored(owner, cell_type, cell_id, source, metadata, notes)
            placed[owner.name] = len(cells)
            rank = ranks.get(("graded", owner.name))
        if rank is not None and rank not in standing.values():
            standing[len(cells)] = rank
        if cell.cell_type == "markdown":
            _attach(cell, attachments)
        cells.append(cell)
    cells, moved = in_released_order(cells, standing)
    if moved:
        notes.add("the cells stood in another order; they were run in the order of the release")
    placed = {cell.metadata["nbgrader"]["grade_id"]: number for number, cell in enumerate(cells)
              if "nbgrader" in cell.metadata}
    _add_missing(released, cells, placed, notes)
    _add_imports(released, cells, notes)
    _unique_ids(cells)
    return new_notebook(cells), notes.lines()


class Notes:
    """What a TA should know about a notebook, in a bounded number of lines."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.unknown: list[str] = []
        self.rendered = 0  # characters

    def add(self, line: str) -> None:
        self.said.append(line)

    def add_unknown(self, name: str) -> None:
        self.unknown.append(name)

    def lines(self) -> list[str]:
        found = self.said[:MAX_NOTES]
        if len(self.said) > MAX_NOTES:
            found.append(f"and {len(self.said) - MAX_NOTES} more remarks")
        if self.unknown:
            names = ", ".join(ascii(name)[:60] for name in self.unknown[:3])
            more = f" and {len(self.unknown) - 3} more" if len(self.unknown) > 3 else ""
            found.append(f"cell {names}{more}: not of this homework; it counts as ordinary")
        return found


def _places(released: Released) -> dict[tuple[str, str], int]:
    """{(kind, name or source): where it stands in the release}."""
    return {entry: rank for rank, entry in reversed(list(enumerate(released.layout)))}


def _own(cell_type: str, cell_id: str, source: str, released: Released,
         notes: Notes) -> NotebookNode:
    """A cell of the student's own, or an ordinary one; its words can run nothing in a browser."""
    if cell_type == "raw":  # a page would hold it as it is
        return new_cell("markdown", cell_id, fenced(source))
    if cell_type == "markdown" and source not in released.texts:
        source = _shown(source, "a text", notes)
    return new_cell(cell_type, cell_id, source)


def _attach(cell: NotebookNode, attachments: dict) -> None:
    """Give a text its pictures. One that names a picture which is not there is shown as plain text:
    nbconvert would refuse the whole notebook.
    """
    if attachments:
        cell.attachments = attachments
    if not set(ATTACHED.findall(cell.source)) <= set(attachments):
        cell.source = fenced(cell.source)


def _shown(source: str, what: str, notes: Notes) -> str:
    notes.rendered += len(source)
    if notes.rendered > MAX_RENDERED:
        notes.add(f"{what} is shown as plain text: it is too long to check")
        return fenced(source)
    harmless = harmless_markdown(source)
    if harmless != source and harmless.lstrip("`").startswith("text\n"):
        notes.add(f"{what} contains HTML, links or formulas that a browser would act on; it is "
                  "shown as source")
    elif harmless != source:
        notes.add(f"{what} shows pictures from elsewhere; only their addresses are shown")
    return harmless


def _add_imports(released: Released, cells: list, notes: Notes) -> None:
    """Put released cells of imports back that are gone and that other cells still need."""
    ranks = _places(released)
    for rank, source in missing_imports(cells, released):
        place = next((number for number, cell in enumerate(cells)
                      if ranks.get(_entry(cell), -1) > rank), len(cells))
        cells.insert(place, new_cell("code", f"released-{rank}", source))
        notes.add("a released cell with imports was missing or changed; it was put back: "
                  + ascii(source.strip().splitlines()[0])[1:61])


def _entry(cell: NotebookNode) -> tuple[str, str]:
    about = cell.metadata.get("nbgrader")
    return ("graded", about["grade_id"]) if about else (cell.cell_type, cell.source)


def _grade_id(metadata: dict) -> str | None:
    nbgrader = metadata.get("nbgrader")
    name = nbgrader.get("grade_id") if isinstance(nbgrader, dict) else None
    return name if isinstance(name, str) else None


def _restored(owner: ReleasedCell, cell_type: str, cell_id: str, source: str, metadata: dict,
              notes: Notes) -> NotebookNode:
    said = metadata.get("nbgrader")
    said = said if isinstance(said, dict) else {}
    if cell_type != owner.cell_type:
        notes.add(f"cell {owner.name} had been turned into a {cell_type} cell")
    if owner.grade and _differs(said.get("points"), owner.points):
        claim = ascii(said.get("points"))[:40]
        notes.add(f"cell {owner.name} claimed {claim} points, not {owner.points:g}")
    if owner.locked:
        source = owner.source
    elif owner.cell_type == "markdown" and source != owner.source:
        source = _shown(source, f"cell {owner.name}", notes)
    cell = new_cell(owner.cell_type, cell_id, source)
    cell.metadata["nbgrader"] = owner.metadata()
    return cell


def new_notebook(cells: list) -> NotebookNode:
    """A notebook of such cells as nbformat makes it, which would validate the whole of it."""
    return nbformat.from_dict({"cells": cells, "metadata": KERNEL, "nbformat": 4,
                               "nbformat_minor": 5})


def new_cell(cell_type: str, cell_id: str, source: str) -> NotebookNode:
    """A cell as nbformat makes it, which would validate each one for a millisecond.

    The id may be no valid one yet: _unique_ids sees to that.
    """
    return nbformat.from_dict({"cell_type": cell_type, "id": cell_id, "metadata": {},
                               "source": source} | FIELDS[cell_type])


def _differs(said: Any, points: float) -> bool:
    try:
        return said is not None and float(said) != points
    except (TypeError, ValueError, OverflowError):
        return True


def _add_missing(released: Released, cells: list, placed: dict, notes: Notes) -> None:
    """Put missing graded cells back after the released cell that preceded them."""
    position = 0
    for owner in released.cells:
        if owner.name in placed:
            position = placed[owner.name] + 1
            continue
        if not (owner.grade or owner.task):
            continue
        notes.add(f"cell {owner.name} was missing; it was put back")
        cell = new_cell(owner.cell_type, owner.name[:60], owner.source)
        cell.metadata["nbgrader"] = owner.metadata()
        cells.insert(position, cell)
        placed.update({name: at + 1 for name, at in placed.items() if at >= position})
        placed[owner.name] = position
        position += 1


def _unique_ids(cells: list) -> None:
    seen = set()
    for index, cell in enumerate(cells):
        if not VALID_ID.fullmatch(cell.id) or cell.id in seen or cell.id == REMARKS_ID:
            cell.id = f"cell-{index}"
            while cell.id in seen:
                cell.id += "-"
        seen.add(cell.id)
