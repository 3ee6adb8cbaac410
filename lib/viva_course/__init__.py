"""The course: reference answers, exams, and `examine`, which asks the hidden questions."""

from viva_course.accounts import witness
from viva_course.claiming import claims_of
from viva_course.exam_digest import digest
from viva_course.examining import examine
from viva_course.kept import keep_answers
from viva_course.log_grading import grade_log
from viva_course.noticed import noticed, noticing
from viva_course.replaying import replay
from viva_course.rubric import exercises
from viva_course.secret import course_secret, find_secret, keep_secret, secret_path
from viva_course.whys import whys_of

__all__ = ["claims_of", "course_secret", "digest", "examine", "exercises", "find_secret",
           "grade_log", "keep_answers", "keep_secret", "noticed", "noticing", "replay",
           "secret_path", "whys_of", "witness"]
