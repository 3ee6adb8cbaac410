"""What one submission may use, and how large its files may be."""

from dataclasses import asdict, dataclass

MAX_NOTEBOOK_BYTES = 64 * 2**20  # of all notebooks that lie in one submission
MAX_FILES_BYTES = 32 * 2**20  # of the files beside a notebook that travel with it
MAX_LOG_BYTES = 2_000_000  # a log that the kit writes stays far below


@dataclass(frozen=True)
class Limits:
    """Limits of one submission; times are wall-clock seconds.

    cell_seconds: one cell of the notebook
    question_seconds: one call that a hidden test makes
    submission_seconds: everything together
    memory_mb: memory beyond that of the bare interpreter, of all processes together
    processes: processes and threads
    tmp_mb, file_mb: the private disk, and one file on it
    output_kb: text and pictures of one cell
    outputs_mb: those of all cells that are shown
    message_mb: one answer to a question
    """

    cell_seconds: float = 30
    question_seconds: float = 20
    submission_seconds: float = 300
    memory_mb: int = 1500
    processes: int = 64
    tmp_mb: int = 256
    file_mb: int = 128
    output_kb: int = 512
    outputs_mb: int = 24
    message_mb: int = 128

    def as_dict(self) -> dict:
        """Plain data, for the warm interpreter."""
        return asdict(self)
