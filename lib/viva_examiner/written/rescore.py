"""A rubric that has changed: what every answer that was ticked by its items would have now."""

import difflib
from dataclasses import dataclass, replace

from viva_examiner.gradebook.by_hand import NewMark, StandingMark, grader
from viva_examiner.written.answers import WrittenQuestion
from viva_examiner.written.grading import WrittenGrading
from viva_examiner.written.reword import Reworded, write
from viva_examiner.written.rubric import (
    WrittenItem,
    WrittenRubric,
    comment_of,
    read_comment,
    score_of,
    ticked,
)

REWORDED = 0.8  # how alike two items must be to be one that was reworded


@dataclass(frozen=True)
class Rescored:
    """One mark under the rubric of today."""

    question: WrittenQuestion
    row: StandingMark
    shares: list[float]
    score: float
    comment: str

    @property
    def moves(self) -> bool:
        return self.score != self.row.score


def rescored(desk: WrittenGrading, number: int,
             renamed: dict[str, str] | None = None) -> list[Rescored]:
    """Marks that stand and would have another score or other items; nothing is written.

    renamed: {what an item said: what it says now}, where that is known and need not be guessed
    """
    question = desk.questions[number]
    found = []
    for row in desk.rows(number):
        before = [(replace(item, says=(renamed or {}).get(item.says, item.says)), share)
                  for item, share in ticked(row.comment)]
        if row.score is None or row.flagged or not before or not question.rubric.items:
            continue
        shares = _shares(question.rubric, before)
        old = tuple(item for item, _ in ticked(row.comment))
        words = read_comment(WrittenRubric("", old), row.comment)[1]
        comment = comment_of(question.rubric, shares, words)
        score = score_of(question.rubric, shares, question.points)
        if comment != row.comment:
            found.append(Rescored(question, row, shares, score, comment))
    return found


def rescore(desk: WrittenGrading, number: int,
            renamed: dict[str, str] | None = None) -> list[Rescored]:
    """Write them: one entry each, which says who had given the mark."""
    found, given = rescored(desk, number, renamed), desk.marks.given()
    changes = []
    for each in found:
        last = given[each.row.student, desk.marks.name(each.row)]
        items = [{"says": item.says, "points": item.points, "share": share}
                 for item, share in zip(each.question.rubric.items, each.shares, strict=True)]
        changes.append(NewMark(each.row, desk.marks.seen(each.row, given), each.score, each.comment,
                               items, standing=True, about={"graded_by": grader(last),
                                                    "why": "the rubric has changed"}))
    desk.marks.write(changes, desk.me)
    return found


def reword(desk: WrittenGrading, number: int, items: list[Reworded]) -> list[Rescored]:
    """Write another rubric into the staff's cell, and rescore what was ticked by the old one."""
    question = desk.questions[number]
    before = question.rubric.items
    write(question.source, question.name, [each.item for each in items])
    desk.refresh()
    return rescore(desk, number, {before[each.was].says: each.item.says
                                  for each in items if each.was is not None})


def lines(rows: list[Rescored]) -> list[str]:
    """The dry run in lines: whose mark moves, from what to what."""
    moves = [f"{each.row.student}, {each.question.name}: {each.row.score:g} to {each.score:g}"
             for each in rows if each.moves]
    rest = len(rows) - len(moves)
    return moves + ([f"{rest} more have other items and the same mark"] if rest else [])


def _shares(rubric: WrittenRubric, before: list[tuple[WrittenItem, float]]) -> list[float]:
    """Each item of today: as it was ticked, also if it was reworded since; 0 if it is new."""
    old = {item.says: share for item, share in before}
    left = {item.says: item.points for item, _ in before
            if item.says not in {each.says for each in rubric.items}}
    shares = []
    for item in rubric.items:
        alike = [item.says] if item.says in old else difflib.get_close_matches(
            item.says, [says for says, points in left.items() if points == item.points], 1,
            REWORDED)
        shares.append(old[alike[0]] if alike else 0.0)
        if alike:
            left.pop(alike[0], None)
    return shares
