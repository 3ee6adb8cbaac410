"""Who is asked: a random sample that nobody can foresee and everybody can check.

Each student is drawn with a stated probability, by the course's secret. It is higher where the
report has something to say: a log that does not fit, code built like another student's, or full
marks without a single failed check. Most of that has an innocent reason, so it makes a conversation
more likely and never certain.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping

from viva.log import tried_in
from viva_examiner.course import Course
from viva_examiner.examination.submission_log import BadLog, parse
from viva_examiner.notebook.staff import read_notebook
from viva_examiner.report.sheets import Sheet
from viva_examiner.report.signs import log_mismatches
from viva_examiner.report.similar import similar

RAISED = 2.0  # times the probability where the report has something to say
MOST = 0.9  # nobody is singled out for certain


def remarkable(course: Course, homework: str, sheets: list[Sheet],
               logs: Mapping[str, bytes]) -> set[str]:
    """The students about whom the report has something to say.

    logs: {student: the log that was handed in}
    """
    notebook = read_notebook(course, homework)
    given = [source for _, source in notebook.order] if notebook else []
    given += list(notebook.cleared.values()) if notebook else []
    handed_in = {sheet.student: {cell.grade_id: cell.source for cell in sheet.cells
                                 if cell.solution} for sheet in sheets}
    twins = {name for pair in similar(handed_in, given) for name in (pair.one, pair.other)}
    mismatched = {student for student, _ in log_mismatches(sheets)}
    return twins | mismatched | smooth(sheets, logs, homework)


def smooth(sheets: list[Sheet], logs: Mapping[str, bytes], homework: str) -> set[str]:
    """The students who have full marks and never saw a check fail."""
    return {sheet.student for sheet in sheets if sheet.points and sheet.score >= sheet.points
            and never_failed(logs.get(sheet.student, b""), homework)}


def never_failed(data: bytes, homework: str) -> bool:
    """Whether a log says that every check passed at once. One of an older kit cannot say so."""
    try:
        log = parse(data, homework)
    except BadLog:
        return False
    return bool(log["exercises"]) and isinstance(log.get("tried"), dict) and not any(
        "failed" in counts for counts in tried_in(log).values())


def drawn(students: Iterable[str], share: float, raised: set[str], secret: str,
          homework: str) -> list[str]:
    """The students of the sample. The same for the same secret, whoever else handed in."""
    return [student for student in students
            if _lot(secret, homework, student) < probability(share, student in raised)]


def probability(share: float, is_raised: bool) -> float:
    return max(share, min(MOST, RAISED * share)) if is_raised else share


def _lot(secret: str, homework: str, student: str) -> float:
    """A number in [0, 1) that belongs to this student and homework."""
    words = f"voce sample\n{homework}\n{student}".encode()
    digest = hmac.new(secret.encode(), words, hashlib.sha256).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def how(share: float) -> str:
    """The sentence that stands on every page."""
    return (f"Drawn at random: each student with probability {share:.0%}, and with "
            f"{probability(share, True):.0%} where the report has a remark (a log that does not "
            "fit, code built like another's, full marks without a failed check). Being drawn says "
            "nothing about a student.")
