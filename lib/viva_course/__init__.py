"""The course: reference answers, exams, and `examine`, which asks the hidden questions."""

from viva_course.digests import digest
from viva_course.examining import examine
from viva_course.logs import grade_log
from viva_course.noticed import noticed, noticing
from viva_course.rubric import exercises
from viva_course.secret import course_secret

__all__ = ["course_secret", "digest", "examine", "exercises", "grade_log", "noticed", "noticing"]
