"""Words of the templates that an author replaces, and where they still stand."""

import functools
from collections.abc import Iterator
from pathlib import Path

from viva_course.authoring import texts
from viva_course.authoring.rooms import Rooms

CELLS = (texts.TITLE, texts.IDEA, texts.SOLUTION, texts.LOOK, texts.HINTS, texts.SUMMARY)
STAY = (  # lines of these templates that a finished notebook may have
    "", "# {title}", "# Summary", "with look():", "def {exercise}(x):", '"""',
    "## {number}. What `{exercise}` is about", "returns (..., N); x is not modified",
    "Budget: 5 lines. Difficulty 1/5 · importance 3/5 · 15 minutes.",
    "### BEGIN SOLUTION", "raise NotImplementedError", "### END SOLUTION", "</details>",
    "<details><summary>Hint: where to start</summary>",
    "<details><summary>Hint: right by hand, wrong in the check</summary>",
    *texts.SUMMARY.split("\n")[-2:],  # how to hand in
)
CODE = (  # what students would read of a declaration
    "what a right answer is, in a sentence for the student",
    "What the values must be, in a sentence for the student.",
    "the first rule of the text, in a few words", "the second rule, on inputs of another size",
)


def unwritten(root: Path, homework: str, cells: list[str]) -> Iterator[tuple[int | Path, str]]:
    """(the number of a cell or a file, the words of a template that it still has).

    cells: the sources of the notebook's cells
    """
    for number, source in enumerate(cells):
        if found := _first(_lines(), source):
            yield number, found
    rooms = Rooms(root, homework)
    for path in (path for room in (rooms.cases, rooms.exams) for path in sorted(room.glob("*.py"))):
        if found := _first(CODE, path.read_text()):
            yield path.relative_to(root), found


def _first(known: tuple[str, ...], text: str) -> str:
    return next((words for words in known if words in text), "")


@functools.cache
def _lines() -> tuple[str, ...]:
    """The lines of cells that `viva new` writes for the author alone, up to a name in them."""
    lines = [line.strip() for template in CELLS for line in template.split("\n")]
    return tuple(line.split("{")[0].strip() for line in lines if line not in STAY)
