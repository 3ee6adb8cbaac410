"""Cases of attention_macs and softmax_via_gauss."""
from viva.case import case, outcome, rule


@rule("attention_macs", dtype=False)
def multiply_adds(rng, attention_macs):
    """multiply-adds of each kind, N = 10, D = 3, M = 5, C = 7"""
    return [attention_macs(kind, 10, 3, 5, 7) for kind in ("softmax", "linear", "rff")]


@rule("attention_macs", dtype=False)
def stored(rng, attention_floats):
    """stored numbers, N = 10, D = 3, M = 5, C = 7"""
    return [attention_floats(kind, 10, 3, 5, 7) for kind in ("softmax", "linear")]


@rule("attention_macs", dtype=False)
def where_they_meet(rng, crossover_length):
    """the crossover, D = 3, M = 5, C = 7"""
    return crossover_length(3, 5, 7)


@rule("attention_macs")
def unknown_kind(rng, attention_macs):
    """an unknown kind: ValueError"""
    return outcome(attention_macs, "cubic", 10, 3, 5, 7)


@rule("attention_macs")
def unknown_kind_stored(rng, attention_floats):
    """an unknown kind of attention to store: ValueError"""
    return outcome(attention_floats, "cubic", 10, 3, 5, 7)


@case("attention_macs", dtype=False)
def by_hand(rng, attention_macs, crossover_length):
    """N = 1000, D = M = 64, worked by hand above"""
    return {
        "softmax": attention_macs("softmax", 1000, 64, 64),
        "linear": attention_macs("linear", 1000, 64, 64, C=2145),
        "crossover": crossover_length(64, 64, 2145),
    }


@case("attention_macs", dtype=False)
def other_sizes(rng, attention_macs, attention_floats, crossover_length):
    """D and M differ, all counts"""
    N, D, M, C = (int(n) for n in rng.integers(3, 60, 4))
    M += D  # never equal
    return {
        "macs": [attention_macs(kind, N, D, M, C) for kind in ("softmax", "linear", "rff")],
        "floats": [attention_floats(kind, N, D, M, C) for kind in ("softmax", "linear")],
        "crossover": crossover_length(D, M, C),
    }


@case("softmax_via_gauss")
def three_factors(rng, softmax_via_gauss):
    """a, G and b for D = 1, 4 and 9"""
    found = {}
    for D in (1, 4, 9):
        Q, K = rng.normal(size=(2, D)), rng.normal(size=(3, D))
        found[f"D={D}"] = list(softmax_via_gauss(Q, K))
    return found


@case("softmax_via_gauss")
def product_of_factors(rng, softmax_via_gauss):
    """a G b for D = 4 is the softmax similarity"""
    a, G, b = softmax_via_gauss(rng.normal(size=(3, 4)), rng.normal(size=(5, 4)))
    return a * G * b


@rule("softmax_via_gauss")
def batch(rng, softmax_via_gauss):
    """two sequences at once"""
    return list(softmax_via_gauss(rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 5, 4))))
