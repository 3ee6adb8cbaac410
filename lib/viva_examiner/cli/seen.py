"""`viva seen`: somebody has looked at what needs a look."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from viva_examiner.failure import Failure

if TYPE_CHECKING:
    from viva_examiner.course import Course

HELP = """Every run of `viva autograde` names who needs a look: a file that is no notebook, another
homework's notebook, a test that could not be examined. It does so until somebody has looked: has
given the marks by hand, or says so here. Without a student, it lists who is left.

A look alone gives no mark. With --stands the automatic marks that wait become yours: a zero for a
file that cannot be read, say. Marks that do not exist are given in formgrader."""
EXAMPLE = "viva seen kernel_attention ada --note 'a PDF; wrote to her'"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("homework")
    parser.add_argument("student", nargs="?", help="who was looked at; default: list who is left")
    parser.add_argument("--note", default="", help="words for the ledger")
    parser.add_argument("--stands", action="store_true", help="the automatic marks stand")


def run(args: Namespace, course: "Course") -> int:
    from viva_examiner.gradebook import autograded, follow_ups, ledger
    from viva_examiner.gradebook.book import Book
    from viva_examiner.gradebook.by_hand import ByHand
    from viva_examiner.gradebook.released_rows import load
    from viva_examiner.gradebook.submissions import submissions

    with Book(course, args.homework) as book:
        entries = ledger.Ledger(book.db)
        records = [graded for each in submissions(course, args.homework, args.student or "*")
                   for released in load(course, args.homework)
                   if (graded := autograded.stored(course, each, released.notebook))]
        left = follow_ups.unseen(entries, args.homework, records, book.records())
        if not args.student:
            print("\n".join(follow_ups.sentence(name, why) for name, why in sorted(left.items()))
                  or "Nobody is left to look at.")
            return 0
        wanted = [graded for graded in records if graded.look]
        if not wanted:
            raise Failure(f"nothing of {args.student} needs a look in {args.homework}")
        entries.record(ledger.SEEN, args.homework, args.student, note=args.note,
                       why=wanted[0].look, what=[follow_ups.what_was_seen(each) for each in wanted])
        book.db.commit()
        lines = [f"{args.student}: seen"]
        if args.stands:
            stand, open_ = follow_ups.let_stand(ByHand(book.db, course, args.homework),
                                          args.student)
            lines += [f"{cell}: {score:g} points stand" for cell, score in stand]
            lines += [f"{cell}: there is no mark; give one in formgrader" for cell in open_]
    print("\n".join(lines))
    return 0
