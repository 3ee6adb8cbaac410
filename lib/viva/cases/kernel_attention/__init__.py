"""Public cases of the homework kernel_attention, in the order of its exercises."""

from viva.cases.kernel_attention import similarities  # noqa: I001  the order of the exercises
from viva.cases.kernel_attention import costs, sampled, causal

__all__ = ["causal", "costs", "sampled", "similarities"]
