"""Written answers: one question at a time over all students, marked by items or points."""

from tornado import web

from viva_examiner.desk.handlers import Page, signed_in
from viva_examiner.desk.rooms.place import NAME, RoomLink
from viva_examiner.failure import Failure
from viva_examiner.gradebook.by_hand import Conflict
from viva_examiner.gradebook.ledger_words import in_words
from viva_examiner.written import rescore, reword
from viva_examiner.written.grading import InvalidMark, WrittenGrading

PLACE = RoomLink("written", "Written answers", of_homework=True)
OPEN = 8  # homeworks whose answers are kept at hand


class Answers(Page):
    """A page or a call about one homework's answers."""

    def desk(self, homework: str) -> WrittenGrading:
        """The answers as this grader sees them; read once, then only what has changed."""
        self.kept.demand_gradebook()
        everything = self.get_query_argument("everything", "") == "yes"
        key = self.homework(homework), self.me, everything
        known: dict[tuple[str, str, bool], WrittenGrading] = self.settings.setdefault(
            "viva_desk_answers", {})
        if key not in known:
            while len(known) >= OPEN:
                known.pop(next(iter(known))).close()
            known[key] = WrittenGrading(self.course, homework, self.me, everything)
        known[key].refresh()
        return known[key]

    def number(self, desk: WrittenGrading, text: str) -> int:
        """The question that an address names."""
        if int(text) >= len(desk.questions):
            raise web.HTTPError(404, "there is no such question")
        return int(text)


class WrittenRoom(Answers):
    @signed_in
    def get(self, homework: str) -> None:
        desk = self.desk(homework)
        if not desk.questions:
            raise Failure(f"{homework} has no written questions in source/")
        if desk.is_empty:
            raise Failure(f"nothing of {homework} is graded yet: autograde it first")
        self.show("written", here="written", homework=homework, wide=True,
                  everything=desk.everything)


class Overview(Answers):
    @signed_in
    def get(self, homework: str) -> None:
        self.finish({"questions": self.desk(homework).overview()})


class OneQuestion(Answers):
    @signed_in
    def get(self, homework: str, number: str) -> None:
        desk = self.desk(homework)
        self.finish(desk.question(self.number(desk, number)))

    @signed_in
    def post(self, homework: str, number: str) -> None:
        desk, words = self.desk(homework), self.body()
        which = self.number(desk, number)
        try:
            if "undo" in words:
                desk.undo(which, words["undo"])
            else:
                desk.grade(which, words["rows"], words["shares"], words["words"], words["score"],
                           words.get("standing", False), words["rubric"])
        except Conflict as error:
            self.set_status(409)
            self.finish({"stands": desk.standing(which, error.students)})
        except InvalidMark as error:
            self.set_status(400)
            self.finish({"why": str(error)})
        except (KeyError, TypeError, AttributeError):
            raise web.HTTPError(400, "this is not what the page sends: reload it") from None
        else:
            self.finish({"done": True})


class History(Answers):
    """What happened to one student's answer."""

    @signed_in
    def get(self, homework: str, number: str) -> None:
        desk = self.desk(homework)
        entries = desk.entries(self.number(desk, number), self.get_query_argument("student"))
        self.finish({"lines": [in_words(entry) for entry in entries]})


class Rescore(Answers):
    """Whose mark a changed rubric moves; by POST, those marks."""

    @signed_in
    def get(self, homework: str, number: str) -> None:
        desk = self.desk(homework)
        self.finish({"lines": rescore.lines(rescore.rescored(desk, self.number(desk, number)))})

    @signed_in
    def post(self, homework: str, number: str) -> None:
        desk = self.desk(homework)
        try:
            rescore.rescore(desk, self.number(desk, number))
        except Conflict:
            self.set_status(409)
        self.finish({})


class RewordRubric(Answers):
    """Another rubric: written into the staff's cell, and what was ticked is rescored."""

    @signed_in
    def post(self, homework: str, number: str) -> None:
        desk, words = self.desk(homework), self.body()
        which = self.number(desk, number)
        question = desk.questions[which]
        if words.get("rubric") != question.rubric.key:
            raise reword.NoRubric("somebody has changed the rubric: reload the page")
        items = reword.checked(words.get("items"), question.points, len(question.rubric.items))
        try:
            found = rescore.reword(desk, which, items)
        except Conflict:
            self.set_status(409)
            self.finish({"why": "The rubric is written. Somebody graded an answer meanwhile, so "
                                "nothing was rescored yet: the page offers it."})
            return
        self.finish({"lines": rescore.lines(found)})


CALLS = rf"/written/{NAME}/questions"
HANDLERS = [
    (rf"/written/{NAME}", WrittenRoom), (CALLS, Overview), (rf"{CALLS}/(\d+)", OneQuestion),
    (rf"{CALLS}/(\d+)/history", History), (rf"{CALLS}/(\d+)/rescore", Rescore),
    (rf"{CALLS}/(\d+)/rubric", RewordRubric),
]
