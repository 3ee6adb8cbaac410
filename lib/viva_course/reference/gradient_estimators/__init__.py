"""Estimators of the gradient of an expectation, and what can be climbed with them. numpy."""

from viva_course.sections import exported

globals().update(exported(__name__))
