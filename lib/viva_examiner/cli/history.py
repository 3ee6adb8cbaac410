"""`viva history`: what people did to a student's marks."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from viva_examiner.course import Course

HELP = """Print the ledger of a student's homework: every mark that a person gave, when, what it was
before, with which items and comment; what was undone, seen or pushed to a learning platform; and
where a marked text was replaced by another. A mark that is in the gradebook and in no entry was
given in formgrader; it is recorded now. `viva written` shows the same beside each answer."""
EXAMPLE = "viva history kernel_attention ada"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("homework")
    parser.add_argument("student")
    parser.add_argument("--cell", help="only this cell, say written_why")


def run(args: Namespace, course: "Course") -> int:
    from viva_examiner.gradebook import ledger
    from viva_examiner.gradebook.by_hand import ByHand
    from viva_examiner.gradebook.ledger_words import in_words

    with ledger.opened(course) as book:
        ByHand(book.db, course, args.homework).settle([args.student])
        found = book.entries(homework=args.homework, student=args.student, cell=args.cell)
    print("\n".join(map(in_words, found)) or f"Nobody has given {args.student} a mark by hand in "
          f"{args.homework}.")
    return 0
