"""Wrong solutions of autoencoders, written from its text alone."""

import numpy as np

from advice import wrong


@wrong("mean_over_samples", "mean|sum|divided")
def ae_loss(W1, W2, X):
    return np.sum((X - W2 @ W1 @ X) ** 2) / X.shape[1]


@wrong("norm_not_squared", "root|square")
def ae_loss(W1, W2, X):
    return np.linalg.norm(X - W2 @ W1 @ X)


@wrong("centred_first", "mean|centr")
def ae_loss(W1, W2, X):
    X = X - X.mean(axis=1, keepdims=True)
    return np.sum((X - W2 @ W1 @ X) ** 2)


@wrong("factor_two_lost", "2|two|twice|half")
def ae_grads(W1, W2, X):
    R = W2 @ W1 @ X - X
    return W2.T @ R @ X.T, R @ (W1 @ X).T


@wrong("error_turned_round", "sign|negative|minus")
def ae_grads(W1, W2, X):
    R = X - W2 @ W1 @ X
    return 2 * W2.T @ R @ X.T, 2 * R @ (W1 @ X).T


@wrong("encoder_for_decoder", "decoder|W2|W_2|back")
def ae_grads(W1, W2, X):
    R = W2 @ W1 @ X - X
    return 2 * W1 @ R @ X.T, 2 * R @ (W1 @ X).T


@wrong("mean_of_gradients", "mean|sum|divided")
def ae_grads(W1, W2, X):
    R = W2 @ W1 @ X - X
    n = X.shape[1]
    return 2 / n * W2.T @ R @ X.T, 2 / n * R @ (W1 @ X).T


@wrong("swapped_pair", "order|swapped|first|pair")
def ae_grads(W1, W2, X):
    R = W2 @ W1 @ X - X
    return 2 * R @ (W1 @ X).T, 2 * W2.T @ R @ X.T


@wrong("centred_pca", "mean|centr")
def pca_autoencoder(X, k):
    U, _, _ = np.linalg.svd(X - X.mean(axis=1, keepdims=True), full_matrices=False)
    return U[:, :k].T, U[:, :k]


@wrong("weakest_directions", "weak|ascending|small")
def pca_autoencoder(X, k):
    _, U = np.linalg.eigh(X @ X.T)
    return U[:, :k].T, U[:, :k]


@wrong("rows_of_u", "row|column")
def pca_autoencoder(X, k):
    U, _, _ = np.linalg.svd(X)
    return U[:k], U[:k].T


@wrong("whitened_code", "orthonormal|length|singular value|white")
def pca_autoencoder(X, k):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    return (U[:, :k] / s[:k]).T, U[:, :k] * s[:k]


@wrong("random_subspace", "direction|subspace|singular|random|strong")
def pca_autoencoder(X, k):
    Q, _ = np.linalg.qr(X[:, :k])
    return Q.T, Q


@wrong("sorted_indices", "order|sort")
def subset_critical_point(X, idx):
    U, _, _ = np.linalg.svd(X, full_matrices=False)
    kept = U[:, sorted(idx)]
    return kept.T, kept


@wrong("counts_from_weakest", "strong|weak|ascending")
def subset_critical_point(X, idx):
    _, U = np.linalg.eigh(X @ X.T)
    return U[:, idx].T, U[:, idx]


@wrong("first_k_instead", "idx|first|strongest")
def subset_critical_point(X, idx):
    U, _, _ = np.linalg.svd(X, full_matrices=False)
    kept = U[:, : len(idx)]
    return kept.T, kept


@wrong("always_first_row", "row|weaker|weakest|channel")
def escape_direction(X, idx, k_missing):
    U, _, _ = np.linalg.svd(X, full_matrices=False)
    D1 = np.zeros((len(idx), len(X)))
    D1[0] = U[:, k_missing]
    return D1, D1.T


@wrong("always_last_row", "row|weaker|weakest|channel|last")
def escape_direction(X, idx, k_missing):
    U, _, _ = np.linalg.svd(X, full_matrices=False)
    D1 = np.zeros((len(idx), len(X)))
    D1[-1] = U[:, k_missing]
    return D1, D1.T


@wrong("strongest_row", "strong|weak|row|channel")
def escape_direction(X, idx, k_missing):
    U, _, _ = np.linalg.svd(X, full_matrices=False)
    D1 = np.zeros((len(idx), len(X)))
    D1[int(np.argmin(idx))] = U[:, k_missing]
    return D1, D1.T


