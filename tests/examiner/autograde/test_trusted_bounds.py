"""What a submission makes the examiner itself show, hold and wait for is bounded."""

import json
import time
from dataclasses import replace

import numpy as np
import pytest

from plain_course import nbgrader
from viva_examiner.examination.grade import grade
from viva_examiner.examination.memory import bounded_memory
from viva_examiner.examination.scores import score_of
from viva_examiner.limits import Limits
from viva_examiner.notebook.released import Released, ReleasedCell
from viva_examiner.records import Work

TEST = """### BEGIN HIDDEN TESTS
import numpy as np
W = weights(3)
assert np.abs(W - W.T).max() < 1e-9
### END HIDDEN TESTS"""
AGAIN = """### BEGIN HIDDEN TESTS
print(weights(2))
assert weights(2).shape == (2, 2), weights(2)
### END HIDDEN TESTS"""
RELEASED = Released("hw", "hw", (
    ReleasedCell("weights", "code", "", "", locked=False, solution=True),
    ReleasedCell("test_symmetric", "code", TEST, "", locked=True, grade=True, points=2),
    ReleasedCell("test_shape", "code", AGAIN, "", locked=True, grade=True, points=1)))
RIGHT = "import numpy as np\ndef weights(n):\n    return np.eye(n)\n"
LIMITS = Limits(cell_seconds=10, question_seconds=5, submission_seconds=60)


def examined(warm, code, *own, limits=LIMITS):
    """What comes of a submission with cells of its own before the one that is asked for."""
    made = [{"cell_type": "code", "source": source, "metadata": {}} for source in own]
    made.append({"cell_type": "code", "source": code,
                 "metadata": nbgrader("weights", solution=True)})
    data = json.dumps({"nbformat": 4, "cells": made}).encode()
    return grade(warm, RELEASED, Work(data, student="mallory"), limits)


def scores(graded) -> list:
    return [mark.score for mark in graded.marks.values()]


def test_two_shapes_that_broadcast_to_too_much_cost_that_test(warm):
    column = "import numpy as np\ndef weights(n):\n    return np.zeros((20_000, 1))[: n**9]\n"
    with bounded_memory(1000):
        wrong, right = examined(warm, column), examined(warm, RIGHT)
    assert wrong.status == "graded" and scores(wrong) == [0, 0]
    assert "MemoryError" in wrong.marks["test_symmetric"].reason
    assert scores(right) == [2, 1]


def test_the_bound_holds_in_its_block_only_and_counts_from_what_is_there():
    with bounded_memory(100):
        kept = np.ones(8 << 20, np.uint8)
        with pytest.raises(MemoryError):
            np.ones(200 << 20, np.uint8)
    assert np.ones(200 << 20, np.uint8).size > kept.size


def test_the_sum_of_outputs_is_bounded_and_no_mark_depends_on_it(warm):
    """80 large outputs made a notebook of 339 MB out of one of 14 KB."""
    picture = ("import base64\nfrom IPython.display import display\n"
               "data = base64.b64encode(b'\\x89PNG\\r\\n\\x1a\\n' + bytes(300_000)).decode()\n"
               "display({'image/png': data, 'text/plain': 'x' * 100_000}, raw=True)")
    graded = examined(warm, RIGHT, *[picture] * 10, limits=replace(LIMITS, outputs_mb=2))
    assert scores(graded) == [2, 1]
    assert 1_500_000 < len(graded.text) < 2_500_000 and "left out" in graded.text
    assert graded.remarks[-1].text == "shows more than 2 MB; the rest is left out"


def test_what_a_test_says_about_an_answer_is_bounded(warm):
    graded = examined(warm, "def weights(n):\n    return 'x' * 10_000_000\n")
    assert scores(graded) == [0, 0] and len(graded.text) < 500_000


def test_many_definitions_before_a_test_take_no_time_of_the_examiners(warm):
    """20,000 of them took 245 seconds, and the submission was not graded."""
    many = "".join(f"def f{i}(): 0\n" for i in range(6_000))
    began = time.process_time()  # of the examiner; how long the machine takes is not its matter
    graded = examined(warm, RIGHT + many, *[many] * 8)
    assert scores(graded) == [2, 1] and time.process_time() - began < 20


@pytest.mark.parametrize("value, score", [(10**400, 2), (-10**400, 0), (1, 1), (float("nan"), 0)])
def test_no_number_that_a_test_ends_in_is_too_large_for_a_mark(value, score):
    assert score_of(value, 2.0)[0] == score
