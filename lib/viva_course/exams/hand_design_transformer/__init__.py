"""The exam of hand_design_transformer, a module per idea, in the order of the notebook."""
from . import (  # noqa: I001  (the order of the exercises)
    softmax,
    head,
    torch_head,
    content,
    position,
    unique,
    circuits,
    training,
    induction,
)

__all__ = ["circuits", "content", "head", "induction", "position", "softmax", "torch_head",
           "training", "unique"]
