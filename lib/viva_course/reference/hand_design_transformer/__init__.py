"""One attention head: by hand, as formulas, and learned.

    attention   softmax, the head itself, and how sharp its scores must be
    designs     matrices written down by hand for six tasks
    circuits    what of the matrices matters: the QK and OV circuits, and the gauge freedom
    learned     the same head as a torch module, and its training
"""
from .attention import attention_head, min_score_gap, stable_softmax
from .circuits import gauge_transform, qk_ov
from .designs import (
    design_first,
    design_histogram,
    design_identity,
    design_induction,
    design_shift,
    design_unique,
    induction_output,
)
from .learned import TorchHead, train_head

__all__ = [
    "TorchHead",
    "attention_head",
    "design_first",
    "design_histogram",
    "design_identity",
    "design_induction",
    "design_shift",
    "design_unique",
    "gauge_transform",
    "induction_output",
    "min_score_gap",
    "qk_ov",
    "stable_softmax",
    "train_head",
]
