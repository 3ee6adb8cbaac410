"""Viva, the student kit: `check` says what is wrong and why, `submit` writes your log."""

from viva.checking import check
from viva.desk import begin, submit
from viva.look import look
from viva.waiting import bar
from viva.warming import warm_up

__version__ = "1.0.0"
__all__ = ["bar", "begin", "check", "look", "submit", "warm_up"]
