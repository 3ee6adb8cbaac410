"""Wrong solutions of ridge_attention, written from its text alone."""

import numpy as np

from advice import wrong


class _Mean:
    def __init__(self):
        self.n, self.mean = 0, 0.0


@wrong("divides_by_n_plus_one", "n|count|divid")
class RunningMean(_Mean):
    def update(self, x):
        x = np.asarray(x, float)
        self.n += 1
        self.mean = self.mean + (x - self.mean) / (self.n + 1)
        return self.mean.copy()


@wrong("sum_only", "mean|sum|divid")
class RunningMean(_Mean):
    def update(self, x):
        self.n += 1
        self.mean = self.mean + np.asarray(x, float)
        return self.mean.copy()


@wrong("constant_gain", "gain|constant|half|n")
class RunningMean(_Mean):
    def update(self, x):
        x = np.asarray(x, float)
        self.n += 1
        self.mean = x.copy() if self.n == 1 else self.mean + 0.5 * (x - self.mean)
        return self.mean.copy()


@wrong("returns_its_state", "copy|keep|same array|answer|change")
class RunningMean:
    def __init__(self):
        self.n, self.mean = 0, None

    def update(self, x):
        x = np.asarray(x, float)
        self.n += 1
        if self.mean is None:
            self.mean = np.zeros_like(x)
        self.mean += (x - self.mean) / self.n
        return self.mean


@wrong("keeps_the_callers_array", "copy|caller|same array|change")
class RunningMean(_Mean):
    def update(self, x):
        self.n += 1
        self.mean = x if self.n == 1 else self.mean + (np.asarray(x, float) - self.mean) / self.n
        return np.array(self.mean, float)


@wrong("works_in_the_callers_array", "caller|argument|copy|change")
class RunningMean(_Mean):
    def update(self, x):
        x = np.asarray(x, float)
        self.n += 1
        x -= self.mean
        self.mean = self.mean + x / self.n
        return np.array(self.mean)


@wrong("stays_single", "float64|dtype|precision|convert")
class RunningMean(_Mean):
    def update(self, x):
        x = np.asarray(x)
        self.n += 1
        self.mean = self.mean + (x - self.mean) / self.n
        return self.mean.astype(x.dtype) if x.dtype.kind == "f" else self.mean.copy()


@wrong("penalty_per_pair", "once|lam|penalty|n")
def ridge_stats(K, V, lam):
    K, V = np.asarray(K, float), np.asarray(V, float)
    return K.T @ K + len(K) * lam * np.eye(K.shape[1]), K.T @ V


@wrong("penalty_everywhere", "diagonal|identity|every entry|lam")
def ridge_stats(K, V, lam):
    K, V = np.asarray(K, float), np.asarray(V, float)
    return K.T @ K + lam, K.T @ V


@wrong("no_penalty", "lam|penalty|missing|without")
def ridge_stats(K, V, lam):
    K, V = np.asarray(K, float), np.asarray(V, float)
    return K.T @ K, K.T @ V


@wrong("means_not_sums", "sum|mean|divid|n")
def ridge_stats(K, V, lam):
    K, V = np.asarray(K, float), np.asarray(V, float)
    return K.T @ K / len(K) + lam * np.eye(K.shape[1]), K.T @ V / len(K)


@wrong("values_first", "transpos|H|order|V")
def ridge_stats(K, V, lam):
    K, V = np.asarray(K, float), np.asarray(V, float)
    return K.T @ K + lam * np.eye(K.shape[1]), V.T @ K


@wrong("plain_least_squares", "lam|penalty|without|least squares")
def ridge_weights(K, V, lam):
    return np.linalg.lstsq(np.asarray(K, float), np.asarray(V, float), rcond=None)[0]


@wrong("penalty_halved", "lam|half|penalty|2|factor")
def ridge_weights(K, V, lam):
    K, V = np.asarray(K, float), np.asarray(V, float)
    return np.linalg.solve(K.T @ K + lam / 2 * np.eye(K.shape[1]), K.T @ V)


@wrong("penalty_squared", "lam|square|penalty")
def ridge_weights(K, V, lam):
    K, V = np.asarray(K, float), np.asarray(V, float)
    return np.linalg.solve(K.T @ K + lam**2 * np.eye(K.shape[1]), K.T @ V)


def _updated(P, u, v, sign=1.0, denominator=None):
    left, right = P @ u, v @ P
    below = 1 + v @ left if denominator is None else denominator(v @ left)
    if below == 0:
        raise np.linalg.LinAlgError
    return P - sign * np.outer(left, right) / below


