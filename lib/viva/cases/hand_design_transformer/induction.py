"""Cases of the induction circuit."""
import numpy as np

from viva.case import case, rule
from viva.kits.hand_design_transformer.heads import apply_head, one_hot

from .common import close


def continued(layers, numbers, n):
    """Output (1 + T, n - 1) behind BOS, which is the last token, for T numbers."""
    layer1, layer2 = layers
    width = len(layer1[0]) - layer1[3].shape[1]                       # BOS may come on top of n
    X = one_hot([width - 1, *numbers], width)
    before = apply_head(X, *layer1, causal=True)
    return apply_head(np.hstack([X, before]), *layer2, causal=True)[:, :n - 1]


@case("design_induction")
def induction_demos(rng, design_induction):
    """after BOS A B C A comes B; a random letter twice"""
    layers = design_induction(4, 6)
    a, b, c = rng.permutation(3)
    answers = {}
    for name, numbers in {"ABCA": [0, 1, 2, 0], "random": [a, b, c, b, a]}.items():
        successor = one_hot([numbers[numbers.index(numbers[-1]) + 1]], 3)[0]
        answers[name] = close(continued(layers, numbers, 4)[-1], successor, tol=5e-3)
    return answers


@case("design_induction")
def induction_tolerance(rng, design_induction):
    """tol = 1e-6: the output is within 5 tol"""
    a, b = rng.permutation(3)[:2]
    wanted = one_hot([b], 3)[0]
    return close(continued(design_induction(4, 9, tol=1e-6), [a, b, b, b, b, b, b, a], 4)[-1],
                 wanted, tol=5e-6)


@rule("design_induction")
def induction_average(rng, design_induction):
    """A B A C A: half B, half C, in the last row; B in the third"""
    a, b, c = rng.permutation(3)
    out = continued(design_induction(4, 6), [a, b, a, c, a], 4)
    return {"third letter": close(out[3], one_hot([b], 3)[0], tol=5e-3),
            "last letter": close(out[5], one_hot([b, c], 3).mean(0), tol=5e-3)}


@rule("design_induction")
def induction_sizes(rng, design_induction):
    """six tokens, twelve places: five letters and then the same again"""
    numbers = [*rng.permutation(5)]
    out = continued(design_induction(6, 12), [*numbers, *numbers], 6)
    return close(out[6:10], one_hot(numbers[1:], 5), tol=5e-3)
