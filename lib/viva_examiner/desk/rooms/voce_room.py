"""Viva voce: the questions of one student, one after the other, and what came of them."""

import json
from typing import Any

from tornado import web

from viva_examiner.desk.handlers import Page, signed_in
from viva_examiner.desk.rooms.place import NAME, RoomLink
from viva_examiner.gradebook.ledger import Ledger
from viva_examiner.gradebook.voce_results import (
    MAX_SECONDS,
    RESULTS,
    VoceResult,
    in_words,
    latest,
    record,
)
from viva_examiner.voce.sheet_page import LETTERS, kept_path

PLACE = RoomLink("voce", "Viva voce", of_homework=True)


def stamp(heard: VoceResult | None) -> str:
    """What a page knows of a question, to be sent back with a tick; empty if nothing is known."""
    return "" if heard is None or heard.at is None else f"{heard.author} {heard.at.isoformat()}"


def _standing(heard: VoceResult | None) -> str:
    if heard is None:
        return "somebody removed what stood here; tick again to keep yours"
    return (f"{heard.author} ticked “{heard.result}” meanwhile"
            f"{f' ({heard.note})' if heard.note else ''}; tick again to put yours in its place")


class Voce(Page):
    """A page or a call about the questions of a homework."""

    def sitting(self, homework: str, student: str) -> dict[str, Any]:
        """The questions that `viva voce` kept for a student."""
        path = kept_path(self.course, homework, self.student(student))
        try:
            return json.loads(path.read_text())
        except (OSError, ValueError):
            raise web.HTTPError(404, f"there are no questions for {student} yet") from None

    def heard(self, homework: str) -> dict[tuple[str, str], VoceResult]:
        """{(student, question): what came of it}."""
        with self.kept.gradebook() as book:
            found = latest(Ledger(book.db), homework)
        return {(student, question): each for (_, student, question), each in found.items()}


class VoceRoom(Voce):
    @signed_in
    def get(self, homework: str) -> None:
        folder = kept_path(self.course, self.homework(homework), "anybody").parent
        heard = self.heard(homework)
        rows = []
        for path in sorted(folder.glob("*.json")):
            mine = [each for (student, _), each in heard.items() if student == path.stem]
            rows.append((path.stem, len(self.sitting(homework, path.stem)["questions"]),
                         in_words(mine), sum(each.seconds for each in mine)))
        self.show("voce", here="voce", homework=homework, rows=rows, student="", sitting=None)


class Student(Voce):
    @signed_in
    def get(self, homework: str, student: str) -> None:
        sitting, heard = self.sitting(self.homework(homework), student), self.heard(homework)
        for row in sitting["questions"]:
            known = heard.get((student, row["key"]))
            row["result"], row["note"], row["seconds"] = (
                (known.result, known.note, known.seconds) if known else ("", "", 0))
            row["by"], row["seen"] = (known.author, stamp(known)) if known else ("", "")
            row["lettered"] = list(zip(LETTERS, row["options"], strict=False))
        self.show("voce", here="voce", homework=homework, rows=[], student=student,
                  sitting=sitting, results=RESULTS)

    @signed_in
    def post(self, homework: str, student: str) -> None:
        words = self.body()
        sitting = self.sitting(self.homework(homework), student)
        rows = {row["key"]: row for row in sitting["questions"]}
        row, seconds = rows.get(words.get("question")), words.get("seconds")
        if row is None or words.get("result") not in RESULTS or type(seconds) is not int:
            raise web.HTTPError(400, "this is not what the page sends: reload it")
        stands = self.heard(homework).get((student, row["key"]))
        if words.get("seen") != stamp(stands):
            self.set_status(409)
            self.finish({"why": _standing(stands), "seen": stamp(stands)})
            return
        hearing = VoceResult(student, row["key"], row["about"], row["kind"], words["result"],
                        str(words.get("note", "")), min(max(seconds, 0), MAX_SECONDS), self.me)
        with self.kept.gradebook() as book:
            record(Ledger(book.db), homework, hearing)
            book.db.commit()
        self.finish({"seen": stamp(self.heard(homework).get((student, row["key"])))})


HANDLERS = [(rf"/voce/{NAME}", VoceRoom), (rf"/voce/{NAME}/{NAME}", Student)]
