"""The reference of `ridge_attention` against oracles that were not written here."""

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import Ridge

from viva_course.reference import ridge_attention as reference


def pairs(n, d=4, m=2, seed=0, Nq=None):
    rng = np.random.default_rng([seed, n, d, m])
    return [rng.normal(size=shape) for shape in ((Nq or n, d), (n, d), (n, m))]


# ---- the mean

@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40))
@settings(max_examples=50, deadline=None)
def test_running_mean_is_numpys(numbers):
    state = reference.RunningMean()
    for n, x in enumerate(numbers, 1):
        answer = state.update(np.array([x, -x]))
        assert state.n == n
        np.testing.assert_allclose(answer, [np.mean(numbers[:n]), -np.mean(numbers[:n])],
                                   rtol=1e-9, atol=1e-6)


# ---- the regression

@pytest.mark.parametrize("n, d, m", [(9, 4, 2), (3, 6, 1), (5, 5, 4), (1, 1, 1)])
def test_weights_are_scikit_learns(n, d, m):
    _, K, V = pairs(n, d, m)
    expected = Ridge(alpha=0.7, fit_intercept=False).fit(K, V).coef_.reshape(m, d).T
    np.testing.assert_allclose(reference.ridge_weights(K, V, 0.7), expected, rtol=1e-8, atol=1e-10)


def test_stats_by_loops():
    _, K, V = pairs(6, 3, 2)
    G, H = reference.ridge_stats(K, V, 0.3)
    for a, b in np.ndindex(3, 3):
        assert G[a, b] == pytest.approx(sum(k[a] * k[b] for k in K) + 0.3 * (a == b))
    for a, b in np.ndindex(3, 2):
        assert H[a, b] == pytest.approx(sum(k[a] * v[b] for k, v in zip(K, V, strict=True)))


# ---- rank one

@pytest.mark.parametrize("d", [1, 2, 5, 30])
def test_sherman_morrison_is_scipys_inverse(d):
    rng = np.random.default_rng(d)
    M, u, v = 3 * np.eye(d) + rng.normal(size=(d, d)) / d, rng.normal(size=d), rng.normal(size=d)
    found = reference.sherman_morrison(scipy.linalg.inv(M), u, v)
    np.testing.assert_allclose(found, scipy.linalg.inv(M + np.outer(u, v)), rtol=1e-8, atol=1e-10)


def test_sherman_morrison_refuses_a_singular_change():
    with pytest.raises(np.linalg.LinAlgError):
        reference.sherman_morrison(np.eye(2), [1, 0], [-1, 0])
    found = reference.sherman_morrison(np.eye(1), [1.0], [2.0**-20 - 1])
    assert found[0, 0] == pytest.approx(2.0**20)


# ---- online, causal, windowed

@pytest.mark.parametrize("d, m", [(4, 2), (2, 5), (3, 3)])
def test_online_causal_and_batch_agree_to_1e_9(d, m):
    Q, K, V = pairs(80, d, m)
    state = reference.RidgeAttentionState(d, m, 0.6)
    causal = reference.ridge_attention(Q, K, V, 0.6, causal=True)
    for i in range(80):
        state.update(K[i], V[i])
        W = reference.ridge_weights(K[: i + 1], V[: i + 1], 0.6)
        np.testing.assert_allclose(state.query(Q[i]), Q[i] @ W, rtol=0, atol=1e-9)
        np.testing.assert_allclose(causal[i], Q[i] @ W, rtol=0, atol=1e-9)
    assert state.t == 80
    np.testing.assert_allclose(state.P, scipy.linalg.inv(0.6 * np.eye(d) + K.T @ K), atol=1e-10)


def test_one_pair_and_none():
    state = reference.RidgeAttentionState(2, 1, 1.0)
    assert state.query([3, 4]) == 0
    state.update([3, 4], [26])
    assert state.query([3, 4])[0] == pytest.approx(25)


def test_limits_of_the_penalty():
    Q, K, V = pairs(5, 6, 2)
    large = 1e8 * reference.ridge_attention(Q, K, V, 1e8)
    np.testing.assert_allclose(large, Q @ K.T @ V, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(reference.ridge_attention(K, K, V, 1e-10), V, atol=1e-6)


@pytest.mark.parametrize("window", [1, 2, 5, 19, 20, 33])
def test_window_is_a_regression_on_its_pairs(window):
    Q, K, V = pairs(20, 3, 2)
    found = reference.windowed_ridge(Q, K, V, 0.5, window)
    for i in range(20):
        last = slice(max(0, i - window + 1), i + 1)
        expected = Q[i] @ reference.ridge_weights(K[last], V[last], 0.5)
        np.testing.assert_allclose(found[i], expected, atol=1e-9)


@pytest.mark.parametrize("d", [1, 3, 7])
def test_the_factor_is_scipys(d):
    rng = np.random.default_rng(d)
    L = scipy.linalg.cholesky(np.eye(d) + np.cov(rng.normal(size=(d, 3 * d + 2))), lower=True)
    k = rng.normal(size=d)
    grown = reference.cholesky_update(L, k)
    np.testing.assert_allclose(grown, scipy.linalg.cholesky(L @ L.T + np.outer(k, k), lower=True),
                               atol=1e-10)
    np.testing.assert_allclose(reference.cholesky_update(grown, k, -1), L, atol=1e-10)
    with pytest.raises(np.linalg.LinAlgError):
        reference.cholesky_update(L, 10 * np.linalg.norm(L) * np.ones(d), -1)


def test_a_small_penalty_does_not_ruin_the_window():
    Q, K, V = pairs(300, 4, 1)
    found = reference.windowed_ridge(Q, K, V, 1e-5, 2)
    for i in range(1, 300):
        expected = Q[i] @ reference.ridge_weights(K[i - 1 : i + 1], V[i - 1 : i + 1], 1e-5)
        np.testing.assert_allclose(found[i], expected, atol=1e-4)
