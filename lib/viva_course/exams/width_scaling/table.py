"""Exam of `mup_table`."""

import math

import numpy as np

from viva.cases.width_scaling.table import as_rows, networks
from viva_course.reference import width_scaling as reference
from viva_course.rubric import Exercise

table = Exercise("mup_table", "a list with a pair (std, rate) for every layer, the input layer "
                 "first")

table.values(7, "Deviations follow the spectral condition, rates the fan-in, both relative to the "
             "proxy.", only=("four_times_wider", "other_networks", "one_layer"))


@table.item(2, "The proxy itself has 1 / sqrt(d_in) and lr in every layer, and a factor of lr is a "
            "factor of the rates only.")
def the_proxy(exam, mup_table):
    dims, proxy = networks(exam.rng)
    rows = as_rows(mup_table(proxy, proxy, 0.07))
    exam.same(rows[:, 0], np.array([1 / math.sqrt(d_in) for d_in in proxy[:-1]]))
    exam.same(rows[:, 1], np.full(3, 0.07))
    once, twice = as_rows(mup_table(dims, proxy, 0.1)), as_rows(mup_table(dims, proxy, 0.2))
    exam.same(twice, once * np.array([1.0, 2.0]))


@table.item(2, "A network ten times as wide: the input layer as before, hidden rates a tenth, the "
            "output layer's deviation and rate a tenth.")
def what_muP_says(exam, mup_table):
    n = int(exam.rng.integers(70, 100))
    proxy, wide = [50, n, n, 8], [50, 10 * n, 10 * n, 8]
    rows, start = as_rows(mup_table(wide, proxy, 0.4)), as_rows(mup_table(proxy, proxy, 0.4))
    expected = np.array([[1, 1], [1 / math.sqrt(10), 0.1], [0.1, 0.1]])
    exam.same(rows / start, expected)


@table.item(1, "A proxy of another depth, or no layer at all, raises ValueError.")
def refused(exam, mup_table):
    dims, proxy = networks(exam.rng)  # one that always raises earns nothing
    exam.same(as_rows(mup_table(dims, proxy, 0.1)), as_rows(reference.mup_table(dims, proxy, 0.1)))
    for other in (proxy[:-1], [*proxy, 5], proxy[:1]):
        exam.raises(ValueError, mup_table, dims, other, 0.1)
    exam.raises(ValueError, mup_table, [64], [64], 0.1)


def _table(dims, proxy, lr, std=None, rate=None):
    """The table, with places to go wrong: std and rate are given d_in, d_out and the proxy's."""
    if len(dims) != len(proxy) or len(dims) < 2:
        raise ValueError
    std = std or _std
    rate = rate or (lambda d_in, d_out, proxy_in, proxy_out: lr * proxy_in / d_in)
    sizes = zip(dims, dims[1:], proxy, proxy[1:], strict=False)
    return [(std(*each), rate(*each)) for each in sizes]


def _std(d_in, d_out, proxy_in, proxy_out):
    spectral = reference.mup_init_std
    return spectral(d_in, d_out) / spectral(proxy_in, proxy_out) / math.sqrt(proxy_in)


table.mistakes_of(mup_table={
    "standard": (
        "This is the standard parameterisation: rates depend on the fan-in, and the output layer "
        "needs smaller weights.",
        lambda dims, proxy, lr: (
            _table(dims, proxy, lr, lambda d_in, *_: 1 / math.sqrt(d_in), lambda *_: lr))),
    "rates_constant": ("The rate of a layer falls with its fan-in.",
                       lambda dims, proxy, lr: _table(dims, proxy, lr, rate=lambda *_: lr)),
    "rates_absolute": (
        "lr is the rate of the proxy: divide by the ratio of the fan-ins, not by the fan-in.",
        lambda dims, proxy, lr: _table(dims, proxy, lr, rate=lambda d_in, *_: lr / d_in)),
    "always_fan_in": (
        "The output layer narrows: 1 / sqrt(d_in) is too large there.",
        lambda dims, proxy, lr: _table(dims, proxy, lr, std=lambda d_in, *_: 1 / math.sqrt(d_in))),
    "variances": (
        "These are variances: take the root.",
        lambda dims, proxy, lr: _table(dims, proxy, lr, std=lambda *sizes: _std(*sizes) ** 2)),
    "rate_first": ("A row is (std, rate), in this order.",
                   lambda dims, proxy, lr: (
                       [(rate, std) for std, rate in reference.mup_table(dims, proxy, lr)])),
    "output_first": ("The input layer comes first.",
                     lambda dims, proxy, lr: reference.mup_table(dims, proxy, lr)[::-1]),
    "proxy_swapped": ("The network comes first, then the proxy.",
                      lambda dims, proxy, lr: reference.mup_table(proxy, dims, lr)),
})


@table.mistake("rates_root", "The rate falls in proportion to the fan-in, not to its root.")
def mup_table(dims, proxy, lr):
    return _table(dims, proxy, lr,
                  rate=lambda d_in, d_out, proxy_in, proxy_out: lr * math.sqrt(proxy_in / d_in))