@wrong("decoder_only", "both|encoder|alone|only")
def escape_direction(X, idx, k_missing):
    U, _, _ = np.linalg.svd(X, full_matrices=False)
    D2 = np.zeros((len(X), len(idx)))
    D2[:, int(np.argmax(idx))] = U[:, k_missing]
    return np.zeros(D2.T.shape), D2


@wrong("opposite_tilts", "sign|opposite|same")
def escape_direction(X, idx, k_missing):
    U, _, _ = np.linalg.svd(X, full_matrices=False)
    D1 = np.zeros((len(idx), len(X)))
    D1[int(np.argmax(idx))] = U[:, k_missing]
    return D1, -D1.T


@wrong("every_row", "row|one|every|all|channel")
def escape_direction(X, idx, k_missing):
    U, _, _ = np.linalg.svd(X, full_matrices=False)
    D1 = np.tile(U[:, k_missing], (len(idx), 1))
    return D1, D1.T


@wrong("n_forgotten", r"\bn\b|mean|samples")
def regularised_ae(X, k, lam):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    W2 = U[:, :k] * np.sqrt(np.maximum(1 - lam / s[:k] ** 2, 0))
    return W2.T, W2


@wrong("whole_gain_twice", "root|squared|half|share")
def regularised_ae(X, k, lam):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    W2 = U[:, :k] * np.maximum(1 - lam * X.shape[1] / s[:k] ** 2, 0)
    return W2.T, W2


@wrong("ridge_gain", "ridge|quadratic|linear|drop")
def regularised_ae(X, k, lam):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    W2 = U[:, :k] * np.sqrt(s[:k] ** 2 / (s[:k] ** 2 + lam * X.shape[1]))
    return W2.T, W2


@wrong("all_in_the_decoder", "equal|share|balanc|encoder|decoder")
def regularised_ae(X, k, lam):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    gains = np.maximum(1 - lam * X.shape[1] / s[:k] ** 2, 0)
    return U[:, :k].T, U[:, :k] * gains


@wrong("scaled_like_dropout", "scale|dropout|surviv|keep")
def corrupt(X, kind, level, rng):
    if kind == "gaussian":
        return X + level * rng.normal(size=X.shape)
    if kind == "mask":
        return X * (rng.random(X.shape) >= level) / (1 - level)
    raise ValueError(kind)


@wrong("level_survives", "probab|level|lost|share|surviv")
def corrupt(X, kind, level, rng):
    if kind == "gaussian":
        return X + level * rng.normal(size=X.shape)
    if kind == "mask":
        return X * (rng.random(X.shape) < level)
    raise ValueError(kind)


@wrong("unknown_kind_is_copied", "ValueError|kind")
def corrupt(X, kind, level, rng):
    if kind == "gaussian":
        return X + level * rng.normal(size=X.shape)
    if kind == "mask":
        return X * (rng.random(X.shape) >= level)
    return X.copy()


@wrong("noise_of_one_sample", r"\bn\b|samples")
def denoising_linear_ae(X, k, noise_std):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    gains = s[:k] ** 2 / (s[:k] ** 2 + noise_std**2)
    return U[:, :k] * gains @ U[:, :k].T


@wrong("std_for_variance", "square|variance|standard")
def denoising_linear_ae(X, k, noise_std):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    gains = s[:k] ** 2 / (s[:k] ** 2 + X.shape[1] * noise_std)
    return U[:, :k] * gains @ U[:, :k].T


def _outputs(Ztr, ytr, Zte, mean_tr, mean_te, lam, intercept=True):
    classes = np.unique(ytr)
    Y = (ytr == classes[:, None]).astype(float)
    middle = Y.mean(axis=1, keepdims=True) if intercept else np.zeros((len(Y), 1))
    A = Ztr - mean_tr
    W = np.linalg.solve(A @ A.T + lam * np.eye(len(A)), A @ (Y - middle).T).T
    return classes, W @ (Zte - mean_te) + middle


@wrong("test_mean", "test|mean|own")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    classes, out = _outputs(Ztr, ytr, Zte, Ztr.mean(1, keepdims=True),
                            Zte.mean(1, keepdims=True), lam)
    return np.mean(classes[out.argmax(axis=0)] == yte)


@wrong("positions_for_labels", "argmax|position|label|unique")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    mean = Ztr.mean(1, keepdims=True)
    _, out = _outputs(Ztr, ytr, Zte, mean, mean, lam)
    return np.mean(out.argmax(axis=0) == yte)


@wrong("no_intercept", "intercept|mean of the targets|bias")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    mean = Ztr.mean(1, keepdims=True)
    classes, out = _outputs(Ztr, ytr, Zte, mean, mean, lam, intercept=False)
    return np.mean(classes[out.argmax(axis=0)] == yte)


