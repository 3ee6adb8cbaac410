"""Reference library of the homework `autoencoders`."""

from viva_course.sections import exported

globals().update(exported(__name__))
