"""Library routines are seen when they run, whatever the cell's text says."""

import numpy as np
import pytest
import torch

from viva.routines import Watch, is_library

WORDS = ("svd", "softmax", "AdamW", "inv")


def run(source: str, words=WORDS) -> str:
    """The routine that a cell's function `f` is seen to use."""
    names = {"np": np, "torch": torch}
    exec(compile(source, "<cell>", "exec"), names)
    with Watch(words) as watch:
        names["f"]()
    return watch.used


USES = {
    "by its name": "def f(): np.linalg.svd(np.eye(2))",
    "an alias from another cell": "_lib = np.linalg.svd\ndef f(): _lib(np.eye(2))",
    "imported under another name": "from numpy.linalg import svd as s\ndef f(): s(np.eye(2))",
    "through map": "def f(): list(map(np.linalg.svd, [np.eye(2)]))",
    "written in C": "g = torch.softmax\ndef f(): g(torch.ones(3), 0)",
    "a method": "def f(): torch.ones(3).softmax(0)",
    "a library's class": "from torch.optim import AdamW\n"
                         "def f(): AdamW([torch.ones(2, requires_grad=True)])",
    "an object made before": "x = torch.ones(2, requires_grad=True)\no = torch.optim.AdamW([x])\n"
                             "def f():\n    x.sum().backward()\n    o.step()",
    "another class in front": """
p = torch.ones(2, requires_grad=True)
class Mine:
    def __init__(self): self.__dict__ = torch.optim.AdamW([p]).__dict__
    def step(self):
        self.__class__ = torch.optim.AdamW
        p.grad = torch.ones(2)
        self.step()
def f(): Mine().step()
""",
    "in a thread": "import threading\ndef f():\n    t = threading.Thread(target=lambda: "
                   "np.linalg.svd(np.eye(2)))\n    t.start()\n    t.join()",
}

HONEST = {
    "a function of one's own": "def softmax(x): return x\ndef f(): softmax(3)",
    "a library that uses it itself": "def f(): np.linalg.pinv(np.eye(2))",
    "a base class": "class AdamWMine(torch.optim.Optimizer):\n    def __init__(self): "
                    "super().__init__([torch.ones(1)], {})\ndef f(): AdamWMine()",
    "a solve": "def f(): np.linalg.solve(np.eye(2), np.ones(2))",
    "own class of the name": "class AdamW(torch.optim.Optimizer):\n    def __init__(self): "
                             "super().__init__([torch.ones(1)], {})\n    def step(self): pass\n"
                             "def f(): AdamW().step()",
}


@pytest.mark.parametrize("way", USES)
def test_every_way_to_use_a_routine_is_seen(way):
    assert run(USES[way]) in WORDS


@pytest.mark.parametrize("way", HONEST)
def test_what_only_looks_like_it_is_not(way):
    assert run(HONEST[way]) == ""


def test_nothing_is_watched_without_words():
    assert run(USES["by its name"], ()) == ""


def test_cells_are_no_library():
    assert is_library(np.__file__) and is_library(torch.__file__)
    assert not is_library("<cell>") and not is_library("/tmp/ipykernel_1/2.py")
