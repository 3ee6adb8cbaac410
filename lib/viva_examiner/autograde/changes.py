"""Two gradings of one submission compared: which item changed, from what to what, and why."""

import json
import time
from dataclasses import dataclass

from viva_examiner.gradebook.autograded import RECORD
from viva_examiner.records import Graded

WORDS = {  # what every mark of a submission rests on, in words
    "handed in": "another file was handed in",
    "release": "the released notebook has changed",
    "kit": "the student kit or a case has changed",
    "libraries": "another version of Python or of a library",
    "examiner": "the examiner has changed",
    "isolation": "another way of isolation",
    "secret": "another secret",
}


@dataclass(frozen=True)
class Change:
    """One line of a regrading. A score of None: there was no mark, or the item is not asked."""

    student: str
    test: str
    item: str  # empty where the test has no rubric
    before: float | None
    after: float | None
    why: str
    says: str = ""  # the item's sentence, where it failed before or fails now


def changes(old: Graded, new: Graded) -> list[Change]:
    """What differs in the automatic marks, in the notebook's order, item by item where it can."""
    found = []
    for test in dict.fromkeys((*new.marks, *old.marks)):
        before, after = old.marks.get(test, NO_MARK), new.marks.get(test, NO_MARK)
        if before["manual"] or after["manual"]:
            continue
        rows = _items(before, after)
        if before["score"] != after["score"] and not rows:
            says = after["reason"] or before["reason"]
            rows = [("", before["score"], after["score"], says)]
        found += [Change(new.student, test, item, was, now, why(old, new, test), says)
                  for item, was, now, says in rows]
    return found


NO_MARK = {"score": None, "manual": False, "reason": "", "rubric": ()}


def _items(before: dict, after: dict) -> list[tuple]:
    """(item, earned before, earned now, its sentence) of those that differ."""
    was, now = ({item["name"]: item for rubric in mark["rubric"] for item in rubric["items"]}
                for mark in (before, after))
    if not was or not now:
        return []
    rows = []
    for name in dict.fromkeys((*now, *was)):
        one, other = was.get(name, NO_ITEM), now.get(name, NO_ITEM)
        if one["earned"] != other["earned"]:
            rows.append((name, one["earned"], other["earned"], other["message"] or one["message"]))
    return rows


NO_ITEM = {"earned": None, "message": ""}


def why(old: Graded, new: Graded, test: str) -> str:
    """What the mark of a test rests on and has changed since, in words."""
    was, now = old.rests_on, new.rests_on
    if not was or not now:
        return "it was graded before this was recorded"
    said = [words for part, words in WORDS.items() if was.get(part) != now.get(part)]
    said += [f"the limit {name} was {_plain(was['limits'].get(name))}, now {_plain(value)}"
             for name, value in now["limits"].items() if was["limits"].get(name) != value]
    exams, others = was["exams"], now["exams"]
    if exams.get(test) != others.get(test):
        said.insert(0, f"the exam of {test} has changed")
    elif not said and exams != others:
        said.append("an exam above it has changed")
    return "; ".join(said) or "nothing that it rests on: its own code gives other answers"


def _plain(value) -> str:
    return f"{value:g}" if isinstance(value, int | float) else str(value)


def remember(old: Graded, new: Graded) -> None:
    """The marks that were, in the new record and in the metadata of its notebook."""
    lost = {test: {"score": mark["score"], "items": {
                item["name"]: item["earned"] for rubric in mark["rubric"]
                for item in rubric["items"]}}
            for test, mark in old.marks.items()
            if not mark["manual"] and mark["score"] != new.marks.get(test, NO_MARK)["score"]}
    new.history = list(old.history)
    if lost:
        causes = dict.fromkeys(why(old, new, test) for test in lost)
        new.history.append({"until": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                            "why": list(causes), "marks": lost})
    if new.history and new.text:
        notebook = json.loads(new.text)
        notebook["metadata"][RECORD]["history"] = new.history
        new.text = json.dumps(notebook, ensure_ascii=False, sort_keys=True) + "\n"
