"""Exam of windowed_ridge and cholesky_update."""

import numpy as np

from viva.case import outcome
from viva.cases.ridge_attention.inputs import pairs
from viva.cases.ridge_attention.window import factor, grown, unit_pairs
from viva_course.reference import ridge_attention as reference
from viva_course.rubric import Exercise, then

LOOSE = {"rtol": 1e-7, "atol": 1e-8}

forgetting = Exercise(
    "windowed_ridge",
    expects={
        "windowed_ridge": "row i is q_i^T W, with W fitted to the last `window` pairs up to i",
        "cholesky_update": "the lower triangular factor of L L^T + sign k k^T, with a positive "
                           "diagonal",
    },
    forbidden=("np.linalg.cholesky", "np.linalg.qr"),
)

forgetting.values(4, "L must be the factor of L L^T + k k^T.", name="factor",
                  only=("factor_by_hand", "four_features", "one_feature", "zeros_in_k"))
forgetting.values(2, "With sign -1 the key is taken out again.", name="taken out",
                  only=("taken_out", "one_feature", "small_factor"))
forgetting.values(0.5, "Lists, integers and single precision.", only=("factor_of_lists",),
                  name="factor, types")
forgetting.values(3, "Row i must be the regression on the pairs i - window + 1 .. i.",
                  only=("window_of_three", "forgotten", "of_lists"), name="window")
forgetting.values(1.5, "Window 1 uses the present pair; a window of n or more never forgets.",
                  only=("window_of_one", "large_window"), name="extreme windows")


@forgetting.item(1, "If nothing positive definite is left, LinAlgError.")
def not_positive(exam, windowed_ridge, cholesky_update):
    L, k = factor(exam.rng, 4), exam.rng.normal(size=4)
    exam.same(cholesky_update(grown(L, k), k, -1), L, **LOOSE)
    e = np.eye(4)
    for each in ((e, e[3]), (0.5 * e, e[0]), (grown(L, k), 50 * k)):
        raised = outcome(cholesky_update, *each, -1)
        exam.true(raised == "LinAlgError", f"an impossible down-date gave {raised}")


@forgetting.item(1, "For other windows: the rows of n separate regressions.")
def n_regressions(exam, windowed_ridge, cholesky_update):
    Q, K, V = pairs(exam.rng, 20, d=4, m=3)
    for window in (2, 5, 11):
        rows = [Q[i] @ reference.ridge_weights(K[max(0, i - window + 1) : i + 1],
                                               V[max(0, i - window + 1) : i + 1], 0.7)
                for i in range(20)]
        exam.same(windowed_ridge(Q, K, V, 0.7, window), np.array(rows), **LOOSE)


@forgetting.item(2.5, "With lam = 1e-6, after 3000 pairs have come and gone, the rows are right to "
                 "1e-4.")
def no_drift(exam, windowed_ridge, cholesky_update):
    Q, K, V = unit_pairs(exam.rng, 3000, 3)
    found = np.asarray(windowed_ridge(Q, K, V, 1e-6, 2))
    rows = [Q[i] @ reference.ridge_weights(K[i - 1 : i + 1], V[i - 1 : i + 1], 1e-6)
            for i in range(2900, 3000)]
    exam.same(found[2900:], np.array(rows), rtol=0, atol=1e-4)


forgetting.unmodified(0.5, "Nothing may be written into the arguments.")


def _rotated(L, k, sign=1, column=lambda c, s, sign, x, k: (c * x + sign * s * k, c * k - s * x),
             check=True, least=0.0):
    """Column by column, with places to go wrong."""
    L, k = np.array(L, float), np.array(k, float)
    for j in range(len(k)):
        square = L[j, j] ** 2 + sign * k[j] ** 2
        if square <= least and check:
            raise np.linalg.LinAlgError
        with np.errstate(all="ignore"):
            c, s = L[j, j] / np.sqrt(square), k[j] / np.sqrt(square)
            L[j:, j], k[j:] = column(c, s, sign, L[j:, j].copy(), k[j:].copy())
    return L


