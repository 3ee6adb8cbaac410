"""The reference of `efficient_attention` against oracles that were not written here."""

import numpy as np
import pytest
import scipy.special
import scipy.stats
import torch
from torch.nn import functional

from viva_course.reference import efficient_attention as reference


def sample(*shape, seed=0, scale=1.0):
    return scale * np.random.default_rng([seed, *shape]).normal(size=shape)


# ---- costs

@pytest.mark.parametrize("n, d, h", [(7, 3, 1), (5, 4, 2), (9, 2, 5)])
def test_macs_by_the_shapes_of_the_products(n, d, h):
    products = [(n, d, d)] * 3 * h + [(n, d, n), (n, n, d)] * h + [(n, h * d, d)] * (h > 1)
    assert reference.mha_macs(n, d, h) == sum(a * b * c for a, b, c in products)


@pytest.mark.parametrize("n, d, h", [(7, 3, 1), (5, 4, 2), (9, 2, 5)])
def test_floats_by_the_arrays_that_are_alive(n, d, h):
    """A layer that is played through, array by array."""
    collected, one_head = np.zeros((n, d)).size + np.zeros((n, h * d)).size, [(n, d)] * 3 + [(n, n)]
    sizes = [sum(np.zeros(shape).size for shape in one_head) for _ in range(h)]
    assert reference.mha_floats(n, d, h) == collected + max(sizes)
    assert reference.mha_floats(n, d, h, sequential=False) == collected + sum(sizes)


def test_worked_numbers():
    assert [reference.mha_macs(100, 10, h) for h in (1, 4)] == [230_000, 960_000]
    floats = [reference.mha_floats(100, 10), reference.mha_floats(100, 10, 8),
              reference.mha_floats(100, 10, 8, sequential=False)]
    assert floats == [15_000, 22_000, 113_000]


# ---- separable, factors

def test_separable_attention_is_the_product_of_scipys_softmaxes():
    Q, K, V = sample(2, 4, 3), sample(2, 5, 3, seed=1), sample(2, 5, 2)
    P = scipy.special.softmax(Q, -1) @ np.swapaxes(scipy.special.softmax(K, -2), -1, -2)
    np.testing.assert_allclose(P.sum(axis=-1), 1)
    np.testing.assert_allclose(reference.separable_attention(Q, K, V), P @ V, rtol=1e-12)


def test_factors_give_scipys_softmax():
    Q, K = sample(2, 4, 3), sample(2, 5, 3, seed=1)
    A, D = reference.softmax_factors(Q, K)
    expected = scipy.special.softmax(Q @ np.swapaxes(K, -1, -2), axis=-1)
    np.testing.assert_allclose(A / D[..., None], expected, rtol=1e-12)


# ---- features and their variances

