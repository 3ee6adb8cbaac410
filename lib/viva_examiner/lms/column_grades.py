"""Grades in a column: read as they stand, and sent one by one."""

import html
import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from viva_examiner.harmless import one_line
from viva_examiner.lms.columns import Column
from viva_examiner.lms.platform_failure import LmsFailure
from viva_examiner.lms.service import Service

RESULTS = "application/vnd.ims.lis.v2.resultcontainer+json"
SCORE = "application/vnd.ims.lis.v1.score+json"
TAGS = re.compile(r"<[^>]{0,200}>")
MAX_COMMENT = 500  # characters


@dataclass(frozen=True)
class PlatformGrade:
    """A grade as the platform shows it; the comment is None where it tells none."""

    score: float
    comment: str | None = None


def read(service: Service, column: Column, points: float) -> dict[str, PlatformGrade]:
    """{user id: grade} of everybody who has one, on the scale of `points`.

    The scale is the column's own maximum. What a result calls its maximum is, on Moodle, the one
    that the tool sent, whatever a teacher has made of the column since.
    """
    found = {}
    for page in service.pages(column.below("results"), RESULTS):
        if not isinstance(page, list):
            raise LmsFailure("the platform's list of grades has another form than LTI's")
        for entry in page:
            score = entry.get("resultScore") if isinstance(entry, dict) else None
            if isinstance(score, int | float) and entry.get("userId") is not None:
                scaled = float(score) * points / column.maximum if column.maximum else float(score)
                found[str(entry["userId"])] = PlatformGrade(scaled, _comment(entry.get("comment")))
    return found


def send(service: Service, column: Column, user_id: str, score: float, points: float, comment: str,
         when: float) -> None:
    """Send one final grade. Raises Refused, Unreachable.

    The comment goes along each time: without one Moodle erases the last.
    when: seconds since 1970; the platform refuses a time that is not later than the last
    """
    moment = datetime.fromtimestamp(when, UTC).isoformat(timespec="milliseconds")
    body = {"userId": user_id, "scoreGiven": score, "scoreMaximum": points,
            "comment": comment[:MAX_COMMENT], "timestamp": moment.replace("+00:00", "Z"),
            "activityProgress": "Completed", "gradingProgress": "FullyGraded"}
    service.send("POST", column.below("scores"), json.dumps(body).encode(), SCORE)


def _comment(comment: Any) -> str | None:
    """A comment as words: platforms keep it as HTML."""
    if not isinstance(comment, str):
        return None
    return one_line(html.unescape(TAGS.sub(" ", comment)), MAX_COMMENT)
