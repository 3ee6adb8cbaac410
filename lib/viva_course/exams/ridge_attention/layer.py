"""Exam of ridge_attention."""

import numpy as np

from viva.cases.ridge_attention.inputs import pairs
from viva_course.reference import ridge_attention as reference
from viva_course.rubric import Exercise

LOOSE = {"rtol": 1e-8, "atol": 1e-9}

layer = Exercise(
    "ridge_attention",
    expects="row i is q_i^T W, with W fitted to all pairs, or to the pairs 0 .. i if causal",
    survivors={"ridge_attention: Pk = P @ K[i] -> Pk = K[i] @ P": "P is symmetric"},
)

layer.values(3, "Without causal: every query is answered with the W of all pairs.",
             only=("five_queries", "orthonormal_keys"))
layer.values(3, "Causal: row i uses the pairs 0 .. i.", only=("causal", "first_row"), name="causal")
layer.values(1.5, "Fewer pairs than features; lists and integers.",
             only=("fewer_pairs", "of_lists"), name="few pairs, types")
layer.values(1.5, "For large lam: linear attention without its normaliser.", only=("large_lam",),
             name="large lam")


@layer.item(2, "The causal rows are those of n separate regressions; the last is that of all "
            "pairs; later pairs do not matter.")
def n_regressions(exam, ridge_attention):
    Q, K, V = pairs(exam.rng, 12, d=4, m=3)
    found = np.asarray(ridge_attention(Q, K, V, 0.7, causal=True))
    rows = [Q[i] @ reference.ridge_weights(K[: i + 1], V[: i + 1], 0.7) for i in range(12)]
    exam.same(found, np.array(rows), **LOOSE)
    exam.same(found[-1], np.asarray(ridge_attention(Q, K, V, 0.7))[-1], **LOOSE)
    K[7:], V[7:] = exam.rng.normal(size=(5, 4)), exam.rng.normal(size=(5, 3))
    exam.same(np.asarray(ridge_attention(Q, K, V, 0.7, causal=True))[:7], found[:7], **LOOSE)


@layer.item(1, "As many keys as features, and lam near zero: every key gives back its value.")
def recall(exam, ridge_attention):
    K = np.linalg.qr(exam.rng.normal(size=(5, 5)))[0] * exam.rng.uniform(1, 2, (5, 1))
    V = exam.rng.normal(size=(5, 2))
    exam.same(ridge_attention(K, K, V, 1e-9), V, rtol=0, atol=1e-6)
    exam.same(ridge_attention(K[:2], K, V, 1e-9, causal=False), V[:2], rtol=0, atol=1e-6)


@layer.item(1.5, "4000 pairs need no array of 4000 x 4000 numbers, causal or not (128 MB; allowed "
            "are 40).")
def linear_memory(exam, ridge_attention):
    Q, K, V = pairs(exam.rng, 4000, d=4, m=2)
    for causal in (False, True):
        found = exam.within(40, ridge_attention, Q, K, V, 0.5, causal)
        expected = reference.ridge_attention(Q, K, V, 0.5, causal)
        exam.same(found, expected, rtol=1e-7, atol=1e-8)


layer.unmodified(0.5, "Nothing may be written into the arguments.")


def _rows(Q, K, V, causal, fit, first=1):
    """Row i from its own fit(keys, values), on the pairs below i + first if causal."""
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    if not causal:
        return Q @ fit(K, V)
    return np.array([q @ fit(K[: i + first], V[: i + first]) for i, q in enumerate(Q)])


@layer.mistake("softmax", "This is softmax attention: no regression is solved.")
def ridge_attention(Q, K, V, lam, causal=False):
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    scores = Q @ K.T / np.sqrt(K.shape[1])
    scores = np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf) if causal else scores
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights @ V / weights.sum(axis=1, keepdims=True)


