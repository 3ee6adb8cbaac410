"""Public cases of the homework `pretraining`."""

SECTIONS = ("vocabulary", "spans", "questions", "attention", "model", "answers", "training")
