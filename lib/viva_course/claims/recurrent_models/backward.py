"""What the section about back-propagation through time states."""

import numpy as np

from viva_course.claiming import above, below, cause, claim, near
from viva_course.claims.recurrent_models.states import UNIT


@claim(seeds=1)
def bptt_by_hand(notebook, seed):
    W, U, b, _, h0 = UNIT
    dW, dU, db, G = notebook.bptt(W, U, b, np.array([[1.0], [0.0]]), h0, np.ones(1))
    stated = ((G[0, 0], 0.120438), (db[0], 1.120438), (dU[0, 0], 0.120438), (dW[0, 0], 1.004508),
              (notebook.dtanh(2.082625), 0.060219))
    return tuple(near(value, number, within=1e-6) for value, number in stated)


@claim()
def orthogonal_linear_networks(notebook, seed):
    half, one, more = (notebook.gradient_sizes(scale, seed)[1] for scale in (0.5, 1.0, 1.5))
    factors = (one[0] / one[-1], 1), (half[1] / half[0], 2), (more[0] / more[1], 1.5)
    return tuple(near(value, number, within=1e-6) for value, number in factors)


@claim(title="Only the linear network of norm 1 keeps its gradient")
def only_one_keeps_its_gradient(notebook, seed):
    sizes = [size for scale in (0.5, 1.0, 1.5) for size in notebook.gradient_sizes(scale, seed)]
    changes = [abs(np.log10(size[0] / size[-1])) for size in sizes]
    kept = changes.pop(3)
    return below(kept, 1e-6), above(min(changes), 1)


@cause(control="inputs so small that all slopes are 1")
def tanh_lies_below(notebook, seed):
    pairs = [notebook.gradient_sizes(scale, seed) for scale in (0.5, 1.0, 1.5)]
    tiny = [notebook.gradient_sizes(scale, seed, inputs=1e-15) for scale in (0.5, 1.0, 1.5)]
    return (min(above(linear[t], tanh[t]) for tanh, linear in pairs for t in range(59)),
            min(near(tanh[0] / linear[0], 1, within=1e-3) for tanh, linear in tiny))


@cause(control="inputs so small that no unit saturates")
def saturation_wins(notebook, seed):
    tanh = notebook.gradient_sizes(1.5, seed)[0]
    small = notebook.gradient_sizes(1.5, seed, inputs=1e-15)[0]
    return below(tanh[0] / tanh[-1], 0.1), near(small[0] / small[1], 1.5, within=1e-3)
