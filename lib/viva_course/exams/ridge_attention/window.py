"""Exam of windowed_ridge."""

import numpy as np

from viva.cases.ridge_attention.inputs import pairs
from viva_course.reference import ridge_attention as reference
from viva_course.rubric import Exercise

LOOSE = {"rtol": 1e-7, "atol": 1e-8}

forgetting = Exercise(
    "windowed_ridge", expects="row i is q_i^T W, with W fitted to the last `window` pairs up to i",
    survivors={
        "windowed_ridge: Pk = P @ K[i] -> Pk = K[i] @ P": "P is symmetric",
        "windowed_ridge: old, Pk = (K[i - window], P @ K[i - window]) -> "
        "old, Pk = (K[i - window], K[i - window] @ P)": "P is symmetric",
    },
)

forgetting.values(3, "Row i must be the regression on the pairs i - window + 1 .. i.",
                  only=("window_of_three", "forgotten", "of_lists"))
forgetting.values(1.5, "Window 1 uses the present pair; a window of n or more never forgets.",
                  only=("window_of_one", "large_window"), name="extreme windows")


@forgetting.item(1.5, "For other windows: the rows of n separate regressions.")
def n_regressions(exam, windowed_ridge):
    Q, K, V = pairs(exam.rng, 20, d=4, m=3)
    for window in (2, 5, 11):
        rows = [Q[i] @ reference.ridge_weights(K[max(0, i - window + 1) : i + 1],
                                               V[max(0, i - window + 1) : i + 1], 0.7)
                for i in range(20)]
        exam.same(windowed_ridge(Q, K, V, 0.7, window), np.array(rows), **LOOSE)


@forgetting.item(1.5, "After 3000 pairs have come and gone the rows are right to 1e-6.")
def no_drift(exam, windowed_ridge):
    Q, K, V = pairs(exam.rng, 3000, d=3, m=2)
    found = np.asarray(windowed_ridge(Q, K, V, 0.5, 10))
    rows = [Q[i] @ reference.ridge_weights(K[i - 9 : i + 1], V[i - 9 : i + 1], 0.5)
            for i in range(2980, 3000)]
    exam.same(found[2980:], np.array(rows), rtol=0, atol=1e-6)


forgetting.unmodified(0.5, "Nothing may be written into the arguments.")


def _windowed(Q, K, V, lam, window, leave=lambda P, Pk, k: P + np.outer(Pk, Pk) / (1 - k @ Pk),
              drop=-1.0):
    """By updates and down-dates, with places to go wrong."""
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    P, H, rows = np.eye(K.shape[1]) / lam, np.zeros((K.shape[1], V.shape[1])), []
    with np.errstate(all="ignore"):
        for i, q in enumerate(Q):
            Pk = P @ K[i]
            P, H = P - np.outer(Pk, Pk) / (1 + K[i] @ Pk), H + np.outer(K[i], V[i])
            if i >= window:
                old = i - window
                P, H = leave(P, P @ K[old], K[old]), H + drop * np.outer(K[old], V[old])
            rows.append(H.T @ (P @ q))
    return np.array(rows)


forgetting.mistakes_of(windowed_ridge={
    "off": ("The window is one pair too long.",
            lambda Q, K, V, lam, window: reference.windowed_ridge(Q, K, V, lam, window + 1)),
    "noP": ("The key that leaves stays in P: it must be taken out of both P and H.",
            lambda Q, K, V, lam, window: _windowed(Q, K, V, lam, window, leave=lambda P, Pk, k: P)),
    "noH": ("The pair that leaves stays in H: it must be taken out of both P and H.",
            lambda Q, K, V, lam, window: _windowed(Q, K, V, lam, window, drop=0.0)),
    "H_added": ("The pair that leaves is added to H again instead of being taken out.",
                lambda Q, K, V, lam, window: _windowed(Q, K, V, lam, window, drop=1.0)),
    "window_ignored": (
        "The window has no effect.",
        lambda Q, K, V, lam, window: reference.ridge_attention(Q, K, V, lam, causal=True)),
})


@forgetting.mistake("too_short", "The window is one pair too short.")
def windowed_ridge(Q, K, V, lam, window):
    if window > 1:
        return reference.windowed_ridge(Q, K, V, lam, window - 1)
    return np.zeros((len(Q), np.shape(V)[1]))


@forgetting.mistake("sign", "The key that leaves is added once more to G instead of being taken "
                    "out.")
