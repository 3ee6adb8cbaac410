"""One attention head: by hand, as formulas, and learned."""

from viva_course.sections import exported

globals().update(exported(__name__))
