"""What the measurement of costs states."""

import functools

import numpy as np

from viva_course.claiming import below, claim, holds, near, ratio


@functools.cache
def _memory(notebook):
    return notebook.measure_costs(notebook.LENGTHS.tolist(), 32, notebook.peak_memory)


@claim(seeds=1)
def counted_crossovers(notebook, seed):
    return near(notebook.crossover_length(32, 32, 561), 579, within=1)


@claim(seeds=1)
def counted_in_memory(notebook, seed):
    N = 136  # here the weights and the state are equally many numbers, to one in a hundred
    softmax, linear = (notebook.attention_floats(kind, N, 32, 32, 561)
                       for kind in ("softmax", "linear"))
    return near(softmax / linear, 1, within=0.01)


@claim(seeds=1)
def memory_slopes(notebook, seed):
    softmax, given, made = (costs[-1] / costs[-3] for costs in _memory(notebook))
    return near(softmax, 4, within=0.3), below(given, 2.1), below(made, 2.1)


@ratio(stated=2.5, title="Crossover in {}: N = {}, with features made {}")
def features_delay_memory(notebook, seed):
    softmax, given, made = _memory(notebook)
    late, early = (notebook.crossing(notebook.LENGTHS, softmax, each) for each in (made, given))
    return late / early


def _in_blocks(notebook, Q, K, V, size=32):
    """Linear attention with quadratic features that are made for `size` tokens at a time."""
    phi, N = notebook.poly2_features, len(Q)
    V1 = np.concatenate([V, np.ones((N, 1))], axis=1)                       # (N, M + 1)
    starts, sums = range(0, N, size), 0
    for i in starts:
        sums = sums + phi(K[i : i + size]).T @ V1[i : i + size]             # (C, M + 1)
    out = np.empty((N, V.shape[1]))
    for i in starts:
        both = phi(Q[i : i + size]) @ sums                                  # (size, M + 1)
        out[i : i + size] = both[:, :-1] / both[:, -1:]
    return out


@claim(seeds=1)
def blocks_come_close(notebook, seed):
    N = int(notebook.LENGTHS[-1])
    tokens = np.random.default_rng(N).normal(size=(3, N, 32)) / 32**0.5
    peak = notebook.peak_memory(lambda: _in_blocks(notebook, *tokens))
    found = _in_blocks(notebook, *(each[:50] for each in tokens))
    exact = notebook.kernel_attention(*(each[:50] for each in tokens), notebook.poly2_sim)
    return below(peak / _memory(notebook)[1][-1], 1.5), holds(np.allclose(found, exact))