@wrong("wrong_sign", "sign|minus|plus|subtract|added")
def sherman_morrison(Minv, u, v):
    Minv, u, v = (np.asarray(x, float) for x in (Minv, u, v))
    return _updated(Minv, u, v, sign=-1.0)


@wrong("denominator_minus", "denominator|sign|1 \\+|1 -")
def sherman_morrison(Minv, u, v):
    Minv, u, v = (np.asarray(x, float) for x in (Minv, u, v))
    return _updated(Minv, u, v, denominator=lambda x: 1 - x)


@wrong("no_denominator", "denominator|divid|c ")
def sherman_morrison(Minv, u, v):
    Minv, u, v = (np.asarray(x, float) for x in (Minv, u, v))
    return _updated(Minv, u, v, denominator=lambda x: 1.0)


@wrong("symmetric_only", "symmetric|side|v\\^T|left|transpos")
def sherman_morrison(Minv, u, v):
    Minv, u, v = (np.asarray(x, float) for x in (Minv, u, v))
    below = 1 + v @ Minv @ u
    if below == 0:
        raise np.linalg.LinAlgError
    return Minv - np.outer(Minv @ u, Minv @ v) / below


@wrong("u_and_v_exchanged", "exchang|swap|order|u and v|transpos")
def sherman_morrison(Minv, u, v):
    Minv, u, v = (np.asarray(x, float) for x in (Minv, u, v))
    return _updated(Minv, v, u)


@wrong("refuses_small_ones", "small|exactly|zero|tolerance")
def sherman_morrison(Minv, u, v):
    Minv, u, v = (np.asarray(x, float) for x in (Minv, u, v))
    if abs(1 + v @ Minv @ u) < 1e-4:
        raise np.linalg.LinAlgError
    return _updated(Minv, u, v)


@wrong("infinite_not_refused", "LinAlgError|raise|zero|refus")
def sherman_morrison(Minv, u, v):
    Minv, u, v = (np.asarray(x, float) for x in (Minv, u, v))
    with np.errstate(all="ignore"):
        return Minv - np.outer(Minv @ u, v @ Minv) / (1 + v @ Minv @ u)


@wrong("in_place", "argument|caller|copy|change|new array")
def sherman_morrison(Minv, u, v):
    u, v = np.asarray(u, float), np.asarray(v, float)
    below = 1 + v @ np.asarray(Minv, float) @ u
    if below == 0:
        raise np.linalg.LinAlgError
    change = np.outer(Minv @ u, v @ Minv) / below
    if isinstance(Minv, np.ndarray) and Minv.dtype == float:
        Minv -= change
        return Minv
    return Minv - change


class _State:
    start = staticmethod(lambda lam: 1 / lam)
    below = staticmethod(lambda x: 1 + x)

    def __init__(self, d, m, lam):
        self.P, self.H, self.t = np.eye(d) * self.start(lam), np.zeros((d, m)), 0

    def update(self, k, v):
        k, v = np.asarray(k, float), np.asarray(v, float)
        left = self.P @ k
        self.P = self.P - np.outer(left, left) / self.below(k @ left)
        self.H, self.t = self.H + np.outer(k, v), self.t + 1

    def query(self, q):
        return (np.asarray(q, float) @ self.P) @ self.H


@wrong("starts_with_lam", "1/lam|inverse|start|lam")
class RidgeAttentionState(_State):
    start = staticmethod(lambda lam: lam)


@wrong("starts_with_identity", "identity|lam|start")
class RidgeAttentionState(_State):
    start = staticmethod(lambda lam: 1.0)


@wrong("denominator_missing", "denominator|divid")
class RidgeAttentionState(_State):
    below = staticmethod(lambda x: 1.0)


@wrong("library_inverse", "inv|solve|own code")
class RidgeAttentionState(_State):
    def update(self, k, v):
        k, v = np.asarray(k, float), np.asarray(v, float)
        self.P = np.linalg.inv(np.linalg.inv(self.P) + np.outer(k, k))
        self.H, self.t = self.H + np.outer(k, v), self.t + 1


@wrong("query_counts", "query|count|t|state")
class RidgeAttentionState(_State):
    def query(self, q):
        self.t += 1
        return super().query(q)


@wrong("own_pair_excluded", "own|includ|before|first|strict")
def ridge_attention(Q, K, V, lam, causal=False):
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    G, H, rows = lam * np.eye(K.shape[1]), np.zeros((K.shape[1], V.shape[1])), []
    if not causal:
        return Q @ np.linalg.solve(G + K.T @ K, K.T @ V)
    for q, k, v in zip(Q, K, V, strict=True):
        rows.append(q @ np.linalg.solve(G, H))
        G, H = G + np.outer(k, k), H + np.outer(k, v)
    return np.array(rows)


