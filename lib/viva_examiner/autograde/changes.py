"""Two gradings of one submission compared: which item changed, from what to what, and why."""

import json
import time
from dataclasses import dataclass, replace
from typing import Any

from viva_examiner.gradebook.autograded import RECORD
from viva_examiner.records import Graded, Mark

WORDS = {  # what every mark of a submission rests on, in words
    "handed in": "another file was handed in",
    "release": "the released notebook has changed",
    "kit": "the student kit or a case has changed",
    "examiner": "the examiner has changed",
    "isolation": "submissions are isolated in another way",
    "secret": "another secret",
}


@dataclass(frozen=True)
class MarkChange:
    """One line of a regrading. A score of None: there was no mark, or the item is not asked."""

    student: str
    test: str
    item: str  # empty where the test has no rubric
    before: float | None
    after: float | None
    why: str
    says: str = ""  # the item's sentence, where it failed before or fails now


def changes(old: Graded, new: Graded) -> list[MarkChange]:
    """What differs in the automatic marks, in the notebook's order, item by item where it can."""
    found = []
    for test in dict.fromkeys((*new.marks, *old.marks)):
        before, after = old.marks.get(test, NO_MARK), new.marks.get(test, NO_MARK)
        if before.manual or after.manual:
            continue
        rows = _items(before, after)
        if before.score != after.score and not rows:
            says = after.reason or before.reason
            rows = [("", before.score, after.score, says)]
        found += [MarkChange(new.student, test, item, was, now, why(old, new, test), says)
                  for item, was, now, says in rows]
    return found


NO_MARK = Mark(None, 0.0)


def _items(before: Mark, after: Mark) -> list[tuple[str, float | None, float | None, str]]:
    """(item, earned before, earned now, its sentence) of those that differ."""
    was, now = ({item.name: item for item in mark.items} for mark in (before, after))
    if not was or not now:
        return []
    rows = []
    for name in dict.fromkeys((*now, *was)):
        one, other = was.get(name), now.get(name)
        earned, earns = (item.earned if item else None for item in (one, other))
        if earned != earns:
            says = [item.message for item in (other, one) if item and item.message]
            rows.append((name, earned, earns, says[0] if says else ""))
    return rows


def why(old: Graded, new: Graded, test: str) -> str:
    """What the mark of a test rests on and has changed since, in words."""
    was, now = old.rests_on, new.rests_on
    if not was or not now:
        return "it was graded before this was recorded"
    said = [words for part, words in WORDS.items() if was.get(part) != now.get(part)]
    said += other_versions(was, now)
    said += [f"the limit {name} was {_plain(was['limits'].get(name))}, now {_plain(value)}"
             for name, value in now["limits"].items() if was["limits"].get(name) != value]
    exams, others = was["exams"], now["exams"]
    if exams.get(test) != others.get(test):
        said.insert(0, f"the exam of {test} has changed")
    elif not said and exams != others:
        said.append("an exam above it has changed")
    return "; ".join(said) or "nothing that it rests on: its own code gives other answers"


def other_versions(was: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """With what else a submission was graded before: "Python was 3.11.7, now 3.13.0"."""
    old, new = was.get("versions", {}), now.get("versions", {})
    said = [f"{name} was {old.get(name, 'not there')}, now {new.get(name, 'not there')}"
            for name in dict.fromkeys((*new, *old)) if old.get(name) != new.get(name) and old]
    if not said and was.get("libraries") != now.get("libraries"):
        said = ["another build of Python, or another version that was not recorded"]
    return said


def _plain(value: object) -> str:
    return f"{value:g}" if isinstance(value, int | float) else str(value)


def remember(old: Graded, new: Graded) -> Graded:
    """The new record with the marks that were, also in the metadata of its notebook."""
    lost = {test: {"score": mark.score, "items": {item.name: item.earned for item in mark.items}}
            for test, mark in old.tests.items()
            if mark.score != new.marks.get(test, NO_MARK).score}
    history = old.history
    if lost:
        causes = dict.fromkeys(why(old, new, test) for test in lost)
        history += ({"until": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                     "why": list(causes), "marks": lost},)
    text = new.text
    if history and text:
        notebook = json.loads(text)
        notebook["metadata"][RECORD]["history"] = list(history)
        text = json.dumps(notebook, ensure_ascii=False, sort_keys=True) + "\n"
    return replace(new, history=history, text=text)
