"""Where the repository is: the one place that counts folders upwards."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
