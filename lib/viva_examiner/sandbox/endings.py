"""How a candidate ended, in words for a TA."""

import signal

from viva_examiner.limits import Limits


def how_it_ended(usage: dict, limits: Limits) -> str:
    """usage: the warm interpreter's last account of the process."""
    code, reason = usage.get("code"), usage.get("reason")
    if reason == "memory":
        return f"killed for using more than {limits.memory_mb} MB of memory"
    if code == -signal.SIGKILL:
        return "killed (out of memory or CPU time)"
    if isinstance(code, int) and code < 0:
        return f"crashed with {_signal_name(-code)}"
    return f"left with exit code {code}"


def _signal_name(number: int) -> str:
    known = [s.name for s in signal.Signals if s.value == number]
    return known[0] if known else f"signal {number}"
