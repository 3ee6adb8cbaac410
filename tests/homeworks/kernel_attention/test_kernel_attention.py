"""The reference of kernel_attention against torch, scipy, brute-force loops and gradcheck."""

from itertools import product
from math import comb, exp, sqrt

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from torch.nn import functional as F

from viva_course.reference import kernel_attention as ka

TIGHT = {"rtol": 1e-9, "atol": 1e-10}  # float64, small sizes: only summation order differs


@pytest.fixture
def rng():
    return np.random.default_rng(20)


def loop_attention(Q, K, V, sim, causal=False):
    """The definition, one number at a time; `sim` takes two vectors."""
    out = np.zeros((len(Q), V.shape[1]))
    for i, q in enumerate(Q):
        keys = range(i + 1) if causal else range(len(K))
        weights = [sim(q, K[j]) for j in keys]
        for w, j in zip(weights, keys, strict=True):
            out[i] += w * V[j] / sum(weights)
    return out


# --- similarities -------------------------------------------------------------------------


@pytest.mark.parametrize("causal", [False, True])
def test_softmax_similarity_gives_torch_attention(rng, causal):
    Q, K, V = (rng.normal(size=(2, 3, 7, n)) for n in (5, 5, 4))
    expected = F.scaled_dot_product_attention(
        *(torch.tensor(x) for x in (Q, K, V)), is_causal=causal
    )
    got = ka.kernel_attention(Q, K, V, ka.softmax_sim, causal=causal)
    np.testing.assert_allclose(got, expected.numpy(), **TIGHT)


@pytest.mark.parametrize("causal", [False, True])
def test_quadratic_and_gaussian_attention_match_a_loop(rng, causal):
    Q, K, V = rng.normal(size=(6, 3)), rng.normal(size=(6, 3)), rng.normal(size=(6, 2))
    pairs = [
        (ka.poly2_sim, lambda q, k: (q @ k + 1) ** 2),
        (lambda Q, K: ka.gauss_sim(Q, K, 0.7), lambda q, k: exp(-((q - k) @ (q - k)) / 1.4)),
    ]
    for matrix, number in pairs:
        np.testing.assert_allclose(
            ka.kernel_attention(Q, K, V, matrix, causal),
            loop_attention(Q, K, V, number, causal),
            **TIGHT,
        )


def test_gaussian_similarity_matches_scipy(rng):
    Q, K = rng.normal(size=(5, 4)), rng.normal(size=(7, 4))
    expected = np.exp(-cdist(Q, K, "sqeuclidean") / (2 * 1.7))
    np.testing.assert_allclose(ka.gauss_sim(Q, K, 1.7), expected, **TIGHT)


def test_a_row_that_sums_to_zero_or_overflows_is_refused():
    one, V = np.array([[1.0]]), np.array([[3.0]])
    with pytest.raises(ValueError):
        ka.kernel_attention(one, -one, V, ka.poly2_sim)
    with pytest.raises(ValueError):
        ka.kernel_attention(40 * one, 40 * one, V, ka.softmax_sim)
    mixed = ka.kernel_attention(one, [[1.0], [2.0]], [[1.0], [2.0]], lambda Q, K: [[3.0, -1.0]])
    np.testing.assert_allclose(mixed, [[0.5]], **TIGHT)


def test_softmax_is_gauss_times_prefactors(rng):
    for D in (1, 4, 9):
        Q, K = rng.normal(size=(2, 3, D)), rng.normal(size=(2, 5, D))
        a, G, b = ka.softmax_via_gauss(Q, K)
        expected = np.exp(np.einsum("bid,bjd->bij", Q, K) / sqrt(D))
        np.testing.assert_allclose(a * G * b, expected, **TIGHT)
        assert a.shape == (2, 3, 1) and G.shape == (2, 3, 5) and b.shape == (2, 1, 5)
    a, G, b = ka.softmax_via_gauss([[1, 2, 0, -1]], [[0.5, 0, 1, 1]])
    got = [a.item(), G.item(), b.item(), (a * G * b).item()]
    np.testing.assert_allclose(got, [4.481689, 0.099013, 1.755055, 0.778801], atol=1e-6)


# --- polynomial features ------------------------------------------------------------------


def test_poly2_worked_numbers():
    assert [ka.poly2_features(np.zeros(D)).size for D in (2, 3, 4, 64)] == [6, 10, 15, 2145]
    np.testing.assert_allclose(
        ka.poly2_features([1, 2]), [1, sqrt(2), 2 * sqrt(2), 1, 4, 2 * sqrt(2)], **TIGHT
    )
    q, k = ka.poly2_features([1, 2, -1]), ka.poly2_features([0.5, -1, 2])
    np.testing.assert_allclose(q @ k, 6.25, **TIGHT)
    np.testing.assert_allclose(q[:7] @ k[:7], 2.25, **TIGHT)  # without the cross terms