@wrong("lam_ignored", r"lam|penal")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    mean = Ztr.mean(1, keepdims=True)
    classes, out = _outputs(Ztr, ytr, Zte, mean, mean, 1e-3)
    return np.mean(classes[out.argmax(axis=0)] == yte)


@wrong("classes_of_test", "test|classes|yte|ytr")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    classes, mean = np.unique(yte), Ztr.mean(1, keepdims=True)
    Y = (ytr == classes[:, None]).astype(float)
    middle, A = Y.mean(axis=1, keepdims=True), Ztr - mean
    W = np.linalg.solve(A @ A.T + lam * np.eye(len(A)), A @ (Y - middle).T).T
    guess = (W @ (Zte - mean) + middle).argmax(axis=0)
    return np.mean(classes[guess] == yte)


@wrong("spectral_norm", "largest singular value|Frobenius|norm|sum of")
def ae_loss(W1, W2, X):
    return np.linalg.norm(X - W2 @ W1 @ X, 2) ** 2


@wrong("standardised_channels", "scale|standard|divide|loud|channel")
def pca_autoencoder(X, k):
    scale = np.sqrt(np.mean(X**2, axis=1, keepdims=True))
    U = np.linalg.svd(X / scale, full_matrices=False)[0][:, :k]
    return U.T.copy(), U.copy()


@wrong("moves_over", "replac|kept|leave|takes? away|take nothing|shrink|weak")
def escape_direction(X, idx, k_missing):
    U = np.linalg.svd(X, full_matrices=False)[0]
    row = int(np.argmax(idx))
    D1 = np.zeros((len(idx), len(X)))
    D1[row] = U[:, k_missing] - U[:, idx[row]]
    return D1, D1.T.copy()


@wrong("threshold_on_sigma", "sigma|squared|singular value")
def regularised_ae(X, k, lam):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    t = np.maximum(1 - lam * X.shape[1] / s[:k], 0)
    W2 = U[:, :k] * np.sqrt(t)
    return W2.T.copy(), W2


@wrong("fixed_count", "independen|own|exactly|number|each")
def corrupt(X, kind, level, rng):
    if kind == "gaussian":
        return X + level * rng.normal(size=X.shape)
    if kind != "mask":
        raise ValueError(kind)
    out = X.copy().ravel()
    out[rng.permutation(X.size)[:round(level * X.size)]] = 0
    return out.reshape(X.shape)


@wrong("channels_for_samples", "sample|channel")
def denoising_linear_ae(X, k, noise_std):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    U, s = U[:, :k], s[:k]
    return (U * (s**2 / (s**2 + len(X) * noise_std**2))) @ U.T


@wrong("one_mean_for_all", "mean|centre|channel")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    classes, out = _outputs(Ztr, ytr, Zte, Ztr.mean(), Ztr.mean(), lam)
    return np.mean(classes[out.argmax(axis=0)] == yte)


@wrong("penalty_times_n", "lam|penalty|lambda|sum")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    mean = Ztr.mean(1, keepdims=True)
    classes, out = _outputs(Ztr, ytr, Zte, mean, mean, lam * len(ytr))
    return np.mean(classes[out.argmax(axis=0)] == yte)


# a second round, written from a later text

@wrong("mean_of_the_squares", "sum|mean")
def ae_loss(W1, W2, X):
    return np.mean((X - W2 @ W1 @ X) ** 2)


@wrong("length_of_the_error", "squar|root")
def ae_loss(W1, W2, X):
    return np.linalg.norm(X - W2 @ W1 @ X)


@wrong("no_factor_two", r"\b2\b|factor|twice|two")
def ae_grads(W1, W2, X):
    R = W2 @ W1 @ X - X
    return W2.T @ R @ X.T, R @ (W1 @ X).T


@wrong("data_less_output", "sign|minus|descent|negative")
def ae_grads(W1, W2, X):
    R = X - W2 @ W1 @ X
    return 2 * W2.T @ R @ X.T, 2 * R @ (W1 @ X).T


@wrong("divided_by_samples", "mean|n|sum|divid|samples")
def ae_grads(W1, W2, X):
    R = W2 @ W1 @ X - X
    return 2 * W2.T @ R @ X.T / X.shape[1], 2 * R @ (W1 @ X).T / X.shape[1]


@wrong("encoder_through_the_old_code", "decoder|W2|back|encoder")
def ae_grads(W1, W2, X):
    R = W2 @ W1 @ X - X
    return 2 * W1 @ R @ X.T, 2 * R @ (W1 @ X).T


