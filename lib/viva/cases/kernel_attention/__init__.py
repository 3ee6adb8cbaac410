"""Public cases of kernel_attention, in the order of the notebook."""

SECTIONS = ("similarities", "features", "linear", "costs", "sampled", "approximate", "causal",
            "recurrent", "module")
