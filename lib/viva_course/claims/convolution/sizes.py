"""What the section on sizes and fields states."""

import functools

import numpy as np

from viva_course.claiming import below, cause, claim, holds, literature, near

DEPTHS = (5, 10, 20)


@literature("Simonyan and Zisserman (2014), arXiv:1409.1556", place="section 2.3")
def three_small_kernels():
    """Three 3 x 3 layers have the field of one of 7 x 7, 27 C^2 weights instead of 49 C^2, and
    three rectifications instead of one."""


@functools.cache
def row(notebook, depth, seed):
    """The reaction along the middle row."""
    return notebook.reaction(depth, seed=seed)[30]


def wide(values):
    return int((values > 0.1).sum())


@claim()
def root_of_the_paths(notebook, seed):
    paths = [notebook.number_of_paths(depth) for depth in DEPTHS]
    measured = [wide(row(notebook, depth, seed)) for depth in DEPTHS]
    return (holds([wide(each) for each in paths] == [7, 11, 15]),
            holds([wide(np.sqrt(each)) for each in paths] == [11, 15, 21]),
            *(near(width, stated, within=2.5)
              for width, stated in zip(measured, (11, 15, 21), strict=True)))


@claim(title="What an output reacts to grows more slowly than its receptive field (white)")
def middle_of_the_field(notebook, seed):
    small, large = (wide(row(notebook, depth, seed)) for depth in (10, 20))
    fields = [notebook.receptive_field([(3, 1)] * depth) for depth in (10, 20)]
    return below(large / small, 0.85 * fields[1] / fields[0]), below(large / fields[1], 0.6)


@cause(control="weights of one sign, where nothing cancels")
def signs_cancel(notebook, seed):
    paths = notebook.number_of_paths(20)

    def spread(curve):  # root mean square distance from the middle, in pixels
        return float(np.sqrt((curve * np.arange(-30, 31) ** 2).sum() / curve.sum()))

    signs, same = (notebook.reaction(20, seed=seed, positive=positive)[30]
                   for positive in (False, True))
    return (near(spread(signs), spread(np.sqrt(paths)), within=0.7),
            near(spread(same), spread(paths), within=0.2))
