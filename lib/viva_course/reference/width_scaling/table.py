"""muP as a table: what each layer of a wider network starts with and learns with."""

import math


def mup_table(dims, proxy, lr):
    """Standard deviation and rate of every layer, for updates like those of sign descent or Adam.

    dims, proxy: sizes [inputs, hidden ..., outputs] of the network and of the proxy network
    lr: rate of every layer of the proxy network, whose weights start with 1 / sqrt(d_in)
    returns [(std, rate), ...]; networks of different depth raise ValueError
    """
    if len(dims) != len(proxy) or len(dims) < 2:
        raise ValueError("network and proxy need the same number of layers, at least one")

    def spectral(d_in, d_out):
        return min(1.0, math.sqrt(d_out / d_in)) / math.sqrt(d_in)

    table = []
    for layer in range(len(dims) - 1):
        now, then = dims[layer : layer + 2], proxy[layer : layer + 2]
        std = spectral(*now) / spectral(*then) / math.sqrt(then[0])
        table.append((std, lr * then[0] / now[0]))
    return table
