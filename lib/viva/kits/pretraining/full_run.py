"""The curves of the full run, as numbers. bench/pretraining.py made them."""

import json
from pathlib import Path


def full_run() -> dict:
    """What bench/pretraining.py measured, by the name of the run: a kind and the number of a start.

    "seed 0", "unseen 0", ...: losses of pretraining as pairs [step, loss]; accuracy as pairs [steps
    of pretraining, right answers of 500]; scratch, right answers without pretraining; and the
    answers themselves. "place first 0", "place second 0", ...: accuracy and scratch
    """
    return json.loads((Path(__file__).parent / "full_run.json").read_text(encoding="utf-8"))
