"""Exam of ridge_stats and ridge_weights."""

import numpy as np

from viva.cases.ridge_attention.inputs import pairs
from viva_course.reference import ridge_attention as reference
from viva_course.rubric import Exercise, then

LOOSE = {"rtol": 1e-8, "atol": 1e-9}

batch = Exercise(
    "ridge_stats",
    expects={
        "ridge_stats": "G (d, d) and H (d, m), the two sums over all pairs that the regression "
                       "needs",
        "ridge_weights": "the W (d, m) that minimises |K W - V|^2 + lam |W|^2",
    },
)

batch.values(4, "G and H must be the sums over the pairs.", name="statistics",
             only=("stats_by_hand", "six_pairs", "stats_of_lists"))
batch.values(4, "W must solve the normal equations.", name="weights",
             only=("weights_by_hand", "nine_pairs", "gradient", "weights_of_lists"))
batch.values(1.5, "Fewer pairs than features are no trouble, since lam > 0.",
             only=("fewer_pairs",), name="fewer pairs")


@batch.item(1, "The order of the pairs is irrelevant, and pairs can be added up.")
def any_order(exam, ridge_stats, ridge_weights):
    _, K, V = pairs(exam.rng, 11, d=4, m=3)
    order = exam.rng.permutation(11)
    G, H = (np.asarray(x) for x in ridge_stats(K, V, 0.8))
    exam.same([G, H], list(reference.ridge_stats(K, V, 0.8)))
    exam.same(list(ridge_stats(K[order], V[order], 0.8)), [G, H])
    parts = [ridge_stats(K[part], V[part], 0.8) for part in (slice(0, 5), slice(5, 11))]
    exam.same(np.asarray(parts[0][0]) + np.asarray(parts[1][0]) - 0.8 * np.eye(4), G)
    exam.same(np.asarray(parts[0][1]) + np.asarray(parts[1][1]), H)


@batch.item(1.5, "For lam to infinity lam W tends to K^T V; for a tiny lam W is that of least "
            "squares.")
def extremes_of_lam(exam, ridge_stats, ridge_weights):
    _, K, V = pairs(exam.rng, 12, d=3, m=2)
    exam.same(1e9 * np.asarray(ridge_weights(K, V, 1e9)), K.T @ V, rtol=1e-6, atol=1e-6)
    exam.same(ridge_weights(K, V, 1e-6), np.linalg.lstsq(K, V, rcond=None)[0], 1e-4, 1e-4)


@batch.item(1.5, "The same W as least squares with the rows sqrt(lam) I below K and zeros below V.")
def augmented_least_squares(exam, ridge_stats, ridge_weights):
    for n, d, m in ((9, 4, 2), (3, 6, 1), (5, 5, 4)):
        _, K, V = pairs(exam.rng, n, d=d, m=m)
        lam = float(exam.rng.uniform(0.3, 5))
        tall = np.vstack([K, np.sqrt(lam) * np.eye(d)])
        expected = np.linalg.lstsq(tall, np.vstack([V, np.zeros((d, m))]), rcond=None)[0]
        exam.same(ridge_weights(K, V, lam), expected, **LOOSE)


batch.unmodified(0.5, "Nothing may be written into the arguments.")


def _two(K, V):
    return np.asarray(K, float), np.asarray(V, float)


