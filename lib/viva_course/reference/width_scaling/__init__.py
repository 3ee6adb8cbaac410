"""Reference of the homework `width_scaling`: norms, muP, and learning rates that transfer."""

from viva_course.sections import exported

globals().update(exported(__name__))
