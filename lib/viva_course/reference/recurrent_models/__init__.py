"""Recurrent networks and state-space models: states, gradients, kernels, scans. numpy, float64."""

from viva_course.sections import exported

globals().update(exported(__name__))