@wrong("mean_taken_off", "mean|centr")
def pca_autoencoder(X, k):
    U = np.linalg.svd(X - X.mean(axis=1, keepdims=True), full_matrices=False)[0]
    return U[:, :k].T.copy(), U[:, :k].copy()


@wrong("smallest_first", "weak|small|largest|strong|ascend|order")
def pca_autoencoder(X, k):
    U = np.linalg.eigh(X @ X.T)[1][:, :k]
    return U.T.copy(), U.copy()


@wrong("scaled_by_sigma", "orthonormal|length|scal|white|singular values")
def pca_autoencoder(X, k):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    return (U[:, :k] / s[:k]).T, U[:, :k] * s[:k]


@wrong("rows_of_the_samples", "U|left|right|channel|sample|V")
def pca_autoencoder(X, k):
    Vt = np.linalg.svd(X.T, full_matrices=True)[0].T
    return Vt[:k].copy(), Vt[:k].T.copy()


@wrong("idx_sorted", "order|sort")
def subset_critical_point(X, idx):
    U = np.linalg.svd(X, full_matrices=False)[0][:, sorted(idx)]
    return U.T.copy(), U.copy()


@wrong("counts_from_one", "from 0|0 is|one|count|index|shift")
def subset_critical_point(X, idx):
    U = np.linalg.svd(X, full_matrices=True)[0]
    U = U[:, [(i - 1) for i in idx]]
    return U.T.copy(), U.copy()


def _tilt(X, idx, k_missing, row, sign=1.0, both=True):
    u = np.linalg.svd(X, full_matrices=False)[0][:, k_missing]
    D1, D2 = np.zeros((len(idx), len(X))), np.zeros((len(X), len(idx)))
    D1[row] = u
    if both:
        D2[:, row] = sign * u
    return D1, D2


@wrong("tilts_the_strongest", "weak|strong")
def escape_direction(X, idx, k_missing):
    return _tilt(X, idx, k_missing, int(np.argmin(idx)))


@wrong("tilts_the_last_row", "weaker|row|last|weakest|largest")
def escape_direction(X, idx, k_missing):
    return _tilt(X, idx, k_missing, len(idx) - 1)


@wrong("tilts_every_row", "one row|all rows|every row|only|weakest|stronger")
def escape_direction(X, idx, k_missing):
    u = np.linalg.svd(X, full_matrices=False)[0][:, k_missing]
    D1 = np.tile(u, (len(idx), 1))
    return D1, D1.T.copy()


@wrong("encoder_only", "both|decoder|alone")
def escape_direction(X, idx, k_missing):
    return _tilt(X, idx, k_missing, int(np.argmax(idx)), both=False)


@wrong("opposite_signs", "sign|same|opposite|transpose")
def escape_direction(X, idx, k_missing):
    return _tilt(X, idx, k_missing, int(np.argmax(idx)), sign=-1.0)


def _decayed(X, k, gain, half=np.sqrt):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    with np.errstate(all="ignore"):
        t = gain(s[:k] ** 2, X.shape[1])
        W2 = U[:, :k] * half(t)
    return W2.T.copy(), W2


@wrong("negative_gain", "clip|negative|NaN|drop|root")
def regularised_ae(X, k, lam):
    return _decayed(X, k, lambda power, n: 1 - lam * n / power)


@wrong("samples_forgotten", r"\bn\b|mean|samples")
def regularised_ae(X, k, lam):
    return _decayed(X, k, lambda power, n: np.maximum(1 - lam / power, 0))


@wrong("gain_in_each_half", "root|squar|half|halves|each")
def regularised_ae(X, k, lam):
    return _decayed(X, k, lambda power, n: np.maximum(1 - lam * n / power, 0), half=lambda t: t)


@wrong("one_penalty_only", r"\b2\b|both|two|twice|factor|half")
def regularised_ae(X, k, lam):
    return _decayed(X, k, lambda power, n: np.maximum(1 - lam * n / (2 * power), 0))


@wrong("gain_of_ridge", "ridge|quadratic|linear|drop|shrink|product")
def regularised_ae(X, k, lam):
    return _decayed(X, k, lambda power, n: power / (power + lam * n))


def _corrupted(X, kind, level, rng, lost=None, scale=1.0):
    X = np.asarray(X, float)
    if kind == "gaussian":
        return X + level * rng.normal(size=X.shape)
    if kind == "mask":
        lost = rng.random(X.shape) < level if lost is None else lost(X)
        return np.where(lost, 0.0, X * scale)
    raise ValueError(kind)


@wrong("keeps_what_should_go", "lost|surviv|share|kept|keeps|level")
def corrupt(X, kind, level, rng):
    return _corrupted(X, kind, level, rng, lost=lambda X: rng.random(X.shape) >= level)