@wrong("causal_ignored", "causal|all pairs|future|later")
def ridge_attention(Q, K, V, lam, causal=False):
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    return Q @ np.linalg.solve(lam * np.eye(K.shape[1]) + K.T @ K, K.T @ V)


@wrong("window_one_longer", "window|one|long|pair|leav|late")
def windowed_ridge(Q, K, V, lam, window):
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    rows = []
    for i, q in enumerate(Q):
        k, v = (x[max(0, i - window) : i + 1] for x in (K, V))
        rows.append(q @ np.linalg.solve(lam * np.eye(K.shape[1]) + k.T @ k, k.T @ v))
    return np.array(rows)


@wrong("H_never_forgets", "H|outer|forget|leav|value")
def windowed_ridge(Q, K, V, lam, window):
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    rows, H = [], np.zeros((K.shape[1], V.shape[1]))
    for i, q in enumerate(Q):
        H = H + np.outer(K[i], V[i])
        k = K[max(0, i - window + 1) : i + 1]
        rows.append(q @ np.linalg.solve(lam * np.eye(K.shape[1]) + k.T @ k, H))
    return np.array(rows)


@wrong("first_keeps_type", "float64|integer|convert|type")
class RunningMean:
    def __init__(self):
        self.n, self.mean = 0, None

    def update(self, x):
        self.n += 1
        if self.n == 1:
            self.mean = np.array(x)
        else:
            self.mean = self.mean + (np.asarray(x) - self.mean) / self.n
        return self.mean.copy()


@wrong("lambda_times_pairs", "once|n times|per pair|mean|number of pairs")
def ridge_stats(K, V, lam):
    K, V = np.asarray(K, float), np.asarray(V, float)
    return K.T @ K + len(K) * lam * np.eye(K.shape[1]), K.T @ V


@wrong("lambda_times_pairs", "once|n times|per pair|mean|number of pairs")
def ridge_weights(K, V, lam):
    K, V = np.asarray(K, float), np.asarray(V, float)
    return np.linalg.solve(K.T @ K + len(K) * lam * np.eye(K.shape[1]), K.T @ V)


@wrong("centred", "mean|centr|as they are|subtract")
def ridge_stats(K, V, lam):
    K, V = np.asarray(K, float), np.asarray(V, float)
    K, V = K - K.mean(axis=0), V - V.mean(axis=0)
    return K.T @ K + lam * np.eye(K.shape[1]), K.T @ V


@wrong("half_lambda", "half|twice|factor|2")
def ridge_weights(K, V, lam):
    K, V = np.asarray(K, float), np.asarray(V, float)
    return np.linalg.solve(K.T @ K + lam / 2 * np.eye(K.shape[1]), K.T @ V)


@wrong("isclose", "small|exactly|toleran|close")
def sherman_morrison(Minv, u, v):
    Minv, u, v = (np.asarray(x, float) for x in (Minv, u, v))
    below = 1 + v @ Minv @ u
    if np.isclose(below, 0):
        raise np.linalg.LinAlgError
    return Minv - np.outer(Minv @ u, v @ Minv) / below


@wrong("u_first_below", "order|chang|swap|u and v|transpos|v.*u")
def sherman_morrison(Minv, u, v):
    Minv, u, v = (np.asarray(x, float) for x in (Minv, u, v))
    below = 1 + u @ Minv @ v
    if below == 0:
        raise np.linalg.LinAlgError
    return Minv - np.outer(Minv @ u, v @ Minv) / below


@wrong("H_of_the_error", "surprise|error|value itself|H")
class RidgeAttentionState:
    def __init__(self, d, m, lam):
        self.P, self.H, self.t = np.eye(d) / lam, np.zeros((d, m)), 0

    def update(self, k, v):
        k, v = np.asarray(k, float), np.asarray(v, float)
        surprise = v - self.query(k)
        Pk = self.P @ k
        self.P = self.P - np.outer(Pk, Pk) / (1 + k @ Pk)
        self.H = self.H + np.outer(k, surprise)
        self.t += 1

    def query(self, q):
        return self.H.T @ (self.P @ np.asarray(q, float))


@wrong("masked_dual", "later|mask|triang|regression|n x n")
def ridge_attention(Q, K, V, lam, causal=False):
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    scores = Q @ K.T
    if causal:
        scores = np.tril(scores)
    return scores @ np.linalg.solve(K @ K.T + lam * np.eye(len(K)), V)


