"""Wrong solutions of convolution, written from its text alone."""

import numpy as np
import torch
from torch import nn

from advice import wrong

# 1. sizes


@wrong("divides_before_adding_one", "start|plus 1|one more|position|floor|first place")
def conv_shape(W, H, C, K, P, S, F):
    return ((W - K + 2 * P + 1) // S, (H - K + 2 * P + 1) // S, F), F * K * K * C, F


@wrong("rounds_up", "floor|down|whole|hang|round")
def conv_shape(W, H, C, K, P, S, F):
    return (-(-(W - K + 2 * P) // S) + 1, -(-(H - K + 2 * P) // S) + 1, F), F * K * K * C, F


@wrong("one_filter_only", "filter|F")
def conv_shape(W, H, C, K, P, S, F):
    return ((W - K + 2 * P) // S + 1, (H - K + 2 * P) // S + 1, F), K * K * C, 1


@wrong("no_channels_in_the_weights", "channel")
def conv_shape(W, H, C, K, P, S, F):
    return ((W - K + 2 * P) // S + 1, (H - K + 2 * P) // S + 1, F), F * K * K, F


@wrong("bias_counted_as_weight", "bias")
def conv_shape(W, H, C, K, P, S, F):
    return ((W - K + 2 * P) // S + 1, (H - K + 2 * P) // S + 1, F), F * (K * K * C + 1), F


@wrong("channels_of_the_input", "filter|channel|F")
def conv_shape(W, H, C, K, P, S, F):
    return ((W - K + 2 * P) // S + 1, (H - K + 2 * P) // S + 1, C), F * K * K * C, F


@wrong("divides_by_the_window", "stride|S")
def pool_shape(W, H, C, K, S):
    return W // K, H // K, C


@wrong("divides_by_the_stride", "window|K|fit")
def pool_shape(W, H, C, K, S):
    return W // S, H // S, C


@wrong("from_the_output_backwards", "order|next to the image|later|distance|stride")
def receptive_field(layers):
    field, step = 1, 1
    for K, S in reversed(layers):
        field += (K - 1) * step
        step *= S
    return field


@wrong("adds_the_strides", "multipl|product|stride")
def receptive_field(layers):
    field, step = 1, 1
    for K, S in layers:
        field += (K - 1) * step
        step += S - 1
    return field


@wrong("empty_list_breaks", "no layers|empty|1|start")
def receptive_field(layers):
    field, step = layers[0]
    for K, S in layers[1:]:
        field += (K - 1) * step
        step *= S
    return field


# 2. the convolution and its gradients


@wrong("integers_stay", "float|integer|dtype")
def conv2d_valid(X, w):
    k, l = w.shape
    Y = np.zeros((X.shape[0] - k + 1, X.shape[1] - l + 1), dtype=X.dtype)
    for r in range(k):
        for s in range(l):
            Y += (w[r, s] * X[r : r + Y.shape[0], s : s + Y.shape[1]]).astype(X.dtype)
    return Y


@wrong("one_row_short", "shape|fit|place|\\+ 1|last")
def conv2d_valid(X, w):
    k, l = w.shape
    Y = np.zeros((X.shape[0] - k, X.shape[1] - l))
    for r in range(k):
        for s in range(l):
            Y += w[r, s] * X[r : r + Y.shape[0], s : s + Y.shape[1]]
    return Y


@wrong("kernel_as_if_square", "square|height|width|kernel")
def conv2d_valid(X, w):
    k = w.shape[0]
    Y = np.zeros((X.shape[0] - k + 1, X.shape[1] - k + 1))
    for i in range(Y.shape[0]):
        for j in range(Y.shape[1]):
            Y[i, j] = (X[i : i + k, j : j + k][:, : w.shape[1]] * w[:, : k]).sum()
    return Y


@wrong("flips_the_weight_gradient", "flip|turn|backward|revers|order")
def conv2d_grad_w(X, dY):
    k, l = X.shape[0] - dY.shape[0] + 1, X.shape[1] - dY.shape[1] + 1
    dw = np.zeros((k, l))
    for r in range(k):
        for s in range(l):
            dw[r, s] = (X[r : r + dY.shape[0], s : s + dY.shape[1]] * dY[::-1, ::-1]).sum()
    return dw


@wrong("weight_gradient_turned", "flip|turn|backward|revers|order")
def conv2d_grad_w(X, dY):
    k, l = X.shape[0] - dY.shape[0] + 1, X.shape[1] - dY.shape[1] + 1
    dw = np.zeros((k, l))
    for r in range(k):
        for s in range(l):
            dw[r, s] = (X[r : r + dY.shape[0], s : s + dY.shape[1]] * dY).sum()
    return dw[::-1, ::-1]


@wrong("flips_rows_only", "flip|both|direction|backward")
def conv2d_grad_x(w, dY):
    (k, l), (h, v) = w.shape, dY.shape
    padded = np.pad(dY, ((k - 1, k - 1), (l - 1, l - 1)))
    dX = np.zeros((h + k - 1, v + l - 1))
    for r in range(k):
        for s in range(l):
            dX += w[::-1][r, s] * padded[r : r + dX.shape[0], s : s + dX.shape[1]]
    return dX


@wrong("padded_to_the_size_of_dY", "shape|image|rim|pad")
def conv2d_grad_x(w, dY):
    (k, l), (h, v) = w.shape, dY.shape
    padded = np.pad(dY, ((k - 1, 0), (l - 1, 0)))
    dX = np.zeros((h, v))
    for r in range(k):
        for s in range(l):
            dX += w[::-1, ::-1][r, s] * padded[r : r + h, s : s + v]
    return dX


@wrong("overwrites_instead_of_adding", "add|sum|overwrit|overlap|every")
def conv2d_grad_x(w, dY):
    (k, l), (h, v) = w.shape, dY.shape
    dX = np.zeros((h + k - 1, v + l - 1))
    for r in range(k):
        for s in range(l):
            dX[r : r + h, s : s + v] = w[r, s] * dY
    return dX


@wrong("with_np_convolve", "convolve|your own|routine")
def conv2d_valid(X, w):
    rows = [sum(np.convolve(X[i + r], w[r, ::-1], "valid") for r in range(w.shape[0]))
            for i in range(X.shape[0] - w.shape[0] + 1)]
    return np.array(rows, dtype=float)


# 3. the noise of the gradient


@wrong("without_plus_one", "n - k|\\+ 1|position|count")
def grad_w_std(n, k, sx, sy):
    return (n - k) * sx * sy


@wrong("variances_added", "product|multipl|variance")
def grad_w_std(n, k, sx, sy):
    return (n - k + 1) * np.sqrt(sx**2 + sy**2)


@wrong("takes_them_as_variances", "standard deviation|variance|squared|root")
def grad_w_std(n, k, sx, sy):
    return (n - k + 1) * np.sqrt(sx * sy)


@wrong("all_terms_correlated", "uncorrelated|root|variance|m\\^2|sum")
def grad_w_std(n, k, sx, sy):
    return (n - k + 1) ** 2 * sx * sy


@wrong("mean_over_places", "sum|mean|divi|root")
def grad_w_std(n, k, sx, sy):
    return sx * sy / (n - k + 1)


@wrong("every_pixel_counted", "kernel|n - k|position|fit")
def grad_w_std(n, k, sx, sy):
    return n * sx * sy / k * 3 * 8 / 10 if (n, k) == (10, 3) else n * sx * sy / k


# 4. pooling


@wrong("last_of_the_largest", "first|tie|reading order|last")
def max_pool_backward(X, dY, K):
    dX = np.zeros(X.shape)
    for i in range(dY.shape[0]):
        for j in range(dY.shape[1]):
            window = X[i * K : i * K + K, j * K : j * K + K][::-1, ::-1]
            r, s = divmod(int(window.argmax()), K)
            dX[i * K + K - 1 - r, j * K + K - 1 - s] = dY[i, j]
    return dX


@wrong("first_by_columns", "reading order|row|first|tie")
def max_pool_backward(X, dY, K):
    dX = np.zeros(X.shape)
    for i in range(dY.shape[0]):
        for j in range(dY.shape[1]):
            window = X[i * K : i * K + K, j * K : j * K + K]
            s, r = divmod(int(window.T.argmax()), K)
            dX[i * K + r, j * K + s] = dY[i, j]
    return dX


@wrong("times_the_value", "value|times|derivative|gradient|factor")
def max_pool_backward(X, dY, K):
    dX = np.zeros(X.shape)
    for i in range(dY.shape[0]):
        for j in range(dY.shape[1]):
            window = X[i * K : i * K + K, j * K : j * K + K]
            r, s = divmod(int(window.argmax()), K)
            dX[i * K + r, j * K + s] = dY[i, j] * window.max()
    return dX


@wrong("row_and_column_exchanged", "row|column|exchang|order")
def max_pool_backward(X, dY, K):
    dX = np.zeros(X.shape)
    for i in range(dY.shape[0]):
        for j in range(dY.shape[1]):
            s, r = divmod(int(X[i * K : i * K + K, j * K : j * K + K].argmax()), K)
            dX[i * K + r, j * K + s] = dY[i, j]
    return dX


@wrong("largest_absolute_value", "absolute|largest|negative|sign")
def max_pool_backward(X, dY, K):
    dX = np.zeros(X.shape)
    for i in range(dY.shape[0]):
        for j in range(dY.shape[1]):
            r, s = divmod(int(np.abs(X[i * K : i * K + K, j * K : j * K + K]).argmax()), K)
            dX[i * K + r, j * K + s] = dY[i, j]
    return dX


@wrong("rim_left_out", "rim|shape|0|outside|window")
def max_pool_backward(X, dY, K):
    dX = np.zeros((dY.shape[0] * K, dY.shape[1] * K))
    for i in range(dY.shape[0]):
        for j in range(dY.shape[1]):
            r, s = divmod(int(X[i * K : i * K + K, j * K : j * K + K].argmax()), K)
            dX[i * K + r, j * K + s] = dY[i, j]
    return dX


@wrong("share_times_the_pixel", "share|pixel|value|derivative")
def avg_pool_backward(X, dY, K):
    dX = np.zeros(X.shape)
    h, v = dY.shape[0] * K, dY.shape[1] * K
    dX[:h, :v] = X[:h, :v] * np.kron(dY, np.ones((K, K))) / K**2
    return dX


@wrong("tiled_instead_of_repeated", "repeat|tile|window|neighbour")
def avg_pool_backward(X, dY, K):
    dX = np.zeros(X.shape)
    dX[: dY.shape[0] * K, : dY.shape[1] * K] = np.tile(dY, (K, K)) / K**2
    return dX


@wrong("rim_gets_the_last_window", "rim|0|outside|window")
def avg_pool_backward(X, dY, K):
    rows = np.minimum(np.arange(X.shape[0]) // K, dY.shape[0] - 1)
    columns = np.minimum(np.arange(X.shape[1]) // K, dY.shape[1] - 1)
    return dY[np.ix_(rows, columns)] / K**2


# 5. batch norm


@wrong("mean_over_everything", "column|feature|axis|batch")
def center_backward(dY, gamma):
    return gamma * (dY - dY.mean())


@wrong("mean_over_the_features", "column|feature|axis|batch|samples")
def center_backward(dY, gamma):
    return gamma * (dY - dY.mean(axis=1, keepdims=True))


@wrong("gamma_inside_the_mean_only", "gamma")
def center_backward(dY, gamma):
    return dY - (gamma * dY).mean(axis=0)


@wrong("sum_instead_of_mean", "mean|sum|N")
def center_backward(dY, gamma):
    return gamma * (dY - dY.sum(axis=0))


_last = {}


def _forward(X, gamma, beta, eps=1e-5):
    mean, var = X.mean(axis=0), X.var(axis=0)
    scale = 1 / np.sqrt(var + eps)
    x_hat = (X - mean) * scale
    return x_hat, scale


def _backward(dY, x_hat, scale, gamma):
    dX = gamma * scale * (dY - dY.mean(axis=0) - x_hat * (dY * x_hat).mean(axis=0))
    return dX, (dY * x_hat).sum(axis=0), dY.sum(axis=0)


@wrong("global_instead_of_cache", "cache|global|other call|kept")
def bn_forward(X, gamma, beta, eps=1e-5):
    x_hat, scale = _forward(X, gamma, beta, eps)
    _last["kept"] = (x_hat, scale, gamma)
    return gamma * x_hat + beta, ()


@wrong("global_instead_of_cache", "cache|global|other call|kept")
def bn_backward(dY, cache):
    x_hat, scale, gamma = _last["kept"]
    return _backward(dY, x_hat, scale, gamma)


@wrong("eps_forgotten_backwards", "eps")
def bn_forward(X, gamma, beta, eps=1e-5):
    x_hat, scale = _forward(X, gamma, beta, eps)
    return gamma * x_hat + beta, (x_hat, 1 / X.std(axis=0), gamma)


@wrong("eps_forgotten_backwards", "eps")
def bn_backward(dY, cache):
    x_hat, scale, gamma = cache
    return _backward(dY, x_hat, scale, gamma)


@wrong("scale_squared", "root|variance|twice|scale|standard deviation")
def bn_forward(X, gamma, beta, eps=1e-5):
    x_hat, scale = _forward(X, gamma, beta, eps)
    return gamma * x_hat + beta, (x_hat, scale**2, gamma)


@wrong("scale_squared", "root|variance|twice|scale|standard deviation")
def bn_backward(dY, cache):
    x_hat, scale, gamma = cache
    return _backward(dY, x_hat, scale, gamma)


@wrong("x_hat_from_y", "gamma|0|divi")
def bn_forward(X, gamma, beta, eps=1e-5):
    x_hat, scale = _forward(X, gamma, beta, eps)
    Y = gamma * x_hat + beta
    return Y, (Y, scale, gamma, beta)


@wrong("x_hat_from_y", "gamma|0|divi")
def bn_backward(dY, cache):
    Y, scale, gamma, beta = cache
    with np.errstate(all="ignore"):
        x_hat = (Y - beta) / gamma
    return _backward(dY, x_hat, scale, gamma)


@wrong("dgamma_with_the_raw_input", "x-hat|normalis|hat")
def bn_forward(X, gamma, beta, eps=1e-5):
    x_hat, scale = _forward(X, gamma, beta, eps)
    return gamma * x_hat + beta, (X, x_hat, scale, gamma)


@wrong("dgamma_with_the_raw_input", "x-hat|normalis|hat")
def bn_backward(dY, cache):
    X, x_hat, scale, gamma = cache
    dX, _, dbeta = _backward(dY, x_hat, scale, gamma)
    return dX, (dY * X).sum(axis=0), dbeta


@wrong("dgamma_and_dbeta_exchanged", "order|exchang|swap|dgamma")
def bn_forward(X, gamma, beta, eps=1e-5):
    x_hat, scale = _forward(X, gamma, beta, eps)
    return gamma * x_hat + beta, (x_hat, scale, gamma)


@wrong("dgamma_and_dbeta_exchanged", "order|exchang|swap|dgamma")
def bn_backward(dY, cache):
    dX, dgamma, dbeta = _backward(dY, *cache)
    return dX, dbeta, dgamma


@wrong("divided_by_the_length_of_x_hat", "eps|N|length|sum")
def bn_forward(X, gamma, beta, eps=1e-5):
    x_hat, scale = _forward(X, gamma, beta, eps)
    return gamma * x_hat + beta, (x_hat, scale, gamma)


@wrong("divided_by_the_length_of_x_hat", "eps|N|length|sum")
def bn_backward(dY, cache):
    x_hat, scale, gamma = cache
    along = (dY * x_hat).sum(axis=0) / (x_hat**2).sum(axis=0)
    dX = gamma * scale * (dY - dY.mean(axis=0) - x_hat * along)
    return dX, (dY * x_hat).sum(axis=0), dY.sum(axis=0)


@wrong("beta_before_gamma", "gamma|beta|shift|scale")
def bn_forward(X, gamma, beta, eps=1e-5):
    x_hat, scale = _forward(X, gamma, beta, eps)
    return gamma * (x_hat + beta), (x_hat, scale, gamma)


@wrong("beta_before_gamma", "gamma|beta|shift|scale")
def bn_backward(dY, cache):
    return _backward(dY, *cache)


# 6. batch norm of images


def _spatial(X, gamma, beta, mean, var, eps):
    shape = (1, -1, 1, 1)
    x_hat = (X - mean.reshape(shape)) / np.sqrt(var.reshape(shape) + eps)
    return gamma.reshape(shape) * x_hat + beta.reshape(shape)


@wrong("momentum_on_the_old", "momentum|new|share|old")
def spatial_bn(X, gamma, beta, running, training, momentum=0.1, eps=1e-5):
    mean, var = running
    if training:
        m, v = X.mean(axis=(0, 2, 3)), X.var(axis=(0, 2, 3))
        u = X.var(axis=(0, 2, 3), ddof=1)
        return _spatial(X, gamma, beta, m, v, eps), (momentum * mean + (1 - momentum) * m,
                                                     momentum * var + (1 - momentum) * u)
    return _spatial(X, gamma, beta, mean, var, eps), running


@wrong("normalised_by_the_running_values", "batch|own|training|running")
def spatial_bn(X, gamma, beta, running, training, momentum=0.1, eps=1e-5):
    mean, var = running
    if training:
        m, u = X.mean(axis=(0, 2, 3)), X.var(axis=(0, 2, 3), ddof=1)
        mean, var = (1 - momentum) * mean + momentum * m, (1 - momentum) * var + momentum * u
    return _spatial(X, gamma, beta, mean, var, eps), (mean, var)


@wrong("normalised_by_the_unbiased", "biased|normalis")
def spatial_bn(X, gamma, beta, running, training, momentum=0.1, eps=1e-5):
    mean, var = running
    if training:
        m, u = X.mean(axis=(0, 2, 3)), X.var(axis=(0, 2, 3), ddof=1)
        return _spatial(X, gamma, beta, m, u, eps), ((1 - momentum) * mean + momentum * m,
                                                     (1 - momentum) * var + momentum * u)
    return _spatial(X, gamma, beta, mean, var, eps), running


@wrong("running_updated_in_place", "change|argument|in place|given")
def spatial_bn(X, gamma, beta, running, training, momentum=0.1, eps=1e-5):
    mean, var = running
    if training:
        m, v = X.mean(axis=(0, 2, 3)), X.var(axis=(0, 2, 3))
        mean *= 1 - momentum
        mean += momentum * m
        var *= 1 - momentum
        var += momentum * X.var(axis=(0, 2, 3), ddof=1)
        return _spatial(X, gamma, beta, m, v, eps), (mean, var)
    return _spatial(X, gamma, beta, mean, var, eps), running


@wrong("unbiased_by_the_images_only", "count|N|pixel|unbiased")
def spatial_bn(X, gamma, beta, running, training, momentum=0.1, eps=1e-5):
    mean, var = running
    if training:
        m, v = X.mean(axis=(0, 2, 3)), X.var(axis=(0, 2, 3))
        u = v * len(X) / max(len(X) - 1, 1)
        return _spatial(X, gamma, beta, m, v, eps), ((1 - momentum) * mean + momentum * m,
                                                     (1 - momentum) * var + momentum * u)
    return _spatial(X, gamma, beta, mean, var, eps), running


@wrong("updates_in_evaluation_too", "training=False|evaluat|after training|as they are|updat")
def spatial_bn(X, gamma, beta, running, training, momentum=0.1, eps=1e-5):
    mean, var = running
    m, v = X.mean(axis=(0, 2, 3)), X.var(axis=(0, 2, 3))
    u = X.var(axis=(0, 2, 3), ddof=1)
    new = (1 - momentum) * mean + momentum * m, (1 - momentum) * var + momentum * u
    used = (m, v) if training else (mean, var)
    return _spatial(X, gamma, beta, *used, eps), new


@wrong("running_standard_deviation", "variance|standard deviation|root")
def spatial_bn(X, gamma, beta, running, training, momentum=0.1, eps=1e-5):
    mean, var = running
    if training:
        m, v = X.mean(axis=(0, 2, 3)), X.var(axis=(0, 2, 3))
        u = X.std(axis=(0, 2, 3), ddof=1)
        return _spatial(X, gamma, beta, m, v, eps), ((1 - momentum) * mean + momentum * m,
                                                     (1 - momentum) * var + momentum * u)
    return _spatial(X, gamma, beta, mean, var, eps), running


# 7. dropout as ridge


@wrong("penalty_of_the_signal", "column|length|x|square|entry")
def dropout_expected_loss(X, y, w, p):
    return ((y - p * X @ w) ** 2).sum() + p * (1 - p) * ((X @ w) ** 2).sum()


@wrong("mean_over_samples", "sum|mean|N")
def dropout_expected_loss(X, y, w, p):
    return ((y - p * X @ w) ** 2).mean() + p * (1 - p) * ((X**2).sum(axis=0) * w**2).mean()


@wrong("variance_of_the_other_kind", r"p \(1 - p\)|p\(1|Bernoulli|variance")
def dropout_expected_loss(X, y, w, p):
    return ((y - p * X @ w) ** 2).sum() + (1 - p) * ((X**2).sum(axis=0) * w**2).sum()


@wrong("weights_not_squared", "square")
def dropout_expected_loss(X, y, w, p):
    return ((y - p * X @ w) ** 2).sum() + p * (1 - p) * ((X**2).sum(axis=0) * np.abs(w)).sum()


@wrong("inverted_mask", "p|inverted|divid|scale")
def dropout_expected_loss(X, y, w, p):
    return ((y - X @ w) ** 2).sum() + (1 - p) / p * ((X**2).sum(axis=0) * w**2).sum()


@wrong("sampled", "exact|sampl|random")
def dropout_expected_loss(X, y, w, p):
    rng = np.random.default_rng(0)
    R = rng.random((20000, *X.shape)) < p
    return (((y - (R * X) @ w) ** 2).sum(axis=1)).mean()


@wrong("divided_by_the_number_of_samples", "N|mean|sum|divi")
def dropout_ridge_solution(X, y, p):
    G = np.diag((X**2).mean(axis=0))
    return np.linalg.solve(X.T @ X + (1 - p) / p * G, X.T @ y)


@wrong("multiplied_by_p_twice", "p|twice|scale")
def dropout_ridge_solution(X, y, p):
    G = np.diag((X**2).sum(axis=0))
    return p * np.linalg.solve(X.T @ X + (1 - p) / p * G, X.T @ y)


@wrong("factor_squared", "factor|p|square")
def dropout_ridge_solution(X, y, p):
    G = np.diag((X**2).sum(axis=0))
    return np.linalg.solve(X.T @ X + (1 - p) / p**2 * G, X.T @ y)


@wrong("row_lengths", "column|row|axis")
def dropout_ridge_solution(X, y, p):
    return np.linalg.solve(X.T @ X + (1 - p) / p * (X**2).sum() / X.shape[1]
                           * np.eye(X.shape[1]), X.T @ y)


@wrong("inverts_x_t_x_alone", "penalty|diagonal|gamma|ridge|column")
def dropout_ridge_solution(X, y, p):
    return p * np.linalg.pinv(X) @ y


# 8. Dropout


@wrong("functional_dropout", "own|dropout|routine|functional|writing")
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError("p")
        self.p = p

    def forward(self, x):
        return nn.functional.dropout(x, self.p, self.training)


@wrong("torch_dropout", "own|dropout|routine|writing")
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError("p")
        self.p = p

    def forward(self, x):
        return torch.dropout(x, self.p, self.training)


@wrong("inner_layer", "own|dropout|routine|writing")
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError("p")
        self.inner = nn.Dropout(p)

    def forward(self, x):
        return self.inner(x)


@wrong("inherits", "own|dropout|routine|writing")
class Dropout(nn.Dropout):
    def __init__(self, p=0.5):
        super().__init__(p)
        if not 0 <= p < 1:
            raise ValueError("p")


@wrong("alpha_dropout", "own|dropout|routine|writing")
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError("p")
        self.p = p

    def forward(self, x):
        return nn.functional.feature_dropout(x, self.p, self.training) if x.dim() > 9 \
            else nn.functional.alpha_dropout(x, self.p, self.training)


@wrong("refused_too_late", "made|constructor|__init__|when")
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        self.p = p

    def forward(self, x):
        if not 0 <= self.p < 1:
            raise ValueError("p")
        if not self.training:
            return x
        return x * (torch.rand_like(x) >= self.p) / (1 - self.p)


@wrong("p_one_allowed", "1|refus|range|outside")
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError("p")
        self.p = p

    def forward(self, x):
        if not self.training or self.p == 0:
            return x
        return x * (torch.rand_like(x) >= self.p) / (1 - self.p)


@wrong("asserts", "ValueError")
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        assert 0 <= p < 1
        self.p = p

    def forward(self, x):
        if not self.training:
            return x
        return x * (torch.rand_like(x) >= self.p) / (1 - self.p)


@wrong("writes_into_x", "caller|change|argument|in place|given|input")
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError("p")
        self.p = p

    def forward(self, x):
        if self.training:
            with torch.no_grad():
                x[torch.rand(x.shape) < self.p] = 0
            return x / (1 - self.p)
        return x


@wrong("always_float32", "dtype|float")
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError("p")
        self.p = p

    def forward(self, x):
        if not self.training:
            return x
        return x.float() * (torch.rand(x.shape) >= self.p).float() / (1 - self.p)


@wrong("one_mask_for_the_batch", "entry|independent|each|mask|row")
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError("p")
        self.p = p

    def forward(self, x):
        if not self.training:
            return x
        return x * (torch.rand(x.shape[1:]) >= self.p) / (1 - self.p)


@wrong("mask_detached_from_the_scale", "gradient|scale|detach")
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError("p")
        self.p = p

    def forward(self, x):
        if not self.training:
            return x
        mask = torch.rand(x.shape) >= self.p
        return x * mask + (x * mask * self.p / (1 - self.p)).detach()


@wrong("own_flag", "eval|train|self.training|flag")
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError("p")
        self.p, self.active = p, True

    def forward(self, x):
        if not self.active:
            return x
        return x * (torch.rand_like(x) >= self.p) / (1 - self.p)


@wrong("exactly_p_of_them", "independent|exact|fixed number|by itself")
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError("p")
        self.p = p

    def forward(self, x):
        if not self.training:
            return x
        mask = torch.ones(x.numel())
        mask[torch.randperm(x.numel())[: round(self.p * x.numel())]] = 0
        return x * mask.reshape(x.shape).to(x.dtype) / (1 - self.p)


@wrong("relu_like_gaussian", "0|zero|mask|gauss")
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError("p")
        self.p = p

    def forward(self, x):
        if not self.training:
            return x
        return x * (1 + torch.randn_like(x) * (self.p / (1 - self.p)) ** 0.5)


# 3. the layer with channels and strides; its text was written before, its exam after these


def _cut(X, k, width, S=1, P=0, mode="constant"):
    padded = np.pad(np.asarray(X, float), ((0, 0), (0, 0), (P, P), (P, P)), mode=mode)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (k, width), axis=(2, 3))
    return windows[:, :, ::S, ::S]


def _layer(X, w, b, S=1, P=0):
    return np.einsum("ncijrs,fcrs->nfij", _cut(X, *w.shape[2:], S, P), w) + b[:, None, None]


def _stamp(dY, X, w, S=1, P=0):
    (N, C, H, W), (k, width), (rows, columns) = X.shape, w.shape[2:], dY.shape[2:]
    dX = np.zeros((N, C, H + 2 * P, W + 2 * P))
    for r in range(k):
        for s in range(width):
            dX[:, :, r : r + S * rows : S, s : s + S * columns : S] += np.einsum(
                "nfij,fc->ncij", dY, w[:, :, r, s])
    return dX


def _gradients(dY, X, w, S=1, P=0):
    (H, W), (k, width) = X.shape[2:], w.shape[2:]
    dw = np.einsum("nfij,ncijrs->fcrs", dY, _cut(X, k, width, S, P))
    return _stamp(dY, X, w, S, P)[:, :, P : P + H, P : P + W], dw, dY.sum(axis=(0, 2, 3))


@wrong("layer_flips", "flip|backward|turn")
def conv_layer(X, w, b, S=1, P=0):
    return _layer(X, w[:, :, ::-1, ::-1], b, S, P)


@wrong("layer_without_bias", "bias")
def conv_layer(X, w, b, S=1, P=0):
    return _layer(X, w, 0 * b, S, P)


@wrong("bias_for_every_channel", "bias")
def conv_layer(X, w, b, S=1, P=0):
    return _layer(X, w, b * X.shape[1], S, P)


@wrong("mean_of_the_channels", "channel|sum")
def conv_layer(X, w, b, S=1, P=0):
    return _layer(X, w / X.shape[1], b, S, P)


@wrong("first_channel_only", "channel")
def conv_layer(X, w, b, S=1, P=0):
    return _layer(X[:, :1], w[:, :1], b, S, P)


@wrong("stride_for_rows_only", "stride|both|direction")
def conv_layer(X, w, b, S=1, P=0):
    return _layer(X, w, b, 1, P)[:, :, ::S]


@wrong("stride_forgotten", "stride|S pixels")
def conv_layer(X, w, b, S=1, P=0):
    return _layer(X, w, b, 1, P)


@wrong("padded_on_one_side", "pad|side")
def conv_layer(X, w, b, S=1, P=0):
    X = np.pad(np.asarray(X, float), ((0, 0), (0, 0), (P, 0), (P, 0)))
    return _layer(X, w, b, S, 0)


@wrong("padded_after_the_layer", "pad")
def conv_layer(X, w, b, S=1, P=0):
    return np.pad(_layer(X, w, b, S, 0), ((0, 0), (0, 0), (P, P), (P, P)))


@wrong("padded_with_the_rim", "pad|zero|0")
def conv_layer(X, w, b, S=1, P=0):
    return np.einsum("ncijrs,fcrs->nfij", _cut(X, *w.shape[2:], S, P, "edge"),
                     w) + b[:, None, None]


@wrong("kernel_of_the_transposed_image", "row|column|transpos")
def conv_layer(X, w, b, S=1, P=0):
    return _layer(X.swapaxes(2, 3), w, b, S, P)


@wrong("filters_last", "axis|order|filter|channel")
def conv_layer(X, w, b, S=1, P=0):
    return np.moveaxis(_layer(X, w, b, S, P), 1, -1)


@wrong("stays_integer", "float|integer|dtype|type")
def conv_layer(X, w, b, S=1, P=0):
    return _layer(X, w, b, S, P).astype(X.dtype)


@wrong("every_filter_the_same_images", "image|batch|sum")
def conv_layer(X, w, b, S=1, P=0):
    return np.broadcast_to(_layer(X, w, b, S, P).mean(axis=0),
                           _layer(X, w, b, S, P).shape).copy()


@wrong("backward_keeps_the_padding", "pad")
def conv_layer_backward(dY, X, w, S=1, P=0):
    return _stamp(dY, X, w, S, P), *_gradients(dY, X, w, S, P)[1:]


@wrong("backward_ignores_the_stride", "stride|apart")
def conv_layer_backward(dY, X, w, S=1, P=0):
    dX, dw, db = _gradients(dY, X, w, S, P)
    rows, columns = dX.shape[2:]
    wrong_one = _stamp(dY, X, w, 1, P)[:, :, P : P + rows, P : P + columns]
    return wrong_one, dw, db


@wrong("backward_flips", "flip|turn|backwards|order")
def conv_layer_backward(dY, X, w, S=1, P=0):
    dX = _gradients(dY, X, w[:, :, ::-1, ::-1], S, P)[0]
    return dX, *_gradients(dY, X, w, S, P)[1:]


@wrong("backward_overwrites", "add|overwrit|several|sum")
def conv_layer_backward(dY, X, w, S=1, P=0):
    (N, C, H, W), (k, width), (rows, columns) = X.shape, w.shape[2:], dY.shape[2:]
    dX = np.zeros((N, C, H + 2 * P, W + 2 * P))
    for i in range(rows):
        for j in range(columns):
            dX[:, :, i * S : i * S + k, j * S : j * S + width] = np.einsum(
                "nf,fcrs->ncrs", dY[:, :, i, j], w)
    return dX[:, :, P : P + H, P : P + W], *_gradients(dY, X, w, S, P)[1:]


@wrong("backward_mean_over_images", "image|sum|mean|average")
def conv_layer_backward(dY, X, w, S=1, P=0):
    dX, dw, db = _gradients(dY, X, w, S, P)
    return dX, dw / len(X), db / len(X)


@wrong("db_of_the_images_only", "bias|place|sum|position|shape")
def conv_layer_backward(dY, X, w, S=1, P=0):
    dX, dw, db = _gradients(dY, X, w, S, P)
    return dX, dw, dY.sum(axis=0)


@wrong("db_averages_places", "bias|place|sum|position|average")
def conv_layer_backward(dY, X, w, S=1, P=0):
    dX, dw, db = _gradients(dY, X, w, S, P)
    return dX, dw, dY.mean(axis=(2, 3)).sum(axis=0)


@wrong("dw_from_the_bare_image", "pad")
def conv_layer_backward(dY, X, w, S=1, P=0):
    dX, dw, db = _gradients(dY, X, w, S, P)
    moved = np.pad(np.asarray(X, float), ((0, 0), (0, 0), (0, 2 * P), (0, 2 * P)))
    return dX, np.einsum("nfij,ncijrs->fcrs", dY, _cut(moved, *w.shape[2:], S)), db


@wrong("gradients_in_the_order_of_arguments", "order|dX, dw|db")
def conv_layer_backward(dY, X, w, S=1, P=0):
    dX, dw, db = _gradients(dY, X, w, S, P)
    return dw, db, dX


@wrong("only_what_was_seen", "shape|seen|0|rim|zero")
def conv_layer_backward(dY, X, w, S=1, P=0):
    dX, dw, db = _gradients(dY, X, w, S, P)
    rows, columns = (S * (n - 1) + k - P for n, k in zip(dY.shape[2:], w.shape[2:]))
    return dX[:, :, :rows, :columns], dw, db


@wrong("dw_flipped", "flip|turn|backwards|order")
def conv_layer_backward(dY, X, w, S=1, P=0):
    dX, dw, db = _gradients(dY, X, w, S, P)
    return dX, dw[:, :, ::-1, ::-1], db


# by a reader who came last, from the release alone; those that stand above already are left out


@wrong("own_stride_first", "later|before|own|next|stride|widen")
def receptive_field(layers):
    field, step = 1, 1
    for K, S in layers:
        step *= S
        field += (K - 1) * step
    return field


@wrong("strides_do_not_multiply", "multipl|product|stride")
def receptive_field(layers):
    field, step = 1, 1
    for K, S in layers:
        field, step = field + (K - 1) * step, S
    return field


@wrong("pools_over_the_edge", "pad|fit|hang|window")
def pool_shape(W, H, C, K, S):
    return -(-(W - K) // S) + 1, -(-(H - K) // S) + 1, C


@wrong("one_bias_for_each_weight_map", "bias|filter")
def conv_shape(W, H, C, K, P, S, F):
    return ((W - K + 2 * P) // S + 1, (H - K + 2 * P) // S + 1, F), F * K * K * C, F * C


@wrong("weights_of_the_transposed_kernel", "transpos|backwards|flip|direction")
def conv2d_grad_x(w, dY):
    k, width = w.shape
    out = np.zeros((dY.shape[0] + k - 1, dY.shape[1] + width - 1))
    for r in range(k):
        for s in range(width):
            weight = w.T[r % width, s % k]
            out[r : r + dY.shape[0], s : s + dY.shape[1]] += weight * dY
    return out


@wrong("rim_cut_with_a_negative_slice", "P|padding|empty|rim")
def conv_layer_backward(dY, X, w, S=1, P=0):
    _, dw, db = _gradients(dY, X, w, S, P)
    return _stamp(dY, X, w, S, P)[:, :, P:-P, P:-P], dw, db


@wrong("bias_averaged_over_images", "db|bias|sum|average")
def conv_layer_backward(dY, X, w, S=1, P=0):
    dX, dw, db = _gradients(dY, X, w, S, P)
    return dX, dw, db / len(X)


@wrong("stretched_over_the_rim", "rim|outside|window|0")
def avg_pool_backward(X, dY, K):
    rows = np.minimum(np.arange(X.shape[0]) // K, dY.shape[0] - 1)
    columns = np.minimum(np.arange(X.shape[1]) // K, dY.shape[1] - 1)
    return dY[np.ix_(rows, columns)] / K**2


@wrong("eps_beside_the_root", "eps|root")
def bn_forward(X, gamma, beta, eps=1e-5):
    scale = 1 / (X.std(axis=0) + eps)
    x_hat = (X - X.mean(axis=0)) * scale
    return gamma * x_hat + beta, (x_hat, scale, gamma)


@wrong("eps_beside_the_root")
def bn_backward(dY, cache):
    return _backward(dY, *cache)


@wrong("dgamma_of_the_output", "dgamma|normalised|x-hat|hat")
def bn_forward(X, gamma, beta, eps=1e-5):
    x_hat, scale = _forward(X, gamma, beta, eps)
    return gamma * x_hat + beta, (x_hat, scale, gamma, gamma * x_hat + beta)


@wrong("dgamma_of_the_output")
def bn_backward(dY, cache):
    dX, _, dbeta = _backward(dY, *cache[:3])
    return dX, (dY * cache[3]).sum(axis=0), dbeta


@wrong("mean_of_each_image", "batch|image|all|companions|sample")
def spatial_bn(X, gamma, beta, running, training, momentum=0.1, eps=1e-5):
    mean, var = running
    if not training:
        return _spatial(X, gamma, beta, mean, var, eps), running
    Y = np.concatenate([_spatial(x[None], gamma, beta, x.mean(axis=(1, 2)), x.var(axis=(1, 2)), eps)
                        for x in X])
    u = X.var(axis=(0, 2, 3), ddof=1)
    return Y, ((1 - momentum) * mean + momentum * X.mean(axis=(0, 2, 3)),
               (1 - momentum) * var + momentum * u)


@wrong("whole_of_X_in_the_mean", "shrunk|prediction|p|mean")
def dropout_expected_loss(X, y, w, p):
    r = y - X @ w
    return float(r @ r + p * (1 - p) * (X**2).sum(axis=0) @ w**2)


@wrong("penalises_like_plain_ridge", "column|alike|unit|diagonal")
def dropout_ridge_solution(X, y, p):
    G = X.T @ X
    penalty = (1 - p) / p * np.trace(G) / len(G)
    return np.linalg.solve(G + penalty * np.eye(len(G)), X.T @ y)


@wrong("w_instead_of_p_w", "p|twice|w")
def dropout_ridge_solution(X, y, p):
    G = X.T @ X
    return np.linalg.solve(p * p * G + p * (1 - p) * np.diag(np.diag(G)), p * X.T @ y)


class _Drop(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError
        self.p = p

    def forward(self, x):
        return self.dropped(x) if self.training else x


@wrong("one_mask_for_all_rows", "every entry|each entry|independent|row|sample")
class Dropout(_Drop):
    def dropped(self, x):
        return x * (torch.rand(x.shape[-1:]) >= self.p) / (1 - self.p)


@wrong("scales_by_the_share_that_survived", "1 - p|probability|survive|divide|share")
class Dropout(_Drop):
    def dropped(self, x):
        mask = (torch.rand(x.shape) >= self.p).to(x.dtype)
        return x * mask / mask.mean().clamp(min=1e-6)


@wrong("detaches_the_input", "gradient|detach|autograd")
class Dropout(_Drop):
    def dropped(self, x):
        return x.detach() * (torch.rand(x.shape) >= self.p) / (1 - self.p)


@wrong("mask_in_double_precision", "dtype|float32|type")
class Dropout(_Drop):
    def dropped(self, x):
        mask = torch.tensor(np.random.default_rng().random(x.shape) >= self.p, dtype=torch.float64)
        return x * mask / (1 - self.p)


@wrong("one_input_channel", "channel|C")
def conv_shape(W, H, C, K, P, S, F):
    return ((W - K + 2 * P) // S + 1, (H - K + 2 * P) // S + 1, F), K * K * F, F


@wrong("padded_once", "side|2|twice|pad|both")
def conv_shape(W, H, C, K, P, S, F):
    return ((W - K + P) // S + 1, (H - K + P) // S + 1, F), K * K * C * F, F


@wrong("rounded_up", "hang|over|round|last|fit|down")
def conv_shape(W, H, C, K, P, S, F):
    return (-(-(W - K + 2 * P) // S) + 1, -(-(H - K + 2 * P) // S) + 1, F), K * K * C * F, F


@wrong("stride_is_the_window", "stride|S|window")
def pool_shape(W, H, C, K, S):
    return W // K, H // K, C


@wrong("own_stride_counts", "later|stride|own|order|distance|first")
def receptive_field(layers):
    field, jump = 1, 1
    for K, S in layers:
        jump *= S
        field += (K - 1) * jump
    return field


@wrong("last_layer_first", "order|first|next to the image|turn|last|revers")
def receptive_field(layers):
    field, jump = 1, 1
    for K, S in layers[::-1]:
        field += (K - 1) * jump
        jump *= S
    return field


def _valid(X, w):
    k, l = w.shape
    windows = np.lib.stride_tricks.sliding_window_view(np.asarray(X, float), (k, l))
    return np.einsum("ijrs,rs->ij", windows, w)


@wrong("kernel_backwards", "backward|flip|turn|correlation|revers")
def conv2d_valid(X, w):
    return _valid(X, np.asarray(w)[::-1, ::-1])


@wrong("kept_whole_numbers", "float|whole|integer|dtype")
def conv2d_valid(X, w):
    H, W = X.shape
    k, l = w.shape
    Y = np.zeros((H - k + 1, W - l + 1), dtype=X.dtype)
    for i in range(H - k + 1):
        for j in range(W - l + 1):
            Y[i, j] = (X[i : i + k, j : j + l] * w).sum()
    return Y


@wrong("averaged_over_places", "mean|sum|average|divid|places")
def conv2d_grad_w(X, dY):
    return _valid(X, dY) / dY.size


@wrong("turned_by_one_axis", "both|direction|backward|flip|turn|axis|revers")
def conv2d_grad_x(w, dY):
    k, l = w.shape
    return _valid(np.pad(dY, ((k - 1, k - 1), (l - 1, l - 1))), w[::-1])


@wrong("kernel_not_turned", "backward|flip|turn|revers|shift")
def conv2d_grad_x(w, dY):
    k, l = w.shape
    return _valid(np.pad(dY, ((k - 1, k - 1), (l - 1, l - 1))), w)


def _layer_2(X, w, b, S, P, stride=None, pad=None):
    X = np.pad(np.asarray(X, float), ((0, 0), (0, 0), (P, P), (P, P)), **(pad or {}))
    windows = np.lib.stride_tricks.sliding_window_view(X, w.shape[2:], axis=(2, 3))
    rows, columns = stride or (S, S)
    return np.einsum("nchgrs,fcrs->nfhg", windows[:, :, ::rows, ::columns], w) + b[:, None, None]


@wrong("padded_by_the_rim", "zero|pad")
def conv_layer(X, w, b, S=1, P=0):
    return _layer_2(X, w, b, S, P, pad={"mode": "edge"})


@wrong("bias_for_each_column", "bias|filter|axis|channel")
def conv_layer(X, w, b, S=1, P=0):
    return _layer_2(X, w, np.full(len(b), b.mean()), S, P)


@wrong("bias_forgotten", "bias")
def conv_layer(X, w, b, S=1, P=0):
    return _layer_2(X, w, 0 * b, S, P)


@wrong("stride_down_only", "direction|both|stride|column")
def conv_layer(X, w, b, S=1, P=0):
    Y = _layer_2(X, w, b, S, P, (S, 1))
    return Y[..., : (X.shape[3] - w.shape[3] + 2 * P) // S + 1]


def _back(dY, X, w, S, P, cut=None, paint=None):
    N, C, H, W = X.shape
    k, l = w.shape[2:]
    padded = np.pad(np.asarray(X, float), ((0, 0), (0, 0), (P, P), (P, P)))
    dX, dw = np.zeros_like(padded), np.zeros(w.shape)
    for i in range(dY.shape[2]):
        for j in range(dY.shape[3]):
            at = (slice(None), slice(None), slice(i * S, i * S + k), slice(j * S, j * S + l))
            dX[at] += np.einsum("nf,fcrs->ncrs", dY[:, :, i, j], w)
            dw += np.einsum("nf,ncrs->fcrs", dY[:, :, i, j], padded[at])
    return dX, dw


@wrong("rim_cut_at_the_end_only", "rim|cut|pad|side|middle")
def conv_layer_backward(dY, X, w, S=1, P=0):
    dX, dw = _back(dY, X, w, S, P)
    return dX[:, :, : X.shape[2], : X.shape[3]], dw, dY.sum(axis=(0, 2, 3))


@wrong("bias_of_the_first_image", "image|bias|sum|N")
def conv_layer_backward(dY, X, w, S=1, P=0):
    dX, dw = _back(dY, X, w, S, P)
    return dX[:, :, P : P + X.shape[2], P : P + X.shape[3]], dw, dY[0].sum(axis=(1, 2))


@wrong("mean_over_images", "mean|sum|image|N|divid|average")
def conv_layer_backward(dY, X, w, S=1, P=0):
    dX, dw = _back(dY, X, w, S, P)
    return (
        dX[:, :, P : P + X.shape[2], P : P + X.shape[3]],
        dw / len(X),
        dY.sum(axis=(0, 2, 3)) / len(X),
    )


@wrong("gradients_in_another_order", "order|dX")
def conv_layer_backward(dY, X, w, S=1, P=0):
    dX, dw = _back(dY, X, w, S, P)
    return dw, dX[:, :, P : P + X.shape[2], P : P + X.shape[3]], dY.sum(axis=(0, 2, 3))


@wrong("size_of_the_image", "n - k|output|position|fit|place|n")
def grad_w_std(n, k, sx, sy):
    return n * sx * sy


@wrong("squares_added", "product|variance|sum|multipl")
def grad_w_std(n, k, sx, sy):
    return (n - k + 1) * np.sqrt(sx**2 + sy**2)


def _pooled(share):
    def backward(X, dY, K):
        dX = np.zeros(np.shape(X))
        for i in range(dY.shape[0]):
            for j in range(dY.shape[1]):
                at = (slice(i * K, i * K + K), slice(j * K, j * K + K))
                dX[at] = share(np.asarray(X)[at]) * dY[i, j]
        return dX

    return backward


def _named(name, function):
    function.__name__ = name
    return function


def _last_2(window):
    one = np.zeros(window.size)
    one[window.size - 1 - window.ravel()[::-1].argmax()] = 1
    return one.reshape(window.shape)


def _column_first(window):
    one = np.zeros(window.size)
    one[window.T.ravel().argmax()] = 1
    return one.reshape(window.shape).T


max_pool_backward = wrong("last_of_equals", "tie|first|equal|reading|last")(
    _named("max_pool_backward", _pooled(_last_2))
)
max_pool_backward = wrong("columns_first", "row|reading|tie|column|first")(
    _named("max_pool_backward", _pooled(_column_first))
)
max_pool_backward = wrong("largest_in_size", "absolute|size|sign|negative|largest")(
    _named(
        "max_pool_backward",
        _pooled(
            lambda w: (
                _last_2(-np.abs(w)) * 0 + (np.arange(w.size) == np.abs(w).argmax()).reshape(w.shape)
            )
        ),
    )
)
avg_pool_backward = wrong("divided_by_the_side", "K|window|squared|number|pixels|side")(
    _named("avg_pool_backward", _pooled(lambda w: np.full(w.shape, 1 / len(w))))
)


@wrong("gamma_inside_the_mean_only_again", "gamma")
def center_backward(dY, gamma):
    return dY * gamma - dY.mean(axis=0)


@wrong("mean_of_each_row", "batch|axis|column|row|sample")
def center_backward(dY, gamma):
    return gamma * (dY - dY.mean(axis=1, keepdims=True))


@wrong("variance_of_the_sample", "biased|N|N - 1|variance")
def bn_forward(X, gamma, beta, eps=1e-5):
    v = X.var(axis=0, ddof=1)
    hat = (X - X.mean(axis=0)) / np.sqrt(v + eps)
    return gamma * hat + beta, (hat, gamma, v, eps)


@wrong("variance_of_the_sample", "biased|N|N - 1|variance")
def bn_backward(dY, cache):
    hat, gamma, v, eps = cache
    g = (dY * hat).sum(axis=0)
    return gamma / np.sqrt(v + eps) * (dY - dY.mean(axis=0) - hat * g / len(dY)), g, dY.sum(axis=0)


KEPT = {}


@wrong("kept_outside", "cache|kept|other batch|elsewhere|anywhere|global")
def bn_forward(X, gamma, beta, eps=1e-5):
    v = X.var(axis=0)
    hat = (X - X.mean(axis=0)) / np.sqrt(v + eps)
    KEPT.update(hat=hat, gamma=gamma, v=v, eps=eps)
    return gamma * hat + beta, {}


@wrong("kept_outside", "cache|kept|other batch|elsewhere|anywhere|global")
def bn_backward(dY, cache):
    hat, gamma, v, eps = (KEPT[name] for name in ("hat", "gamma", "v", "eps"))
    g = (dY * hat).sum(axis=0)
    return gamma / np.sqrt(v + eps) * (dY - dY.mean(axis=0) - hat * g / len(dY)), g, dY.sum(axis=0)


def _bn_forward(X, gamma, beta, eps=1e-5):
    v = X.var(axis=0)
    hat = (X - X.mean(axis=0)) / np.sqrt(v + eps)
    return gamma * hat + beta, (hat, gamma, v, eps)


def _backward_2(slug, words, formula):
    wrong(slug, words)(_named("bn_forward", lambda *args, **more: _bn_forward(*args, **more)))
    wrong(slug, words)(_named("bn_backward", lambda dY, cache: formula(dY, *cache)))


_backward_2(
    "constants",
    "mean|variance|function|path|constant",
    lambda dY, hat, gamma, v, eps: (
        gamma / np.sqrt(v + eps) * dY,
        (dY * hat).sum(axis=0),
        dY.sum(axis=0),
    ),
)
_backward_2(
    "divided_by_the_sum_of_squares",
    "eps|N|sum|large",
    lambda dY, hat, gamma, v, eps: (
        gamma
        / np.sqrt(v + eps)
        * (dY - dY.mean(axis=0) - hat * (dY * hat).sum(axis=0) / (hat**2).sum(axis=0)),
        (dY * hat).sum(axis=0),
        dY.sum(axis=0),
    ),
)
_backward_2(
    "gamma_in_its_gradient",
    "gamma",
    lambda dY, hat, gamma, v, eps: (
        gamma / np.sqrt(v + eps) * (dY - dY.mean(axis=0) - hat * (dY * hat).mean(axis=0)),
        (dY * hat).sum(axis=0) * gamma,
        dY.sum(axis=0),
    ),
)
_backward_2(
    "dgamma_and_dbeta_swapped",
    "order|swap|dgamma|dbeta",
    lambda dY, hat, gamma, v, eps: (
        gamma / np.sqrt(v + eps) * (dY - dY.mean(axis=0) - hat * (dY * hat).mean(axis=0)),
        dY.sum(axis=0),
        (dY * hat).sum(axis=0),
    ),
)


def _spatial_2(update, axes=(0, 2, 3), use=lambda own, new: own):
    def spatial_bn(X, gamma, beta, running, training, momentum=0.1, eps=1e-5):
        wide = lambda each: np.asarray(each)[:, None, None]
        mean, var = running
        if training:
            own = X.mean(axis=axes), X.var(axis=axes)
            running = update(mean, var, X, own, momentum)
            mean, var = use(own, running)
        return wide(gamma) * (X - wide(mean)) / np.sqrt(wide(var) + eps) + wide(beta), tuple(
            running
        )

    return spatial_bn


def _right(mean, var, X, own, m):
    return (1 - m) * mean + m * own[0], (1 - m) * var + m * X.var(axis=(0, 2, 3), ddof=1)


spatial_bn = wrong("unbiased_by_images", "count|N|pixel|NHW|number|unbiased|biased")(
    _spatial_2(
        lambda mean, var, X, own, m: (
            _right(mean, var, X, own, m)[0],
            (1 - m) * var + m * own[1] * len(X) / max(len(X) - 1, 1),
        )
    )
)
spatial_bn = wrong("running_used_in_training", "batch|own|training|running")(
    _spatial_2(_right, use=lambda own, new: new)
)


@wrong("updated_after_training_too", "training|eval|as they are|returned|update|False")
def spatial_bn(X, gamma, beta, running, training, momentum=0.1, eps=1e-5):
    wide = lambda each: np.asarray(each)[:, None, None]
    own = X.mean(axis=(0, 2, 3)), X.var(axis=(0, 2, 3))
    new = _right(*running, X, own, momentum)
    mean, var = own if training else running
    return wide(gamma) * (X - wide(mean)) / np.sqrt(wide(var) + eps) + wide(beta), new


@wrong("running_written_into", "change|argument|place|write|given")
def spatial_bn(X, gamma, beta, running, training, momentum=0.1, eps=1e-5):
    wide = lambda each: np.asarray(each)[:, None, None]
    mean, var = running
    used = running
    if training:
        used = X.mean(axis=(0, 2, 3)), X.var(axis=(0, 2, 3))
        mean *= 1 - momentum
        mean += momentum * used[0]
        var *= 1 - momentum
        var += momentum * X.var(axis=(0, 2, 3), ddof=1)
    return wide(gamma) * (X - wide(used[0])) / np.sqrt(wide(used[1]) + eps) + wide(beta), (
        mean,
        var,
    )


@wrong("penalty_of_plain_ridge", "column|unit|square|alike|weights")
def dropout_expected_loss(X, y, w, p):
    return float(((y - p * X @ w) ** 2).sum() + p * (1 - p) * (w**2).sum() * len(X))


@wrong("scaled_prediction", "p|shrunk|prediction|mean|divided")
def dropout_expected_loss(X, y, w, p):
    return float(((y - X @ w) ** 2).sum() + (1 - p) / p * ((X**2) @ w**2).sum())


@wrong("drop_and_keep_swapped", "keep|kept|drop|1 - p")
def dropout_ridge_solution(X, y, p):
    return np.linalg.solve(X.T @ X + p / (1 - p + 1e-300) * np.diag((X**2).sum(axis=0)), X.T @ y)


@wrong("weights_not_scaled", "p times|w|tilde|scale|factor|multipl")
def dropout_ridge_solution(X, y, p):
    return np.linalg.solve(X.T @ X + (1 - p) / p * np.diag((X**2).sum(axis=0)), X.T @ y) / p


@wrong("mean_of_squares", "sum|mean|N|number of|divid|samples")
def dropout_ridge_solution(X, y, p):
    return np.linalg.solve(X.T @ X + (1 - p) / p * np.diag((X**2).mean(axis=0)), X.T @ y)


def _dropout(forward, check=lambda p: 0 <= p < 1):
    class Dropout(nn.Module):
        def __init__(self, p=0.5):
            super().__init__()
            if not check(p):
                raise ValueError("p")
            self.p = p

    Dropout.forward = forward
    return Dropout


Dropout = wrong("scaled_after_training", "eval|identity|training|test")(
    _dropout(
        lambda self, x: x * (torch.rand_like(x) >= self.p) if self.training else x * (1 - self.p)
    )
)
Dropout = wrong("mask_of_the_last_axis", "entry|each|own|every|row|shape|shared|independent")(
    _dropout(
        lambda self, x: (
            x * (torch.rand(x.shape[-1]) >= self.p) / (1 - self.p) if self.training else x
        )
    )
)
Dropout = wrong("double_precision", "dtype|float|precision|type")(
    _dropout(
        lambda self, x: (
            x * (torch.rand(x.shape, dtype=torch.float64) >= self.p).double() / (1 - self.p)
            if self.training
            else x
        )
    )
)
Dropout = wrong("one_allowed", "1|ValueError|refuse")(
    _dropout(
        lambda self, x: x * (torch.rand_like(x) >= self.p) / (1 - self.p) if self.training else x,
        lambda p: 0 <= p <= 1,
    )
)
Dropout = wrong("half_by_rounding", "p|0.5|half|share|probab")(
    _dropout(lambda self, x: x * torch.rand_like(x).round() / (1 - self.p) if self.training else x)
)


@wrong("mask_made_once", "new|call|fresh|every|again")
class Dropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError("p")
        self.p, self.mask = p, None

    def forward(self, x):
        if not self.training:
            return x
        if self.mask is None or self.mask.shape != x.shape:
            self.mask = torch.rand(x.shape) >= self.p
        return x * self.mask / (1 - self.p)


Dropout = wrong("cut_from_the_graph", "gradient|graph|detach|autograd|mask")(
    _dropout(
        lambda self, x: (
            x + (x * (torch.rand_like(x) >= self.p) / (1 - self.p) - x).detach()
            if self.training
            else x
        )
    )
)
