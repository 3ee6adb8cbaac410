"""Peak memory of one call, as the kernel saw it: nothing the call does can lower it."""

import resource
from pathlib import Path

from viva import seam
from viva.heap import give_back


def peak_mb(function, *args, **kwargs) -> float:
    """By how many MB the resident memory of the function's process grew at most.

    A proxy of a function in a sandbox names that process (`viva.seam`); an ordinary function
    runs here. Linux keeps the high-water mark (VmHWM) and lets its owner reset it.
    """
    pid = seam.process_of(function)
    process = Path("/proc") / str(pid)
    give_back(function)
    try:
        (process / "clear_refs").write_text("5")  # 5 resets the high-water mark
    except OSError:
        return _peak_since_start(function, args, kwargs)
    before = _high_water_mb(process)
    function(*args, **kwargs)
    return _high_water_mb(process) - before


def _high_water_mb(process: Path) -> float:
    for line in (process / "status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"no VmHWM in {process}")


def _peak_since_start(function, args, kwargs) -> float:
    """Where the mark cannot be reset (macOS): growth of the process's peak so far."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    function(*args, **kwargs)
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 2**20
