"""The reference of attention_exploration against oracles that do not share its formulas."""

import numpy as np
import pytest
import scipy.optimize
import scipy.special
import torch
from torch.nn import functional as F

from viva.kits.attention_exploration import play, rest, unseen
from viva_course.reference import attention_exploration as reference
from viva_course.rubric import exercises

EXERCISES = exercises("attention_exploration")


def test_candidates_are_the_curriculums_in_its_order():
    assert {name: each.candidates for name, each in EXERCISES.items()} == {
        "hard_attention": ("hard_attention", "soft_attention"),
        "dot_moments": ("dot_moments",),
        "score_scale": ("score_scale", "saturation"),
        "query_for": ("query_for", "min_beta"),
        "sample_keys": ("sample_keys", "multihead_experiment"),
        "design_kqv": ("design_kqv",),
        "rope": ("rope",),
        "cross_attention": ("cross_attention",),
        "is_permutation_equivariant": ("is_permutation_equivariant",),
        "multi_head_attention": ("multi_head_attention",),
    }


@pytest.mark.parametrize("value", [0.0, 1.0, True, None, np.zeros((2, 3)), (0.0, 1.0)])
@pytest.mark.parametrize("name", EXERCISES)
def test_a_constant_gets_nothing(name, value):
    candidates = tuple(lambda *args, **kwargs: value for _ in EXERCISES[name].reference)
    report = EXERCISES[name].examine(candidates, "constants")
    assert report.score == 0, report


def refuse(*args, **kwargs):
    raise ValueError("never")


@pytest.mark.parametrize("name", EXERCISES)
def test_a_refusal_of_everything_gets_nothing(name):
    candidates = (refuse,) * len(EXERCISES[name].reference)
    assert EXERCISES[name].examine(candidates, "refusals").score == 0


def test_soft_attention_is_torchs():
    generator = torch.Generator().manual_seed(0)
    q, K, V = (torch.randn(*shape, generator=generator) for shape in ((4,), (6, 4), (6, 3)))
    expected = F.scaled_dot_product_attention(q[None], K, V, scale=1 / 0.7)[0]
    torch.testing.assert_close(reference.soft_attention(q, K, V, 0.7), expected)


def test_hard_attention_by_search_is_the_cold_limit_of_soft_attention():
    generator = torch.Generator().manual_seed(1)
    q, K, V = (torch.randn(*shape, generator=generator) for shape in ((4,), (6, 4), (6, 3)))
    best = max(range(6), key=lambda i: float(sum(K[i] * q)))  # the first of equals
    assert torch.equal(reference.hard_attention(q, K, V), V[best])
    torch.testing.assert_close(reference.soft_attention(q, K, V, 1e-4), V[best])
    doubled = torch.cat([K[[best]], K])
    assert torch.equal(reference.hard_attention(q, doubled, torch.cat([V[[0]] + 1, V])), V[0] + 1)


def test_dot_moments_by_enumeration():
    """Two-point laws of the same mean and variance have the same first two moments."""
    mu_q, mu_k, s, t = np.array([0.3, -1.0]), np.array([2.0, 0.5]), 0.7, 1.3
    signs = np.array(np.meshgrid(*[[-1, 1]] * 4)).reshape(4, -1).T  # (16, 4)
    scores = ((mu_q + s * signs[:, :2]) * (mu_k + t * signs[:, 2:])).sum(axis=1)
    mean, variance = reference.dot_moments(mu_q, s, mu_k, t)
    assert mean == pytest.approx(scores.mean())
    assert variance == pytest.approx(scores.var())


def test_the_scale_makes_the_variance_one_by_enumeration():
    signs = 1.7 * np.array(np.meshgrid(*[[-1, 1]] * 6)).reshape(6, -1).T  # (64, 6), sigma = 1.7
    scores = (signs[:, :3] * signs[:, 3:]).sum(axis=1) / reference.score_scale(3, 1.7)
    assert scores.var() == pytest.approx(1)


