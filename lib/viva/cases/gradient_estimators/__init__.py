"""Public cases of the homework gradient_estimators, a module per section of the notebook."""

SECTIONS = ("score", "reparam", "policy", "smoothing", "ascent", "blackbox")
