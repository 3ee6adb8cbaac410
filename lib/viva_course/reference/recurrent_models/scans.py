"""A recurrence without a loop over time: a scan."""

import numpy as np


def join_steps(first, second):
    """The pair (a, b) of the map h -> a h + b that does the first map, then the second one."""
    return second[0] * first[0], second[0] * first[1] + second[1]


def linear_scan(a, b, combine=join_steps):
    """h_t = a_t h_{t-1} + b_t along axis 0, h before the first step zero, by recursive doubling.

    a, b (T, ...) of one shape, else ValueError; combine(older pair, newer pair) joins rows
    returns h, of the same shape
    """
    pair = np.array(a, float), np.array(b, float)
    if pair[0].shape != pair[1].shape:
        raise ValueError("a and b have one shape")
    shift = 1
    while shift < len(pair[0]):
        older, newer = (tuple(each[part] for each in pair)
                        for part in (slice(-shift), slice(shift, None)))
        joined = combine(older, newer)
        pair = tuple(np.concatenate([each[:shift], more])
                     for each, more in zip(pair, joined, strict=True))
        shift *= 2
    return pair[1]