def _rotated(L, k, sign=1, least=0.0):
    L, k = np.array(L, float), np.array(k, float)
    for j in range(len(k)):
        square = L[j, j] ** 2 + sign * k[j] ** 2
        if square <= least:
            raise np.linalg.LinAlgError
        r = np.sqrt(square)
        c, s = r / L[j, j], k[j] / L[j, j]
        L[j, j] = r
        L[j + 1:, j] = (L[j + 1:, j] + sign * s * k[j + 1:]) / c
        k[j + 1:] = c * k[j + 1:] - s * L[j + 1:, j]
    return L


@wrong("loses_the_new_value", "same pair|its own|old value|pair|H")
def windowed_ridge(Q, K, V, lam, window):
    Q, K, V = (np.asarray(x, float) for x in (Q, K, V))
    L, H, rows = np.sqrt(lam) * np.eye(K.shape[1]), 0.0, []
    for i in range(len(K)):
        L, H = _rotated(L, K[i]), H + np.outer(K[i], V[i])
        if i >= window:
            L = _rotated(L, K[i - window], -1)
            H = H - np.outer(K[i - window], V[i])
        rows.append(H.T @ np.linalg.solve(L @ L.T, Q[i]))
    return np.array(rows)


@wrong("small_square_refused", "small|zero|toleran|negative|exactly")
def cholesky_update(L, k, sign=1):
    return _rotated(L, k, sign, 1e-8)


# a second round, written from a later text

@wrong("answers_before_it_moves", "new mean, with x|before|old|previous|late|behind")
class RunningMean:
    def __init__(self):
        self.n, self.mean = 0, 0.0

    def update(self, x):
        x = np.asarray(x, float)
        self.n += 1
        answer = self.mean + np.zeros_like(x)
        self.mean = self.mean + (x - self.mean) / self.n
        return answer


@wrong("moves_away", "sign|away|from x|towards|direction")
class RunningMean:
    def __init__(self):
        self.n, self.mean = 0, 0.0

    def update(self, x):
        x = np.asarray(x, float)
        self.n += 1
        self.mean = x.copy() if self.n == 1 else self.mean - (x - self.mean) / self.n
        return np.array(self.mean)


@wrong("keeps_a_list", "memory|store|keep|grow", announced=True)
class RunningMean:
    def __init__(self):
        self.n, self.mean, self._seen = 0, None, []

    def update(self, x):
        self._seen.append(np.array(x, float))
        self.n = len(self._seen)
        self.mean = np.mean(self._seen, axis=0)
        return self.mean.copy()


@wrong("mean_over_the_features", "feature|each entry|entries|vector|one number|separate")
class RunningMean:
    def __init__(self):
        self.n, self.mean = 0, 0.0

    def update(self, x):
        x = np.asarray(x, float)
        self.n += 1
        self.mean = self.mean + (x.mean() - self.mean) / self.n
        return np.full(x.shape, self.mean)


@wrong("means_instead_of_sums", "mean|divid|sum|by n|once")
def ridge_stats(K, V, lam):
    K, V = np.asarray(K, float), np.asarray(V, float)
    n, d = K.shape
    return K.T @ K / n + lam * np.eye(d), K.T @ V / n


@wrong("means_instead_of_sums", "mean|divid|sum|by n|once")
def ridge_weights(K, V, lam):
    K, V = np.asarray(K, float), np.asarray(V, float)
    n, d = K.shape
    return np.linalg.solve(K.T @ K / n + lam * np.eye(d), K.T @ V / n)


@wrong("penalty_in_every_entry", "diagonal|every entry|all entries|identity")
def ridge_stats(K, V, lam):
    K, V = np.asarray(K, float), np.asarray(V, float)
    return K.T @ K + lam, K.T @ V


@wrong("penalty_in_every_entry", "diagonal|every entry|all entries|identity")
def ridge_weights(K, V, lam):
    K, V = np.asarray(K, float), np.asarray(V, float)
    return np.linalg.solve(K.T @ K + lam, K.T @ V)


@wrong("lam_times_lam", "squar")
def ridge_stats(K, V, lam):
    K, V = np.asarray(K, float), np.asarray(V, float)
    return K.T @ K + lam**2 * np.eye(K.shape[1]), K.T @ V


@wrong("lam_times_lam", "squar")
def ridge_weights(K, V, lam):
    K, V = np.asarray(K, float), np.asarray(V, float)
    return np.linalg.solve(K.T @ K + lam**2 * np.eye(K.shape[1]), K.T @ V)


@wrong("half_the_gradient", "factor|2|two|half|twice")
def ridge_stats(K, V, lam):
    K, V = np.asarray(K, float), np.asarray(V, float)
    return 2 * K.T @ K + lam * np.eye(K.shape[1]), 2 * K.T @ V


