"""Cases of `unit_scale_const` and `unit_scale_lr`."""

from viva.case import case, outcome


@case("unit_scale_const")
def constant(rng, unit_scale_const):
    """d_in = 256: 1/16; and another one"""
    return unit_scale_const(256), unit_scale_const(int(rng.integers(10, 200)))


@case("unit_scale_const")
def sign_rates(rng, unit_scale_lr):
    """256 to 64: 1/16; and another shape"""
    return unit_scale_lr("sign", 256, 64), unit_scale_lr("sign", int(rng.integers(10, 99)), 7)


@case("unit_scale_const")
def muon_rates(rng, unit_scale_lr):
    """256 to 64: 8; and another shape"""
    return unit_scale_lr("muon", 256, 64), unit_scale_lr("muon", 7, int(rng.integers(10, 99)))


@case("unit_scale_const")
def unknown_kind(rng, unit_scale_lr):
    """"adagrad" raises ValueError, "muon" does not"""
    return [outcome(unit_scale_lr, kind, 8, 4) for kind in ("adagrad", "muon")]
