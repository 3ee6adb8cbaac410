"""A rubric changed while answers are graded: in the staff's cell, the one place where it stands."""

import json
from dataclasses import dataclass
from pathlib import Path

from viva.whole import write_whole
from viva_examiner.failure import Failure
from viva_examiner.notebook.canonical import formatted_text, text
from viva_examiner.notebook.metadata import grade_id
from viva_examiner.written.rubric import HEAD, WrittenItem

MAX_SAYS, MAX_ITEMS = 500, 30


class NoRubric(Failure):
    """What somebody wants to write is no rubric of this question; the message says why."""


@dataclass(frozen=True)
class Reworded:
    """An item of the new rubric, and which of the old ones it was; None: it is new."""

    item: WrittenItem
    was: int | None = None


def checked(sent: object, points: float, before: int) -> list[Reworded]:
    """The items that a page sent: [{was, points, says}]. Raises NoRubric."""
    if not isinstance(sent, list) or not 1 <= len(sent) <= MAX_ITEMS:
        raise NoRubric(f"a rubric has 1 to {MAX_ITEMS} items")
    found: list[Reworded] = []
    for each in sent:
        try:
            says, worth, was = " ".join(each["says"].split()), float(each["points"]), each["was"]
        except (TypeError, KeyError, ValueError, AttributeError):
            raise NoRubric("an item has points and a sentence") from None
        if not says or len(says) > MAX_SAYS:
            raise NoRubric(f"an item says something, in at most {MAX_SAYS} characters")
        if not 0 < worth <= points:
            raise NoRubric(f"an item of this question has more than 0 and at most {points:g} "
                           "points")
        if was is not None and not (isinstance(was, int) and 0 <= was < before):
            raise NoRubric("the rubric has changed meanwhile: reload the page")
        found.append(Reworded(WrittenItem(worth, says), was))
    old = [each.was for each in found if each.was is not None]
    sentences = [each.item.says for each in found]
    if len(set(old)) != len(old) or len(set(sentences)) != len(sentences):
        raise NoRubric("two items are the same")
    return found


def write(source: Path, question: str, items: list[WrittenItem]) -> None:
    """Put the items into the staff's cell of a question; the notebook is written whole."""
    notebook = json.loads(source.read_text(encoding="utf-8"))
    cell = next((each for each in notebook["cells"] if grade_id(each) == question), None)
    if cell is None:
        raise NoRubric(f"{source} has no cell {question} any more")
    words = text(cell["source"])
    head = HEAD.search(words)
    above = words[: head.end()] if head else f"{words.rstrip()}\n\n**Rubric**"
    cell["source"] = "\n".join([above, *(f"- {item.points:g}: {item.says}" for item in items)])
    write_whole(source, formatted_text(json.dumps(notebook)))