def _sequential(c, s, sign, x, k):
    x = c * x + sign * s * k
    return x, c * k - s * x


forgetting.mistakes_of(cholesky_update={
    "overwritten": ("k is rotated with the column that is new already: both need the old one.",
                    lambda L, k, sign=1: _rotated(L, k, sign, _sequential)),
    "k_stays": ("k stays as it is: each rotation changes the column and k.",
                lambda L, k, sign=1: _rotated(L, k, sign, lambda c, s, sign, x, k: (
                    c * x + sign * s * k, k))),
    "k_plus": ("The rotation of k has the wrong sign: its entry j must become zero.",
               lambda L, k, sign=1: _rotated(L, k, sign, lambda c, s, sign, x, k: (
                   c * x + sign * s * k, c * k + s * x))),
    "sign_ignored": ("sign has no effect: with -1 the key is added once more.",
                     lambda L, k, sign=1: reference.cholesky_update(L, k)),
    "sign_in_root_only": ("sign counts in the new column as well, not in the root alone.",
                          lambda L, k, sign=1: _rotated(L, k, sign, lambda c, s, sign, x, k: (
                              c * x + s * k, c * k - s * x))),
    "diagonal_only": ("Only the diagonal changes here: the rest of each column is rotated too.",
                      lambda L, k, sign=1: _rotated(L, k, sign, lambda c, s, sign, x, k: (
                          np.concatenate([c * x[:1] + sign * s * k[:1], x[1:]]),
                          c * k - s * x))),
    "transposed": ("The factor is lower triangular; this is its transpose.",
                   lambda L, k, sign=1: reference.cholesky_update(L, k, sign).T.copy()),
    "whole_matrix": ("This is L L^T + sign k k^T itself: its triangular factor is asked for.",
                     then(reference.cholesky_update, lambda L: L @ L.T)),
    "negative_diagonal": ("The diagonal must be positive.",
                          lambda L, k, sign=1: -reference.cholesky_update(L, k, sign)),
    "added": ("k k^T is added to L itself: it belongs to L L^T.",
              lambda L, k, sign=1: np.asarray(L, float) + sign * np.tril(np.outer(k, k))),
    "nan": ("A key that cannot be taken out must be refused: raise LinAlgError.",
            lambda L, k, sign=1: _rotated(L, k, sign, check=False)),
    "small_refused": ("Only a square that is zero or negative is refused: one that is small and "
                      "positive leaves a factor.",
                      lambda L, k, sign=1: _rotated(L, k, sign, least=1e-8)),
    "clipped": ("A key that cannot be taken out must be refused: raise LinAlgError.",
                lambda L, k, sign=1: _clipped(L, k, sign)),
})


def _clipped(L, k, sign):
    try:
        return reference.cholesky_update(L, k, sign)
    except np.linalg.LinAlgError:
        return 1e-6 * np.eye(len(L))


@forgetting.mistake("factor_value_error", "What cannot be taken out is refused by LinAlgError.")
def cholesky_update(L, k, sign=1):
    try:
        return reference.cholesky_update(L, k, sign)
    except np.linalg.LinAlgError as error:
        raise ValueError from error


@forgetting.mistake("from_scratch", "The library factorises from scratch, which takes d^3 "
                    "operations: rotate the factor that you have.")
def cholesky_update(L, k, sign=1):
    L = np.asarray(L, float)
    return np.linalg.cholesky(L @ L.T + sign * np.outer(k, k))


@forgetting.mistake("factor_in_place", "The caller's L is overwritten: work in a copy.")
def cholesky_update(L, k, sign=1):
    out = reference.cholesky_update(L, k, sign)
    if isinstance(L, np.ndarray) and L.dtype == float:
        L[:] = out
    return out


@forgetting.mistake("factor_single", "The result must be float64 whatever the inputs are.")
def cholesky_update(L, k, sign=1):
    out = reference.cholesky_update(L, k, sign)
    return out if np.asarray(k).dtype == np.float64 else out.astype(np.float32)


