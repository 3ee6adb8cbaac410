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


def _join(old, new):
    return new[0] * old[0], new[0] * old[1] + new[1]


def _scan(a, b, combine):
    shift = 1
    while shift < len(a):
        more = combine((a[:-shift], b[:-shift]), (a[shift:], b[shift:]))
        a, b = (np.concatenate([x[:shift], y]) for x, y in zip((a, b), more, strict=True))
        shift *= 2
    return b


@wrong("shape_not_refused", "shape|ValueError")
def linear_scan(a, b, combine=_join):
    return _scan(a, np.broadcast_to(b, a.shape), combine)


@wrong("running_product", "zero|product|divid")
def linear_scan(a, b, combine=_join):
    if a.shape != b.shape:
        raise ValueError
    if combine is not _join:
        return _scan(a, b, combine)
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


# ---- by the second reader, before the catalogue was opened

@wrong("sigma_of_everything", "inside|outside|only|U x|input")
def rnn_preact(W, U, b, X, h0, sigma):
    out, h = np.empty((len(X), len(b))), h0
    for t, x in enumerate(X):
        h = W @ sigma(h) + sigma(U @ x) + b
        out[t] = h
    return out


@wrong("start_among_the_states", "h_0|start|given|first|after")
def rnn_postact(W, U, b, X, g0, sigma):
    out, g = np.empty((len(X), len(b))), g0
    for t, x in enumerate(X):
        out[t] = g
        g = sigma(W @ g + U @ x + b)
    return out


@wrong("slope_of_the_new_state", "old|h_prev|where|slope")
def step_jacobian(W, h_prev, dsigma):
    return W * dsigma(W @ h_prev)


@wrong("slopes_squared", "twice|once|squared|slope")
def step_jacobian(W, h_prev, dsigma):
    D = np.diag(dsigma(h_prev))
    return D @ W @ D


@wrong("one_counts_as_vanishing", "1|exactly|strict|border|equal")
def gradient_verdict(W, gamma):
    if gamma < 0:
        raise ValueError
    return "vanishes" if gamma * np.linalg.norm(W, 2) <= 1 else "undetermined"


@wrong("negative_gamma_by_its_size", "negative|ValueError")
def gradient_verdict(W, gamma):
    return "vanishes" if abs(gamma) * np.linalg.norm(W, 2) < 1 else "undetermined"


@wrong("inputs_one_step_late", "input|step|x_t|x")
def bptt(W, U, b, X, h0, dL_dhT):
    if len(X) == 0:
        raise ValueError
    hs = [h0]
    for x in X:
        hs.append(W @ np.tanh(hs[-1]) + U @ x + b)
    G = np.empty((len(X), len(b)))
    G[-1] = dL_dhT
    for t in range(len(X) - 2, -1, -1):
        G[t] = (1 - np.tanh(hs[t + 1]) ** 2) * (W.T @ G[t + 1])
    return G.T @ np.tanh(hs[:-1]), G[1:].T @ X[:-1], G.sum(0), G


@wrong("G_with_the_start", "row|h_0|T|one")
def bptt(W, U, b, X, h0, dL_dhT):
    if len(X) == 0:
        raise ValueError
    hs = [h0]
    for x in X:
        hs.append(W @ np.tanh(hs[-1]) + U @ x + b)
    G = np.empty((len(X), len(b)))
    g = dL_dhT
    for t in range(len(X) - 1, -1, -1):
        g = (1 - np.tanh(hs[t]) ** 2) * (W.T @ g)
        G[t] = g
    return G.T @ np.tanh(hs[:-1]), G.T @ X, G.sum(0), G


@wrong("D_at_every_lag", "D|lag 0|once|first")
def ssm_kernel(A, B, C, D, L):
    if L < 1:
        raise ValueError
    K, v = np.empty(L), B
    K[0] = D
    for i in range(1, L):
        K[i] = C @ v + D
        v = A @ v
    return K


