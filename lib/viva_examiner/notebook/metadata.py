"""nbgrader's metadata of a cell, read in one place.

As nbgrader.utils does it; importing nbgrader would cost every worker seconds.
"""

from typing import Any

SCHEMA_VERSION = 3


def graded(cell: dict[str, Any]) -> dict:
    """The cell's nbgrader metadata, {} for a cell that nbgrader does not know."""
    found = cell.get("metadata", {}).get("nbgrader", {})
    return found if isinstance(found, dict) else {}


def grade_id(cell: dict[str, Any]) -> str:
    """The name by which nbgrader knows the cell, or ""."""
    return graded(cell).get("grade_id", "")


def has_role(cell: dict[str, Any], role: str) -> bool:
    """Whether the cell is marked as "grade", "solution" or "task"."""
    return bool(graded(cell).get(role, False))


def is_test(cell: dict[str, Any]) -> bool:
    """A cell that is graded automatically."""
    graded_code = cell["cell_type"] == "code" and has_role(cell, "grade")
    return graded_code and not has_role(cell, "solution")


def is_solution(cell: dict[str, Any]) -> bool:
    """A code cell that students fill in."""
    return cell["cell_type"] == "code" and has_role(cell, "solution")
