"""Requests: who asks for a second look, beside the account of the mark, and the answer."""

from dataclasses import dataclass

from tornado import web

from viva_examiner.desk.handlers import Page, told
from viva_examiner.desk.rooms.place import NAME, Place
from viva_examiner.failure import Failure
from viva_examiner.gradebook import requests
from viva_examiner.gradebook.by_hand import Row
from viva_examiner.gradebook.request_taking import take_in
from viva_examiner.gradebook.requests import OPEN, Request
from viva_examiner.records import Mark

PLACE = Place("requests", "Requests", of_homework=True)


@dataclass(frozen=True)
class Asked:
    """A request with what a TA has to know before answering it."""

    request: Request
    row: Row | None  # the mark as it is now
    points: float
    outdated: bool
    account: Mark | None  # how the automatic mark came about


class RequestsRoom(Page):
    @told
    def get(self, homework: str) -> None:
        homework = self.homework(homework)
        self.kept.demand_gradebook()
        with requests.opened(self.course, homework) as queue:
            waiting = [self._asked(queue, each) for each in queue.waiting()]
            answered = [each for each in queue.all() if each.state != OPEN]
        self.show("requests", here="requests", homework=homework, waiting=waiting,
                  answered=answered[::-1])

    def _asked(self, queue: requests.Requests, request: Request) -> Asked:
        row = queue.standing(request)
        account = None
        if row is not None:
            record = self.kept.record(request.submitter, request.homework, row.notebook)
            account = record.marks.get(row.cell) if record else None
        return Asked(request, row, queue.points(row) if row else 0.0, queue.is_outdated(request),
                     account)


class Answer(Page):
    """One request answered: the words stand in the student's feedback."""

    @told
    def post(self, homework: str, number: str) -> None:
        verdict = self.get_body_argument("verdict")
        words = self.get_body_argument("words", "")
        self.kept.demand_gradebook()
        with requests.opened(self.course, self.homework(homework)) as queue:
            if verdict == "accept":
                queue.accept(int(number), words, self.me)
            elif verdict == "decline":
                queue.decline(int(number), words, self.me)
            elif verdict == "correct":
                queue.correct(int(number), self._points(), words, self.me)
            else:
                raise web.HTTPError(400, "accept, correct or decline")
        self.redirect(self.at("requests", homework))

    def _points(self) -> float:
        try:
            return float(self.get_body_argument("points", ""))
        except ValueError:
            raise Failure("how many points? Write them beside “Correct”.") from None


class Look(Page):
    """Take in what lies in submitted/."""

    @told
    def post(self, homework: str) -> None:
        take_in(self.course, self.homework(homework))
        self.redirect(self.at("requests", homework))


HANDLERS = [(rf"/requests/{NAME}", RequestsRoom), (rf"/requests/{NAME}/look", Look),
            (rf"/requests/{NAME}/(\d+)", Answer)]
