"""A notebook that went through other hands: metadata lost, cells in another order, imports gone.

Cells are recognised by their ids, then by what they define, check or answer. They are run in the
order in which staff released them, and a cell of imports that is gone comes back. Nothing of this
can earn a point that the student's code does not: it only puts the code where it was asked for.
"""

from viva_examiner.notebook.cells import imports_in, names_bound, names_used
from viva_examiner.notebook.released import Released
from viva_examiner.notebook.whose_homework import DEFINES


def recognise(cells: list[tuple], released: Released) -> dict[int, str]:
    """{number of a cell: grade_id} for cells that lost their metadata.

    cells: (type, id, source, grade_id or None) of the submission
    """
    lost = {owner.name: owner for owner in released.cells}
    for _, _, _, name in cells:
        lost.pop(name, None)
    free = [number for number, cell in enumerate(cells) if cell[3] is None]
    found: dict[int, str] = {}
    for matches in (_same_id, _same_text, _same_definitions, _same_question):
        for number in free:
            if number not in found:
                name = matches(number, cells, lost, released)
                if name is not None:
                    found[number] = name
                    del lost[name]
    return found


def _same_id(number: int, cells: list[tuple], lost: dict, released: Released) -> str | None:
    kind, cell_id, _, _ = cells[number]
    return next((name for name, owner in lost.items()
                 if owner.cell_id and owner.cell_id == cell_id and owner.cell_type == kind), None)


def _same_text(number: int, cells: list[tuple], lost: dict, released: Released) -> str | None:
    """A locked cell, or an untouched one, as students see it."""
    kind, _, source, _ = cells[number]
    text = source.strip()
    return next((name for name, owner in lost.items()
                 if text and owner.cell_type == kind and owner.shown.strip() == text), None)


def _same_definitions(number: int, cells: list[tuple], lost: dict,
                      released: Released) -> str | None:
    """A solution cell, by the functions and classes that it defines."""
    kind, _, source, _ = cells[number]
    if kind != "code":
        return None
    names = set(DEFINES.findall(source))
    return next((name for name, owner in lost.items() if owner.solution
                 and owner.defines and owner.defines <= names), None)


def _same_question(number: int, cells: list[tuple], lost: dict, released: Released) -> str | None:
    """A written answer: the text right below the question."""
    kind, _, source, _ = cells[number]
    if kind == "code" or number == 0 or source in released.texts:
        return None
    above = cells[number - 1][2].strip()
    return next((name for name, owner in lost.items() if owner.solution
                 and owner.cell_type == "markdown" and owner.above
                 and owner.above.strip() == above), None)


def in_released_order(cells: list, ranks: dict[int, int]) -> tuple[list, bool]:
    """(the cells in the order of the release, whether that is another than they had).

    ranks: {number of a cell that staff released: its place there}; a cell of the student's own
    stays after the one that it followed
    """
    keys, last = [], -1
    for number in range(len(cells)):
        last = ranks.get(number, last)
        keys.append(last)
    order = sorted(range(len(cells)), key=lambda number: keys[number])
    return [cells[number] for number in order], order != list(range(len(cells)))


def missing_imports(cells: list, released: Released) -> list[tuple[int, str]]:
    """(place in the release, source) of released cells of imports that are gone and still needed.

    cells: of the restored submission
    """
    there = {cell.source for cell in cells}
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    bound = frozenset().union(*map(names_bound, code))
    used = frozenset().union(*map(names_used, code))
    return [(rank, source) for rank, (kind, source) in enumerate(released.layout)
            if kind == "code" and source not in there and imports_in(source)
            and (names_bound(source) & used) - bound]
