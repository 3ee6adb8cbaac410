"""The homework that the attacks are handed in for: 20 points, none of them for honest code here.

Plain asserts, arrays, partial credit, a torch module, a function as an argument, and an exam with
a rubric. Every hidden test holds a canary that no submission may ever see or print.
"""

import json

from viva_examiner.limits import Limits
from viva_examiner.notebook.released import Released, ReleasedCell

LIMITS = Limits(cell_seconds=6, question_seconds=4, submission_seconds=25, memory_mb=400, tmp_mb=32,
                file_mb=16, processes=32, output_kb=64, message_mb=16)
CANARY = "CANARY" + "-of-the-hidden-tests"
SETUP = "import numpy as np\nimport torch\nfrom viva import check"

HONEST_ZERO = """
def square(x):
    return 1

def row_sums(x):
    return np.zeros((2, 2))

class Double(torch.nn.Module):
    def forward(self, x):
        return x

def apply(f, x):
    return None

def centre(x):
    x[...] = 1
    return x

def spread(x):
    return None
"""

RIGHT = """
def square(x):
    return x * x

def row_sums(x):
    return x.sum(axis=1)

class Double(torch.nn.Module):
    def forward(self, x):
        return 2 * x

def apply(f, x):
    return f(f(x))

def centre(x):
    if x.ndim == 0:
        raise ValueError("a scalar has no rows")
    return x - x.mean(axis=-1, keepdims=True)

def spread(x):
    return float(np.sqrt(np.mean(centre(x) ** 2)))
"""

TESTS = {
    "test_square": (3, f"""assert square(2) == 4
### BEGIN HIDDEN TESTS
word = "{CANARY}"
assert square(7) == 49, word
assert abs(square(1.5) - 2.25) < 1e-12, word
assert not square(3) == 8
### END HIDDEN TESTS"""),
    "test_row_sums": (3, f"""### BEGIN HIDDEN TESTS
word = "{CANARY}"
table = np.arange(6.0).reshape(3, 2) ** 2
got = row_sums(table)
assert got.shape == (3,), word
assert np.allclose(got, [1.0, 13.0, 41.0]), word
np.testing.assert_allclose(got, table.sum(axis=1))
### END HIDDEN TESTS"""),
    "test_partial": (4, f"""### BEGIN HIDDEN TESTS
word = "{CANARY}"
right = [n for n in (3, 5, 11, 12) if square(n) == n * n]
float(len(right))
### END HIDDEN TESTS"""),
    "test_double": (3, f"""### BEGIN HIDDEN TESTS
word = "{CANARY}"
inputs = torch.ones(2, 3, requires_grad=True)
doubled = Double()(inputs)
assert torch.equal(doubled, torch.full((2, 3), 2.0)), word
doubled.sum().backward()
assert torch.equal(inputs.grad, torch.full((2, 3), 2.0)), word
### END HIDDEN TESTS"""),
    "test_apply": (3, f"""### BEGIN HIDDEN TESTS
def grow(x, word="{CANARY}"):
    return 3 * x + len(word) * 0
assert apply(grow, 2) == 18, "{CANARY}"
### END HIDDEN TESTS"""),
    "test_centre": (4, f"""### BEGIN HIDDEN TESTS
word = "{CANARY}"
from viva_course import examine
examine("centre", centre, spread)
### END HIDDEN TESTS"""),
}
POINTS = sum(points for points, _ in TESTS.values())


def released() -> Released:
    """What staff know of this homework."""
    cells = [ReleasedCell("work", "code", "", "", locked=False, solution=True)]
    cells += [ReleasedCell(name, "code", source, "", locked=True, grade=True, points=points)
              for name, (points, source) in TESTS.items()]
    imports = {"np": ("numpy", ""), "torch": ("torch", ""), "check": ("viva", "check")}
    return Released("attacks", "attacks", tuple(cells), imports)


def submission(code: str, before: str = "", after: str = "") -> dict:
    """A submitted notebook: set-up, the student's cell, test cells as they were released."""
    cells = [_cell("setup", SETUP)]
    cells += [_cell("before", before)] if before else []
    cells.append(_cell("work", code, grade=False, solution=True))
    for name, (points, source) in TESTS.items():
        visible = source.partition("### BEGIN HIDDEN TESTS")[0]
        cells.append(_cell(name, visible, grade=True, solution=False, points=points))
    cells += [_cell("after", after)] if after else []
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}


def as_bytes(notebook: dict) -> bytes:
    return json.dumps(notebook).encode()


def _cell(name: str, source: str, **nbgrader) -> dict:
    metadata = {}
    if nbgrader:
        metadata = {"nbgrader": {"grade_id": name, "locked": nbgrader["grade"], "task": False,
                                 "schema_version": 3, **nbgrader}}
    return {"cell_type": "code", "id": name, "metadata": metadata, "outputs": [],
            "execution_count": None, "source": source}