@wrong("inverted_dropout", "scal|dropout|values exactly|surviv")
def corrupt(X, kind, level, rng):
    return _corrupted(X, kind, level, rng, scale=1 / (1 - level) if level < 1 else 1.0)


@wrong("whole_samples_go", "entry|own|sample|column|independent|each")
def corrupt(X, kind, level, rng):
    return _corrupted(X, kind, level, rng, lost=lambda X: np.broadcast_to(
        rng.random(X.shape[-1:]) < level, X.shape))


@wrong("exact_share_goes", "independent|each entry|exact|number|own")
def corrupt(X, kind, level, rng):
    def lost(X):
        flat = np.zeros(X.size, bool)
        flat[rng.permutation(X.size)[: int(round(level * X.size))]] = True
        return flat.reshape(X.shape)

    return _corrupted(X, kind, level, rng, lost=lost)


@wrong("seed_of_its_own", "rng|generator|seed|random")
def corrupt(X, kind, level, rng):
    return _corrupted(X, kind, level, np.random.default_rng(0))


@wrong("variance_for_deviation", "root|squar|varian|deviation")
def corrupt(X, kind, level, rng):
    return _corrupted(X, kind, np.sqrt(level) if kind == "gaussian" else level, rng)


@wrong("anything_else_is_a_mask", "ValueError|kind|refus")
def corrupt(X, kind, level, rng):
    return _corrupted(X, "gaussian" if kind == "gaussian" else "mask", level, rng)


def _denoiser(X, k, gain):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    g = gain(s[:k] ** 2, *X.shape)
    return (U[:, :k] * g) @ U[:, :k].T


@wrong("n_left_out", r"\bn\b|samples|sample|adds")
def denoising_linear_ae(X, k, noise_std):
    return _denoiser(X, k, lambda power, m, n: power / (power + noise_std**2))


@wrong("noise_not_squared", "squar|varian|deviation")
def denoising_linear_ae(X, k, noise_std):
    return _denoiser(X, k, lambda power, m, n: power / (power + n * noise_std))


@wrong("m_for_n", r"\bn\b|\bm\b|samples|channels")
def denoising_linear_ae(X, k, noise_std):
    return _denoiser(X, k, lambda power, m, n: power / (power + m * noise_std**2))


@wrong("no_bottleneck", "rank|k |bottleneck")
def denoising_linear_ae(X, k, noise_std):
    return _denoiser(X, min(X.shape), lambda power, m, n: power / (power + n * noise_std**2))


def _probe(Ztr, ytr, Zte, yte, lam, own_mean=False, positions=False, centre=True, times=1):
    classes = np.unique(ytr)
    Y = (np.asarray(ytr) == classes[:, None]).astype(float)
    mean = Ztr.mean(axis=1, keepdims=True) if centre else 0.0
    A, ybar = Ztr - mean, Y.mean(axis=1, keepdims=True) if centre else 0.0
    W = (Y - ybar) @ A.T @ np.linalg.inv(A @ A.T + times * lam * np.eye(len(A)))
    B = Zte - (Zte.mean(axis=1, keepdims=True) if own_mean else mean)
    best = (W @ B + ybar).argmax(axis=0)
    return np.mean((best if positions else classes[best]) == yte)


@wrong("own_mean_for_the_test", "mean|centr")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    return _probe(Ztr, ytr, Zte, yte, lam, own_mean=True)


@wrong("position_is_the_label", "position|unique|label|argmax|0, 1, 2")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    return _probe(Ztr, ytr, Zte, yte, lam, positions=True)


@wrong("neither_mean_nor_intercept", "intercept|mean|centr")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    return _probe(Ztr, ytr, Zte, yte, lam, centre=False)


@wrong("penalty_times_samples", "lam|penalty|n")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    return _probe(Ztr, ytr, Zte, yte, lam, times=Ztr.shape[1])


@wrong("intercept_pays_too", "intercept|penalis|penaliz|penalty")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    classes = np.unique(ytr)
    Y = (np.asarray(ytr) == classes[:, None]).astype(float)
    mean = Ztr.mean(axis=1, keepdims=True)
    A = np.vstack([Ztr - mean, np.ones((1, Ztr.shape[1]))])
    W = Y @ A.T @ np.linalg.inv(A @ A.T + lam * np.eye(len(A)))
    B = np.vstack([Zte - mean, np.ones((1, Zte.shape[1]))])
    return np.mean(classes[(W @ B).argmax(axis=0)] == yte)


@wrong("penalty_ignored", "lam|penalty|pinv|ignored")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    return _probe(Ztr, ytr, Zte, yte, 1e-12)