@wrong("A_from_the_right", "transpos|A")
def ssm_unroll(A, B, C, D, u):
    z, y = np.zeros(len(B)), np.empty(len(u))
    for k, x in enumerate(u):
        y[k] = C @ z + D * x
        z = z @ A + B * x
    return y


@wrong("reads_the_new_state", "before|after|shift|late")
def ssm_unroll(A, B, C, D, u):
    z, y = np.zeros(len(B)), np.empty(len(u))
    for k, x in enumerate(u):
        z = A @ z + B * x
        y[k] = C @ z + D * x
    return y


@wrong("as_long_as_the_kernel", "len\\(u\\)|input|long|length|samples")
def causal_conv_fft(K, u):
    if not len(K) or not len(u):
        raise ValueError
    F = len(K) + len(u) - 1
    return np.fft.irfft(np.fft.rfft(K, F) * np.fft.rfft(u, F), F)[:len(K)]


@wrong("starts_with_A_again", "identity|first")
def matrix_powers(A, L, matmul=np.matmul):
    if L < 1:
        raise ValueError
    powers, step = A[None], A
    while len(powers) < L:
        powers = np.concatenate([powers, matmul(step, powers)])
        step = matmul(step, step)
    return powers[:L]


@wrong("real_parts_of_the_products", "real|imag|complex|part")
def diag_ssm_kernel(lam, B, C, D, L):
    if L < 1:
        raise ValueError
    k = np.arange(L - 1)[:, None]
    return np.concatenate([[D], ((np.asarray(lam) ** k).real @ (np.asarray(B) * C).real)]) * 1.0


@wrong("one_power_late", "lag|power|exponent|step")
def diag_ssm_kernel(lam, B, C, D, L):
    if L < 1:
        raise ValueError
    k = np.arange(1, L)[:, None]
    return np.concatenate([[D], ((np.asarray(lam) ** k) @ (np.asarray(B) * C)).real]) * 1.0


@wrong("L_times_one_step", "L|power|limit|small")
def rank1_power_coef(s, L):
    if s < 0 or L < 0:
        raise ValueError
    return L * 1.0 if s < 1e-8 else float(((1 + s) ** L - 1) / s)


@wrong("gates_shifted", "a_t|a\\[t|old|shift|neighbour|previous|gate")
def linear_scan(a, b, combine=_join):
    if a.shape != b.shape:
        raise ValueError
    return _scan(np.concatenate([a[:1], a[:-1]]), b, combine)


@wrong("bias_once_again", "bias|every|b")
def ssm_forward_conv(W, U, b, x):
    N, T, d = x.shape
    drive = x @ U.T
    drive[:, 0] += b
    powers = [np.eye(len(W))]
    for _ in range(T - 1):
        powers.append(W @ powers[-1])
    K, V = np.fft.rfft(powers, 2 * T, axis=0), np.fft.rfft(drive, 2 * T, axis=1)
    return np.fft.irfft(np.einsum("fij,sfj->sfi", K, V), 2 * T, axis=1)[:, :T]


@wrong("h0_returned_again", "h_0|start|h_1|first")
def ssm_forward_unrolled(W, U, b, x):
    N, T, d = x.shape
    h, out = np.zeros((N, len(b))), np.zeros((N, T, len(b)))
    for t in range(T):
        out[:, t] = h
        h = h @ W.T + x[:, t] @ U.T + b
    return out


@wrong("a_loop_of_joins", "chain|one after|depth|wait|joins")
def linear_scan(a, b, combine=_join):
    if a.shape != b.shape:
        raise ValueError
    pair, h = (a[0], b[0]), [b[0]]
    for t in range(1, len(a)):
        pair = combine(pair, (a[t], b[t]))
        h.append(pair[1])
    return np.stack(h)


