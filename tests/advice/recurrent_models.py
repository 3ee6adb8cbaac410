"""Wrong solutions of recurrent_models, written from its text alone."""

import numpy as np

from advice import wrong


@wrong("sigma_is_tanh", "sigma")
def rnn_preact(W, U, b, X, h0, sigma):
    states, h = np.empty((len(X), len(b))), h0
    for t in range(len(X)):
        states[t] = h = W @ np.tanh(h) + U @ X[t] + b
    return states


@wrong("sigma_is_tanh")
def rnn_postact(W, U, b, X, g0, sigma):
    states, g = np.empty((len(X), len(b))), g0
    for t in range(len(X)):
        states[t] = g = np.tanh(W @ g + U @ X[t] + b)
    return states


@wrong("start_included", "start|h0|given|first")
def rnn_preact(W, U, b, X, h0, sigma):
    states = [h0]
    for x in X:
        states.append(W @ sigma(states[-1]) + U @ x + b)
    return np.array(states[:-1]) if len(X) else np.empty((0, len(b)))


@wrong("no_input_crashes", "T = 0|shape|empty|no input")
def rnn_preact(W, U, b, X, h0, sigma):
    states, h = [], h0
    for x in X:
        h = W @ sigma(h) + U @ x + b
        states.append(h)
    return np.array(states)


@wrong("transposed_W", "transpos")
def rnn_preact(W, U, b, X, h0, sigma):
    states, h = np.empty((len(X), len(b))), h0
    for t in range(len(X)):
        states[t] = h = W.T @ sigma(h) + U @ X[t] + b
    return states


@wrong("bias_outside", "bias|b ")
def rnn_postact(W, U, b, X, g0, sigma):
    states, g = np.empty((len(X), len(b))), g0
    for t in range(len(X)):
        states[t] = g = sigma(W @ g + U @ X[t]) + b
    return states


@wrong("slope_left", "left|column|row|slope")
def step_jacobian(W, h_prev, dsigma):
    return dsigma(h_prev)[:, None] * W


@wrong("product_reversed", "order|newest|left")
def jacobian_product(W, H, dsigma):
    J = np.eye(len(W))
    for h in H:
        J = J @ (W * dsigma(h))
    return J


@wrong("one_factor_short", "factor|few|last|step")
def jacobian_product(W, H, dsigma):
    J = np.eye(len(W))
    for h in H[:-1]:
        J = (W * dsigma(h)) @ J
    return J


@wrong("entrywise_product", r"entry|\*|@|matrix")
def jacobian_product(W, H, dsigma):
    J = np.eye(len(W))
    for h in H:
        J = (W * dsigma(h)) * J
    return J


@wrong("at_most_one", "exactly|equal|1|border|<")
def gradient_verdict(W, gamma):
    if gamma < 0:
        raise ValueError
    return "vanishes" if gamma * np.linalg.norm(W, 2) <= 1 else "undetermined"


@wrong("frobenius", "Frobenius|spectral|2-norm|singular")
def gradient_verdict(W, gamma):
    if gamma < 0:
        raise ValueError
    return "vanishes" if gamma * np.linalg.norm(W) < 1 else "undetermined"


@wrong("eigenvalue", "eigenvalue|radius|norm")
def gradient_verdict(W, gamma):
    if gamma < 0:
        raise ValueError
    largest = np.abs(np.linalg.eigvals(W)).max()
    return "vanishes" if gamma * largest < 1 else "undetermined"


@wrong("says_explodes", "undetermined|explode")
def gradient_verdict(W, gamma):
    if gamma < 0:
        raise ValueError
    size = gamma * np.linalg.norm(W, 2)
    return "vanishes" if size < 1 else "undetermined" if size == 1 else "explodes"


@wrong("negative_gamma", "negative|ValueError|gamma")
def gradient_verdict(W, gamma):
    return "vanishes" if gamma * np.linalg.norm(W, 2) < 1 else "undetermined"


def _bptt(W, U, b, X, h0, dL_dhT, back=lambda W, g, s: s * (W.T @ g), shift=0, first=0):
    T = len(X)
    if T == 0:
        raise ValueError
    h = np.empty((T + 1, len(b)))
    h[0] = h0
    for t in range(T):
        h[t + 1] = W @ np.tanh(h[t]) + U @ X[t] + b
    G = np.empty((T, len(b)))
    G[-1] = dL_dhT
    for t in range(T - 1, 0, -1):
        G[t - 1] = back(W, G[t], 1 - np.tanh(h[t + shift]) ** 2)
    return G, h


@wrong("no_transpose", "transpos|W.T|rows")
def bptt(W, U, b, X, h0, dL_dhT):
    G, h = _bptt(W, U, b, X, h0, dL_dhT, back=lambda W, g, s: s * (W @ g))
    return G.T @ np.tanh(h[:-1]), G.T @ X, G.sum(axis=0), G


@wrong("slope_before_matrix", "slope|order|first|after")
def bptt(W, U, b, X, h0, dL_dhT):
    G, h = _bptt(W, U, b, X, h0, dL_dhT, back=lambda W, g, s: W.T @ (s * g))
    return G.T @ np.tanh(h[:-1]), G.T @ X, G.sum(axis=0), G


