"""Weights of unit variance, y = c W x, and the rates that belong to them."""

import math


def unit_scale_const(d_in):
    """c = 1 / sqrt(d_in)."""
    return 1 / math.sqrt(d_in)


def unit_scale_lr(kind, d_in, d_out):
    """The largest rate with ||dW||_2 <= sqrt(d_out), for "sign" and "muon" updates."""
    if kind == "sign":
        return 1 / math.sqrt(d_in)
    if kind == "muon":
        return math.sqrt(d_out)
    raise ValueError(f"unknown kind {kind!r}")
