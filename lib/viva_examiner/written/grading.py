"""The questions of a homework, the class's answers, and the marks that people give them.

Answers are shown in units. A unit is a set of equal answers that all wait, or that all have the
same mark: saving one never touches a mark of another kind. The rest is shown with it.
"""

from pathlib import Path

from nbgrader.api import Gradebook

from viva_examiner.course import Course
from viva_examiner.gradebook import class_roster
from viva_examiner.gradebook.by_hand import ByHand, NewMark, StandingMark, grader
from viva_examiner.gradebook.ledger import Entry, this_person
from viva_examiner.gradebook.ledger_words import graded_by
from viva_examiner.harmless import harmless_markdown
from viva_examiner.rendered import rendered
from viva_examiner.written.answers import Group, WrittenQuestion, difference, grouped, questions_of
from viva_examiner.written.rubric import comment_of, read_comment, score_of

SHARES = (0.0, 0.5, 1.0)


class InvalidMark(ValueError):
    """A mark that this question cannot have, in a sentence."""


class WrittenGrading:
    """One homework on a grader's desk.

    everything: also the answers that somebody else is to grade
    """

    def __init__(self, course: Course, homework: str, me: str = "", everything: bool = False):
        self.course, self.homework, self.me = course, homework, me or this_person()
        self.everything = everything
        self.questions: list[WrittenQuestion] = []
        self._read: list[tuple[Path, int]] = []
        self.refresh()
        self.gradebook = Gradebook(course.db_url, course.directory.course_id)
        self.marks = ByHand(self.gradebook.db, course, homework)
        self.roster = class_roster.read(course)

    def refresh(self) -> None:
        """Read the questions again if the staff's notebooks have changed."""
        sources = sorted(Path(self.course.path("source", ".", self.homework)).glob("*.ipynb"))
        now = [(path, path.stat().st_mtime_ns) for path in sources]
        if now != self._read:
            self.questions = [each for path in sources for each in questions_of(path)]
            self._read = now

    def close(self) -> None:
        self.gradebook.close()

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been autograded yet."""
        return not any(self._rows(question) for question in self.questions)

    def overview(self) -> list[dict]:
        """A row per question: what it is, how many answers wait, and who graded how many."""
        given = self._settled()
        rows = []
        for question in self.questions:
            own = [row for row in self._rows(question) if self._is_mine(question, row)]
            by: dict[str, int] = {}
            for row in own:
                if row.score is not None and not row.flagged:
                    who = _who(given.get((row.student, self.marks.name(row))))
                    by[who] = by.get(who, 0) + 1
            rows.append({"name": question.name, "points": question.points, "all": len(own),
                         "waiting": sum(row.flagged for row in own), "by": by})
        return rows

    def question(self, number: int) -> dict:
        """One question with its answers in units, as the page needs it."""
        question, given = self.questions[number], self._settled()
        rows = {row.student: row for row in self._rows(question)}
        answers = {student: answer for student, row in rows.items()
                   if (answer := self.marks.answer(row)) is not None}
        units = [unit for group in grouped(answers)
                 for unit in self._units(question, group, rows, given)]
        return {
            "name": question.name, "points": question.points, "asks": rendered(question.asks),
            "answer": rendered(question.rubric.answer), "me": self.me,
            "rubric": question.rubric.key,
            "items": [{"points": item.points, "says": rendered(item.says), "source": item.says}
                      for item in question.rubric.items],
            "comments": self._comments(question), "units": units,
        }

    def _comments(self, question: WrittenQuestion) -> list[str]:
        """Words that may be used again: those of this question first, the most frequent first."""
        said: dict[str, tuple[bool, int]] = {}
        for each in self.questions:
            for row in self._rows(each):
                if words := read_comment(each.rubric, row.comment)[1]:
                    own, count = said.get(words, (False, 0))
                    said[words] = own or each is question, count + 1
        ranked = sorted(said, key=lambda words: (not said[words][0], -said[words][1], words))
        return ranked[:40]

    def _units(self, question: WrittenQuestion, group: Group, rows: dict[str, StandingMark],
               given: dict[tuple[str, str], Entry]) -> list[dict]:
        """A group of equal answers: those that wait, and those that have the same mark."""
        parts: dict[tuple, list[StandingMark]] = {}
        for row in map(rows.__getitem__, group.students):
            parts.setdefault((not row.flagged, row.score, row.comment), []).append(row)
        units = []
        for (stands, score, comment), own in parts.items():
            mine = [row for row in own if self._is_mine(question, row)]
            if not mine:
                continue
            shares, words = read_comment(question.rubric, comment)
            last = given.get((mine[0].student, self.marks.name(mine[0])))
            others = [{"score": each[1], "count": len(found), "wait": not each[0],
                       "words": read_comment(question.rubric, each[2])[1],
                       "by": sorted({_who(given.get((row.student, self.marks.name(row))))
                                     for row in found})}
                      for each, found in parts.items() if each[1:] != (score, comment)
                      or each[0] != stands]
            units.append({
                "page": rendered(harmless_markdown(group.text)), "empty": group.is_empty,
                "near": difference(group.like, group.text) if group.like else "",
                "waits": not stands, "score": score, "comment": comment, "shares": shares,
                "words": words, "others": others, "elsewhere": len(own) - len(mine),
                "automatic": mine[0].automatic,
                "earlier": "" if stands or last is None else self._earlier(last, mine[0]),
                "rows": [self._shown(row, given) for row in mine],
            })
        return units

    def _shown(self, row: StandingMark, given: dict[tuple[str, str], Entry]) -> dict:
        """What the page says of one answer, and says back when it grades it."""
        last = given.get((row.student, self.marks.name(row)))
        return {"student": row.student, "graded_by": graded_by(last) if last else "",
                "seen": self.marks.seen(row, given)}

    def _earlier(self, last: Entry, row: StandingMark) -> str:
        """What differs from the answer that the old mark was given for, as HTML."""
        if last.payload.get("answer") is None or not self.marks.is_other_text(last, row):
            return ""
        return difference(last.payload["answer"], self.marks.answer(row) or "")

    def grade(self, number: int, rows: list[dict], shares: list[float] | None, words: str,
              score: float | None, standing: bool = False, rubric: str | None = None) -> None:
        """Grade answers alike: by ticked items, or by a score where a question has none.

        rows: [{student, seen}] as `question` sent them
        standing: change marks that stand; without it only answers that wait are graded
        rubric: the key of the rubric that was ticked, if it has to be the one of now
        """
        question = self.questions[number]
        if rubric is not None and rubric != question.rubric.key:
            raise InvalidMark("somebody has changed the rubric: reload the page")
        items = None
        if shares is not None:
            if len(shares) != len(question.rubric.items) or not set(shares) <= set(SHARES):
                raise InvalidMark("these are not the items of this question: reload the page")
            score = score_of(question.rubric, shares, question.points)
            comment = comment_of(question.rubric, shares, words)
            items = [{"says": item.says, "points": item.points, "share": share}
                     for item, share in zip(question.rubric.items, shares, strict=True)]
        else:
            comment = words.strip()
        if score is None or not 0 <= score <= question.points:
            raise InvalidMark(f"{question.name} has between 0 and {question.points:g} points")
        self.marks.write([NewMark(row, shown["seen"], score, comment, items, standing)
                          for row, shown in self._found(question, rows)], self.me)

    def undo(self, number: int, rows: list[dict]) -> None:
        """Take back the newest mark of these answers."""
        changes = [self.marks.undoing(row, shown["seen"])
                   for row, shown in self._found(self.questions[number], rows)]
        self.marks.write([change for change in changes if change is not None], self.me)

    def standing(self, number: int, students: list[str]) -> list[dict]:
        """What stands now for these students, for whoever was too late."""
        question, given = self.questions[number], self._settled()
        return [self._shown(row, given) | {"words": read_comment(question.rubric, row.comment)[1]}
                for row in self._rows(question) if row.student in students]

    def _found(self, question: WrittenQuestion,
               rows: list[dict]) -> list[tuple[StandingMark, dict]]:
        known = {row.student: row for row in self._rows(question)}
        return [(known[shown["student"]], shown) for shown in rows]

    def _settled(self) -> dict[tuple[str, str], Entry]:
        """The newest entries, after everything that happened elsewhere has been noticed."""
        self.roster = class_roster.read(self.course)
        self.marks.settle()
        self.gradebook.db.commit()  # leaves no read transaction open, nor a stale copy
        return self.marks.given()

    def rows(self, number: int) -> list[StandingMark]:
        """The marks of one question, after everything that happened elsewhere was noticed."""
        self._settled()
        return self._rows(self.questions[number])

    def entries(self, number: int, student: str) -> list[Entry]:
        """What the ledger says of one student's answer."""
        row = next((row for row in self._rows(self.questions[number]) if row.student == student),
                   None)
        return [] if row is None else self.marks.ledger.entries(
            homework=self.homework, student=student, cell=self.marks.name(row))

    def _rows(self, question: WrittenQuestion) -> list[StandingMark]:
        return self.marks.rows(cell=question.name, notebook=question.notebook)

    def _is_mine(self, question: WrittenQuestion, row: StandingMark) -> bool:
        if self.everything:
            return True
        return self.roster.grader(row.student, self.homework, question.name) in ("", self.me)


def _who(entry: Entry | None) -> str:
    return grader(entry) if entry else "automatic"