@wrong("classes_of_the_test_split", "test|train|class|label")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    classes = np.unique(yte)
    Y = (np.asarray(ytr) == classes[:, None]).astype(float)
    mean = Ztr.mean(axis=1, keepdims=True)
    A, ybar = Ztr - mean, Y.mean(axis=1, keepdims=True)
    W = (Y - ybar) @ A.T @ np.linalg.inv(A @ A.T + lam * np.eye(len(A)))
    return np.mean(classes[(W @ (Zte - mean) + ybar).argmax(axis=0)] == yte)


@wrong("in_percent", "share|100|between|percent")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    return 100 * _probe(Ztr, ytr, Zte, yte, lam)


@wrong("mean_squared_error", "sum|mean|average|samples|n")
def ae_loss(W1, W2, X):
    return np.mean((X - W2 @ W1 @ X) ** 2)


@wrong("root_of_the_loss", "root|square|norm")
def ae_loss(W1, W2, X):
    return np.linalg.norm(X - W2 @ W1 @ X)


@wrong("half_of_the_gradients", "2|two|factor|half")
def ae_grads(W1, W2, X):
    R = W2 @ W1 @ X - X
    return W2.T @ R @ X.T, R @ (W1 @ X).T


@wrong("descent_direction", "sign|minus|downhill|data minus|negative")
def ae_grads(W1, W2, X):
    R = X - W2 @ W1 @ X
    return 2 * W2.T @ R @ X.T, 2 * R @ (W1 @ X).T


@wrong("code_forgotten", "code|input|W1|decoder")
def ae_grads(W1, W2, X):
    R = W2 @ W1 @ X - X
    return 2 * W2.T @ R @ X.T, 2 * R @ X.T @ np.linalg.pinv(W1)


@wrong("shared_weights", "independent|tied|transpose|both|separate|sum|own")
def ae_grads(W1, W2, X):
    R = W2 @ W1 @ X - X
    d1, d2 = 2 * W2.T @ R @ X.T, 2 * R @ (W1 @ X).T
    return d1 + d2.T, d2 + d1.T


@wrong("weakest_directions_again", "ascending|weak|strong|first|last|largest")
def pca_autoencoder(X, k):
    U = np.linalg.eigh(X @ X.T)[1][:, :k]
    return U.T, U


@wrong("samples_instead_of_channels", "sample|channel|columns|right|shape|rows")
def pca_autoencoder(X, k):
    V = np.linalg.svd(X, full_matrices=False)[2]
    return V[:k, : len(X)], V[:k, : len(X)].T


@wrong("centred", "centre|mean|subtract")
def pca_autoencoder(X, k):
    U = np.linalg.svd(X - X.mean(axis=1, keepdims=True), full_matrices=False)[0][:, :k]
    return U.T, U


@wrong("whitened", "orthonormal|scal|length|sigma|singular")
def pca_autoencoder(X, k):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    return U[:, :k].T / s[:k, None], U[:, :k] * s[:k]


@wrong("rows_of_u_again", "column|row|transpose|direction")
def pca_autoencoder(X, k):
    U = np.linalg.svd(X)[0]
    return U[:k], U[:k].T


@wrong("sorted_subset", "order|sort|idx")
def subset_critical_point(X, idx):
    U = np.linalg.svd(X, full_matrices=False)[0][:, sorted(idx)]
    return U.T, U


@wrong("counted_from_one", "0|strongest|from one|index|count")
def subset_critical_point(X, idx):
    U = np.linalg.svd(X)[0][:, [i - 1 for i in idx]]
    return U.T, U


def _escape(row, second=1.0, first=1.0):
    def escape_direction(X, idx, k_missing):
        U = np.linalg.svd(X, full_matrices=False)[0]
        D1 = np.zeros((len(idx), len(X)))
        D1[row(idx, k_missing)] = U[:, k_missing]
        return first * D1, second * D1.T

    return escape_direction


def _weakest(idx, q):
    return int(np.argmax(idx))


escape_direction = wrong("first_row", "row|weak|first|channel")(_escape(lambda idx, q: 0))
escape_direction = wrong("encoder_only_again", "both|decoder|alone|only")(
    _escape(_weakest, second=0.0))
escape_direction = wrong("decoder_the_other_way", "sign|both|same|opposite|way|against")(
    _escape(_weakest, second=-1.0)
)
escape_direction = wrong("strongest_kept_row", "row|weak|strong")(
    _escape(lambda idx, q: int(np.argmin(idx)))
)


