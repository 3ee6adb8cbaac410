"""Public scenarios of hand_design_transformer, a module per part of the notebook."""
from . import head, designs, learned  # noqa: I001  (the order of the exercises)

__all__ = ["designs", "head", "learned"]
