"""A small homework of the real course, from a notebook of few exercises and a written question."""

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import courses
from plain_course import nbgrader as metadata
from viva_examiner.demo.cohort import filled

HOMEWORK = "hand_design_transformer"
SETUP = f"""import numpy as np
import matplotlib.pyplot as plt
from viva import begin, check, look, submit
begin("{HOMEWORK}", student="")"""
SOFTMAX = """def stable_softmax(scores, axis=-1):
    ### BEGIN SOLUTION
    x = np.asarray(scores)
    x = x if x.dtype.kind == "f" else x.astype(float)
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(top), 0, top))
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total == 0, 1, total)
    ### END SOLUTION"""
WRONG_AXIS = """def stable_softmax(x, axis=-1):
    e = np.exp(x - x.max())
    return e / e.sum()"""
GAP = """def min_score_gap(T, tol):
    ### BEGIN SOLUTION
    if T < 1 or not 0 < tol < 1:
        raise ValueError("T >= 1 and 0 < tol < 1")
    return max(0.0, float(np.log((T - 1) * (1 - tol) / tol))) if T > 1 else 0.0
    ### END SOLUTION"""
TRAIN = """def train_head(task, steps=500, lr=0.05, seed=0):
    ### BEGIN SOLUTION
    import torch
    from viva.kits.hand_design_transformer.heads import LearnableHead
    torch.manual_seed(seed)
    head = LearnableHead(3, 3, 3, pos_dim=4 if task == "first" else None)
    optimizer = torch.optim.Adam(head.parameters(), lr=lr)
    for _ in range(steps):
        X = torch.eye(3)[torch.randint(3, (32, int(torch.randint(1, 5, ()))))]
        loss = (head(X) - (X if task == "identity" else X[:, :1])).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return head, loss.item()
    ### END SOLUTION"""
SOLUTIONS = {"stable_softmax": SOFTMAX, "min_score_gap": GAP, "train_head": TRAIN}
FIGURE = "plt.plot([0, 1, 4]); plt.xlabel('x'); plt.ylabel('y'); plt.show()"
HIDDEN = """# The hidden tests of {0} run here after you submit.
### BEGIN HIDDEN TESTS
from viva_course import examine
examine("{0}", {0})
### END HIDDEN TESTS"""
EXTRA = 'c.Examiner.course = "viva_course"'


def source_notebook(names):
    """The instructor's notebook."""
    cells = [new_code_cell(SETUP, id="setup")]
    for name in names:
        graded = {"grade": True, "locked": True}
        cells += [
            new_code_cell(SOLUTIONS[name], id=name, metadata=metadata(name, solution=True)),
            new_code_cell(f'check("{name}", {name})', id=f"check_{name}",
                          metadata=metadata(f"check_{name}", points=0, **graded)),
            new_code_cell(HIDDEN.format(name), id=f"test_{name}",
                          metadata=metadata(f"test_{name}", points=points_of(name), **graded)),
        ]
    written = metadata("written_why", grade=True, solution=True, points=3)
    cells += [
        new_code_cell(FIGURE, id="figure"),
        new_markdown_cell("Because of overflow.", id="written_why", metadata=written),
        new_code_cell("submit()", id="submit"),
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel})


def points_of(exercise: str) -> float:
    from viva_course import exercises

    return exercises()[exercise].points


def make(root, extra: str = "", names=("stable_softmax", "min_score_gap")):
    """The homework as a course of its own."""
    return courses.make(root, HOMEWORK, source_notebook(names), extra=f"{EXTRA}\n{extra}")


def answered(released, **changes):
    """A submission: right answers, with some of them replaced."""
    return filled(released, SOLUTIONS | {"written_why": "Overflow!"} | changes)
