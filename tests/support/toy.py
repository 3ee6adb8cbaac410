"""A toy homework for tests of the kit and of the rubric: `centre(x)` subtracts each row's mean."""

import numpy as np

from viva import tables
from viva.case import case, outcome
from viva_course.rubric import EXERCISES, Exercise

tables.enter("toy", {"toy": [["centre", "spread"]]})


def centre(x):
    if x.ndim == 0:
        raise ValueError("a scalar has no rows")
    return x - x.mean(axis=-1, keepdims=True)


def spread(x):
    return float(np.sqrt(np.mean(centre(x) ** 2)))


@case("centre")
def rows(rng, centre, spread):
    """three rows of four"""
    return centre(rng.normal(size=(3, 4)))


@case("centre")
def scalar(rng, centre, spread):
    """a scalar"""
    return outcome(centre, np.array(1.0))


@case("centre")
def one_number(rng, centre, spread):
    """the spread of five numbers"""
    return spread(rng.normal(size=5))


toy = Exercise(
    "centre", expects="rows that add up to zero", forbidden=("np.var",),
    reference=(centre, spread),
)
del EXERCISES["centre"]  # not a part of the course

toy.values(2, "The values must be right.")


@toy.item(1, "Any leading axes.")
def batches(exam, centre, spread):
    x = exam.rng.normal(size=(2, 3, 5))
    exam.same(centre(x).mean(axis=-1), np.zeros((2, 3)), rtol=0, atol=1e-12)


toy.unmodified(1, "The argument must stay as it was.")


toy.mistakes_of(centre={
    "wrong_axis": ("The mean is taken over the columns; each row has its own mean.",
                   lambda x: x - x.mean(axis=0)),
})


@toy.mistake("in_place", "The mean is subtracted in the caller's own array.")
def centre(x):  # noqa: F811
    if x.ndim == 0:
        raise ValueError
    x -= x.mean(axis=-1, keepdims=True)
    return x


@toy.mistake("variance", "This is the variance; take its square root.")
def spread(x):  # noqa: F811
    return float(np.mean((x - x.mean()) ** 2))


@toy.variant("loop over rows")
def centre(x):  # noqa: F811
    if x.ndim == 0:
        raise ValueError
    rows = [row - row.sum() / row.size for row in x.reshape(-1, x.shape[-1])]
    return np.array(rows).reshape(x.shape)
