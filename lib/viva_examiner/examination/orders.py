"""What an engine must know of a course, and the one place where the way to isolate is chosen."""

from collections.abc import Iterable
from dataclasses import replace

from viva_examiner.course import Course
from viva_examiner.gradebook.course_secret import agreed
from viva_examiner.notebook.released import Released
from viva_examiner.records import Order
from viva_examiner.sandbox import isolation, preload

ANSWERS = ".viva-answers"  # what the course library keeps between runs


def order_of(course: Course, released: Iterable[Released] = (),
             secret: str | None = None) -> Order:
    """What an engine must know to grade these notebooks of a course.

    secret: for a trial that gives no mark; else the one that the course's ledger knows, and
        WrongSecret is raised where this account has another
    """
    return Order(
        released=tuple(each.to_json() for each in released),
        limits=course.limits,
        secret=agreed(course) if secret is None else secret,
        isolation=isolation.NONE if course.settings.trusted_machine else "",
        library=course.settings.course,
        hide=(str(course.root),),
        preload=tuple(preload.wanted(course.root)),
        answers=str(course.root / ANSWERS),
    )


def settled(order: Order) -> Order:
    """The order with the way that candidates are kept apart on this machine.

    Raises CannotIsolate, with a sentence that says what to change.
    """
    if order.isolation:
        return order
    try:
        way = isolation.chosen(in_container=order.fallback == isolation.OTHER_USER)
    except isolation.CannotIsolate:
        if order.fallback != isolation.NONE:
            raise
        way = isolation.NONE
    return replace(order, isolation=way)
