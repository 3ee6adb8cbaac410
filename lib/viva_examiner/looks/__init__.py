"""How every page of ours looks: one style sheet, written once.

The desk serves the file; pages that are single files (report, explanation, feedback, voce, demo)
carry its text. Imports nothing.
"""

import functools
from pathlib import Path

SHEETS = Path(__file__).parent / "sheets"


@functools.cache
def sheet() -> str:
    """The text of the style sheet, for a page that carries it."""
    return (SHEETS / "house.css").read_text()