@wrong("all_rows", "row|channel|one|weak|all")
def escape_direction(X, idx, k_missing):
    u = np.linalg.svd(X, full_matrices=False)[0][:, k_missing]
    return np.tile(u, (len(idx), 1)), np.tile(u, (len(idx), 1)).T


@wrong("replaced_not_added", "replace|take away|added|tilt|keeps|minus|kept")
def escape_direction(X, idx, k_missing):
    U = np.linalg.svd(X, full_matrices=False)[0]
    D1 = np.zeros((len(idx), len(X)))
    row = int(np.argmax(idx))
    D1[row] = U[:, k_missing] - U[:, idx[row]]
    return D1, D1.T


def _regularised(gain, split=np.sqrt):
    def regularised_ae(X, k, lam):
        U, s, _ = np.linalg.svd(X, full_matrices=False)
        t = gain(s[:k], X.shape[1], lam)
        with np.errstate(invalid="ignore"):
            return (U[:, :k] * split(t)).T, U[:, :k] * split(t)

    return regularised_ae


regularised_ae = wrong("price_of_one_weight", "2|two|both|price|half|factor")(
    _regularised(lambda s, n, lam: np.maximum(1 - lam * n / (2 * s**2), 0))
)
regularised_ae = wrong("sum_instead_of_mean", "n|mean|sample")(
    _regularised(lambda s, n, lam: np.maximum(1 - lam / s**2, 0))
)
regularised_ae = wrong("quadratic_price", "ridge|linear|quadratic|shrink|price|drop")(
    _regularised(lambda s, n, lam: s**2 / (s**2 + n * lam))
)
regularised_ae = wrong("gain_in_each_half_again", "root|gain|half|share|square")(
    _regularised(lambda s, n, lam: np.maximum(1 - lam * n / s**2, 0), lambda t: t)
)
regularised_ae = wrong("dropped_too_late", "clip|0|negative|drop|absolute|sign")(
    _regularised(lambda s, n, lam: np.abs(1 - lam * n / s**2))
)
regularised_ae = wrong("sigma_not_squared", "square|sigma|power")(
    _regularised(lambda s, n, lam: np.maximum(1 - lam * n / s, 0))
)


@wrong("all_work_in_the_encoder", "equal|share|both|balance|decoder|encoder|half")
def regularised_ae(X, k, lam):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    t = np.maximum(1 - lam * X.shape[1] / s[:k] ** 2, 0)
    return (U[:, :k] * t).T, U[:, :k]


def _corrupt(gaussian, mask):
    def corrupt(X, kind, level, rng):
        if kind == "gaussian":
            return gaussian(X, level, rng)
        if kind == "mask":
            return mask(X, level, rng)
        raise ValueError(kind)

    return corrupt


def _noise(X, level, rng):
    return X + level * rng.standard_normal(X.shape)


def _mask(X, level, rng):
    return X * (rng.random(X.shape) >= level)


corrupt = wrong("level_survives_again", "surviv|lost|share|level|kept|zero")(
    _corrupt(_noise, lambda X, level, rng: X * (rng.random(X.shape) < level))
)
corrupt = wrong("scaled_like_dropout_again", "scal|dropout|surviv|divi")(
    _corrupt(_noise, lambda X, level, rng: _mask(X, level, rng) / max(1 - level, 1e-12))
)
corrupt = wrong("level_is_the_variance", "deviation|variance|root")(
    _corrupt(lambda X, level, rng: X + np.sqrt(level) * rng.standard_normal(X.shape), _mask)
)
corrupt = wrong("exact_share", "independent|own|exact|each|count|number")(
    _corrupt(
        _noise,
        lambda X, level, rng: np.where(
            rng.permutation(X.size).reshape(X.shape) < round(level * X.size), 0.0, X
        ),
    )
)
corrupt = wrong("one_mask_for_a_sample", "entry|each|own|column|independent|sample|row")(
    _corrupt(
        _noise, lambda X, level, rng: X * (rng.random(X.shape[:1] + (1,) * (X.ndim - 1)) >= level)
    )
)
corrupt = wrong("numpys_own_generator", "rng|generator|seed|random")(
    _corrupt(lambda X, level, rng: X + np.random.normal(0, level, X.shape), _mask)
)


@wrong("masked_in_place", "new array|change|argument|place|copy|write")
def corrupt(X, kind, level, rng):
    if kind == "gaussian":
        return X + level * rng.standard_normal(X.shape)
    if kind == "mask":
        X[rng.random(X.shape) < level] = 0
        return X
    raise ValueError(kind)


def _denoiser_2(gain):
    def denoising_linear_ae(X, k, noise_std):
        U, s, _ = np.linalg.svd(X, full_matrices=False)
        return (U[:, :k] * gain(s[:k], X.shape[1], noise_std)) @ U[:, :k].T

    return denoising_linear_ae


