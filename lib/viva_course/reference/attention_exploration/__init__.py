"""Attention from the ground up: choosing, scaling, aiming, several heads, positions.

Rows are tokens. numpy in, numpy out, computed in float64, but for the first section, which is
about gradients and keeps torch's tensors.
"""

from viva_course.sections import exported

globals().update(exported(__name__))