@table.mistake("rates_inverse", "Wider layers get smaller rates: the ratio is upside down.")
def mup_table(dims, proxy, lr):
    return _table(dims, proxy, lr,
                  rate=lambda d_in, d_out, proxy_in, proxy_out: lr * d_in / proxy_in)


@table.mistake("rates_by_outputs", "Each layer's own number of inputs decides: "
               "it does not grow in the input layer, and it does in the output layer.")
def mup_table(dims, proxy, lr):
    return _table(dims, proxy, lr,
                  rate=lambda d_in, d_out, proxy_in, proxy_out: lr * proxy_out / d_out)


@table.mistake("rates_by_width", "One rate for the whole network: the input layer's fan-in does "
               "not grow, so its rate stays.")
def mup_table(dims, proxy, lr):
    width, small = (dims[1], proxy[1]) if len(dims) > 2 else (dims[0], proxy[0])
    return _table(dims, proxy, lr, rate=lambda *_: lr * small / width)


@table.mistake("std_absolute", "At the proxy every layer starts with 1 / sqrt(d_in), also the "
               "output layer: scale from there.")
def mup_table(dims, proxy, lr):
    return _table(dims, proxy, lr, std=lambda d_in, d_out, *_: reference.mup_init_std(d_in, d_out))


@table.mistake("std_of_proxy", "The deviations change with the width as well.")
def mup_table(dims, proxy, lr):
    return _table(dims, proxy, lr, std=lambda d_in, d_out, proxy_in, proxy_out:
                  1 / math.sqrt(proxy_in))


@table.mistake("std_linear", "Only narrowing layers shrink in proportion to their fan-in; others "
               "with its root.")
def mup_table(dims, proxy, lr):
    return _table(dims, proxy, lr, std=lambda d_in, d_out, proxy_in, proxy_out:
                  math.sqrt(proxy_in) / d_in)


def _numbered(dims, proxy, lr, std, rate):
    """Rules that depend on the place of a layer, counted from the last: 0, 1, ..."""
    rows = reference.mup_table(dims, proxy, lr)
    return [(std(place, dims[-2 - place], old), rate(place, new)) for place, (old, new) in
            reversed(list(enumerate(reversed(rows))))]


table.mistakes_of(mup_table={
    "rate_never_rises": (
        "Sizes may be smaller than the proxy's: then the rate of the layer rises.",
        lambda dims, proxy, lr: [(std, min(rate, lr))
                                 for std, rate in reference.mup_table(dims, proxy, lr)]),
    "output_rate_kept": (
        "The fan-in of the output layer grows, too: its rate falls as well.",
        lambda dims, proxy, lr: _numbered(dims, proxy, lr, lambda place, d_in, std: std,
                                          lambda place, rate: rate if place else lr)),
    "narrowing_by_place": (
        "Whether a layer narrows is a question of its sizes, not of its place: a hidden layer can "
        "narrow, too.",
        lambda dims, proxy, lr: _numbered(
            dims, proxy, lr, lambda place, d_in, std: (
                1 / math.sqrt(d_in) if place else math.sqrt(proxy[-2]) / d_in),
            lambda place, rate: rate)),
    "input_as_in_proxy": (
        "The first layer follows the same rules as all others: it may narrow, or be the only one.",
        lambda dims, proxy, lr: _numbered(
            dims, proxy, lr, lambda place, d_in, std: (
                std if place < len(dims) - 2 else 1 / math.sqrt(proxy[0])),
            lambda place, rate: rate if place < len(dims) - 2 else lr)),
})


@table.mistake("last_layer_missing", "A network with k sizes has k - 1 layers: the last one is "
               "missing.")
def mup_table(dims, proxy, lr):
    rows = reference.mup_table(dims, proxy, lr)
    return rows[:-1] if len(rows) > 1 else rows


@table.mistake("zip_shortest", "zip stops silently at the shorter list: compare the lengths first "
               "and raise ValueError.")
def mup_table(dims, proxy, lr):
    length = min(len(dims), len(proxy))
    return reference.mup_table(dims[:length], proxy[:length], lr)


@table.mistake("one_size", "A list of one size describes no layer: raise ValueError.")
def mup_table(dims, proxy, lr):
    return [] if len(dims) == len(proxy) == 1 else reference.mup_table(dims, proxy, lr)


@table.variant("numpy")
def mup_table(dims, proxy, lr):
    if len(dims) != len(proxy) or len(dims) == 1:
        raise ValueError("depth")
    (a, b), (A, B) = ((np.array(d[:-1], float), np.array(d[1:], float)) for d in (dims, proxy))
    std = np.minimum(1, np.sqrt(b / a)) / np.sqrt(a) / np.minimum(1, np.sqrt(B / A))
    return [[s, r] for s, r in zip(std, lr * A / a, strict=True)]