batch.mistakes_of(ridge_stats={
    "lam_n": ("lam is added once, not once for every pair.",
              lambda K, V, lam: reference.ridge_stats(K, V, lam * len(K))),
    "no_lam": ("lam I is missing in G.", lambda K, V, lam: reference.ridge_stats(K, V, 0.0)),
    "vk_order": ("H is the sum of k v^T, of shape (d, m), not of v k^T.",
                 then(reference.ridge_stats, lambda G, H: (G, H.T.copy()))),
    "lam_sq": ("lam is not squared.", lambda K, V, lam: reference.ridge_stats(K, V, lam**2)),
    "lam_root": ("lam is added to G itself; its root belongs to the augmented rows of K.",
                 lambda K, V, lam: reference.ridge_stats(K, V, np.sqrt(lam))),
})
batch.mistakes_of(ridge_weights={
    "weights_lam_n": ("lam counts once in all, not once for every pair.",
                      lambda K, V, lam: reference.ridge_weights(K, V, lam * len(K))),
    "weights_lam_sq": ("lam is not squared.",
                       lambda K, V, lam: reference.ridge_weights(K, V, lam**2)),
    "weights_no_lam": (
        "lam is missing: this is ordinary least squares.",
        lambda K, V, lam: np.linalg.pinv(np.asarray(K, float)) @ np.asarray(V, float)),
    "weights_half": ("The gradient of the penalty has the same factor 2 as that of the error: "
                     "neither stays.",
                     lambda K, V, lam: reference.ridge_weights(K, V, lam / 2)),
    "weights_double": ("The gradient of the penalty has the same factor 2 as that of the error: "
                       "neither stays.",
                       lambda K, V, lam: reference.ridge_weights(K, V, 2 * lam)),
    "no_inverse": ("H alone is linear attention: it must be multiplied by the inverse of G.",
                   lambda K, V, lam: reference.ridge_stats(K, V, lam)[1]),
    "product": ("W solves G W = H; here G is multiplied instead of inverted.",
                then(reference.ridge_stats, lambda G, H: G @ H)),
    "entrywise": ("1/G inverts entry by entry; the inverse of a matrix is asked for.",
                  then(reference.ridge_stats, lambda G, H: (1 / G) @ H)),
    "weights_transposed": ("W has the shape (d, m).",
                           lambda K, V, lam: reference.ridge_weights(K, V, lam).T.copy()),
})


@batch.mistake("KKt", "K K^T compares pairs with pairs; G compares features with features.")
def ridge_stats(K, V, lam):
    K, V = _two(K, V)
    return lam * np.eye(len(K)) + K @ K.T, K.T @ V


@batch.mistake("lam_everywhere", "lam is added to every entry of G; it belongs on the diagonal.")
def ridge_stats(K, V, lam):
    K, V = _two(K, V)
    return K.T @ K + lam, K.T @ V


@batch.mistake("means", "G and H are sums over the pairs, not means.")
def ridge_stats(K, V, lam):
    K, V = _two(K, V)
    return lam * np.eye(K.shape[1]) + K.T @ K / len(K), K.T @ V / len(K)


@batch.mistake("lam_in_H", "lam belongs to G only.")
def ridge_stats(K, V, lam):
    G, H = reference.ridge_stats(K, V, lam)
    return G, H + lam


@batch.mistake("centred", "The means of the keys were taken off; the sums are of the keys "
               "themselves.")
def ridge_stats(K, V, lam):
    K, V = _two(K, V)
    return reference.ridge_stats(K - K.mean(axis=0), V, lam)


@batch.mistake("stats_single", "The results must be float64 whatever the inputs are.")
def ridge_stats(K, V, lam):
    G, H = reference.ridge_stats(K, V, lam)
    return (G, H) if np.asarray(V).dtype == np.float64 else (G.astype("f4"), H.astype("f4"))


@batch.mistake("intercept", "The means were taken off first, which fits an intercept; none is "
               "asked for.")
def ridge_weights(K, V, lam):
    K, V = _two(K, V)
    return reference.ridge_weights(K - K.mean(axis=0), V - V.mean(axis=0), lam)


@batch.mistake("weights_single", "The result must be float64 whatever the inputs are.")
def ridge_weights(K, V, lam):
    W = reference.ridge_weights(K, V, lam)
    return W if np.asarray(V).dtype == np.float64 else W.astype(np.float32)


@batch.mistake("in_place", "The arguments belong to the caller: compute in new arrays.")
def ridge_weights(K, V, lam):
    W = reference.ridge_weights(K, V, lam)
    if isinstance(K, np.ndarray):
        K *= 2
    return W


@batch.variant("pair by pair")
def ridge_stats(K, V, lam):
    K, V = _two(K, V)
    G, H = np.diag(np.full(K.shape[1], float(lam))), np.zeros((K.shape[1], V.shape[1]))
    for k, v in zip(K, V, strict=True):
        G += np.outer(k, k)
        H += np.outer(k, v)
    return [G, H]


@batch.variant("the dual system")
def ridge_weights(K, V, lam):
    K, V = _two(K, V)
    return K.T @ np.linalg.inv(K @ K.T + lam * np.eye(len(K))) @ V


@batch.variant("singular values")
def ridge_weights(K, V, lam):
    K, V = _two(K, V)
    U, s, Vt = np.linalg.svd(K, full_matrices=False)
    return Vt.T @ ((s / (s**2 + lam))[:, None] * (U.T @ V))