@given(st.integers(0, 4), st.integers(1, 4), st.sampled_from([0.5, 1.0, 2.0]),
       st.sampled_from([0.0, 1.0, 3.0]), st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_poly_features_are_the_polynomial_kernel(degree, D, alpha, c, seed):
    X = np.random.default_rng(seed).normal(size=(2, 5, D))
    phi = ka.poly_features(X, degree, alpha, c)
    assert phi.shape == (2, 5, comb(D + degree, degree))
    expected = (alpha * np.einsum("bid,bjd->bij", X, X) + c) ** degree
    np.testing.assert_allclose(np.einsum("bic,bjc->bij", phi, phi), expected, rtol=1e-9, atol=1e-9)


def test_poly_features_dimension_and_agreement_with_poly2(rng):
    assert [ka.poly_features(np.zeros(64), d).size for d in (2, 3)] == [2145, 47905]
    X = rng.normal(size=(6, 3))
    a, b = ka.poly2_features(X), ka.poly_features(X, 2)
    np.testing.assert_allclose(np.sort(a, axis=1), np.sort(b, axis=1), **TIGHT)


# --- linear attention ---------------------------------------------------------------------


def test_linear_attention_is_quadratic_attention(rng):
    Q, K, V = (rng.normal(size=s) for s in ((2, 3, 4, 3), (2, 3, 6, 3), (2, 3, 6, 2)))
    got = ka.linear_attention(ka.poly2_features(Q), ka.poly2_features(K), V)
    for b in product(range(2), range(3)):
        expected = loop_attention(Q[b], K[b], V[b], lambda q, k: (q @ k + 1) ** 2)
        np.testing.assert_allclose(got[b], expected, **TIGHT)


@pytest.mark.parametrize("N", [1, 5, 63, 64, 65, 130])
def test_causal_linear_attention_is_masked_attention(rng, N):
    q, k, V = (rng.uniform(0.1, 1, (2, N, n)) for n in (4, 4, 3))
    expected = np.stack(
        [loop_attention(q[b], k[b], V[b], lambda x, y: x @ y, causal=True) for b in range(2)]
    )
    np.testing.assert_allclose(ka.causal_linear_attention(q, k, V), expected, **TIGHT)
    state = ka.LinearAttentionState(lambda x: x, 4, 3)
    for _ in range(2):
        rows = [state.step(q[0, i], k[0, i], V[0, i]) for i in range(N)]
        np.testing.assert_allclose(rows, expected[0], **TIGHT)
        assert state.t == N and state.S.shape == (4, 3) and state.Z.shape == (4,)
        state.reset()


def test_numpy_forms_take_lists_and_other_dtypes(rng):
    q, k, V = (rng.integers(1, 5, (6, n)) for n in (3, 3, 2))
    for f in (ka.linear_attention, ka.causal_linear_attention):
        expected = f(q.astype(float), k.astype(float), V.astype(float))
        for cast in (np.asarray, np.ndarray.tolist, lambda x: x.astype(np.float32)):
            got = f(cast(q), cast(k), cast(V))
            assert got.dtype == np.float64
            np.testing.assert_array_equal(got, expected)


# --- costs --------------------------------------------------------------------------------


def test_costs_worked_numbers():
    assert ka.attention_macs("softmax", 1000, 64, 64) == 128_000_000
    assert ka.attention_macs("linear", 1000, 64, 64, C=2145) == 278_850_000
    assert ka.attention_floats("softmax", 4096, 64, 64) == 17_825_792
    assert ka.attention_floats("linear", 4096, 64, 64, C=2145) == 1_188_001
    assert abs(ka.crossover_length(64, 64, 2145) - 2178.515625) < 1e-9
    ratios = [
        ka.attention_macs("linear", N, 64, 64, 2145) / ka.attention_macs("softmax", N, 64, 64)
        for N in (512, 2178, 8192)
    ]
    np.testing.assert_allclose(ratios, [4.254913, 1.000237, 0.265932], atol=1e-6)
    assert abs(sqrt(2145 * 65) - 373.397) < 1e-3
    for count in (ka.attention_macs, ka.attention_floats):
        for kind, C in (("cosine", 4), ("linear", None)):
            with pytest.raises(ValueError):
                count(kind, 8, 4, 4, C)


# --- random features ----------------------------------------------------------------------


@pytest.mark.parametrize("draw", [ka.sample_frequencies, ka.orthogonal_frequencies])
def test_frequencies_have_the_stated_law(rng, draw):
    D, sigma, n = 4, 2.0, 40000
    W = draw(D, n, sigma, rng)
    assert W.shape == (n, D)
    error = 1 / (sigma**2 * sqrt(n))
    np.testing.assert_allclose(W.T @ W / n, np.eye(D) / sigma**2, atol=5 * sqrt(2) * error)
    np.testing.assert_allclose(W.mean(axis=0), 0, atol=5 / (sigma * sqrt(n)))
    lengths = (W**2).sum(axis=1) * sigma**2  # chi-square with D degrees: mean D, variance 2D
    assert abs(lengths.mean() - D) < 5 * sqrt(2 * D / n)
    assert abs(lengths.var() - 2 * D) < 0.1 * 2 * D


def test_orthogonal_frequencies_are_orthogonal_within_blocks(rng):
    W = ka.orthogonal_frequencies(5, 13, 0.5, rng)
    for block in (W[:5], W[5:10], W[10:]):
        gram = block @ block.T
        np.testing.assert_allclose(gram, np.diag(np.diag(gram)), atol=1e-12)
    again = ka.orthogonal_frequencies(5, 13, 0.5, np.random.default_rng(20))
    np.testing.assert_array_equal(W, again)


@pytest.mark.parametrize("draw", [ka.sample_frequencies, ka.orthogonal_frequencies])
def test_random_features_estimate_their_kernels(rng, draw):
    D, n, sigma2 = 4, 20000, 2.0
    q, k = rng.normal(size=(5, D)) / 2, rng.normal(size=(5, D)) / 2
    W = draw(D, n, sqrt(sigma2), rng)
    dist2 = ((q - k) ** 2).sum(axis=1)
    trig = (ka.rff_features(q, W) * ka.rff_features(k, W)).sum(axis=1)
    error = np.abs(trig - np.exp(-dist2 / (2 * sigma2)))
    assert np.all(error < 5 * np.sqrt(ka.rff_variance(dist2, sigma2, n)))
    np.testing.assert_allclose((ka.rff_features(q, W) ** 2).sum(axis=1), 1, **TIGHT)
    positive = (ka.positive_features(q, W) * ka.positive_features(k, W)).sum(axis=1)
    truth = np.exp((q * k).sum(axis=1) / sigma2)
    both2 = ((q + k) ** 2).sum(axis=1)  # Var = exp(|q + k|^2 / s2) exp(2 q k / s2) (1 - e^-..)
    variance = truth**2 * (np.exp(both2 / sigma2) - 1) / n
    assert np.all(np.abs(positive - truth) < 5 * np.sqrt(variance))


def test_orthogonal_features_have_less_variance(rng):
    q, k = np.array([0.6, -0.2, 0.4, 0.1]), np.array([-0.3, 0.5, 0.2, 0.4])
    spread = {}
    for draw in (ka.sample_frequencies, ka.orthogonal_frequencies):
        W = [draw(4, 4, 1.0, rng) for _ in range(4000)]
        spread[draw] = np.var([ka.rff_features(q, w) @ ka.rff_features(k, w) for w in W])
    assert spread[ka.orthogonal_frequencies] < 0.6 * spread[ka.sample_frequencies]


def test_rff_variance_matches_numerical_integration():
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)  # E over w . delta ~ N(0, d2 / s2)
    weights = weights / weights.sum()
    for dist2, sigma2 in product((0.3, 1.0, 2.5), (0.5, 2.0)):
        c = np.cos(nodes * sqrt(dist2 / sigma2))
        variance = weights @ c**2 - (weights @ c) ** 2
        assert abs(ka.rff_variance(dist2, sigma2, 3) - variance / 3) < 1e-12
    assert ka.rff_variance(0, 1, 1) == 0 and isinstance(ka.rff_variance(0, 1, 1), float)
    np.testing.assert_allclose(ka.rff_variance(2, 1, 1), 0.373823, atol=1e-6)
    assert np.ceil((1 - 0.25) ** 2 / 2 / 0.01**2) == 2813


def test_rff_attention_approaches_torch_softmax_attention(rng):
    Q, K, V = (0.5 * rng.normal(size=(2, 20, n)) for n in (4, 4, 3))
    W = ka.sample_frequencies(4, 20000, 4**0.25, rng)
    expected = F.scaled_dot_product_attention(*(torch.tensor(x) for x in (Q, K, V))).numpy()
    assert np.abs(ka.rff_softmax_attention(Q, K, V, W) - expected).max() < 0.03
    large = K + 60.0  # |k|^2 / 2 sigma2 is in the thousands
    assert np.isfinite(ka.rff_softmax_attention(Q, large, V, W)).all()
