"""Cases of the two designs that look at positions."""
import numpy as np

from viva.case import case, rule
from viva.kits.hand_design_transformer.heads import apply_head, one_hot

from .common import DEMOS, close, random_text, sizes, weights


@case("design_first")
def first_sizes(rng, design_first):
    """sizes for five tokens and seven positions"""
    return sizes(design_first(5, 7))


@case("design_first")
def first_demos(rng, design_first):
    """ABCC gives AAAA, CAC gives CCC, BBC gives BBB; a random sequence"""
    head = design_first(3, 6)
    texts = {text: one_hot(text, 3) for text in (*DEMOS, random_text(rng, 6))}
    return {text: close(apply_head(X, *head), np.tile(X[0], (len(X), 1)))
            for text, X in texts.items()}


@case("design_shift")
def shift_sizes(rng, design_shift):
    """sizes for five tokens"""
    return sizes(design_shift(5, 7), table=False)


@case("design_shift")
def shift_demos(rng, design_shift):
    """ABCC shifted by 1 gives AABC; a random sequence shifted by 2"""
    answers = {}
    for offset, text in ((1, "ABCC"), (2, random_text(rng, 6))):
        X = one_hot(text, 3)
        wanted = X[np.maximum(np.arange(len(X)) - offset, 0)]
        answers[text] = close(apply_head(X, *design_shift(3, 6, offset)), wanted)
    return answers


@rule("design_shift")
def shift_offsets(rng, design_shift):
    """offset 0, and an offset larger than the sequence; sequences of every length up to five"""
    answers = {}
    for offset in (0, 1, 7):
        head = design_shift(3, 5, offset)
        for T in range(1, 6):
            X = one_hot(random_text(rng, T) if T > 1 else "B", 3)
            wanted = X[np.maximum(np.arange(T) - offset, 0)]
            answers[f"offset {offset}, {T} tokens"] = close(apply_head(X, *head), wanted)
    return answers


@rule("design_shift")
def shift_causal(rng, design_shift):
    """the same under a causal mask, shifted by 1 and by 2"""
    answers = {}
    for offset in (1, 2):
        X = one_hot(random_text(rng, 6), 3)
        wanted = X[np.maximum(np.arange(len(X)) - offset, 0)]
        out = apply_head(X, *design_shift(3, 6, offset), causal=True)
        answers[f"offset {offset}"] = close(out, wanted)
    return answers


@rule("design_first")
def first_lengths(rng, design_first):
    """sequences of every length up to five"""
    head = design_first(3, 5)
    texts = ["C", *(random_text(rng, T) for T in range(2, 6))]
    return {text: close(apply_head(one_hot(text, 3), *head), one_hot(text[0] * len(text), 3))
            for text in texts}


@rule("design_first")
def first_content(rng, design_first):
    """any token first, any other behind it, longest length: place 0 has the weight 1 - tol"""
    head = [np.asarray(matrix) for matrix in design_first(3, 5)]
    texts = [first + 4 * behind for first in "ABC" for behind in "ABC"]
    lowest = {text: weights(one_hot(text, 3), *head)[:, 0].min() for text in texts}
    return {f"weight of place 0 in {text}": "1 - tol" if least >= 1 - 1.001e-3 else "less"
            for text, least in lowest.items()}


@rule("design_first")
def first_tolerance(rng, design_first):
    """tol = 1e-6 among forty tokens"""
    X = one_hot([0, *[1] * 39], 3)
    wanted = np.tile(X[0], (len(X), 1))
    return close(apply_head(X, *design_first(3, 40, tol=1e-6)), wanted, tol=1e-6)


@rule("design_shift")
def shift_tolerance(rng, design_shift):
    """tol = 1e-6 among forty tokens, shifted by 1"""
    X = one_hot([0, *[1] * 39], 3)
    wanted = X[np.maximum(np.arange(len(X)) - 1, 0)]
    return close(apply_head(X, *design_shift(3, 40, tol=1e-6)), wanted, tol=1e-6)
