"""Cases of `mup_table`. A row of the table is a pair (std, rate); lists and tuples are alike."""

import numpy as np

from viva.case import case, outcome


def as_rows(table):
    """The table as an array (layers, 2)."""
    return np.array([[float(std), float(rate)] for std, rate in table])


def networks(rng):
    """Sizes of a network and of its proxy: same inputs and outputs, other widths."""
    inputs, outputs = int(rng.integers(20, 90)), int(rng.integers(2, 15))
    hidden, small = rng.integers(100, 900, 2), rng.integers(16, 99, 2)
    return ([inputs, *map(int, hidden), outputs], [inputs, *map(int, small), outputs])


@case("mup_table")
def four_times_wider(rng, mup_table):
    """64-256-256-10 from the proxy 64-64-64-10, lr = 0.01: stds 1/8, 1/16, 1/32"""
    return as_rows(mup_table([64, 256, 256, 10], [64, 64, 64, 10], 0.01))


@case("mup_table")
def the_proxy_itself(rng, mup_table):
    """the proxy: std 1 / sqrt(d_in) and the rate lr everywhere"""
    return as_rows(mup_table([64, 100, 100, 10], [64, 100, 100, 10], 0.02))


@case("mup_table")
def other_networks(rng, mup_table):
    """random sizes, wider and narrower than the proxy"""
    dims, proxy = networks(rng)
    return [as_rows(mup_table(dims, proxy, 0.3)), as_rows(mup_table(proxy, dims, 0.002))]


@case("mup_table")
def one_layer(rng, mup_table):
    """a single layer, 300 to 20 from 100 to 10"""
    return as_rows(mup_table([300, 20], [100, 10], 1.0))


@case("mup_table")
def other_depth(rng, mup_table):
    """a proxy with another number of layers: ValueError; the same number: none"""
    return [outcome(mup_table, [64, 256, 10], proxy, 0.1)
            for proxy in ([64, 64, 64, 10], [64, 10], [64, 64, 10])]


@case("mup_table")
def no_layer(rng, mup_table):
    """lists of one size have no layer: ValueError; lists of two: none"""
    return [outcome(mup_table, sizes, sizes, 0.1) for sizes in ([64], [64, 10])]
