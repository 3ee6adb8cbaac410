"""Exam of orthogonal_gaussian: judged by what many rows have in common, in any order of draws."""

import numpy as np

from viva.cases.efficient_attention.inputs import fresh
from viva.cases.efficient_attention.orthogonal import cosines, portrait
from viva_course.reference import efficient_attention as reference
from viva_course.rubric import Exercise

orthogonal = Exercise(
    "orthogonal_gaussian",
    expects="m rows that are each N(0, I), orthogonal within blocks of d, blocks independent",
    survivors={
        f"orthogonal_gaussian: for _ in range(math.ceil(m / d)): -> for _ in range({more}):":
            "blocks beyond the m-th row are cut off again"
        for more in ("math.ceil(m / d) + 1", "math.ceil(m * d)", "math.ceil(m)")
    } | {
        "orthogonal_gaussian: directions = directions * np.sign(np.diagonal(R)) -> "
        "directions = directions / np.sign(np.diagonal(R))": "a sign is its own inverse",
    },
)

orthogonal.values(1, "m rows of d numbers, for any m.", only=("shapes",), name="shape")
orthogonal.values(1, "Randomness comes from rng, and only from there.", only=("generators",),
                  name="generator")


@orthogonal.item(1.5, "Rows of a block of d are orthogonal to 1e-10; the last block may be cut.")
def orthogonal_blocks(exam, orthogonal_gaussian):
    for m, d in ((4, 7), (5, 5), (13, 4), (9, 2)):
        W = np.asarray(orthogonal_gaussian(m, d, fresh(exam.rng)), float)
        exam.true(W.shape == (m, d), f"shape {W.shape}, not {(m, d)}")
        exam.true((W != 0).any(axis=1).all(), "a row is zero")
        exam.true(cosines(W, d) < 1e-10, f"inner products up to {cosines(W, d):.1g} in a block")


def _asked(*names):
    """The facts of these names, of 1500 blocks of four rows."""
    def ask(exam, orthogonal_gaussian):
        d = 4
        found = portrait(orthogonal_gaussian(1500 * d, d, fresh(exam.rng)), d)
        right = {"mean squared length / d, to 0.25": 1.0}
        for name in names:
            exam.true(found.get(name) == right.get(name, True), f"not so: {name}")
    return ask


orthogonal.item(2, "Over many blocks every entry has mean 0 and variance 1: the directions favour "
                "nothing.", name="every entry is N(0, 1)")(
    _asked("mean of every entry is 0", "variance of every entry is 1",
           "variance of every column is 1"))
orthogonal.item(1.5, "A row is as long as a Gaussian vector of its own: lengths vary, and those of "
                "a block are independent.", name="lengths")(
    _asked("mean squared length / d, to 0.25", "lengths vary as they should",
    "lengths of a block are independent"))
orthogonal.item(1, "Another block has other directions.", name="independent blocks")(
    _asked("blocks are independent", "mean squared length / d, to 0.25"))