@wrong("newer_pair_first", "older|first|order")
def linear_scan(a, b, combine=lambda new, old: (new[0] * old[0], new[0] * old[1] + new[1])):
    if a.shape != b.shape:
        raise ValueError
    shift = 1
    while shift < len(a):
        more = combine((a[shift:], b[shift:]), (a[:-shift], b[:-shift]))
        a, b = (np.concatenate([x[:shift], y]) for x, y in zip((a, b), more, strict=True))
        shift *= 2
    return b

# ---- by the third reader, before cases, exams and these were opened

@wrong("bias_inside_only_first", "bias")
def rnn_preact(W, U, b, X, h0, sigma):
    H, h = np.empty((len(X), len(b))), np.array(h0, float)
    for t, x in enumerate(X):
        h = W @ sigma(h) + U @ x + (b if t == 0 else 0)
        H[t] = h
    return H


@wrong("bends_the_input_too", "input|sigma|nonlinear")
def rnn_preact(W, U, b, X, h0, sigma):
    H, h = np.empty((len(X), len(b))), np.array(h0, float)
    for t, x in enumerate(X):
        h = W @ sigma(h) + U @ sigma(x) + b
        H[t] = h
    return H


@wrong("no_input_gives_flat", r"T = 0|no input|shape|\(0, n\)")
def rnn_postact(W, U, b, X, g0, sigma):
    G, g = [], g0
    for x in X:
        g = sigma(W @ g + U @ x + b)
        G.append(g)
    return np.array(G)


@wrong("slope_behind_the_step", "slope|old state|new state")
def step_jacobian(W, h_prev, dsigma):
    return W * dsigma(W @ h_prev)


@wrong("newest_first", "order|newest|oldest|reverse")
def jacobian_product(W, H, dsigma):
    J = np.eye(len(W))
    for h in H[::-1]:
        J = (W * dsigma(h)) @ J
    return J


@wrong("power_of_mean_slope", "")
def jacobian_product(W, H, dsigma):
    if len(H) == 0:
        return np.eye(len(W))
    return np.linalg.matrix_power(W * dsigma(H).mean(axis=0), len(H))


@wrong("symmetric_part", "eigen|singular|norm")
def gradient_verdict(W, gamma):
    if gamma < 0:
        raise ValueError("gamma")
    largest = np.abs(np.linalg.eigvalsh((W + W.T) / 2)).max()
    return "vanishes" if gamma * largest < 1 else "undetermined"


@wrong("max_entry_times", "entr|norm|singular")
def gradient_verdict(W, gamma):
    if gamma < 0:
        raise ValueError("gamma")
    return "vanishes" if gamma * np.abs(W).sum(axis=1).max() < 1 else "undetermined"


@wrong("slope_applied_twice", "slope")
def bptt(W, U, b, X, h0, dL_dhT):
    if len(X) == 0:
        raise ValueError("T")
    H = [np.array(h0, float)]
    for x in X:
        H.append(W @ np.tanh(H[-1]) + U @ x + b)
    H, T = np.array(H), len(X)
    G = np.empty((T, len(b)))
    G[-1] = dL_dhT
    for t in range(T - 1, 0, -1):
        G[t - 1] = W.T @ G[t] * (1 - np.tanh(H[t]) ** 2)
    D = G * (1 - np.tanh(H[1:]) ** 2)
    return D.T @ np.tanh(H[:-1]), D.T @ X, D.sum(axis=0), G


@wrong("skips_h0", "h_?0|first")
def bptt(W, U, b, X, h0, dL_dhT):
    if len(X) == 0:
        raise ValueError("T")
    H = [np.zeros(len(b))]
    for x in X:
        H.append(W @ np.tanh(H[-1]) + U @ x + b)
    H, T = np.array(H), len(X)
    G = np.empty((T, len(b)))
    G[-1] = dL_dhT
    for t in range(T - 1, 0, -1):
        G[t - 1] = W.T @ G[t] * (1 - np.tanh(H[t]) ** 2)
    return G.T @ np.tanh(H[:-1]), G.T @ X, G.sum(axis=0), G