def _windowed(Q, K, V, lam, window, leave=-1.0, drop=-1.0, first=0, whose=0):
    """By sums over the pairs that came and went, with places to go wrong.

    leave, drop: what becomes of G and of H when a pair leaves; first: which pairs never do;
    whose: 1 if the value that leaves is that of the present pair
    """
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    G, H, rows = lam * np.eye(K.shape[1]), np.zeros((K.shape[1], V.shape[1])), []
    for i, q in enumerate(Q):
        G, H = G + np.outer(K[i], K[i]), H + np.outer(K[i], V[i])
        if i >= window + first:
            old = i - window
            value = V[i if whose else old]
            G, H = G + leave * np.outer(K[old], K[old]), H + drop * np.outer(K[old], value)
        rows.append(H.T @ (np.linalg.pinv(G) @ q))
    return np.array(rows)


def _down_dated(Q, K, V, lam, window, of_sum=1.0, of_denominator=-1.0):
    """With P = G^-1, updated and down-dated by the formula of Sherman and Morrison."""
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    P, H, rows = np.eye(K.shape[1]) / lam, np.zeros((K.shape[1], V.shape[1])), []
    with np.errstate(all="ignore"):
        for i, q in enumerate(Q):
            Pk = P @ K[i]
            P, H = P - np.outer(Pk, Pk) / (1 + K[i] @ Pk), H + np.outer(K[i], V[i])
            if i >= window:
                old, Pk = K[i - window], P @ K[i - window]
                P = P + of_sum * np.outer(Pk, Pk) / (1 + of_denominator * old @ Pk)
                H = H - np.outer(old, V[i - window])
            rows.append(H.T @ (P @ q))
    return np.array(rows)


def _fitted(Q, K, V, lam, part):
    """Row i from its own regression on the pairs part(i)."""
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    return np.array([q @ reference.ridge_weights(K[part(i)], V[part(i)], lam)
                     for i, q in enumerate(Q)])


BOTH_SIGNS = "In a down-date of P both signs change: of the correction and in the denominator."

