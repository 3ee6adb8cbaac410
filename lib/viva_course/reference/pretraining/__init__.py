"""Reference library of the homework `pretraining`."""

from viva_course.sections import exported

globals().update(exported(__name__))
