"""What Part A states."""

import numpy as np

from viva_course.claiming import above, below, cause, claim, holds, near


@claim(seeds=1)
def softmax_by_hand(notebook, seed):
    scores = np.array([1.0, 2.0, 3.0])
    exponentials = np.exp(scores)
    return (holds(np.allclose(exponentials, [2.718, 7.389, 20.086], atol=5e-4)),
            near(exponentials.sum(), 30.193, within=5e-4),
            *(holds(np.allclose(notebook.stable_softmax(scores + more),
                                [0.0900, 0.2447, 0.6652], atol=5e-5)) for more in (0, 1000)))


@claim(seeds=1)
def where_exponentials_end(notebook, seed):
    with np.errstate(over="ignore"):
        return holds(np.isinf(np.exp(710.0))), holds(np.exp(-750.0) == 0)


@claim(seeds=1)
def head_by_hand(notebook, seed):
    eye = np.eye(2)
    weights = notebook.attention_head(eye, eye, np.sqrt(2) * np.log(3) * eye, eye)
    return holds(np.allclose(weights, [[0.75, 0.25], [0.25, 0.75]]))


@claim()
def scores_grow_with_the_root(notebook, seed):
    q, k = np.random.default_rng(seed).normal(size=(2, 20_000, 64))
    return near((q * k).sum(axis=1).std(), 8, within=0.4)


def two_equal_tokens(notebook, seed, causal):
    """How far the outputs of the two Cs in ABCC are apart, in a random head."""
    random = np.random.default_rng(seed).normal(size=(3, 3, 3))
    X = np.eye(3)[[0, 1, 2, 2]]
    out = notebook.attention_head(X, *random, causal=causal)
    return np.abs(out[2] - out[3]).max()


@claim(title="A random head on ABCC: equal tokens, equal rows")
def equal_tokens_equal_rows(notebook, seed):
    return below(two_equal_tokens(notebook, seed, False), 1e-9)


@cause(control="the same head without a mask")
def a_mask_gives_other_pasts(notebook, seed):
    return (above(two_equal_tokens(notebook, seed, True), 1e-3),
            below(two_equal_tokens(notebook, seed, False), 1e-9))
