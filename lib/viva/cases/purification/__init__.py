"""Public cases of purification, in the order of the notebook."""

SECTIONS = ("losses", "minimiser", "filters", "interval", "descent", "denoising", "dimensions",
            "bottleneck", "others", "truth")
