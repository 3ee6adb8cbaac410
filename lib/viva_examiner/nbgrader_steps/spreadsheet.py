"""CSV files that no spreadsheet computes, whatever stands in a name or a note.

Spreadsheets disagree about what separates two cells and what begins a formula, so a field has one
line, and what could begin a formula, at its start or after a possible separator, gets an
apostrophe before it: spreadsheets then take it for text.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from viva.whole import write_whole

NUMBER = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?", re.ASCII)
PARTS = re.compile(r"([;,|])")  # what some settings take for the end of a cell


def write_csv(path: Path, rows: Iterable[Iterable[str]]) -> None:
    """Write a CSV file, complete or not at all."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    for row in rows:
        writer.writerow([inert(field) for field in row])
    write_whole(path, text.getvalue())


def inert(field: str) -> str:
    """The field as text that is only shown; a number stays as it is."""
    if NUMBER.fullmatch(field):
        return field
    line = "".join(" " if unicodedata.category(sign) in ("Cc", "Zl", "Zp") else sign
                   for sign in field)
    return "".join(f"'{part}" if _computes(part) else part for part in PARTS.split(line))


def _computes(part: str) -> bool:
    """Whether the first sign that is to be seen begins a formula, in any width or size."""
    first = next((sign for sign in part if unicodedata.category(sign) not in ("Zs", "Cf")), "")
    return unicodedata.normalize("NFKC", first) in tuple("=+-@−")