@wrong("direct_term_once", "D lets|D u_k")
def ssm_unroll(A, B, C, D, u):
    z, y = np.zeros(len(B)), np.empty(len(u))
    for k, x in enumerate(u):
        y[k] = C @ z + (D * x if k == 0 else 0)
        z = A @ z + B * x
    return y


@wrong("kernel_of_powers_by_entry", "entries")
def ssm_kernel(A, B, C, D, L):
    if L < 1:
        raise ValueError("L")
    return np.array([D] + [C @ (A**l) @ B for l in range(L - 1)], float)


@wrong("kernel_transposed", "transpos|A\\^?T|B and C|exchang|swap")
def ssm_kernel(A, B, C, D, L):
    if L < 1:
        raise ValueError("L")
    K, v = np.empty(L), np.array(C, float)
    K[0] = D
    for l in range(1, L):
        K[l] = v @ B
        v = A @ v
    return K


@wrong("pads_to_sum_minus_two", "wrap|pad|long")
def causal_conv_fft(K, u):
    if len(K) == 0 or len(u) == 0:
        raise ValueError("empty")
    F = max(len(K), len(u), len(K) + len(u) - 2)
    return np.fft.irfft(np.fft.rfft(K, F) * np.fft.rfft(u, F), F)[: len(u)]


@wrong("next_power_of_input", "wrap|pad|long")
def causal_conv_fft(K, u):
    if len(K) == 0 or len(u) == 0:
        raise ValueError("empty")
    F = 2 ** int(np.ceil(np.log2(2 * len(u))))
    return np.fft.irfft(np.fft.rfft(K, F) * np.fft.rfft(u, F), F)[: len(u)]


@wrong("squares_with_at", "matmul|call|product|@")
def matrix_powers(A, L, matmul=np.matmul):
    if L < 1:
        raise ValueError("L")
    powers, step = np.eye(len(A))[None], A
    while len(powers) < L:
        powers = np.concatenate([powers, matmul(step, powers)])
        step = step @ step
    return powers[:L]


