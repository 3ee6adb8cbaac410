"""Requests: who asks for a second look, beside the account of the mark, and the answer."""

from dataclasses import dataclass

from tornado import web

from viva_examiner.desk.handlers import Page, signed_in
from viva_examiner.desk.layout import points
from viva_examiner.desk.rooms.place import NAME, RoomLink
from viva_examiner.failure import Failure
from viva_examiner.gradebook import request_book
from viva_examiner.gradebook.by_hand import StandingMark
from viva_examiner.gradebook.request_book import OPEN, Answered, Request
from viva_examiner.gradebook.request_intake import take_in
from viva_examiner.records import Mark

PLACE = RoomLink("requests", "Requests", of_homework=True)


@dataclass(frozen=True)
class OpenRequest:
    """A request with what a TA has to know before answering it."""

    request: Request
    row: StandingMark | None  # the mark as it is now
    points: float
    outdated: bool
    account: Mark | None  # how the automatic mark came about


class Queue(Page):
    """The page of the requests, also after an answer that could not be given."""

    def show_queue(self, homework: str, problem: str = "", number: int = 0,
                   words: str = "") -> None:
        """problem: why request `number` was not answered with these words, which are kept"""
        self.kept.demand_gradebook()
        with request_book.opened(self.course, homework) as queue:
            waiting = [self._asked(queue, each) for each in queue.waiting()]
            answered = [each for each in queue.all() if each.state != OPEN]
        self.show("requests", here="requests", homework=homework, waiting=waiting,
                  answered=answered[::-1], problem=problem, number=number, words=words,
                  seen=shown_mark)

    def _asked(self, queue: request_book.Requests, request: Request) -> OpenRequest:
        row = queue.standing(request)
        account = None
        if row is not None:
            record = self.kept.record(request.submitter, request.homework, row.notebook)
            account = record.marks.get(row.cell) if record else None
        return OpenRequest(request, row, queue.points(row) if row else 0.0,
                           queue.is_outdated(request), account)


def shown_mark(row: StandingMark | None) -> str:
    """The mark that a page shows, to be sent back with the answer."""
    return "" if row is None else f"{points(row.score)} {points(row.automatic)}"


class RequestsRoom(Queue):
    @signed_in
    def get(self, homework: str) -> None:
        self.show_queue(self.homework(homework))


class AnswerRequest(Queue):
    """One request answered: the words stand in the student's feedback."""

    @signed_in
    def post(self, homework: str, number: str) -> None:
        verdict = self.get_body_argument("verdict")
        words = self.get_body_argument("words", "")
        if verdict not in ("accept", "correct", "decline"):
            raise web.HTTPError(400, "accept, correct or decline")
        self.kept.demand_gradebook()
        try:
            with request_book.opened(self.course, self.homework(homework)) as queue:
                self._answer(queue, int(number), verdict, words)
        except Failure as problem:
            self.set_status(409 if isinstance(problem, Answered) else 400)
            self.show_queue(homework, str(problem), int(number), words)
        else:
            self.redirect(self.at("requests", homework))

    def _answer(self, queue: request_book.Requests, number: int, verdict: str, words: str) -> None:
        if verdict == "decline":
            queue.decline(number, words, self.me)
            return
        request = queue.get(number)
        seen = self.get_body_argument("seen", "")
        if request.state == OPEN and seen != shown_mark(queue.standing(request)):
            raise Answered("somebody changed this mark while the page was open, so nothing was "
                           "done; the page shows it as it is now")
        if verdict == "accept":
            queue.accept(number, words, self.me)
        else:
            queue.correct(number, self._points(), words, self.me)

    def _points(self) -> float:
        try:
            return float(self.get_body_argument("points", ""))
        except ValueError:
            raise Failure("how many points? Write them beside “Correct”.") from None


class TakeInRequests(Page):
    """Take in what lies in submitted/."""

    @signed_in
    def post(self, homework: str) -> None:
        take_in(self.course, self.homework(homework))
        self.redirect(self.at("requests", homework))


HANDLERS = [(rf"/requests/{NAME}", RequestsRoom), (rf"/requests/{NAME}/look", TakeInRequests),
            (rf"/requests/{NAME}/(\d+)", AnswerRequest)]
