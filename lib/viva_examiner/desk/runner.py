"""One run of a command for the desk: holds the course's lock, and notes how the command ended.

    python -m viva_examiner.desk.runner FOLDER LOCK WORD…

The desk may be stopped and started meanwhile: this process goes on. SIGTERM stops the command as
Ctrl-C does, which loses nothing: what was graded is kept.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 30.0  # seconds for a command to end after Ctrl-C, which lets a running cell end


def main(folder: Path, lock: int, words: list[str]) -> int:
    """Run `viva WORD…` in the course above `folder`; `lock` is the open file that is locked."""
    state = json.loads((folder / "run.json").read_text()) | {"pid": os.getpid()}
    _keep(folder, state)
    with (folder / "run.log").open("wb") as log:
        command = subprocess.Popen([sys.executable, "-m", "viva_examiner.cli", *words],
                                   cwd=folder.parent, stdin=subprocess.DEVNULL, stdout=log,
                                   stderr=subprocess.STDOUT, start_new_session=True)
    stopped = False

    def stop(*_: object) -> None:
        nonlocal stopped
        stopped = True
        os.killpg(command.pid, signal.SIGINT)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    code = _waited(command, lambda: stopped)
    _keep(folder, state | {"ended": time.time(), "code": code, "stopped": stopped})
    os.close(lock)
    return 0


def _waited(command: subprocess.Popen, stopped: Callable[[], bool]) -> int:
    since = 0.0
    while True:
        try:
            return command.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            since += 0.5 if stopped() else 0.0
            if since >= PATIENCE:
                os.killpg(command.pid, signal.SIGKILL)


def _keep(folder: Path, state: dict) -> None:
    fresh = folder / f".run.{os.getpid()}"
    fresh.write_text(json.dumps(state))
    fresh.replace(folder / "run.json")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
