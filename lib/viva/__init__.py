"""Viva, the student kit: `check` says what is wrong and why, `submit` writes your log."""

import sys

from viva.version import __version__

try:
    from viva.checking import check
    from viva.desk import begin, submit
    from viva.examples import example
    from viva.look import look
    from viva.regrade import request
    from viva.voce.defending import defend
    from viva.waiting import bar
    from viva.warming import warm_up, warm_up_homeworks
except ImportError:
    if sys.argv[1:2] != ["doctor"]:  # `viva doctor` starts all the same, and says what is missing
        raise

__all__ = ["__version__", "bar", "begin", "check", "defend", "example", "look", "request",
           "submit", "warm_up", "warm_up_homeworks"]
