"""Public cases of `optimizers`, in the order of the notebook."""
# ruff: noqa: I001  (the order of import is the order of the exercises)
from . import momentum
from . import adam
from . import decay
from . import quadratic
from . import torch_class
from . import matrices

__all__ = ["adam", "decay", "matrices", "momentum", "quadratic", "torch_class"]
