"""Self-supervised linear purification: a small W that still reproduces X from itself.

    L(W) = ||X - W X||_F^2 + lam ||W||_F^2
    What = X X^T (X X^T + lam I)^-1 = U diag(s^2 / (s^2 + lam)) U^T,   X = U diag(s) V^T

Columns of X (..., m, n) are samples and rows are channels. numpy functions take lists, float32 or
float64, compute in float64, accept leading batch axes unless they say otherwise, and modify none
of their arguments; `lam` is a number, or an array over the batch axes. `torch_purifier` is the
differentiable twin. Wrong arguments raise ValueError.
"""

from viva_course.sections import exported

globals().update(exported(__name__))
