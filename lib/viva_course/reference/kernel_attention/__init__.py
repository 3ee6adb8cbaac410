"""Kernelised (linear) attention: similarities, feature maps, linear-time forms.

Rows are tokens. numpy in, numpy out, computed in float64 whatever the inputs; leading
axes are batch axes. The torch forms, which keep dtype and device and can be
differentiated, carry the same names in the submodule `differentiable`.
"""

from viva_course.reference.kernel_attention import differentiable
from viva_course.reference.kernel_attention.cost import (
    attention_floats,
    attention_macs,
    crossover_length,
)
from viva_course.reference.kernel_attention.linear import (
    LinearAttentionState,
    causal_linear_attention,
    linear_attention,
    rff_softmax_attention,
)
from viva_course.reference.kernel_attention.module import MultiHeadLinearAttention
from viva_course.reference.kernel_attention.polynomial import poly2_features, poly_features
from viva_course.reference.kernel_attention.random_features import (
    orthogonal_frequencies,
    positive_features,
    rff_features,
    rff_variance,
    sample_frequencies,
)
from viva_course.reference.kernel_attention.similarity import (
    gauss_sim,
    kernel_attention,
    poly2_sim,
    softmax_sim,
    softmax_via_gauss,
)

__all__ = [
    "LinearAttentionState",
    "MultiHeadLinearAttention",
    "attention_floats",
    "attention_macs",
    "causal_linear_attention",
    "crossover_length",
    "differentiable",
    "gauss_sim",
    "kernel_attention",
    "linear_attention",
    "orthogonal_frequencies",
    "poly2_features",
    "poly2_sim",
    "poly_features",
    "positive_features",
    "rff_features",
    "rff_softmax_attention",
    "rff_variance",
    "sample_frequencies",
    "softmax_sim",
    "softmax_via_gauss",
]