def windowed_ridge(Q, K, V, lam, window):
    return _windowed(Q, K, V, lam, window, leave=lambda P, Pk, k: P - np.outer(Pk, Pk)
                     / (1 + k @ Pk))


@forgetting.mistake("half_sign", "In the down-date both signs change: that of the correction and "
                    "that in the denominator.")
def windowed_ridge(Q, K, V, lam, window):
    return _windowed(Q, K, V, lam, window, leave=lambda P, Pk, k: P + np.outer(Pk, Pk)
                     / (1 + k @ Pk))


@forgetting.mistake("other_half_sign", "In the down-date both signs change: that of the "
                    "correction and that in the denominator.")
def windowed_ridge(Q, K, V, lam, window):
    return _windowed(Q, K, V, lam, window, leave=lambda P, Pk, k: P - np.outer(Pk, Pk)
                     / (1 - k @ Pk))


@forgetting.mistake("exclusive", "The present pair belongs to the window.")
def windowed_ridge(Q, K, V, lam, window):
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    return np.array([q @ reference.ridge_weights(K[max(0, i - window) : i],
                                                 V[max(0, i - window) : i], lam)
                     for i, q in enumerate(Q)])


@forgetting.mistake("blocks", "The memory is emptied every `window` pairs; the window must slide.")
def windowed_ridge(Q, K, V, lam, window):
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    return np.concatenate([reference.ridge_attention(*(x[s : s + window] for x in (Q, K, V)),
                                                     lam, causal=True)
                           for s in range(0, len(Q), window)])


@forgetting.mistake("centred", "The window reaches into the future: it ends at the present pair.")
def windowed_ridge(Q, K, V, lam, window):
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    low, high = (window - 1) // 2, window // 2 + 1
    return np.array([q @ reference.ridge_weights(K[max(0, i - low) : i + high],
                                                 V[max(0, i - low) : i + high], lam)
                     for i, q in enumerate(Q)])


@forgetting.mistake("single", "The result must be float64 whatever the inputs are.")
def windowed_ridge(Q, K, V, lam, window):
    out = reference.windowed_ridge(Q, K, V, lam, window)
    return out if np.asarray(K).dtype == np.float64 else out.astype(np.float32)


@forgetting.mistake("drifts", "Single precision inside: errors pile up with every pair that comes "
                    "and goes.")
def windowed_ridge(Q, K, V, lam, window):
    Q, K, V = (np.asarray(x, np.float32) for x in (Q, K, V))
    P = (np.eye(K.shape[1]) / lam).astype(np.float32)
    H, rows = np.zeros((K.shape[1], V.shape[1]), np.float32), []
    for i, q in enumerate(Q):
        for j, sign in ((i, np.float32(1)), (i - window, np.float32(-1))):
            if j >= 0:
                Pk = P @ K[j]
                P = P - sign * np.outer(Pk, Pk) / (1 + sign * K[j] @ Pk)
                H = H + sign * np.outer(K[j], V[j])
        rows.append(H.T @ (P @ q))
    return np.array(rows, float)


@forgetting.mistake("in_place", "The arguments belong to the caller: compute in new arrays.")
def windowed_ridge(Q, K, V, lam, window):
    out = reference.windowed_ridge(Q, K, V, lam, window)
    if isinstance(Q, np.ndarray):
        Q *= 2
    return out


@forgetting.variant("solve for each window")
def windowed_ridge(Q, K, V, lam, window):
    Q, K, V = (np.asarray(x, dtype=float) for x in (Q, K, V))
    out = []
    for i in range(len(Q)):
        part = slice(max(0, i - window + 1), i + 1)
        G = K[part].T @ K[part] + lam * np.eye(K.shape[1])
        out.append(np.linalg.solve(G, K[part].T @ V[part]).T @ Q[i])
    return np.stack(out)


@forgetting.variant("down-date first")
def windowed_ridge(Q, K, V, lam, window):
    Q, K, V = (np.asarray(x, dtype=float) for x in (Q, K, V))
    P, H, out = np.eye(K.shape[1]) / lam, np.zeros((K.shape[1], V.shape[1])), []
    for i in range(len(Q)):
        if i >= window:
            k = K[i - window]
            P = P + np.outer(P @ k, k @ P) / (1 - k @ P @ k)
            H = H - np.outer(k, V[i - window])
        k = K[i]
        P = P - np.outer(P @ k, k @ P) / (1 + k @ P @ k)
        H = H + np.outer(k, V[i])
        out.append(Q[i] @ P @ H)
    return np.array(out)