@wrong("half_the_gradient", "factor|2|two|half|twice")
def ridge_weights(K, V, lam):
    K, V = np.asarray(K, float), np.asarray(V, float)
    return np.linalg.solve(2 * K.T @ K + lam * np.eye(K.shape[1]), 2 * K.T @ V)


@wrong("least_squares_without_penalty", "penalt|lam|λ")
def ridge_weights(K, V, lam):
    return np.linalg.lstsq(np.asarray(K, float), np.asarray(V, float), rcond=None)[0]


@wrong("refuses_small_denominators", "small|exactly|zero|refus")
def sherman_morrison(Minv, u, v):
    Minv, u, v = (np.asarray(each, float) for each in (Minv, u, v))
    below = 1 + v @ Minv @ u
    if abs(below) < 1e-8:
        raise np.linalg.LinAlgError("singular")
    return Minv - np.outer(Minv @ u, v @ Minv) / below


@wrong("symmetric_row", "symmetr|transpos|row|from the (left|right)|v.?M")
def sherman_morrison(Minv, u, v):
    Minv, u, v = (np.asarray(each, float) for each in (Minv, u, v))
    column, row = Minv @ u, Minv @ v
    below = 1 + v @ column
    if below == 0:
        raise np.linalg.LinAlgError("singular")
    return Minv - np.outer(column, row) / below


@wrong("forgets_the_one", r"\b1\b|one")
def sherman_morrison(Minv, u, v):
    Minv, u, v = (np.asarray(each, float) for each in (Minv, u, v))
    column, row = Minv @ u, v @ Minv
    below = v @ column
    if below == 0:
        raise np.linalg.LinAlgError("singular")
    return Minv - np.outer(column, row) / below


@wrong("refuses_negative_denominators", "negative|refus|exactly|zero")
def sherman_morrison(Minv, u, v):
    Minv, u, v = (np.asarray(each, float) for each in (Minv, u, v))
    below = 1 + v @ Minv @ u
    if below <= 0:
        raise np.linalg.LinAlgError("singular")
    return Minv - np.outer(Minv @ u, v @ Minv) / below


class _Online:
    def __init__(self, d, m, lam):
        self.P, self.H, self.t = np.eye(d) / lam, np.zeros((d, m)), 0

    def update(self, k, v):
        k, v = np.asarray(k, float), np.asarray(v, float)
        Pk = self.P @ k
        self.P = self.P - np.outer(Pk, Pk) / (1 + k @ Pk)
        self.H = self.H + np.outer(k, v)
        self.t += 1

    def query(self, q):
        return (np.asarray(q, float) @ self.P) @ self.H


@wrong("starts_at_lam", "start|lam|λ|invers|divided")
class RidgeAttentionState(_Online):
    def __init__(self, d, m, lam):
        self.P, self.H, self.t = lam * np.eye(d), np.zeros((d, m)), 0


@wrong("new_p_in_the_denominator", "only the correction|before|old|denominator")
class RidgeAttentionState(_Online):
    def update(self, k, v):
        k, v = np.asarray(k, float), np.asarray(v, float)
        below = 1 + k @ self.P @ k
        self.P = self.P - np.outer(self.P @ k, self.P @ k)
        self.P = self.P / below
        self.H = self.H + np.outer(k, v)
        self.t += 1


@wrong("counts_queries", "query|counts|t ")
class RidgeAttentionState(_Online):
    def query(self, q):
        self.t += 1
        return (np.asarray(q, float) @ self.P) @ self.H


@wrong("h_forgets", "H|overwrit|add|last pair")
class RidgeAttentionState(_Online):
    def update(self, k, v):
        super().update(k, v)
        self.H = np.outer(np.asarray(k, float), np.asarray(v, float))


@wrong("answers_a_row", r"shape|\(m|row|dimension")
class RidgeAttentionState(_Online):
    def query(self, q):
        return np.asarray(q, float)[None] @ self.P @ self.H


def _layer(Q, K, V, lam, before=False, each=0.0):
    P, H, rows = np.eye(K.shape[1]) / lam, np.zeros((K.shape[1], V.shape[1])), []
    for q, k, v in zip(Q, K, V):
        if before:
            rows.append(q @ P @ H)
        Pk = P @ k
        P, H = P - np.outer(Pk, Pk) / (1 + k @ Pk), H + np.outer(k, v)
        if not before:
            rows.append(q @ P @ H)
    return np.stack(rows)


def _batch(Q, K, V, lam):
    return Q @ np.linalg.solve(K.T @ K + lam * np.eye(K.shape[1]), K.T @ V)