def test_saturation_is_scipys_softmax_of_the_same_draws():
    rng = np.random.default_rng(5)
    queries, keys = rng.normal(size=(7, 3)), rng.normal(size=(7, 4, 3))
    p = [scipy.special.softmax(k @ q / 0.6).max() for q, k in zip(queries, keys, strict=True)]
    found = reference.saturation(3, 4, 0.6, 7, np.random.default_rng(5))
    np.testing.assert_allclose(found, [np.mean(p), np.mean([2 * x * (1 - x) for x in p])])


@pytest.mark.parametrize("n, m, tol", [(10, 2, 1e-3), (5, 1, 0.3), (40, 7, 1e-6), (3, 2, 0.2)])
def test_min_beta_by_root_finding(n, m, tol):
    def excess(beta):
        return scipy.special.softmax([beta] * m + [0.0] * (n - m))[m:].sum() - tol

    expected = scipy.optimize.brentq(excess, -50, 50, xtol=1e-12)
    assert reference.min_beta(n, m, tol) == pytest.approx(expected, abs=1e-9)
    assert reference.min_beta(n, n, tol) == 0


def test_rope_is_a_product_of_complex_numbers():
    x, t = np.random.default_rng(6).normal(size=(5, 8)), np.arange(5.0)
    turned = (x[:, ::2] + 1j * x[:, 1::2]) * np.exp(1j * np.outer(t, 50.0 ** -(np.arange(4) / 4)))
    expected = np.stack([turned.real, turned.imag], axis=-1).reshape(5, 8)
    np.testing.assert_allclose(reference.rope(x, t, base=50.0), expected)


def test_worked_numbers():
    assert reference.dot_moments(np.zeros(64), 2, np.zeros(64), 2) == (0.0, 1024.0)
    assert reference.score_scale(16, 2.0) == 16
    assert reference.min_beta(10, 2, 1e-3) == pytest.approx(8.29305, abs=1e-5)
    turned = reference.rope(np.array([1.0, 0, 1, 0]), 1)
    np.testing.assert_allclose(turned, [0.540302, 0.841471, 0.99995, 0.01], atol=1e-6)


def test_query_for_meets_its_scores_and_is_shortest():
    rng = np.random.default_rng(0)
    K = rng.normal(size=(4, 7))
    q = reference.query_for(K, [0, 3], 5.0)
    np.testing.assert_allclose(K @ q, [5, 0, 0, 5], atol=1e-12)
    null = np.linalg.svd(K)[2][4:]  # directions that no key sees
    np.testing.assert_allclose(null @ q, 0, atol=1e-12)


def test_the_four_modes_as_the_curriculum_says():
    found = {mode: reference.multihead_experiment(mode, 20.0, 4000, 0)[:, 0]
             for mode in ("single", "same", "independent", "split")}
    np.testing.assert_array_equal(found["single"], found["same"])
    assert found["single"].var() == pytest.approx(0.222, abs=0.01)
    assert found["independent"].var() == pytest.approx(0.111, abs=0.01)
    assert found["single"].var() > 8 * found["split"].var()


@pytest.mark.parametrize("mode, again, queries", [
    ("single", False, [[3, 3, 0, 0]]), ("same", False, [[3, 3, 0, 0]] * 2),
    ("split", False, [[3, 0, 0, 0], [0, 3, 0, 0]]), ("independent", True, [[3, 3, 0, 0]] * 2)])
def test_the_modes_head_by_head_with_torchs_attention(mode, again, queries):
    rng, rows = np.random.default_rng(8), []
    for _ in range(5):
        heads = []
        for number, query in enumerate(queries):
            if number == 0 or again:
                keys = np.eye(4) + 0.2 * rng.normal(size=(4, 4))
                keys[0] += np.eye(4)[0] * rng.normal() / 2**0.5
            heads.append(F.scaled_dot_product_attention(
                torch.tensor([query]).double(), torch.tensor(keys), torch.eye(4).double(), scale=1))
        rows.append(torch.cat(heads).mean(dim=0))
    found = reference.multihead_experiment(mode, 3.0, 5, 8, n=4, alpha=0.04)
    np.testing.assert_allclose(found, torch.stack(rows), rtol=1e-9)


