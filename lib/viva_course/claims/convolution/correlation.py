"""What the sections on the convolution and its gradients state."""

import functools

import numpy as np

from viva_course.claiming import above, below, cause, claim, holds, literature


@functools.cache
def taught(notebook, seed):
    """The errors of the kernel by teacher, step by step, each at its best rate."""
    return {name: np.array(notebook.best_curve(X)[1])
            for name, X in notebook.teachers(seed).items()}


@claim(title="Noise is the better teacher")
def noise_teaches(notebook, seed):
    curves = taught(notebook, seed)
    return below(curves["noise"][19], 1e-4), above(curves["photograph"][19], 0.01)


@cause(control="the same pixels in random order")
def correlation_slows(notebook, seed):
    curves = taught(notebook, seed)
    return above(curves["photograph"][19], 0.01), below(curves["its pixels, shuffled"][19], 1e-4)


@literature("Chellapilla, Puri and Simard (2006)", place="abstract")
def unrolling_convolution():
    """Unrolling the convolution into a matrix product is one of their three ways to speed it up."""


@literature("Odena, Dumoulin and Olah (2016), Distill", place="sections on overlap and gradients")
def odena_checkerboard():
    """Uneven overlap when the kernel size is not divisible by the stride; the same pattern in
    gradients."""


@claim(seeds=1)
def checkerboard(notebook, seed):
    odd, even, holes = (notebook.times_seen(k, S) for k, S in ((3, 2), (4, 2), (2, 3)))
    inner = odd[2:-2, 2:-2]
    return (holds(set(inner.ravel()) == {1.0, 2.0, 4.0}),
            holds((np.diff(inner, axis=0) != 0).any(axis=0).all()),
            holds((even[2:-3, 2:-3] == 4).all()),
            holds((holes[2::3] == 0).all() and (holes[:, 2::3] == 0).all()),
            holds((holes[:2, :2] == 1).all()))


@claim(seeds=1)
def even_strides(notebook, seed):
    even = [S for S in range(1, 7)
            if len(set(notebook.times_seen(6, S, side=36)[6:24, 6:24].ravel())) == 1]
    return holds(even == [1, 2, 3, 6])
