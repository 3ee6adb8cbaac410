"""The rubric of a written question, as data: written once, in the staff's own cell.

A staff cell holds the model answer, then a line `**Rubric**`, then items `- 1: what earns a point`.
What a TA ticked is kept in nbgrader's comment as lines of the same form, so that feedback shows it,
formgrader can edit it, and nothing else has to be stored.
"""

import re
from dataclasses import dataclass

from viva_examiner.files import digest

HEAD = re.compile(r"^\*\*Rubric\.?\*\*.*$", re.M)
ITEM = re.compile(r"^- (?P<points>\d+(?:\.\d+)?)(?: points?)?: (?P<says>.+?)(?=^- |\Z)",
                  re.M | re.S)
ANSWER = re.compile(r"^\*\*Model answer\.?\*\*\s*", re.M)
TICKED = re.compile(r"^- (?P<mark>[☑◪☐]) (?P<points>\d+(?:\.\d+)?): (?P<says>.+)$")
SHARE = {"☑": 1.0, "◪": 0.5, "☐": 0.0}


@dataclass(frozen=True)
class WrittenItem:
    """Something that a good answer says, and what it earns."""

    points: float
    says: str


@dataclass(frozen=True)
class WrittenRubric:
    """Model answer and items of one question."""

    answer: str
    items: tuple[WrittenItem, ...]

    @property
    def points(self) -> float:
        return sum(item.points for item in self.items)

    @property
    def key(self) -> str:
        """Another one for another rubric: whoever ticks has to have seen this one."""
        return digest(*(f"{item.points:g}: {item.says}" for item in self.items))

    @classmethod
    def read(cls, source: str) -> "WrittenRubric":
        """From the source of a staff cell; without a rubric line there are no items."""
        head = HEAD.search(source)
        answer, rest = (source[: head.start()], source[head.end():]) if head else (source, "")
        items = tuple(WrittenItem(float(found["points"]), " ".join(found["says"].split()))
                      for found in ITEM.finditer(rest.strip() + "\n"))
        return cls(ANSWER.sub("", answer, count=1).strip(), items)


def comment_of(rubric: WrittenRubric, shares: list[float], words: str) -> str:
    """What nbgrader's comment says: an item per line with its mark, then the TA's own words."""
    marks = {share: mark for mark, share in SHARE.items()}
    lines = [f"- {marks[share]} {item.points:g}: {item.says}"
             for item, share in zip(rubric.items, shares, strict=True)]
    return "\n".join(lines) + (f"\n\n{words.strip()}" if words.strip() else "")


def read_comment(rubric: WrittenRubric, comment: str) -> tuple[list[float] | None, str]:
    """(share of each item, the TA's own words); None where the comment is not one of ours.

    Ticks of items that the rubric no longer has stay among the words: nothing is lost.
    """
    shares, words = {}, []
    for line in comment.splitlines():
        found = TICKED.match(line)
        known = found and next((i for i, item in enumerate(rubric.items)
                                if item.says == found["says"].strip()), None)
        if found and known is not None:
            shares[known] = SHARE[found["mark"]]
        else:
            words.append(line)
    text = "\n".join(words).strip()
    if not shares:
        return None, text
    return [shares.get(i, 0.0) for i in range(len(rubric.items))], text


def ticked(comment: str) -> list[tuple[WrittenItem, float]]:
    """The items that a comment shows, whatever the rubric says today, each with its share."""
    found = (TICKED.match(line) for line in comment.splitlines())
    return [(WrittenItem(float(line["points"]), line["says"].strip()), SHARE[line["mark"]])
            for line in found if line]


def score_of(rubric: WrittenRubric, shares: list[float], points: float) -> float:
    """Points for the ticked items, never more than the question has."""
    earned = sum(item.points * share for item, share in zip(rubric.items, shares, strict=True))
    return min(earned, points)
