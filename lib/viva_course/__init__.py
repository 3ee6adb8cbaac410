"""The course: reference answers, exams, and `examine`, which asks the hidden questions."""

from viva_course.examining import examine
from viva_course.rubric import exercises

__all__ = ["examine", "exercises"]
