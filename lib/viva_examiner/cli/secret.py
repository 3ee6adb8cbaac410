"""`viva secret`: the seed of the hidden inputs, the same for all who grade a course."""

import getpass
import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from viva_examiner.failure import Failure

if TYPE_CHECKING:
    from viva_examiner.course import Course

HELP = """The hidden inputs of a course come from one secret. `viva release` makes it once; the
gradebook keeps its digest, and nobody grades with another. On another account or machine:

  viva secret show   where it is: prints it. Send it as you would a password, never to a student
  viva secret set    where it is missing: asks for it (or reads it from a pipe) and keeps it in a
                     file that only you can read

$VIVA_SECRET, or the file that $VIVA_SECRET_FILE names, takes precedence: use one of them for a
second course on the same account. With --new, `set` makes this the course's secret from now on; the
next `viva autograde` then examines everybody again."""
EXAMPLE = "viva secret show"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("act", choices=("show", "set"))
    parser.add_argument("--new", action="store_true", help="set: a new secret for the course")


def run(args: Namespace, course: "Course") -> int:
    from viva_examiner.gradebook import course_secret, ledger

    if not course_secret.has_secret(course):
        raise Failure("this course has no library of exams, so it needs no secret")
    if args.act == "show":
        print(course_secret.agreed(course))
        print("This is secret: whoever has it knows the hidden inputs.", file=sys.stderr)
        return 0
    given = (getpass.getpass("The course's secret: ") if sys.stdin.isatty()
             else sys.stdin.readline()).strip()
    if not given:
        raise Failure("no secret was given; nothing has changed")
    with ledger.opened(course) as book:
        known = book.last(ledger.SECRET)
        if known is None or args.new:
            course_secret.change(book, given)
        elif why := course_secret.what_is_wrong(known, given):
            raise Failure(f"this is not the course's secret, nothing has changed: {why} "
                          "(--new makes it the secret of the course from now on)")
    course.library.keep_secret(given)
    if course_secret.here(course) != given:
        raise Failure("it is kept, but $VIVA_SECRET holds another one and takes precedence: "
                      "unset it")
    print("This account has the course's secret now.")
    return 0
