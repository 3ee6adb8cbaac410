"""Where in a notebook the cells of a new exercise belong."""

import re

HEADING = re.compile(r"#{1,2} ")  # of a part or a section; written questions have smaller ones
BEHIND = ("summary", "submit")  # ids of cells that stay after every exercise


def place_for(cells: list, exercises: list[str]) -> int:
    """The number of the cell before which a new exercise is put.

    It is where the last of these exercises ends: at the next heading of a section or a part, so
    that a closing experiment stays at the end. Without exercises it is before the summary.
    """
    tests = {f"test_{name}" for name in exercises}
    ends = [number for number, cell in enumerate(cells)
            if cell.metadata.get("nbgrader", {}).get("grade_id") in tests]
    start = ends[-1] + 1 if ends else 0
    for number, cell in enumerate(cells[start:], start):
        begins = cell.cell_type == "markdown" and HEADING.match(cell.source.lstrip())
        if cell.id in BEHIND or (ends and begins):
            return number
    return len(cells)