@wrong("state_not_tanh", "tanh|multiplies|sigma|after")
def bptt(W, U, b, X, h0, dL_dhT):
    G, h = _bptt(W, U, b, X, h0, dL_dhT)
    return G.T @ h[:-1], G.T @ X, G.sum(axis=0), G


@wrong("last_step_only", "sum|every|add|all steps|last")
def bptt(W, U, b, X, h0, dL_dhT):
    G, h = _bptt(W, U, b, X, h0, dL_dhT)
    return np.outer(G[-1], np.tanh(h[-2])), np.outer(G[-1], X[-1]), G[-1], G


@wrong("D_everywhere", "D")
def ssm_kernel(A, B, C, D, L):
    if L < 1:
        raise ValueError
    K, state = np.empty(L), B
    K[0] = D
    for k in range(1, L):
        K[k] = C @ state + D
        state = A @ state
    return K


@wrong("enters_before_read", "before|convention|enter|read|late|early")
def ssm_unroll(A, B, C, D, u):
    y, z = np.empty(len(u)), np.zeros(len(B))
    for k in range(len(u)):
        z = A @ z + B * u[k]
        y[k] = C @ z + D * u[k]
    return y


@wrong("no_zeros_appended", "pad|zero|circular|wrap|long")
def causal_conv_fft(K, u):
    if len(K) == 0 or len(u) == 0:
        raise ValueError
    n = max(len(K), len(u))
    return np.fft.irfft(np.fft.rfft(K, n) * np.fft.rfft(u, n), n)[: len(u)]


@wrong("whole_convolution", "first|len\\(u\\)|as long|causal|cut|samples")
def causal_conv_fft(K, u):
    if len(K) == 0 or len(u) == 0:
        raise ValueError
    n = len(K) + len(u) - 1
    return np.fft.irfft(np.fft.rfft(K, n) * np.fft.rfft(u, n), n)


@wrong("starts_with_A", "identity|I|first|A\\^0")
def matrix_powers(A, L, matmul=np.matmul):
    if L < 1:
        raise ValueError
    powers, step = A[None], A
    while len(powers) < L:
        powers = np.concatenate([powers, matmul(step, powers)])
        step = matmul(step, step)
    return powers[:L]


@wrong("one_after_the_other", "call|doubl|product|log")
def matrix_powers(A, L, matmul=np.matmul):
    if L < 1:
        raise ValueError
    powers = [np.eye(len(A))]
    for _ in range(L - 1):
        powers.append(matmul(A, powers[-1]))
    return np.array(powers)


@wrong("late_by_one", "lag|one|power|D|early|late")
def diag_ssm_kernel(lam, B, C, D, L):
    if L < 1:
        raise ValueError
    powers = lam ** np.arange(1, L)[:, None]
    return np.append(D, (powers @ (B * C)).real)


@wrong("modulus_only", "modul|abs|real|angle|complex")
def diag_ssm_kernel(lam, B, C, D, L):
    if L < 1:
        raise ValueError
    powers = np.abs(lam) ** np.arange(L - 1)[:, None]
    return np.append(D, (powers @ (B * C)).real)


@wrong("as_typed", "digit|cancel|expm1|log1p|typed|round")
def rank1_power_coef(s, L):
    if s < 0 or L < 0:
        raise ValueError
    return float(L) if s == 0 else ((1 + s) ** L - 1) / s


@wrong("limit_is_zero", "limit|s = 0|L")
def rank1_power_coef(s, L):
    if s < 0 or L < 0:
        raise ValueError
    return 0.0 if s == 0 else np.expm1(L * np.log1p(s)) / s


@wrong("shape_not_refused", "shape|ValueError")
def linear_scan(a, b):
    a, h, shift = np.array(a), np.array(np.broadcast_to(b, a.shape)), 1
    while shift < len(a):
        h[shift:] = a[shift:] * h[:-shift] + h[shift:]
        a[shift:] = a[shift:] * a[:-shift]
        shift *= 2
    return h


@wrong("running_product", "zero|product|divid")
def linear_scan(a, b):
    if a.shape != b.shape:
        raise ValueError
    with np.errstate(all="ignore"):
        product = np.cumprod(a, axis=0)
        return product * np.cumsum(b / product, axis=0)


@wrong("bias_once", "bias|every step|once")
def ssm_forward_conv(W, U, b, x):
    T = x.shape[1]
    kernel = np.array([np.linalg.matrix_power(W, t) for t in range(T)])
    drive = x @ U.T
    drive[:, 0] += b
    drive = np.fft.rfft(drive, 2 * T, axis=1)
    product = np.fft.rfft(kernel, 2 * T, axis=0) @ drive[..., None]
    return np.fft.irfft(product[..., 0], 2 * T, axis=1)[:, :T]


@wrong("h0_returned", "h_0|start|first|zero")
def ssm_forward_unrolled(W, U, b, x):
    states, h = np.empty((*x.shape[:2], len(b))), np.zeros((len(x), len(b)))
    for t in range(x.shape[1]):
        states[:, t] = h
        h = h @ W.T + x[:, t] @ U.T + b
    return states
