"""`viva upgrade`: a gradebook of an older nbgrader or viva gets the form of today."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from viva_examiner.course import Course

HELP = """Bring the gradebook to the form that this version of nbgrader and viva works with. It is
tried on a copy first, and what is in the copy is counted; if that fails, the gradebook stays as it
was. The old file is kept in backups/. What viva itself adds to a gradebook it adds by itself, tried
on a copy too; this command is for gradebooks that another version of nbgrader made."""
EXAMPLE = "viva upgrade"


def arguments(parser: ArgumentParser) -> None:
    """It has none."""


def run(args: Namespace, course: "Course") -> int:
    from viva_examiner.gradebook.upgrading import upgrade

    print("\n".join(upgrade(course)))
    return 0