@wrong("answers_before_taking_in", "own|before|first|order")
def ridge_attention(Q, K, V, lam, causal=False):
    Q, K, V = (np.asarray(each, float) for each in (Q, K, V))
    return _layer(Q, K, V, lam, before=True) if causal else _batch(Q, K, V, lam)


@wrong("kernel_trick", "memory|n x n|n × n|size", announced=True)
def ridge_attention(Q, K, V, lam, causal=False):
    Q, K, V = (np.asarray(each, float) for each in (Q, K, V))
    if causal:
        return _layer(Q, K, V, lam)
    return Q @ K.T @ np.linalg.solve(K @ K.T + lam * np.eye(len(K)), V)


@wrong("penalty_again_for_every_token", "once|lam|λ|penalt|every")
def ridge_attention(Q, K, V, lam, causal=False):
    Q, K, V = (np.asarray(each, float) for each in (Q, K, V))
    if not causal:
        return _batch(Q, K, V, lam)
    G, H, rows = np.zeros((K.shape[1],) * 2), 0.0, []
    for q, k, v in zip(Q, K, V):
        G, H = G + np.outer(k, k) + lam * np.eye(len(k)), H + np.outer(k, v)
        rows.append(np.linalg.solve(G, H).T @ q)
    return np.stack(rows)


@wrong("causal_sums_of_h_only", r"\bG\b|\bP\b|all pairs|later|keys")
def ridge_attention(Q, K, V, lam, causal=False):
    Q, K, V = (np.asarray(each, float) for each in (Q, K, V))
    if not causal:
        return _batch(Q, K, V, lam)
    P = np.linalg.inv(K.T @ K + lam * np.eye(K.shape[1]))
    H, rows = 0.0, []
    for q, k, v in zip(Q, K, V):
        H = H + np.outer(k, v)
        rows.append(q @ P @ H)
    return np.stack(rows)


def _rotate(L, k, sign):
    L, k = np.array(L, float), np.array(k, float)
    for j in range(len(k)):
        square = L[j, j] ** 2 + sign * k[j] ** 2
        if square <= 0:
            raise np.linalg.LinAlgError("not positive definite")
        r = np.sqrt(square)
        c, s = L[j, j] / r, k[j] / r
        L[j:, j], k[j:] = c * L[j:, j] + sign * s * k[j:], c * k[j:] - s * L[j:, j]
    return L


@wrong("new_column_in_the_key", "before|old|new column|overwrit|already")
def cholesky_update(L, k, sign=1):
    L, k = np.array(L, float), np.array(k, float)
    for j in range(len(k)):
        square = L[j, j] ** 2 + sign * k[j] ** 2
        if square <= 0:
            raise np.linalg.LinAlgError("not positive definite")
        r = np.sqrt(square)
        c, s = L[j, j] / r, k[j] / r
        L[j:, j] = c * L[j:, j] + sign * s * k[j:]
        k[j:] = c * k[j:] - s * L[j:, j]
    return L


@wrong("sign_under_the_root_only", "sign|minus|column")
def cholesky_update(L, k, sign=1):
    L, k = np.array(L, float), np.array(k, float)
    for j in range(len(k)):
        square = L[j, j] ** 2 + sign * k[j] ** 2
        if square <= 0:
            raise np.linalg.LinAlgError("not positive definite")
        r = np.sqrt(square)
        c, s = L[j, j] / r, k[j] / r
        L[j:, j], k[j:] = c * L[j:, j] + s * k[j:], c * k[j:] - s * L[j:, j]
    return L


@wrong("nan_for_no_factor", "LinAlgError|raise|nan|negative|zero")
def cholesky_update(L, k, sign=1):
    L, k = np.array(L, float), np.array(k, float)
    for j in range(len(k)):
        r = np.sqrt(L[j, j] ** 2 + sign * k[j] ** 2)
        c, s = L[j, j] / r, k[j] / r
        L[j:, j], k[j:] = c * L[j:, j] + sign * s * k[j:], c * k[j:] - s * L[j:, j]
    return L


def _windows(Q, K, V, lam, leaves, both=True):
    Q, K, V = (np.asarray(each, float) for each in (Q, K, V))
    L, H, rows = np.sqrt(lam) * np.eye(K.shape[1]), np.zeros((K.shape[1], V.shape[1])), []
    for i in range(len(K)):
        L, H = _rotate(L, K[i], 1), H + np.outer(K[i], V[i])
        if i - leaves >= 0:
            L = _rotate(L, K[i - leaves], -1)
            if both:
                H = H - np.outer(K[i - leaves], V[i - leaves])
        rows.append(np.linalg.solve(L.T, np.linalg.solve(L, H)).T @ Q[i])
    return np.stack(rows)


