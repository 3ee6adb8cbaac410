"""Viva, the student kit: `check` says what is wrong and why, `submit` writes your log."""

from viva.checking import check
from viva.desk import begin, submit
from viva.examples import example
from viva.look import look
from viva.version import __version__
from viva.waiting import bar
from viva.warming import warm_up, warm_up_homeworks

__all__ = ["__version__", "bar", "begin", "check", "example", "look", "submit", "warm_up",
           "warm_up_homeworks"]