def test_features_and_variances_by_gauss_hermite_quadrature():
    """Expectations over w in two dimensions, as integrals instead of draws."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    W = np.stack(np.meshgrid(nodes, nodes), axis=-1).reshape(-1, 2)
    mass = np.outer(weights, weights).ravel() / weights.sum() ** 2
    for q, k in sample(5, 2, 2, scale=0.6):
        features = [reference.positive_features(x, W) * np.sqrt(len(W)) for x in (q, k)]
        positive = features[0] * features[1]
        cosine = np.exp((q @ q + k @ k) / 2) * np.cos(W @ (q - k))
        for terms, variance in ((positive, reference.sm_var_positive),
                                (cosine, reference.sm_var_trig)):
            assert mass @ terms == pytest.approx(np.exp(q @ k), rel=1e-9)
            second = mass @ terms**2 - np.exp(2 * q @ k)
            assert variance(q, k, 3) == pytest.approx(second / 3, rel=1e-7)


def test_features_for_accuracy_is_the_smallest():
    for q, k in sample(10, 2, 3, scale=0.5):
        for kind, variance in (("positive", reference.sm_var_positive),
                               ("trig", reference.sm_var_trig)):
            m = reference.features_for_accuracy(q, k, 0.07, kind)
            error = [np.sqrt(variance(q, k, n)) / np.exp(q @ k) for n in (m, m - 1 or 1)]
            assert error[0] <= 0.07 and (m == 1 or error[1] > 0.07)
    assert reference.features_for_accuracy([0.5, 0], [0.5, 0], 0.1) == 172
    assert reference.features_for_accuracy([1, 0], [-1, 0], 0.1, "trig") == 2631
    for rel_std, kind in ((0, "positive"), (0.1, "sine"), (float("nan"), "trig")):
        with pytest.raises(ValueError):
            reference.features_for_accuracy([0.5], [0.5], rel_std, kind)


# ---- orthogonal directions

def test_rows_are_gaussian_by_a_test_of_scipys():
    W = reference.orthogonal_gaussian(4 * 2000, 4, np.random.default_rng(0)).reshape(-1, 4, 4)
    for i, j in np.ndindex(4, 4):
        assert scipy.stats.kstest(W[:, i, j], "norm").pvalue > 1e-4
    lengths = (W**2).sum(axis=-1)
    assert scipy.stats.kstest(lengths[:, 1], scipy.stats.chi2(4).cdf).pvalue > 1e-4
    products = W @ np.swapaxes(W, 1, 2)
    np.testing.assert_allclose(products * (1 - np.eye(4)), 0, atol=1e-12)


def test_orthogonal_directions_lower_the_error_of_the_kernel():
    rng, d, repeats = np.random.default_rng(1), 8, 6000
    q, k = np.zeros((2, d))
    q[0], k[1] = 0.6, 0.6
    W = reference.orthogonal_gaussian(repeats * d, d, rng)
    terms = np.exp(W @ (q + k) - (q @ q + k @ k) / 2).reshape(repeats, d).mean(axis=1)
    assert terms.mean() == pytest.approx(1, abs=0.03)
    assert np.mean((terms - 1) ** 2) < 0.93 * reference.sm_var_positive(q, k, d)


# ---- attention

def test_performer_approaches_torchs_attention():
    Q, K, V = (sample(1, 6, 4, seed=s, scale=0.5) for s in range(3))
    W = sample(200_000, 4, seed=5)
    for causal in (False, True):
        expected = functional.scaled_dot_product_attention(
            *map(torch.tensor, (Q, K, V)), is_causal=causal).numpy()
        found = reference.performer_attention(Q, K, V, W, causal)
        np.testing.assert_allclose(found, expected, atol=0.01)


def test_performer_of_large_inputs_is_that_of_logarithms():
    for seed in range(200):
        sizes = (10.0, 40.0, 1.0) if seed % 2 else (40.0, 10.0, 1.0)
        Q, K, V = (sample(7, 8, seed=3 * seed + s, scale=size) for s, size in enumerate(sizes))
        W = sample(6, 8, seed=seed)
        q, k = Q / 8**0.25, K / 8**0.25
        logs = (q @ W.T)[:, None] + (k @ W.T - (k**2).sum(axis=1, keepdims=True) / 2)[None]
        weights = scipy.special.softmax(scipy.special.logsumexp(logs, axis=-1), axis=-1)
        np.testing.assert_allclose(reference.performer_attention(Q, K, V, W), weights @ V,
                                   rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("causal", [False, True])
def test_performer_never_returns_nan(causal):
    for seed, size in enumerate((40.0, 200.0, 1000.0, 1e5)):
        Q, K, V = (sample(16, 8, seed=3 * seed + s, scale=size) for s in range(3))
        assert np.isfinite(reference.performer_attention(Q, K, V, sample(64, 8), causal)).all()


def test_blocks_give_torchs_attention_and_scipys_logsumexp():
    Q, K, V = sample(5, 4, scale=9.0), sample(11, 4, seed=1, scale=9.0), sample(11, 3, seed=2)
    cuts = [slice(0, 1), slice(1, 6), slice(6, 11)]
    out, logs = reference.blocked_attention(Q, lambda b: (K[cuts[b]], V[cuts[b]]), 3)
    expected = functional.scaled_dot_product_attention(*map(torch.tensor, (Q, K, V)))
    np.testing.assert_allclose(out, expected.numpy(), rtol=1e-10)
    np.testing.assert_allclose(logs, scipy.special.logsumexp(Q @ K.T / 2, axis=1), rtol=1e-12)


def test_linformer_and_masked_attention_against_torch():
    Q, K, V = sample(2, 4, 3), sample(2, 6, 3, seed=1), sample(2, 6, 5, seed=2)
    E, F = sample(3, 6, seed=3), sample(3, 6, seed=4)
    expected = functional.scaled_dot_product_attention(*map(torch.tensor, (Q, E @ K, F @ V)))
    np.testing.assert_allclose(reference.linformer_attention(Q, K, V, E, F), expected.numpy())
    mask = np.random.default_rng(7).uniform(size=(4, 6)) < 0.5
    mask[:, 0] = True
    expected = functional.scaled_dot_product_attention(
        *map(torch.tensor, (Q, K, V)), attn_mask=torch.tensor(mask))
    np.testing.assert_allclose(reference.masked_attention(Q, K, V, mask), expected.numpy())
    mask[2] = False
    with pytest.raises(ValueError):
        reference.masked_attention(Q, K, V, mask)


# ---- the graph

def test_mask_counts():
    rng = np.random.default_rng(0)
    assert reference.bigbird_mask(8, 3, 1, 0, rng).sum() == 34
    mask = reference.bigbird_mask(1024, 48, 32, 48, rng)
    assert mask.mean() == pytest.approx(0.152718, abs=1e-6)
    assert reference.bigbird_mask(5, 1, 9, 2, rng).all()
    assert reference.bigbird_mask(5, 1, 0, 9, rng).all()


@pytest.mark.parametrize("n, window, n_global, n_random",
                         [(12, 5, 2, 3), (9, 0, 0, 2), (6, 3, 1, 9)])
def test_mask_pair_by_pair(n, window, n_global, n_random):
    mask = reference.bigbird_mask(n, window, n_global, n_random, np.random.default_rng(3))
    for i in range(n):
        sure = {j for j in range(n) if abs(i - j) <= window // 2 or min(i, j) < n_global}
        extra = set(np.flatnonzero(mask[i])) - sure
        assert sure <= set(np.flatnonzero(mask[i]))
        assert len(extra) == (0 if i < n_global else min(n_random, n - len(sure)))


def test_one_global_token_connects_everybody_in_two_steps():
    rng = np.random.default_rng(0)
    star, band = (reference.bigbird_mask(60, 3, g, 0, rng).astype(int) for g in (1, 0))
    assert (star @ star > 0).all()
    assert not (np.linalg.matrix_power(band, 58) > 0).all()
