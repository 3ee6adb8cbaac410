"""Public scenarios of the designs.

A design is asked for what its head does, never for its matrices: any correct design agrees.
"""
import numpy as np

from viva.case import case
from viva.heads import apply_head, one_hot, tokens

DEMOS = "ABCC", "CAC", "BBC"


def close(out, wanted, tol=1e-3):
    """What every correct design shows: the output to two digits, and whether it is within tol."""
    error = np.abs(out - wanted).max() if out.shape == wanted.shape else np.inf
    return {"output": np.round(out, 2), f"within {tol:g}": bool(error <= 1.001 * tol)}


def random_text(rng, length):
    """A random sequence of the letters A, B, C that contains at least two of them."""
    numbers = rng.integers(3, size=length)
    numbers[-1] = (numbers[0] + 1) % 3
    return "".join("ABC"[i] for i in numbers)


def moderate(Z, Km, Qm, *_):
    """Whether no score between rows of Z (N, d) is so large that its exponential overflows."""
    scores = (Z @ Qm) @ (Z @ Km).T / np.sqrt(np.shape(Km)[1])               # (N, N)
    return bool(np.abs(scores).max() < 700)


def sizes(head, table=True):
    """The sizes that every correct design has: width of a token and of a value, positions."""
    Km, Qm, Vm, *pos = (np.asarray(matrix) for matrix in head)
    wide = pos[0].shape[1] if pos else 0
    known = {"width of a token": [len(M) - wide for M in (Km, Qm, Vm)], "values": Vm.shape[1]}
    return known | ({"positions": len(pos[0])} if pos and table else {})


@case("design_identity")
def identity_sizes(rng, design_identity):
    """sizes for five tokens"""
    return sizes(design_identity(5, 7))


@case("design_histogram")
def histogram_sizes(rng, design_histogram):
    """sizes for five tokens"""
    return sizes(design_histogram(5))


@case("design_first")
def first_sizes(rng, design_first):
    """sizes for five tokens and seven positions"""
    return sizes(design_first(5, 7))


@case("design_shift")
def shift_sizes(rng, design_shift):
    """sizes for five tokens"""
    return sizes(design_shift(5, 7), table=False)


@case("design_unique")
def unique_sizes(rng, design_unique):
    """sizes for five tokens and CLS"""
    return sizes(design_unique(5, 7), table=False)


@case("design_identity")
def identity_demos(rng, design_identity):
    """ABCC, CAC, BBC and a random sequence come out as they went in"""
    head = design_identity(3, 6)
    texts = {text: one_hot(text, 3) for text in (*DEMOS, random_text(rng, 6))}
    answers = {text: close(apply_head(X, *head), X) for text, X in texts.items()}
    return answers | {"scores below 700": moderate(np.eye(3), *head)}


@case("design_histogram", rtol=0, atol=1e-12)        # an average of a few ones: exact
def histogram_demos(rng, design_histogram):
    """ABCC gives [1/4, 1/4, 1/2] in every row; a random sequence"""
    head = design_histogram(3)
    return {text: apply_head(one_hot(text, 3), *head) for text in ("ABCC", random_text(rng, 5))}


@case("design_first")
def first_demos(rng, design_first):
    """ABCC gives AAAA, CAC gives CCC, BBC gives BBB; a random sequence"""
    head = design_first(3, 6)
    texts = {text: one_hot(text, 3) for text in (*DEMOS, random_text(rng, 6))}
    return {text: close(apply_head(X, *head), np.tile(X[0], (len(X), 1)))
            for text, X in texts.items()}


@case("design_shift")
def shift_demos(rng, design_shift):
    """ABCC shifted by 1 gives AABC; a random sequence shifted by 2"""
    answers = {}
    for offset, text in ((1, "ABCC"), (2, random_text(rng, 6))):
        X = one_hot(text, 3)
        wanted = X[np.maximum(np.arange(len(X)) - offset, 0)]
        answers[text] = close(apply_head(X, *design_shift(3, 6, offset)), wanted)
    return answers


@case("design_unique")
def unique_demos(rng, design_unique):
    """signs: ABCC gives ++--, CAC gives -+-, BBC gives --+, AB gives ++; a random sequence"""
    head = design_unique(3, 6)
    pairs = [np.concatenate([token, place]) for token in np.eye(4) for place in head[3]]
    answers = {"scores below 700": moderate(np.array(pairs), *head)}
    for text in (*DEMOS, "AB", random_text(rng, 5)):
        out = apply_head(one_hot([3, *tokens(text)], 4), *head)       # (1 + T, 1): CLS first
        answers[text] = np.sign(np.round(out[1:], 6))
        answers[f"{text} beyond 0.9"] = bool((np.abs(out[1:]) >= .9).all())
    return answers


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
