"""Cases of the score gap, and of the two designs that look at content."""
import numpy as np

from viva.case import case, rule
from viva.kits.hand_design_transformer.heads import apply_head, one_hot

from .common import DEMOS, close, moderate, random_text, sizes, weights


@case("min_score_gap")
def worked_gaps(rng, min_score_gap):
    """T = 2, tol = 0.5 needs no gap; T = 6, tol = 0.001 needs 8.51619"""
    return [min_score_gap(T, tol) for T, tol in ((2, .5), (2, 1e-3), (6, 1e-3), (7, 1e-8))]


@case("min_score_gap")
def random_gaps(rng, min_score_gap):
    """random lengths and tolerances"""
    return [min_score_gap(int(T), float(10.0 ** -u))
            for T, u in zip(rng.integers(3, 60, 4), rng.uniform(1, 6, 4), strict=True)]


@case("design_identity")
def identity_sizes(rng, design_identity):
    """sizes for five tokens"""
    return sizes(design_identity(5, 7))


@case("design_identity")
def identity_demos(rng, design_identity):
    """ABCC, CAC, BBC and a random sequence come out as they went in"""
    head = design_identity(3, 6)
    texts = {text: one_hot(text, 3) for text in (*DEMOS, random_text(rng, 6))}
    answers = {text: close(apply_head(X, *head), X) for text, X in texts.items()}
    return answers | {"scores below 700": moderate(np.eye(3), *head)}


@case("design_histogram")
def histogram_sizes(rng, design_histogram):
    """sizes for five tokens"""
    return sizes(design_histogram(5))


@case("design_histogram")
def histogram_weights(rng, design_histogram):
    """ABC: each row gives all three tokens the same weight, up to rounding (1e-12)"""
    attention = weights(np.eye(3), *map(np.asarray, design_histogram(3)))
    most = ["equal" if np.ptp(row) <= 1e-12 else "more for " + "ABC"[row.argmax()]
            for row in attention]
    return {f"weights of row {token}": word for token, word in zip("ABC", most, strict=True)}


@case("design_histogram")
def histogram_demos(rng, design_histogram):
    """ABCC gives [1/4, 1/4, 1/2] in every row; a random sequence"""
    head, answers = design_histogram(3), {}
    for text in ("ABCC", random_text(rng, 5)):
        X = one_hot(text, 3)
        out, wanted = apply_head(X, *head), np.tile(X.mean(axis=0), (len(X), 1))
        exact = out.shape == wanted.shape and np.abs(out - wanted).max() <= 1e-12
        answers[text] = {"output": np.round(out, 2), "up to rounding": "yes" if exact else "no"}
    return answers


@rule("min_score_gap")
def nothing_to_do(rng, min_score_gap):
    """a single token, and a tolerance that equal scores meet: no gap"""
    return [min_score_gap(1, 1e-3), min_score_gap(2, 0.9), min_score_gap(3, 0.8)]


@rule("design_identity")
def identity_many_tokens(rng, design_identity):
    """forty kinds of tokens in sequences of three; scores stay below 700"""
    head = design_identity(40, 3)
    X = one_hot([*rng.choice(40, size=2, replace=False), 7], 40)
    return close(apply_head(X, *head), X) | {"scores below 700": moderate(np.eye(40), *head)}


@rule("design_identity")
def identity_tolerance(rng, design_identity):
    """tol = 1e-6 among forty tokens, and among other tokens than three"""
    X = one_hot([0, *[1] * 39], 5)
    return close(apply_head(X, *design_identity(5, 40, tol=1e-6)), X, tol=1e-6)
