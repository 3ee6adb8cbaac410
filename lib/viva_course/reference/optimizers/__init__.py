"""Reference library of `optimizers`: pure steps for numpy and torch, and torch.optim classes."""

from viva_course.reference.optimizers.muon_polynomial import MUON_COEFFS as MUON_COEFFS
from viva_course.sections import exported

globals().update(exported(__name__))
