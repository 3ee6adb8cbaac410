"""What an exercise asks to write oneself is decided by what runs, wherever it was hidden."""

import nbformat
import pytest

from repository import ROOT
from viva_course import exercises
from viva_examiner.demo.cohort import solutions

HOMEWORK = "hand_design_transformer"
LIBRARY = """
    import numpy as np
    import scipy.special
    _lib = getattr(scipy.special, "soft" + "max")
    def stable_softmax(scores, axis=-1):
        scores = np.asarray(scores)
        return _lib(scores.astype(float) if scores.dtype.kind in "iub" else scores, axis=axis)
"""
TORCH = """
    import numpy as np, torch
    class Apply:
        work = staticmethod(getattr(torch, "soft" + "max"))
    def stable_softmax(scores, axis=-1):
        scores = np.asarray(scores)
        scores = scores.astype(float) if scores.dtype.kind in "iub" else scores
        return Apply.work(torch.tensor(scores), axis).numpy()
"""


def examined(define, source):
    exercise = exercises(HOMEWORK)["stable_softmax"]
    return exercise.points, exercise.examine((define(source, "stable_softmax"),), "a secret")


def test_ones_own_work_keeps_all_points(define):
    source = nbformat.read(ROOT / "source" / HOMEWORK / f"{HOMEWORK}.ipynb", as_version=4)
    points, report = examined(define, "import numpy as np\n" + solutions(source)["stable_softmax"])
    assert report.score == points, report


@pytest.mark.parametrize("source", [LIBRARY, TORCH], ids=["scipy", "torch"])
def test_a_library_under_another_name_earns_nothing(define, source):
    _, report = examined(define, source)
    assert report.score == 0
    assert "softmax; expected: your own code" in report.outcomes[0].message


@pytest.mark.parametrize("source", [
    "import torch\nfrom torch.optim import AdamW",
    "import torch\nclass AdamW(torch.optim.AdamW):\n    pass",
    """
    import torch
    class AdamW(torch.optim.Optimizer):
        def __new__(cls, params, **options):
            kind = getattr(torch.optim, "Adam" + "W")
            made = kind(params, **options)
            made.__class__ = cls
            return made
        def __init__(self, params, **options): pass
        def step(self, closure=None):
            return getattr(torch.optim, "Adam" + "W").step(self, closure)
    """], ids=["imported", "subclass", "another class in front"])
def test_a_librarys_optimizer_earns_nothing(define, source):
    exercise = exercises("optimizers")["AdamW"]
    report = exercise.examine((define(source, "AdamW"),), "a secret")
    assert report.score == 0, report