denoising_linear_ae = wrong("noise_of_one_sample_again", "n|sample|noise")(
    _denoiser_2(lambda s, n, tau: s**2 / (s**2 + tau**2))
)
denoising_linear_ae = wrong("tau_not_squared", "square|variance|tau|noise_std|deviation")(
    _denoiser_2(lambda s, n, tau: s**2 / (s**2 + n * tau))
)
denoising_linear_ae = wrong(
    "linear_price", "quadratic|linear|weight decay|drop|price|shrink|threshold"
)(_denoiser_2(lambda s, n, tau: np.maximum(1 - n * tau**2 / s**2, 0)))
denoising_linear_ae = wrong("no_gain", "gain|noise|projector|shrink|whole")(
    _denoiser_2(lambda s, n, tau: np.ones_like(s))
)


def _probe_2(outputs, answer=None):
    def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
        classes = np.unique(ytr)
        Y = (classes[:, None] == ytr).astype(float)
        O = outputs(Ztr, Y, Zte, lam)
        found = classes[O.argmax(axis=0)] if answer is None else answer(O)
        return float(np.mean(found == yte))

    return probe_accuracy


def _fit(A, Y, lam):
    return Y @ A.T @ np.linalg.inv(A @ A.T + lam * np.eye(len(A)))


def _own_mean(Z, Y, Zt, lam):
    A, mean = Z - Z.mean(axis=1, keepdims=True), Y.mean(axis=1, keepdims=True)
    return _fit(A, Y - mean, lam) @ (Zt - Zt.mean(axis=1, keepdims=True)) + mean


def _no_intercept(Z, Y, Zt, lam):
    centre = Z.mean(axis=1, keepdims=True)
    return _fit(Z - centre, Y, lam) @ (Zt - centre)


def _penalised_intercept(Z, Y, Zt, lam):
    centre = Z.mean(axis=1, keepdims=True)
    one = lambda A: np.vstack([A - centre, np.ones(A.shape[1])])
    return _fit(one(Z), Y, lam) @ one(Zt)


def _lam_times_n(Z, Y, Zt, lam):
    centre, mean = Z.mean(axis=1, keepdims=True), Y.mean(axis=1, keepdims=True)
    return _fit(Z - centre, Y - mean, lam * Z.shape[1]) @ (Zt - centre) + mean


def _standardised(Z, Y, Zt, lam):
    centre, mean, size = (
        Z.mean(axis=1, keepdims=True),
        Y.mean(axis=1, keepdims=True),
        Z.std(axis=1, keepdims=True),
    )
    return _fit((Z - centre) / size, Y - mean, lam) @ ((Zt - centre) / size) + mean


def _right_outputs(Z, Y, Zt, lam):
    centre, mean = Z.mean(axis=1, keepdims=True), Y.mean(axis=1, keepdims=True)
    return _fit(Z - centre, Y - mean, lam) @ (Zt - centre) + mean


probe_accuracy = wrong("test_codes_centred_by_themselves", "training|own|mean|centre")(
    _probe_2(_own_mean)
)
probe_accuracy = wrong("no_intercept_again", "intercept")(_probe_2(_no_intercept))
probe_accuracy = wrong("penalised_intercept", "intercept|penal")(_probe_2(_penalised_intercept))
probe_accuracy = wrong("penalty_times_n_again", "penalty|lam|n|mean|sum")(_probe_2(_lam_times_n))
probe_accuracy = wrong("standardised_codes", "standard|scale|variance|divid|spread|mean only")(
    _probe_2(_standardised)
)
probe_accuracy = wrong("labels_are_positions", "label|position|argmax|class|unique")(
    _probe_2(_right_outputs, lambda O: O.argmax(axis=0))
)


@wrong("training_accuracy", "test|training|split")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    classes = np.unique(ytr)
    O = _right_outputs(Ztr, (classes[:, None] == ytr).astype(float), Ztr, lam)
    return float(np.mean(classes[O.argmax(axis=0)] == ytr))


@wrong("classes_of_both_splits", "class|training|test|label|split")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    classes = np.unique(yte)
    O = _right_outputs(Ztr, (classes[:, None] == ytr).astype(float), Zte, lam)
    return float(np.mean(classes[O.argmax(axis=0)] == yte))


@wrong("number_of_right_answers", "share|number|divid|count|0 and 1")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    classes = np.unique(ytr)
    O = _right_outputs(Ztr, (classes[:, None] == ytr).astype(float), Zte, lam)
    return float(np.sum(classes[O.argmax(axis=0)] == yte))
