"""Kernelised (linear) attention: similarities, feature maps, linear-time forms.

Rows are tokens. numpy in, numpy out, computed in float64 whatever the inputs; leading
axes are batch axes. The torch forms, which keep dtype and device and can be
differentiated, carry the same names in the submodule `differentiable`.
"""

from viva_course.reference.kernel_attention import differentiable as differentiable
from viva_course.sections import exported

globals().update(exported(__name__))
