"""The exam of the homework kernel_attention, in the order of its exercises."""

from viva_course.exams.kernel_attention import similarities  # noqa: I001  the order of exercises
from viva_course.exams.kernel_attention import features, linear, costs, sampled, approximate
from viva_course.exams.kernel_attention import causal, recurrent, module

__all__ = ["approximate", "causal", "costs", "features", "linear", "module", "recurrent",
           "sampled", "similarities"]
