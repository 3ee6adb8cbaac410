"""The most memory that a run of the examiner takes, looked at every second."""

import re
import threading
from pathlib import Path


class Memory:
    """The largest memory, shared pages divided, of a process and of all that the examiner runs."""

    def __init__(self, pid: int):
        self.own = Path("/proc") / str(pid)
        self.own_mb, self.others_mb, self.over = 0.0, 0.0, threading.Event()

    def __enter__(self) -> "Memory":
        self.thread = threading.Thread(target=self._watch)
        self.thread.start()
        return self

    def __exit__(self, *_) -> None:
        self.over.set()
        self.thread.join()

    def _watch(self) -> None:
        while not self.over.wait(1.0):
            self.own_mb = max(self.own_mb, _share_mb(self.own))
            others = filter(_is_ours, Path("/proc").glob("[0-9]*"))
            self.others_mb = max(self.others_mb, sum(map(_share_mb, others)))


def _is_ours(process: Path) -> bool:
    try:
        return (process / "comm").read_text().startswith("viva-")
    except OSError:
        return False  # it has ended


def _share_mb(process: Path) -> float:
    try:
        account = (process / "smaps_rollup").read_text()
    except OSError:
        return 0.0
    return int(re.search(r"^Pss: +(\d+)", account, re.MULTILINE)[1]) / 1024
