"""Public cases of the homework `pretraining`."""

SECTIONS = ("texts", "attention", "model", "answers", "training")
