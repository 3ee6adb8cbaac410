"""What one submission may use, and how large its files may be."""

from dataclasses import asdict, dataclass, field
from typing import Any

MAX_NOTEBOOK_BYTES = 64 * 2**20  # of all notebooks that lie in one submission
MAX_FILES_BYTES = 32 * 2**20  # of the files beside a notebook that travel with it
MAX_LOG_BYTES = 2_000_000  # a log that the kit writes stays far below


def _limit(default: float, means: str) -> Any:
    return field(default=default, metadata={"help": means})


@dataclass(frozen=True)
class Limits:
    """Limits of one submission; times are wall-clock seconds.

    Each is a setting of the same name (`c.Examiner.cell_seconds = 60` in nbgrader_config.py).
    """

    cell_seconds: float = _limit(30, "time for one cell of a notebook")
    question_seconds: float = _limit(20, "time for one question of a hidden test")
    submission_seconds: float = _limit(300, "time for a whole submission")
    memory_mb: int = _limit(1500, "memory beyond the bare interpreter's, of all processes together")
    processes: int = _limit(64, "processes and threads of a submission")
    tmp_mb: int = _limit(256, "size of a submission's private directory")
    file_mb: int = _limit(128, "size of one file in it")
    output_kb: int = _limit(512, "output kept of one cell, text and pictures")
    outputs_mb: int = _limit(24, "output kept of all cells together")
    message_mb: int = _limit(128, "largest answer to one question")
    tests_mb: int = _limit(2048, "memory of the process that runs the tests, beyond its libraries")
    worker_mb: int = _limit(2048, "memory that reading a submission may take in a worker")

    def as_dict(self) -> dict:
        """Plain data, for the warm interpreter."""
        return asdict(self)
