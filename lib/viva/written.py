"""The written answers of a notebook, and whether they are still empty."""

import json
import os
import re
from pathlib import Path

from viva import log

EMPTY = ("", "YOUR ANSWER HERE")  # what nbgrader puts where an answer belongs


def notebook_of(homework: str) -> Path | None:
    """The notebook's file: as Jupyter or VS Code name it, or the one beside the log."""
    named = [Path(name) for name in (os.environ.get("JPY_SESSION_NAME"), _in_vs_code()) if name]
    for path in [*named, log.path().with_name(f"{homework}.ipynb")]:
        if path.suffix == ".ipynb" and path.is_file():
            return path
    return None


def _in_vs_code() -> str:
    try:
        from IPython import get_ipython

        return str(get_ipython().user_ns.get("__vsc_ipynb_file__") or "")
    except (ImportError, AttributeError):
        return ""


def graded_cells(homework: str) -> dict[str, bool]:
    """{grade_id: whether an answer stands there} of exercises and written questions, in order.

    An exercise is there by the name of its check. Empty where the notebook is not found; a cell
    counts as it was last saved.
    """
    path = notebook_of(homework)
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"] if path else []
        return dict(filter(None, map(_graded, cells)))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _graded(cell: dict) -> tuple[str, bool] | None:
    about = cell.get("metadata", {}).get("nbgrader") or {}
    name, text = about.get("grade_id", ""), "".join(cell["source"]).strip()
    if cell["cell_type"] == "markdown" and about.get("grade") and about.get("solution"):
        return name, text not in EMPTY
    checked = re.fullmatch(r"check_(\w+)", name)
    return (checked.group(1), True) if checked else None
