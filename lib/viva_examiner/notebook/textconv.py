"""A notebook as text to read in a diff: python -m viva_examiner.notebook.textconv notebook.ipynb

Each cell begins with a line of its type, its id and its points; outputs are left out.
"""

import json
import sys
from pathlib import Path
from typing import Any

from viva_examiner.notebook.canonical import text
from viva_examiner.notebook.metadata import graded


def readable(notebook: dict[str, Any]) -> str:
    """The cells of a notebook (nested dicts) as one text."""
    blocks = []
    for cell in notebook.get("cells", []):
        info = graded(cell)
        words = ["# %%", f"[{cell.get('cell_type', '?')}]", cell.get("id", "")]
        if info.get("grade_id", cell.get("id")) != cell.get("id"):
            words.append(f"grade_id={info['grade_id']}")
        words += [role for role in ("solution", "grade", "locked") if info.get(role)]
        if info.get("grade"):
            words.append(f"points={info.get('points')}")
        blocks.append(" ".join(filter(None, words)) + "\n" + text(cell.get("source", "")) + "\n")
    return "\n".join(blocks)


def main(arguments: list[str]) -> int:
    raw = Path(arguments[0]).read_text(encoding="utf-8", errors="replace")
    try:
        print(readable(json.loads(raw)), end="")
    except (json.JSONDecodeError, AttributeError):
        print(raw, end="")  # git shows the file as it is
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
