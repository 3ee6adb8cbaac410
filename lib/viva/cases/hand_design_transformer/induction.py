"""Cases of the induction circuit."""
import numpy as np

from viva.case import case
from viva.kits.hand_design_transformer.heads import apply_head, one_hot

from .common import close


@case("design_induction")
def induction_demos(rng, design_induction):
    """after BOS A B C A comes B; a random letter twice"""
    layer1, layer2 = design_induction(4, 6)
    width = len(layer1[0]) - layer1[3].shape[1]
    a, b, c = rng.permutation(3)
    answers = {}
    for name, numbers in {"ABCA": [0, 1, 2, 0], "random": [a, b, c, b, a]}.items():
        X = one_hot([width - 1, *numbers], width)                     # BOS is the last token
        before = apply_head(X, *layer1, causal=True)
        out = apply_head(np.hstack([X, before]), *layer2, causal=True)
        successor = X[1 + numbers.index(numbers[-1]) + 1]
        answers[name] = close(out[-1, :3], successor[:3], tol=5e-3)
    return answers
