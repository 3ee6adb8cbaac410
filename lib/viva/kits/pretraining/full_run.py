"""The curves of the full run, as numbers. bench/pretraining.py made them."""

import json
from pathlib import Path


def full_run() -> dict:
    """What bench/pretraining.py measured, by the name of the run ("seed 0", "seed 1", ...).

    Each run: losses of pretraining as pairs [step, loss]; accuracy as pairs [steps of pretraining,
    right answers of 500]; scratch, right answers without pretraining; and the answers themselves
    """
    return json.loads((Path(__file__).parent / "full_run.json").read_text(encoding="utf-8"))