@wrong("one_pair_too_many", "window|one (pair )?(too|more|fewer)|off by")
def windowed_ridge(Q, K, V, lam, window):
    return _windows(Q, K, V, lam, window + 1)


@wrong("h_never_forgets", "H|values|forget")
def windowed_ridge(Q, K, V, lam, window):
    return _windows(Q, K, V, lam, window, both=False)


@wrong("down_dates_p", "factor|invers|digits|down-?dat|rounding|precis")
def windowed_ridge(Q, K, V, lam, window):
    Q, K, V = (np.asarray(each, float) for each in (Q, K, V))
    P, H, rows = np.eye(K.shape[1]) / lam, 0.0, []
    for i in range(len(K)):
        Pk = P @ K[i]
        P, H = P - np.outer(Pk, Pk) / (1 + K[i] @ Pk), H + np.outer(K[i], V[i])
        if i >= window:
            old = K[i - window]
            Pk = P @ old
            P, H = P + np.outer(Pk, Pk) / (1 - old @ Pk), H - np.outer(old, V[i - window])
        rows.append(Q[i] @ P @ H)
    return np.stack(rows)


@wrong("root_of_lam_forgotten", "root|lam|λ|start")
def windowed_ridge(Q, K, V, lam, window):
    return _windows(Q, K, V, np.asarray(lam) ** 2, window)


@wrong("inverts_by_svd", "svd|uses|factoris")
def sherman_morrison(Minv, u, v):
    Minv = np.asarray(Minv, float)
    if 1 + np.asarray(v, float) @ Minv @ np.asarray(u, float) == 0:
        raise np.linalg.LinAlgError("singular")

    def inverse(M):
        U, s, Vt = np.linalg.svd(M)
        return Vt.T @ (U.T / s[:, None])

    return inverse(inverse(Minv) + np.outer(u, v))


class _Kept:
    def __init__(self):
        self.n, self.mean = 0, 0.0

    def update(self, x):
        x = np.asarray(x, float)
        self.n += 1
        self.mean = self.mean + (x - self.mean) * self.gain()
        return self.mean.copy()

    def gain(self):
        return 1 / self.n


@wrong("gain_of_the_old_count", "count|before|after|n \\+ 1|one too")
class RunningMean(_Kept):
    def gain(self):
        return 1 / max(self.n - 1, 1)


@wrong("integer_mean", "integer|float|whole")
class RunningMean:
    def __init__(self):
        self.n, self.mean = 0, 0

    def update(self, x):
        x = np.asarray(x)
        self.n += 1
        self.mean = (self.mean + (x - self.mean) / self.n).astype(x.dtype)
        return self.mean.copy()


@wrong("gram_of_pairs", "features|pairs|\\(d, d\\)|shape")
def ridge_stats(K, V, lam):
    K, V = np.asarray(K, float), np.asarray(V, float)
    return K @ K.T + lam * np.eye(len(K)), K.T @ V


@wrong("transposed_W", "transpos|\\(d, m\\)|shape")
def ridge_weights(K, V, lam):
    K, V = np.asarray(K, float), np.asarray(V, float)
    return np.linalg.solve(K.T @ K + lam * np.eye(K.shape[1]), K.T @ V).T


@wrong("arithmetic_error", "LinAlgError")
def sherman_morrison(Minv, u, v):
    Minv, u, v = (np.asarray(x, float) for x in (Minv, u, v))
    b = 1 + v @ Minv @ u
    if b == 0:
        raise ArithmeticError("singular")
    return Minv - np.outer(Minv @ u, v @ Minv) / b


class _Carried:
    def __init__(self, d, m, lam):
        self.t, self.P, self.H = 0, self.start(d, lam), np.zeros((d, m))

    def start(self, d, lam):
        return np.eye(d) / lam

    def pair(self, k, v):
        k, v = np.asarray(k, float), np.asarray(v, float)
        Pk = self.P @ k
        self.P = self.P - np.outer(Pk, Pk) / (1 + k @ Pk)
        self.H = self.H + np.outer(k, v)

    def update(self, k, v):
        self.pair(k, v)
        self.t += 1

    def query(self, q):
        return self.H.T @ (self.P @ np.asarray(q, float))


@wrong("shrinks_once_per_pair", "lambda|penalty|fade|each pair|1/lam")
class RidgeAttentionState(_Carried):
    def __init__(self, d, m, lam):
        super().__init__(d, m, lam)
        self.lam = lam

    def pair(self, k, v):
        k, v = np.asarray(k, float), np.asarray(v, float)
        Pk = self.P @ k
        self.P = self.P - np.outer(Pk, Pk) / (self.lam + k @ Pk)
        self.H = self.H + np.outer(k, v)