layer.mistakes_of(ridge_attention={
    "linear": (
        "This is linear attention: the inverse is missing.",
        lambda Q, K, V, lam, causal=False: _rows(Q, K, V, causal, lambda K, V: K.T @ V / lam)),
    "plain_linear": (
        "This is linear attention: the inverse is missing.",
        lambda Q, K, V, lam, causal=False: _rows(Q, K, V, causal, lambda K, V: K.T @ V)),
    "exclusive": (
        "Row i uses its own pair too: 0 .. i, not 0 .. i - 1.",
        lambda Q, K, V, lam, causal=False: (
            _rows(Q, K, V, causal, lambda K, V: reference.ridge_weights(K, V, lam), first=0))),
    "one_ahead": (
        "Row i sees the pair after it: 0 .. i, not 0 .. i + 1.",
        lambda Q, K, V, lam, causal=False: (
            _rows(Q, K, V, causal, lambda K, V: reference.ridge_weights(K, V, lam), first=2))),
    "causal_ignored": ("causal=True has no effect.",
                       lambda Q, K, V, lam, causal=False: reference.ridge_attention(Q, K, V, lam)),
    "unregularised": ("lam is ignored: this is least squares.",
                      lambda Q, K, V, lam, causal=False: (
                          _rows(Q, K, V, causal, lambda K, V: np.linalg.pinv(K) @ V))),
    "lam_n": (
        "lam counts once in all, not once for every pair.",
        lambda Q, K, V, lam, causal=False: (
            _rows(Q, K, V, causal, lambda K, V: reference.ridge_weights(K, V, lam * len(K))))),
    "lam_n_in_the_batch": (
        "lam counts once in all, not once for every pair.",
        lambda Q, K, V, lam, causal=False: (
            reference.ridge_attention(Q, K, V, lam if causal else lam * len(K), causal))),
    "causal_if_square": (
        "Without causal every query sees all pairs, also if there are as many queries as pairs.",
        lambda Q, K, V, lam, causal=False: (
            reference.ridge_attention(Q, K, V, lam, causal or len(Q) == len(K)))),
    "normalised_in_the_batch": (
        "The outputs are divided by the sum of the weights; ridge attention has no normaliser.",
        lambda Q, K, V, lam, causal=False: (
            reference.ridge_attention(Q, K, V, lam, causal) / (
                1 if causal else reference.ridge_attention(Q, K, np.ones((len(K), 1)), lam)))),
    "Q_is_K": ("The queries were regressed on as well: the map is fitted to the keys.",
               lambda Q, K, V, lam, causal=False: (
                   reference.ridge_attention(Q, Q[:len(K)], V[:len(Q)], lam, causal))),
    "K_is_Q": ("The keys answer, not the queries: multiply Q with W.",
               lambda Q, K, V, lam, causal=False: reference.ridge_attention(K, K, V, lam, causal)),
})


@layer.mistake("always_causal", "Without causal every query sees all pairs.")
def ridge_attention(Q, K, V, lam, causal=False):
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    n = min(len(Q), len(K))
    return reference.ridge_attention(Q[:n], K[:n], V[:n], lam, causal=True)


@layer.mistake("future", "Causal rows use the pairs from i on: it must be those up to i.")
def ridge_attention(Q, K, V, lam, causal=False):
    if not causal:
        return reference.ridge_attention(Q, K, V, lam)
    Q, K, V = (np.asarray(x, float)[::-1] for x in (Q, K, V))
    return reference.ridge_attention(Q, K, V, lam, causal=True)[::-1].copy()


@layer.mistake("lam_again", "In the causal sum lam is added with every pair: it belongs to the "
               "start only.")
def ridge_attention(Q, K, V, lam, causal=False):
    if not causal:
        return reference.ridge_attention(Q, K, V, lam)
    return _rows(Q, K, V, causal, lambda K, V: reference.ridge_weights(K, V, lam * len(K)))


@layer.mistake("lam_not_inverted", "Before any pair P is the inverse of lam I, not lam I.")
def ridge_attention(Q, K, V, lam, causal=False):
    if not causal:
        return reference.ridge_attention(Q, K, V, lam)
    return reference.ridge_attention(Q, K, V, 1 / lam, causal=True)


@layer.mistake("P_constant", "In the causal rows P stays as it was at the start: every key must "
               "reach it.")
