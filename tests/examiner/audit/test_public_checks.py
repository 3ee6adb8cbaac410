"""What `viva audit` makes of the students' check: each exercise in a process of its own."""

import argparse
import os
import time
from types import SimpleNamespace

import pytest

from viva_examiner.cli.audit import public_checks
from viva_examiner.failure import Failure

THREE = [SimpleNamespace(name=name, homework=homework)
         for name, homework in (("slow", "one"), ("quick", "one"), ("other", "two"))]
COURSE = SimpleNamespace(library=SimpleNamespace(noticing=lambda homework, rows: (homework, rows)))


def checks(public_check):
    options = argparse.Namespace(all=False, jobs=2)
    return list(public_checks(COURSE, THREE, SimpleNamespace(public_check=public_check), options))


def test_rows_stand_in_the_order_of_the_exercises_whichever_ends_first():
    def row(exercise, again):
        time.sleep(0.2 * (exercise.name == "slow"))
        return exercise.name

    assert checks(row) == [("one", ["slow", "quick"]), ("two", ["other"])]


def test_a_check_that_ends_its_process_is_named():
    def row(exercise, again):
        return os._exit(3) if exercise.name == "quick" else exercise.name

    with pytest.raises(Failure, match="the check of quick: the process died"):
        checks(row)
