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
