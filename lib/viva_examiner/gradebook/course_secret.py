"""One secret for one course: the gradebook knows its digest, and nobody grades with another.

The secret itself is in no gradebook. It is made at the first release (or at the first grading of a
gradebook that is older than this), by the course's own library; the ledger keeps who made it, when,
and its digest.
"""

import hashlib

from viva_examiner.course import Course
from viva_examiner.failure import Failure
from viva_examiner.gradebook import ledger
from viva_examiner.gradebook.ledger import SECRET, Entry, Ledger

HOW = ("Whoever has it types `viva secret show`; then type `viva secret set` here and paste it "
       "(docs/ta.md)")


class WrongSecret(Failure):
    """This account would examine on other hidden inputs than the course."""


def secret_digest(secret: str) -> str:
    return hashlib.sha256(f"viva course secret\n{secret}".encode()).hexdigest()[:32]


def agreed(course: Course) -> str:
    """The course's secret; made and recorded if it has none. Empty for a course without exams.

    Raises WrongSecret where this account has another one, or none of a course that has one.
    """
    if not has_secret(course):
        return ""
    with ledger.opened(course) as book:
        known = book.last(SECRET)
        if known is None:
            found = course.library.course_secret()
            book.record(SECRET, digest=secret_digest(found))
            return found
    found = here(course)
    if why := what_is_wrong(known, found):
        raise WrongSecret(f"{why} {HOW}.")
    return found


def here(course: Course) -> str:
    """The secret that this account has, without making one."""
    return course.library.find_secret()


def has_secret(course: Course) -> bool:
    """Whether the hidden inputs of this course come from a secret."""
    return hasattr(course.library, "find_secret")


def what_is_wrong(known: Entry, found: str) -> str:
    """Why the secret of this account is not the one that the ledger knows; empty if it is."""
    made = f"it was made by {known.author} on {known.at:%Y-%m-%d}"
    if not found:
        return f"this account does not have the course's secret; {made}."
    if secret_digest(found) != known.payload["digest"]:
        return (f"this account has another secret than the course ({made}): unchanged work would "
                "be examined on other hidden inputs.")
    return ""


def change(book: Ledger, secret: str) -> None:
    """From now on the course has this secret. The caller commits."""
    book.record(SECRET, digest=secret_digest(secret))