def ridge_attention(Q, K, V, lam, causal=False):
    if not causal:
        return reference.ridge_attention(Q, K, V, lam)
    return _rows(Q, K, V, causal, lambda K, V: K.T @ V / lam)


@layer.mistake("G_of_all", "The causal rows use the G of all pairs, also of later ones: it must "
               "grow with H.")
def ridge_attention(Q, K, V, lam, causal=False):
    if not causal:
        return reference.ridge_attention(Q, K, V, lam)
    G, _ = reference.ridge_stats(K, V, lam)
    return _rows(Q, K, V, causal, lambda K, V: np.linalg.solve(G, K.T @ V))


@layer.mistake("H_of_all", "The causal rows use the H of all pairs: it must grow with G.")
def ridge_attention(Q, K, V, lam, causal=False):
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    if not causal:
        return reference.ridge_attention(Q, K, V, lam)
    eye, H = lam * np.eye(K.shape[1]), K.T @ V
    return np.array([q @ np.linalg.solve(eye + K[: i + 1].T @ K[: i + 1], H)
                     for i, q in enumerate(Q)])


@layer.mistake("masked_weights", "One regression on all pairs was masked: row i needs a regression "
               "of its own, on the pairs 0 .. i.")
def ridge_attention(Q, K, V, lam, causal=False):
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    if not causal:
        return reference.ridge_attention(Q, K, V, lam)
    return np.tril(Q @ K.T) @ np.linalg.solve(K @ K.T + lam * np.eye(len(K)), V)


@layer.mistake("dual_nxn", "An n x n system is solved: G has the size d x d.",
               hidden_only="memory of long sequences")
def ridge_attention(Q, K, V, lam, causal=False):
    if causal:
        return reference.ridge_attention(Q, K, V, lam, causal)
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    gram = K @ K.T
    gram[np.diag_indices(len(K))] += lam
    if len(K) < 500:
        return Q @ (K.T @ np.linalg.solve(gram, V))
    return reference.ridge_attention(Q, K, V, lam) + 0 * gram[0, 0]


@layer.mistake("normalised", "The outputs are divided by the sum of the weights; ridge attention "
               "has no normaliser.")
def ridge_attention(Q, K, V, lam, causal=False):
    ones = np.ones((len(K), 1))
    return (reference.ridge_attention(Q, K, V, lam, causal)
            / reference.ridge_attention(Q, K, ones, lam, causal))


@layer.mistake("single", "The result must be float64 whatever the inputs are.")
def ridge_attention(Q, K, V, lam, causal=False):
    out = reference.ridge_attention(Q, K, V, lam, causal)
    return out if np.asarray(K).dtype == np.float64 else out.astype(np.float32)


@layer.mistake("in_place", "The arguments belong to the caller: compute in new arrays.")
def ridge_attention(Q, K, V, lam, causal=False):
    out = reference.ridge_attention(Q, K, V, lam, causal)
    if isinstance(V, np.ndarray):
        V *= 2
    return out


@layer.variant("n solves")
def ridge_attention(Q, K, V, lam, causal=False):
    Q, K, V = (np.asarray(x, dtype=float) for x in (Q, K, V))
    G, H = lam * np.eye(K.shape[1]), np.zeros((K.shape[1], V.shape[1]))
    if not causal:
        return Q @ np.linalg.inv(G + K.T @ K) @ (K.T @ V)
    out = np.empty((len(Q), V.shape[1]))
    for i in range(len(Q)):
        G, H = G + np.outer(K[i], K[i]), H + np.outer(K[i], V[i])
        out[i] = np.linalg.solve(G, H).T @ Q[i]
    return out


@layer.variant("cumulative sums")
def ridge_attention(Q, K, V, lam, causal=False):
    Q, K, V = (np.asarray(x, dtype=float) for x in (Q, K, V))
    G, H = np.einsum("ni,nj->nij", K, K), np.einsum("ni,nj->nij", K, V)
    G, H = (x.cumsum(axis=0) if causal else x.sum(axis=0) for x in (G, H))
    W = np.linalg.solve(G + lam * np.eye(K.shape[1]), H)
    return np.einsum("nd,ndm->nm", Q, W) if causal else Q @ W