def _blocks(m, d, block):
    return np.concatenate([block() for _ in range(-(-m // d))])[:m]


def _haar(d, rng):
    Q, R = np.linalg.qr(rng.normal(size=(d, d)))
    return Q * np.sign(np.diagonal(R))


def _chi(d, rng):
    return np.linalg.norm(rng.normal(size=(d, d)), axis=1)[:, None]


orthogonal.mistakes_of(orthogonal_gaussian={
    "unit_norm": ("The rows have length 1; a Gaussian vector is about sqrt(d) long, and its length "
                  "varies.",
                  lambda m, d, rng: _blocks(m, d, lambda: _haar(d, rng))),
    "sqrt_d_norm": ("All rows are equally long; the length of a Gaussian vector varies.",
                    lambda m, d, rng: _blocks(m, d, lambda: np.sqrt(d) * _haar(d, rng))),
    "chi_square": ("The lengths are squared: the root is missing.",
                   lambda m, d, rng: _blocks(m, d, lambda: _chi(d, rng) ** 2 * _haar(d, rng))),
    "normal_length": (
        "A normal number is no length: the length of a Gaussian vector has d degrees of freedom.",
        lambda m, d, rng: _blocks(m, d, lambda: rng.normal(size=(d, 1)) * _haar(d, rng))),
    "shared_length": (
        "Every row has a length of its own, not one per block.",
        lambda m, d, rng: (
            _blocks(m, d, lambda: np.linalg.norm(rng.normal(size=d)) * _haar(d, rng)))),
    "iid": ("These are independent Gaussian rows: those of a block must be orthogonal.",
            lambda m, d, rng: rng.normal(size=(m, d))),
    "repeat_block": ("One block is repeated: every block needs draws of its own.",
                     lambda m, d, rng: np.tile(_chi(d, rng) * _haar(d, rng), (-(-m // d), 1))[:m]),
    "length_of_columns": ("The lengths scale the columns: after that the rows are no longer "
                          "orthogonal.",
                          lambda m, d, rng: _blocks(m, d, lambda: _haar(d, rng) * _chi(d, rng).T)),
    "no_sign_fix": (
        "QR chooses the signs by a rule: some entries are always negative. Undo it with the signs "
        "of R's diagonal, or draw signs.",
        lambda m, d, rng: (
            _blocks(m, d, lambda: _chi(d, rng) * np.linalg.qr(rng.normal(size=(d, d)))[0]))),
    "axes": ("The directions are those of the axes: they must be turned at random.",
             lambda m, d, rng: (
                 _blocks(m, d, lambda: _chi(d, rng) * rng.choice([-1.0, 1.0], d) * np.eye(d)))),
    "whole_blocks": ("The last block must be cut: m rows in all.",
                     lambda m, d, rng: reference.orthogonal_gaussian(-(-m // d) * d, d, rng)),
    "rounds_down": (
        "The last block, shorter than the others, is missing.",
        lambda m, d, rng: reference.orthogonal_gaussian(max(m // d * d, min(m, d)), d, rng)),
    "own_generator": (
        "A generator of your own with a fixed seed gives the same rows for ever: draw from rng.",
        lambda m, d, rng: reference.orthogonal_gaussian(m, d, np.random.default_rng(0))),
    "global_generator": (
        "The same seed must give the same rows: draw from rng, not from a generator without a "
        "seed.",
        lambda m, d, rng: reference.orthogonal_gaussian(m, d, np.random.default_rng())),
})


@orthogonal.mistake("repeat_directions", "The directions are drawn once: every block needs "
                    "directions of its own, not only lengths.")
def orthogonal_gaussian(m, d, rng):
    directions = _haar(d, rng)
    return _blocks(m, d, lambda: _chi(d, rng) * directions)


@orthogonal.mistake("lengths_reused", "The lengths are those of the matrix that was decomposed: "
                    "they are not independent of the directions. Draw fresh ones.")
def orthogonal_gaussian(m, d, rng):
    def block():
        G = rng.normal(size=(d, d))
        Q, R = np.linalg.qr(G)
        return np.linalg.norm(G, axis=1)[:, None] * Q * np.sign(np.diagonal(R))
    return _blocks(m, d, block)


@orthogonal.mistake("columns", "These columns are orthogonal, not the rows of each block.")
def orthogonal_gaussian(m, d, rng):
    if m < d:
        return (_chi(d, rng) * _haar(d, rng))[:m]
    return np.sqrt(m) * np.linalg.qr(rng.normal(size=(m, d)))[0]


@orthogonal.variant("random signs, chi-square")
def orthogonal_gaussian(m, d, rng):
    def block():
        Q = np.linalg.qr(rng.normal(size=(d, d)))[0] * rng.choice([-1.0, 1.0], size=d)
        return np.sqrt(rng.chisquare(d, size=(d, 1))) * Q
    return _blocks(m, d, block)


@orthogonal.variant("Gram and Schmidt, row by row")
def orthogonal_gaussian(m, d, rng):
    rows = np.empty((m, d))
    for i in range(m):
        block = rows[i - i % d : i]
        directions = block / np.linalg.norm(block, axis=1, keepdims=True)
        x = rng.normal(size=d)
        for _ in range(2):
            x = x - directions.T @ (directions @ x)
        rows[i] = np.linalg.norm(rng.normal(size=d)) * x / np.linalg.norm(x)
    return rows


@orthogonal.variant("all blocks at once, columns as rows")
def orthogonal_gaussian(m, d, rng):
    G = rng.normal(size=(-(-m // d), d, d))
    Q, R = np.linalg.qr(G)
    Q = Q * np.sign(np.einsum("bii->bi", R))[:, None, :]
    return (np.swapaxes(Q, 1, 2) * np.linalg.norm(rng.normal(size=G.shape), axis=2)[..., None]
            ).reshape(-1, d)[:m]