def _arrays(*xs):
    return [np.asarray(x, float) for x in xs]


def _whole(Q, K, V, lam):
    return Q @ np.linalg.solve(K.T @ K + lam * np.eye(K.shape[1]), K.T @ V)


def _walk(Q, K, V, lam, order="update first"):
    d, rows = K.shape[1], []
    G, H = lam * np.eye(d), np.zeros((d, V.shape[1]))
    for q, k, v in zip(Q, K, V):
        if order == "query first":
            rows.append(np.linalg.solve(G, H).T @ q)
        G, H = G + np.outer(k, k), H + np.outer(k, v)
        if order == "update first":
            rows.append(np.linalg.solve(G, H).T @ q)
    return np.array(rows)


@wrong("causal_by_default", "causal|default|without|all pairs")
def ridge_attention(Q, K, V, lam, causal=False):
    Q, K, V = _arrays(Q, K, V)
    if len(Q) == len(K):
        return _walk(Q, K, V, lam)
    return _whole(Q, K, V, lam)


@wrong("lambda_times_n_in_the_batch", "lambda|λ|once|n|penalty")
def ridge_attention(Q, K, V, lam, causal=False):
    Q, K, V = _arrays(Q, K, V)
    return _walk(Q, K, V, lam) if causal else _whole(Q, K, V, lam * len(K))


@wrong("normalised_rows", "sum|normal|average|mean")
def ridge_attention(Q, K, V, lam, causal=False):
    Q, K, V = _arrays(Q, K, V)
    if causal:
        return _walk(Q, K, V, lam)
    A = Q @ np.linalg.inv(K.T @ K + lam * np.eye(K.shape[1])) @ K.T
    return A @ V / A.sum(axis=1, keepdims=True)


@wrong("sign_in_both", "sign|new k|minus")
def cholesky_update(L, k, sign=1):
    L, k = np.array(L, float), np.array(k, float)
    for j in range(len(k)):
        square = L[j, j] ** 2 + sign * k[j] ** 2
        if not square > 0:
            raise np.linalg.LinAlgError
        r = np.sqrt(square)
        c, s = L[j, j] / r, k[j] / r
        L[j:, j], k[j:] = c * L[j:, j] + sign * s * k[j:], c * k[j:] - sign * s * L[j:, j]
    return L


def _turned(L, k, sign, fail=np.linalg.LinAlgError, stale=False, order="C"):
    L, k = np.array(L, float), np.array(k, float)
    for j in range(len(k)):
        square = L[j, j] ** 2 + sign * k[j] ** 2
        if not square > 0:
            raise fail("no factor")
        r = np.sqrt(square)
        c, s = L[j, j] / r, k[j] / r
        column, rest = L[j:, j].copy(), k[j:].copy()
        L[j:, j] = c * column + sign * s * rest
        k[j:] = c * rest - s * (L[j:, j] if stale else column)
    return L


@wrong("upper_factor", "lower|transpos|upper")
def cholesky_update(L, k, sign=1):
    return _turned(L, k, sign).T


@wrong("only_the_diagonal", "column|rest|below|rotat|off")
def cholesky_update(L, k, sign=1):
    L, k = np.array(L, float), np.array(k, float)
    for j in range(len(k)):
        square = L[j, j] ** 2 + sign * k[j] ** 2
        if not square > 0:
            raise np.linalg.LinAlgError
        L[j, j] = np.sqrt(square)
    return L


def _windowed(Q, K, V, lam, window, low):
    Q, K, V = _arrays(Q, K, V)
    rows = []
    for i in range(len(K)):
        a = max(low(i, window), 0)
        k, v = K[a:i + 1], V[a:i + 1]
        rows.append(np.linalg.solve(lam * np.eye(K.shape[1]) + k.T @ k, k.T @ v).T @ Q[i])
    return np.array(rows)


@wrong("blocks", "block|window|last|start")
def windowed_ridge(Q, K, V, lam, window):
    return _windowed(Q, K, V, lam, window, lambda i, w: i // w * w)


@wrong("solves_with_L_once", "transpos|twice|L\\^T|both|Lᵀ|its transpose")
def windowed_ridge(Q, K, V, lam, window):
    Q, K, V = _arrays(Q, K, V)
    rows = []
    for i in range(len(K)):
        k, v = K[max(0, i - window + 1):i + 1], V[max(0, i - window + 1):i + 1]
        L = np.sqrt(lam) * np.eye(K.shape[1])
        for each in k:
            L = _turned(L, each, 1)
        rows.append(np.linalg.solve(L, k.T @ v).T @ Q[i])
    return np.array(rows)
