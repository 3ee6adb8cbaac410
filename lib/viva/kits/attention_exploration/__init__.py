"""The text that the notebook attention_exploration reads."""

import json
from pathlib import Path


def play() -> str:
    """The opening of Shakespeare's Coriolanus (about 1608): act I, scenes 1 and 2."""
    found = json.loads((Path(__file__).parent / "coriolanus.json").read_text(encoding="utf-8"))
    return "\n".join(found["lines"])