def test_keys_have_the_covariance_asked_for():
    rng, mu = np.random.default_rng(1), np.array([[1.0, 2.0], [0.5, -1.0]])
    keys = np.array([reference.sample_keys(mu, 1, 0.09, rng) for _ in range(20_000)])
    for i, extra in enumerate((0.0, 0.5)):
        expected = 0.09 * np.eye(2) + extra * np.outer(mu[i], mu[i])
        np.testing.assert_allclose(np.cov(keys[:, i].T), expected, atol=0.03)


def test_design_also_for_long_vectors():
    ua, ub, uc, ud = 6 * np.linalg.qr(np.random.default_rng(2).normal(size=(9, 4)))[0].T
    K, Q, V = (torch.tensor(W) for W in reference.design_kqv(ua, ub, uc, ud))
    X = torch.tensor(np.stack([ud + ub, ua, uc + ub]))
    out = F.scaled_dot_product_attention(X @ Q.T, X @ K.T, X @ V.T, scale=1.0).numpy()
    np.testing.assert_allclose(out[:2], [ub - uc, ub], atol=1e-9)


def test_cross_attention_is_torchs():
    generator = torch.Generator().manual_seed(3)
    dec, enc = (torch.randn(2, n, 4, generator=generator).double() for n in (3, 5))
    mask = torch.tensor([[True, True, False, True, False], [True] * 5])
    expected = F.scaled_dot_product_attention(dec, enc, enc, attn_mask=mask[:, None, :])
    context, weights = reference.cross_attention(dec.numpy(), enc.numpy(), mask.numpy())
    np.testing.assert_allclose(context, expected, rtol=1e-9)
    assert (weights[0, :, [2, 4]] == 0).all()


def test_rope_breaks_the_symmetry_of_attention():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(8, 6))

    def attend(X, turn):
        Q = reference.rope(X, np.arange(len(X))) if turn else X
        return reference.cross_attention(Q[None], Q[None])[1][0] @ X

    assert reference.is_permutation_equivariant(lambda X: attend(X, False), X, rng)
    assert not reference.is_permutation_equivariant(lambda X: attend(X, True), X, rng)


def test_the_play_is_as_long_as_the_notebook_says():
    assert len(play()) == 14_591
    assert len(set(play())) == 58
    assert len(play() + "\n\n" + rest()) == 149_301
    assert len(unseen()) == 5_165
    assert unseen() not in play() + rest()
    assert len(set(play() + unseen() + rest())) == 61


def test_the_layer_is_torchs():
    generator = torch.Generator().manual_seed(5)
    x = torch.randn(2, 5, 6, generator=generator).double()
    W = [torch.randn(6, 6, generator=generator).double() for _ in range(4)]
    layer = torch.nn.MultiheadAttention(6, 3, bias=False, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.cat([each.T for each in W[:3]]))
        layer.out_proj.weight.copy_(W[3].T)
        future = torch.ones(5, 5, dtype=torch.bool).triu(1)
        expected = layer(x, x, x, attn_mask=future, average_attn_weights=False)
    for found, other in zip(reference.multi_head_attention(x, *W, 3), expected, strict=True):
        torch.testing.assert_close(found, other)


def test_designed_key_matrices_are_split_queries():
    a, b = np.eye(6)[:2]
    W = np.stack([np.eye(6) - np.outer(b, b), np.eye(6) - np.outer(a, a)])
    own = reference.multihead_experiment("own", 20.0, 50, 3, W=W)
    np.testing.assert_allclose(own, reference.multihead_experiment("split", 20.0, 50, 3), atol=1e-9)
