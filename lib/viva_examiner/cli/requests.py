"""`viva requests`: who asks for a second look, and what is answered."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

from viva_examiner.failure import Failure

if TYPE_CHECKING:
    from viva_examiner.course import Course
    from viva_examiner.gradebook.request_book import Request, Requests

HELP = """List who asks for a second look at a mark, the oldest first, with the reason. A student
writes `request("test_…", "because …")` in the notebook and hands in regrade_request.json; `viva
collect` takes it, and so does this command where it lies in submitted/. `viva explain` says how the
mark came about.

Name a request's number to read all of it, and answer it with words, which the student reads in the
feedback: --accept gives full points, --correct that many, --decline leaves the mark. An answer is
an entry of the ledger, and so is the mark (`viva history`). A request is about the attempt that was
graded when it came: after another one was handed in, it can only be declined. How many requests a
student has (c.Examiner.requests_per_homework) and until when (c.Examiner.requests_until) is set in
nbgrader_config.py."""
EXAMPLE = 'viva requests kernel_attention 3 --correct 4.5 --words "You are right: …"'


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("homework")
    parser.add_argument("number", nargs="?", type=int, help="of one request")
    parser.add_argument("--all", action="store_true", help="list those that are answered too")
    parser.add_argument("--as", dest="me", metavar="NAME", default="",
                        help="who answers; default: your account")
    answer = parser.add_mutually_exclusive_group()
    answer.add_argument("--accept", action="store_true", help="full points")
    answer.add_argument("--correct", type=float, metavar="POINTS")
    answer.add_argument("--decline", action="store_true", help="the mark stands")
    parser.add_argument("--words", default="", help="what the student reads")


def run(args: Namespace, course: "Course") -> int:
    from viva_examiner.gradebook import request_book
    from viva_examiner.gradebook.request_intake import take_in

    answers = args.accept or args.decline or args.correct is not None
    if answers and args.number is None:
        raise Failure("which request? Name its number before the options")
    for line in take_in(course, args.homework):
        print(line)
    with request_book.opened(course, args.homework) as queue:
        if answers:
            _answer(args, queue)
        if args.number is not None:
            print("\n".join(_whole(queue, queue.get(args.number))))
            return 0
        found = queue.all() if args.all else queue.waiting()
        lines = [line for each in found for line in _short(queue, each)]
    print("\n".join(lines) or f"Nobody asks for a second look at {args.homework}.")
    return 0


def _answer(args: Namespace, queue: "Requests") -> None:
    if args.accept:
        queue.accept(args.number, args.words, args.me)
    elif args.decline:
        queue.decline(args.number, args.words, args.me)
    else:
        queue.correct(args.number, args.correct, args.words, args.me)


def _short(queue: "Requests", request: "Request") -> list[str]:
    from viva_examiner.harmless import one_line

    return [_head(queue, request), f"    {one_line(request.because, 200)}"]


def _head(queue: "Requests", request: "Request") -> str:
    from viva_examiner.gradebook.request_book import OPEN
    from viva_examiner.harmless import one_line

    mark = "no mark" if request.score is None else f"{request.score:g} points"
    row = queue.standing(request)
    if row is not None:
        mark += f" of {queue.points(row):g}"
    said = [mark, *([] if request.state == OPEN else [request.state])]
    if request.state == OPEN and queue.is_outdated(request):
        said.append("about an earlier attempt")
    who = one_line(request.student, 80)
    return (f"{request.id:>4}  {request.at:%Y-%m-%d %H:%M}  {who}  {one_line(request.cell, 120)}: "
            f"{', '.join(said)}")


def _whole(queue: "Requests", request: "Request") -> Iterator[str]:
    from viva_examiner.harmless import one_line

    yield _head(queue, request)
    yield from (f"    {one_line(line, 2000)}" for line in request.because.split("\n"))
    if request.answer:
        who = f"{one_line(request.answered_by, 60)}, " if request.answered_by else ""
        when = f"{request.answered_at:%Y-%m-%d %H:%M}" if request.answered_at else ""
        yield f"  {request.state}, {who}{when}:"
        yield from (f"    {one_line(line, 4000)}" for line in request.answer.split("\n"))
    if request.submitter:
        yield (f"  viva explain {request.homework} {one_line(request.submitter, 80)} says how the "
               "mark came about")