@wrong("recursive_halves", "call|product|matmul|many")
def matrix_powers(A, L, matmul=np.matmul):
    if L < 1:
        raise ValueError("L")
    known = {0: np.eye(len(A)), 1: np.array(A, float)}
    for l in range(2, L):
        known[l] = matmul(known[l // 2], known[l - l // 2])
    return np.stack([known[l] for l in range(L)])


@wrong("modulus", "modul|abs|real")
def diag_ssm_kernel(lam, B, C, D, L):
    if L < 1:
        raise ValueError("L")
    K = np.empty(L)
    K[0] = D
    K[1:] = ((np.abs(lam)[None] ** np.arange(L - 1)[:, None]) @ (B * C)).real
    return K


@wrong("vandermonde_row_lost", "lag|shift|power|late|earl|one")
def diag_ssm_kernel(lam, B, C, D, L):
    if L < 1:
        raise ValueError("L")
    K = ((lam[None] ** np.arange(L)[:, None]) @ (B * C)).real
    K[0] += D
    return K


@wrong("vdot_conjugates", "conj")
def diag_ssm_kernel(lam, B, C, D, L):
    if L < 1:
        raise ValueError("L")
    K = np.empty(L)
    K[0] = D
    for l in range(1, L):
        K[l] = np.vdot(C, lam ** (l - 1) * B).real
    return K


@wrong("threshold_second_order", "tiny|small|digit|switch|threshold|cancel")
def rank1_power_coef(s, L):
    if s < 0 or L < 0:
        raise ValueError("s, L")
    if s < 1e-6:
        return L + L * (L - 1) / 2 * s
    return ((1 + s) ** L - 1) / s


@wrong("geometric_sum_one_more", "L \\+ 1")
def rank1_power_coef(s, L):
    if s < 0 or L < 0:
        raise ValueError("s, L")
    return L + 0.0 if s == 0 else float(np.expm1((L + 1) * np.log1p(s)) / s)


@wrong("length_not_square", "square|root|norm|length|p \\. p")
def rank1_power_apply(p, L, x):
    if L < 0:
        raise ValueError("L")
    s = np.linalg.norm(p)
    c = L if s == 0 else np.expm1(L * np.log1p(s)) / s
    return x + c * p * (p @ x)


def joined(first, second):
    return first[0] * second[0], second[0] * first[1] + second[1]


@wrong("scan_keeps_old_a", "both|product")
def linear_scan(a, b, combine=joined):
    if a.shape != b.shape:
        raise ValueError("shape")
    shift, a, b = 1, np.array(a, float), np.array(b, float)
    while shift < len(a):
        new = combine((a[:-shift], b[:-shift]), (a[shift:], b[shift:]))[1]
        b = np.concatenate([b[:shift], new])
        shift *= 2
    return b


@wrong("scan_pairs_carry", "power of two|length|odd")
def linear_scan(a, b, combine=joined):
    if a.shape != b.shape:
        raise ValueError("shape")
    T = len(a)
    if T == 1:
        return np.array(b, float)
    half = T // 2
    pa, pb = combine((a[0 : 2 * half : 2], b[0 : 2 * half : 2]), (a[1::2], b[1::2]))
    odd = linear_scan(np.asarray(pa), np.asarray(pb), combine)
    out = np.empty(b.shape)
    out[0], out[1 : 2 * half : 2] = b[0], odd
    for t in range(2, T, 2):
        out[t] = a[t] * out[t - 1] + b[t]
    return out


@wrong("scan_first_a_counts", "first|before|start|zero")
def linear_scan(a, b, combine=joined):
    if a.shape != b.shape:
        raise ValueError("shape")
    shift, A, B = 1, np.array(a, float), np.array(b, float)
    B[0] = A[0] * B[0]
    while shift < len(A):
        na, nb = combine((A[:-shift], B[:-shift]), (A[shift:], B[shift:]))
        A, B = np.concatenate([A[:shift], na]), np.concatenate([B[:shift], nb])
        shift *= 2
    return B


@wrong("bias_after", "bias|b ")
def ssm_forward_unrolled(W, U, b, x):
    h, out = np.zeros((len(x), len(b))), []
    for t in range(x.shape[1]):
        h = h @ W.T + x[:, t] @ U.T
        out.append(h + b)
    return np.stack(out, axis=1)


@wrong("flipped_in_time", "time|order|revers|newest")
def ssm_forward_conv(W, U, b, x):
    N, T, _ = x.shape
    P = [np.eye(len(W))]
    for _ in range(T - 1):
        P.append(W @ P[-1])
    P, v = np.array(P[::-1]), x @ U.T + b
    F = 2 * T
    y = np.einsum("fij,sfj->sfi", np.fft.rfft(P, F, axis=0), np.fft.rfft(v, F, axis=1))
    return np.fft.irfft(y, F, axis=1)[:, :T]


@wrong("transposed_taps", "W\\^T|transpos")
def ssm_forward_conv(W, U, b, x):
    N, T, _ = x.shape
    P = [np.eye(len(W))]
    for _ in range(T - 1):
        P.append(W @ P[-1])
    v, F = x @ U.T + b, 2 * T
    y = np.einsum("fji,sfj->sfi", np.fft.rfft(np.array(P), F, axis=0), np.fft.rfft(v, F, axis=1))
    return np.fft.irfft(y, F, axis=1)[:, :T]


@wrong("bias_at_zero_frequency_once", "bias|b ")
def ssm_forward_conv(W, U, b, x):
    N, T, _ = x.shape
    P = [np.eye(len(W))]
    for _ in range(T - 1):
        P.append(W @ P[-1])
    v, F = x @ U.T, 2 * T
    y = np.einsum("fij,sfj->sfi", np.fft.rfft(np.array(P), F, axis=0), np.fft.rfft(v, F, axis=1))
    return np.fft.irfft(y, F, axis=1)[:, :T] + b


@wrong("no_padding", "pad|zeros|wrap")
def ssm_forward_conv(W, U, b, x):
    N, T, _ = x.shape
    P = [np.eye(len(W))]
    for _ in range(T - 1):
        P.append(W @ P[-1])
    v, F = x @ U.T + b, T
    y = np.einsum("fij,sfj->sfi", np.fft.fft(np.array(P), F, axis=0), np.fft.fft(v, F, axis=1))
    return np.fft.ifft(y, axis=1).real


@wrong("includes_the_start", "start|h_0|shift|one row")
def rnn_preact(W, U, b, X, h0, sigma):
    rows = [h0]
    for x in X[:-1]:
        rows.append(W @ sigma(rows[-1]) + U @ x + b)
    return np.array(rows)


@wrong("one_state_stored", "same array|copy|every row")
def rnn_preact(W, U, b, X, h0, sigma):
    h, rows = h0.copy(), []
    for x in X:
        h[:] = W @ sigma(h) + U @ x + b
        rows.append(h)
    return np.array(rows).reshape(len(X), len(b))


@wrong("slope_at_the_image", "slope|state|W h|h_prev")
def step_jacobian(W, h_prev, dsigma):
    return W * dsigma(W @ h_prev)


@wrong("gamma_forgotten", "gamma|slope")
def gradient_verdict(W, gamma):
    if gamma < 0:
        raise ValueError
    return "vanishes" if np.linalg.norm(W, 2) < 1 else "undetermined"


@wrong("zero_gamma_refused", "gamma|zero|constant")
def gradient_verdict(W, gamma):
    if gamma <= 0:
        raise ValueError
    return "vanishes" if np.linalg.norm(W, 2) < 1 / gamma else "undetermined"


@wrong("largest_entry_norm", "norm|singular")
def gradient_verdict(W, gamma):
    if gamma < 0:
        raise ValueError
    return "vanishes" if gamma * np.linalg.norm(W, np.inf) < 1 else "undetermined"


def _states(W, U, b, X, h0):
    h = [h0]
    for x in X:
        h.append(W @ np.tanh(h[-1]) + U @ x + b)
    return np.array(h)


def _back(W, h, last, slope_at=0, turn=True):
    T = len(h) - 1
    G = np.zeros((T, len(last)))
    G[-1] = last
    for t in range(T - 2, -1, -1):
        M = W.T if turn else W
        G[t] = (1 - np.tanh(h[t + 1 + slope_at]) ** 2) * (M @ G[t + 1])
    return G


@wrong("dW_transposed", "transpos|row")
def bptt(W, U, b, X, h0, dL_dhT):
    if not len(X):
        raise ValueError
    h = _states(W, U, b, X, h0)
    G = _back(W, h, dL_dhT)
    return np.tanh(h[:-1]).T @ G, G.T @ X, G.sum(0), G


@wrong("divided_by_T", "mean|divid|sum|add")
def bptt(W, U, b, X, h0, dL_dhT):
    if not len(X):
        raise ValueError
    h = _states(W, U, b, X, h0)
    G = _back(W, h, dL_dhT)
    T = len(X)
    return G.T @ np.tanh(h[:-1]) / T, G.T @ X / T, G.mean(0), G


@wrong("last_gradient_passes_the_slope", "last row|given|slope")
def bptt(W, U, b, X, h0, dL_dhT):
    if not len(X):
        raise ValueError
    h = _states(W, U, b, X, h0)
    G = _back(W, h, (1 - np.tanh(h[-1]) ** 2) * dL_dhT)
    return G.T @ np.tanh(h[:-1]), G.T @ X, G.sum(0), G


@wrong("extra_A", "lag 1|power|shift|A")
def ssm_kernel(A, B, C, D, L):
    if L < 1:
        raise ValueError
    return np.array([D] + [C @ np.linalg.matrix_power(A, j) @ B for j in range(1, L)])


@wrong("cut_to_the_kernel", "len\\(u\\)|input")
def causal_conv_fft(K, u):
    if not len(K) or not len(u):
        raise ValueError
    F = len(K) + len(u) - 1
    y = np.fft.irfft(np.fft.rfft(K, F) * np.fft.rfft(u, F), F)
    return y[:max(len(K), len(u))]


@wrong("conjugate", "conj|correlat")
def causal_conv_fft(K, u):
    if not len(K) or not len(u):
        raise ValueError
    F = len(K) + len(u) - 1
    return np.fft.irfft(np.conj(np.fft.rfft(K, F)) * np.fft.rfft(u, F), F)[:len(u)]


@wrong("only_powers_of_two_cut", "L|power of two|rows|matrices")
def matrix_powers(A, L, matmul=np.matmul):
    if L < 1:
        raise ValueError
    powers, step = np.eye(len(A))[None], A
    for _ in range(int(np.log2(L))):
        powers = np.concatenate([powers, matmul(step, powers)])
        step = matmul(step, step)
    return powers[:L]


@wrong("no_limit_at_zero", "s = 0|limit|zero")
def rank1_power_coef(s, L):
    if s < 0 or L < 0:
        raise ValueError
    with np.errstate(all="ignore"):
        return np.expm1(L * np.log1p(s)) / np.float64(s)


@wrong("not_divided_by_s", "divi|s")
def rank1_power_coef(s, L):
    if s < 0 or L < 0:
        raise ValueError
    return float(L) if s == 0 else np.expm1(L * np.log1p(s))


@wrong("small_s_switch", "small|switch|first order|threshold")
def rank1_power_coef(s, L):
    if s < 0 or L < 0:
        raise ValueError
    return float(L) if s < 1e-8 else ((1 + s) ** L - 1) / s


@wrong("p_dot_p", "x|p")
def rank1_power_apply(p, L, x):
    if L < 0:
        raise ValueError
    s = p @ p
    c = float(L) if s == 0 else np.expm1(L * np.log1p(s)) / s
    return x + c * (p @ p) * x


def _joined(first, second):
    return second[0] * first[0], second[0] * first[1] + second[1]


def _hs(a, b, combine, steps):
    a, b = np.array(a), np.array(b)
    for shift in steps(len(a)):
        na, nb = combine((a[:-shift], b[:-shift]), (a[shift:], b[shift:]))
        a, b = np.concatenate([a[:shift], na]), np.concatenate([b[:shift], nb])
    return b


@wrong("one_round_short", "round|shift|last")
def linear_scan(a, b, combine=_joined):
    if a.shape != b.shape:
        raise ValueError
    return _hs(a, b, combine, lambda T: [2**k for k in range(int(np.log2(T)))])


def _doubling(T):
    return [2**k for k in range(int(np.ceil(np.log2(T))))] if T > 1 else []


@wrong("own_join", "combine|passed|call")
def linear_scan(a, b, combine=_joined):
    if a.shape != b.shape:
        raise ValueError
    return _hs(a, b, _joined, _doubling)


@wrong("starts_from_b0", "first|zero|start|a_1")
def linear_scan(a, b, combine=_joined):
    if a.shape != b.shape:
        raise ValueError
    a, b = np.array(a), np.array(b)
    b[0] = a[0] * b[0] + b[0]
    return _hs(a, b, combine, _doubling)


@wrong("bias_is_the_start", "bias|every step")
def ssm_forward_unrolled(W, U, b, x):
    h, rows = np.zeros((len(x), len(b))) + b, []
    for t in range(x.shape[1]):
        h = h @ W.T + x[:, t] @ U.T
        rows.append(h)
    return np.stack(rows, axis=1)


@wrong("state_before", "h_0|before|first")
def ssm_forward_unrolled(W, U, b, x):
    h, rows = np.zeros((len(x), len(b))), []
    for t in range(x.shape[1]):
        rows.append(h)
        h = h @ W.T + x[:, t] @ U.T + b
    return np.stack(rows, axis=1)
