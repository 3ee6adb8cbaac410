"""Exam of `optimizers`, in the order of the notebook."""
# ruff: noqa: I001  (the order of import is the order of the exercises)
from . import momentum
from . import averages
from . import adam
from . import adam_mistakes
from . import decay
from . import adam_decay
from . import noise
from . import quadratic
from . import nesterov
from . import counting
from . import torch_class
from . import steepest_descent
from . import orthogonal
from . import muon_polynomial
from . import muon

__all__ = ["adam", "adam_decay", "adam_mistakes", "averages", "counting", "decay", "momentum",
           "muon", "muon_polynomial", "nesterov", "noise", "orthogonal", "quadratic",
           "steepest_descent", "torch_class"]