forgetting.mistakes_of(windowed_ridge={
    "off": ("The window is one pair too long.",
            lambda Q, K, V, lam, window: reference.windowed_ridge(Q, K, V, lam, window + 1)),
    "too_short": ("The window is one pair too short.", lambda Q, K, V, lam, window: _fitted(
        Q, K, V, lam, lambda i: slice(max(0, i - window + 2), i + 1))),
    "noG": ("The key that leaves stays in G, or in its factor: it must be taken out of H and of "
            "this.", lambda Q, K, V, lam, window: _windowed(Q, K, V, lam, window, leave=0.0)),
    "noH": ("The pair that leaves stays in H: it must be taken out of the factor and of H.",
            lambda Q, K, V, lam, window: _windowed(Q, K, V, lam, window, drop=0.0)),
    "value_of_another": ("The old key leaves H with the value of the present pair: it must leave "
                         "with its own.",
                         lambda Q, K, V, lam, window: _windowed(Q, K, V, lam, window, whose=1)),
    "H_added": ("The pair that leaves is added to H again instead of being taken out.",
                lambda Q, K, V, lam, window: _windowed(Q, K, V, lam, window, drop=1.0)),
    "sign": ("The key that leaves is added once more to G instead of being taken out.",
             lambda Q, K, V, lam, window: _windowed(Q, K, V, lam, window, leave=1.0)),
    "first_stays": ("The very first pair never leaves: when i = window, pair 0 goes.",
                    lambda Q, K, V, lam, window: _windowed(Q, K, V, lam, window, first=1)),
    "negative_index": ("Pairs leave before there are `window` of them: a negative index counts "
                       "from the end of the sequence.",
                       lambda Q, K, V, lam, window: _windowed(Q, K, V, lam, window, first=-window)
                       if window <= len(Q) else reference.windowed_ridge(Q, K, V, lam, window)),
    "window_ignored": (
        "The window has no effect.",
        lambda Q, K, V, lam, window: reference.ridge_attention(Q, K, V, lam, causal=True)),
    "down_dated_P": ("The inverse P is down-dated: for a small lam rounding errors ruin it. Keep "
                     "G or its factor instead.", _down_dated),
    "half_sign": (BOTH_SIGNS, lambda Q, K, V, lam, window: _down_dated(
        Q, K, V, lam, window, of_denominator=1.0)),
    "other_half_sign": (BOTH_SIGNS, lambda Q, K, V, lam, window: _down_dated(
        Q, K, V, lam, window, of_sum=-1.0)),
    "exclusive": ("The present pair belongs to the window.", lambda Q, K, V, lam, window: _fitted(
        Q, K, V, lam, lambda i: slice(max(0, i - window), i))),
    "blocks": ("The memory is emptied every `window` pairs; the window must slide.",
               lambda Q, K, V, lam, window: _fitted(
                   Q, K, V, lam, lambda i: slice(i - i % window, i + 1))),
    "centred": ("The window reaches into the future: it ends at the present pair.",
                lambda Q, K, V, lam, window: _fitted(Q, K, V, lam, lambda i: slice(
                    max(0, i - (window - 1) // 2), i + window // 2 + 1))),
    "lam_root": ("The factor starts as the root of lam times the identity, since L L^T = lam I.",
                 lambda Q, K, V, lam, window: reference.windowed_ridge(Q, K, V, lam**2, window)),
})


@forgetting.mistake("single", "The result must be float64 whatever the inputs are.")
def windowed_ridge(Q, K, V, lam, window):
    out = reference.windowed_ridge(Q, K, V, lam, window)
    return out if np.asarray(K).dtype == np.float64 else out.astype(np.float32)


@forgetting.mistake("in_place", "The arguments belong to the caller: compute in new arrays.")
def windowed_ridge(Q, K, V, lam, window):
    out = reference.windowed_ridge(Q, K, V, lam, window)
    if isinstance(Q, np.ndarray):
        Q *= 2
    return out


@forgetting.variant("a solve for each window")
def windowed_ridge(Q, K, V, lam, window):
    Q, K, V = (np.asarray(x, dtype=float) for x in (Q, K, V))
    out = []
    for i in range(len(Q)):
        part = slice(max(0, i - window + 1), i + 1)
        G = K[part].T @ K[part] + lam * np.eye(K.shape[1])
        out.append(np.linalg.solve(G, K[part].T @ V[part]).T @ Q[i])
    return np.stack(out)


@forgetting.variant("G is carried along")
def windowed_ridge(Q, K, V, lam, window):
    return _windowed(Q, K, V, lam, window)


@forgetting.variant("by the triangular system")
def cholesky_update(L, k, sign=1):
    L, k = np.asarray(L, float), np.asarray(k, float)
    p = np.linalg.solve(L, k)
    rest = 1 + sign * np.concatenate([[0], np.cumsum(p**2)])  # L (I + sign p p^T) L^T
    if np.any(rest <= 1e-14):
        raise np.linalg.LinAlgError
    inner = np.tril(sign * np.outer(p, p / np.sqrt(rest[:-1] * rest[1:])), -1)
    return L @ (inner + np.diag(np.sqrt(rest[1:] / rest[:-1])))


@forgetting.variant("entry by entry, mixed")
def cholesky_update(L, k, sign=1):
    L, k = np.array(L, float), [float(x) for x in k]
    for j in range(len(k)):
        if L[j, j] ** 2 <= -sign * k[j] ** 2:
            raise np.linalg.LinAlgError
        new = (L[j, j] ** 2 + sign * k[j] ** 2) ** 0.5
        c, s, L[j, j] = new / L[j, j], k[j] / L[j, j], new
        for i in range(j + 1, len(k)):
            L[i, j] = (L[i, j] + sign * s * k[i]) / c
            k[i] = c * k[i] - s * L[i, j]
    return L
