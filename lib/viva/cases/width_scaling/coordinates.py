"""Cases of `coord_check`.

The network of `coord_check` is the student's own: only how its features depend on the width is
compared, in words.
"""

import numpy as np

from viva.case import case


def growth(coord_check, rule, seeds=(0,), slack=1.0, steps=3):
    """How the change at width 1024 compares with that at width 64, in words; the mean of seeds.

    slack: factor by which the bounds are wider
    """
    narrow, wide = (np.mean([float(coord_check(width, rule, steps, seed)) for seed in seeds])
                    for width in (64, 1024))
    if not (0 < narrow < np.inf and 0 < wide < np.inf):
        return "no change, or not finite"
    ratio = wide / narrow
    if rule == "const" and ratio > 2:
        return "grows" if ratio >= 4 / slack else "grows too little"
    if ratio < 0.5 / slack:
        return "shrinks"
    if ratio <= 2 * slack:
        return "steady"
    return "grows like a root" if ratio < 6 else "grows in proportion"


@case("coord_check")
def under_mup(rng, coord_check):
    """"mup": the change at width 1024 is within a factor 2 of that at width 64; steps 3 and 1"""
    return growth(coord_check, "mup"), growth(coord_check, "mup", steps=1)


@case("coord_check")
def under_const(rng, coord_check):
    """"const": the change grows at least fourfold from width 64 to 1024"""
    return growth(coord_check, "const")


@case("coord_check")
def repeatable(rng, coord_check):
    """the same seed gives the same number, another seed another one; no step, no change"""
    first, again, other = (coord_check(64, "mup", seed=seed) for seed in (3, 3, 4))
    return {"same seed": bool(first == again), "other seed": bool(first == other),
            "no step": float(coord_check(64, "const", steps=0)),
            "one step": bool(coord_check(64, "const", steps=1) > 0)}
