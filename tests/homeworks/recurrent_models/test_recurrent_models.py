"""The reference of `recurrent_models` against oracles that were not written here."""

import math

import numpy as np
import pytest
import scipy.linalg
import scipy.signal
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from viva_course import exercises
from viva_course.reference import recurrent_models as reference


def sample(*shape, seed=0):
    return np.random.default_rng([seed, *shape]).normal(size=shape)


def stable(n, norm=0.9, seed=0):
    W = sample(n, n, seed=seed)
    return W * norm / np.linalg.norm(W, 2)


# ---- recurrent networks

def test_the_post_activation_form_is_torchs():
    cell = torch.nn.RNN(2, 4, batch_first=True).double()
    X = sample(6, 2)
    expected = cell(torch.tensor(X)[None])[0][0].detach().numpy()
    W, U = (p.detach().numpy() for p in (cell.weight_hh_l0, cell.weight_ih_l0))
    b = (cell.bias_hh_l0 + cell.bias_ih_l0).detach().numpy()
    np.testing.assert_allclose(reference.rnn_postact(W, U, b, X, np.zeros(4), np.tanh), expected)


@pytest.mark.parametrize("W", [sample(3, 3), np.outer([1, 2, 3], [1, -1, 2]), np.zeros((3, 3))])
def test_the_two_forms_are_one_network(W):
    U, b, X, h0 = sample(3, 2), sample(3), sample(7, 2), sample(3, seed=1)
    h = reference.rnn_preact(W, U, b, X, h0, np.tanh)
    g = reference.rnn_postact(W, U, b, X, np.tanh(h0), np.tanh)
    np.testing.assert_allclose(g, np.tanh(h), atol=1e-14)


def test_one_step_by_hand():
    one = np.array([[2.0]]), np.array([[1.0]]), np.array([0.5]), np.array([[1.0]])
    h = reference.rnn_preact(*one, np.array([0.3]), np.tanh)
    assert h[0, 0] == pytest.approx(2 * math.tanh(0.3) + 1.5)


@pytest.mark.parametrize("T", [1, 5, 40])
def test_gradients_are_autograds(T):
    given = sample(4, 4) * 0.7, sample(4, 3), sample(4), sample(T, 3), sample(4, seed=2)
    c = sample(4, seed=3)
    W, U, b = (torch.tensor(a, requires_grad=True) for a in given[:3])
    h, states = torch.tensor(given[4]), []
    for x in torch.tensor(given[3]):
        h = W @ torch.tanh(h) + U @ x + b
        states.append(h)
    found = torch.autograd.grad(h @ torch.tensor(c), [W, U, b, *states])
    dW, dU, db, G = reference.bptt(*given, c)
    for ours, theirs in zip((dW, dU, db), found, strict=False):
        np.testing.assert_allclose(ours, theirs.numpy(), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(G, torch.stack(found[3:]).numpy(), rtol=1e-10, atol=1e-14)


def test_jacobians_are_autograds():
    W, U, b, X, h0 = sample(4, 4), sample(4, 3), sample(4), sample(6, 3), sample(4, seed=5)

    def run(h):
        for x in torch.tensor(X):
            h = torch.tensor(W) @ torch.tanh(h) + torch.tensor(U) @ x + torch.tensor(b)
        return h

    H = np.vstack([h0, reference.rnn_preact(W, U, b, X, h0, np.tanh)])[:-1]
    expected = torch.autograd.functional.jacobian(run, torch.tensor(h0)).numpy()
    found = reference.jacobian_product(W, H, lambda z: 1 - np.tanh(z) ** 2)
    np.testing.assert_allclose(found, expected, rtol=1e-10)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.1, 3), st.integers(1, 12))
def test_a_verdict_of_vanishing_is_never_wrong(seed, norm, steps):
    rng = np.random.default_rng(seed)
    W = rng.normal(size=(3, 3))
    W *= norm / np.linalg.norm(W, 2)
    J = reference.jacobian_product(W, rng.normal(size=(steps, 3)), lambda z: 1 - np.tanh(z) ** 2)
    assert np.linalg.norm(J, 2) <= norm**steps * (1 + 1e-9)
    assert (reference.gradient_verdict(W, 1.0) == "vanishes") == (np.linalg.norm(W, 2) < 1)


# ---- state-space models

@pytest.mark.parametrize("n, L", [(1, 1), (3, 2), (4, 25)])
def test_outputs_are_scipys(n, L):
    A, B, C, D, u = stable(n), sample(n), sample(n, seed=1), 0.7, sample(L)
    _, expected, _ = scipy.signal.dlsim((A, B[:, None], C[None], [[D]], 1.0), u)
    np.testing.assert_allclose(reference.ssm_unroll(A, B, C, D, u), expected[:, 0], atol=1e-12)
    kernel = reference.ssm_kernel(A, B, C, D, L)
    np.testing.assert_allclose(reference.causal_conv_fft(kernel, u), expected[:, 0], atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40))
def test_the_causal_part_of_a_convolution(M, L):
    K, u = sample(M), sample(L, seed=1)
    np.testing.assert_allclose(reference.causal_conv_fft(K, u), np.convolve(K, u)[:L], atol=1e-11)


@pytest.mark.parametrize("L", [1, 2, 3, 7, 8, 9, 33])
def test_powers(L):
    A = stable(3, 1.1)
    found = reference.matrix_powers(A, L)
    np.testing.assert_allclose(found, [np.linalg.matrix_power(A, k) for k in range(L)], atol=1e-12)


def test_a_diagonal_system_is_its_dense_one():
    A, B, C = stable(5), sample(5), sample(5, seed=1)
    lam, P = scipy.linalg.eig(A)
    found = reference.diag_ssm_kernel(lam, np.linalg.solve(P, B), C @ P, 0.3, 30)
    np.testing.assert_allclose(found, reference.ssm_kernel(A, B, C, 0.3, 30), atol=1e-12)


def test_powers_of_the_identity_plus_rank_one():
    p, x = sample(4), sample(4, seed=1)
    for L in range(6):
        dense = np.linalg.matrix_power(np.eye(4) + np.outer(p, p), L) @ x
        np.testing.assert_allclose(reference.rank1_power_apply(p, L, x), dense)
        terms = sum(math.comb(L, j) * 1.7 ** (j - 1) for j in range(1, L + 1))
        assert reference.rank1_power_coef(1.7, L) == pytest.approx(terms)
    assert reference.rank1_power_coef(5.0, 3) == pytest.approx(43)
    assert reference.rank1_power_coef(1e-14, 1000) == pytest.approx(1000.000000004995, rel=1e-14)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 50), st.integers(0, 10**6))
def test_a_scan_is_a_lower_triangular_solve(T, seed):
    rng = np.random.default_rng(seed)
    a, b = rng.uniform(-1, 1, T), rng.normal(size=T)
    expected = np.linalg.solve(np.eye(T) - np.diag(a[1:], -1), b)
    np.testing.assert_allclose(reference.linear_scan(a, b), expected, atol=1e-10)


def test_a_layer_two_ways_and_torchs():
    W, U, b, x = stable(4), sample(4, 3), sample(4), sample(2, 11, 3)
    loop = reference.ssm_forward_unrolled(W, U, b, x)
    np.testing.assert_allclose(reference.ssm_forward_conv(W, U, b, x), loop, atol=1e-11)
    expected = [reference.rnn_preact(W, U, b, each, np.zeros(4), lambda z: z) for each in x]
    np.testing.assert_allclose(loop, expected, atol=1e-12)


# ---- refusals

@pytest.mark.parametrize("call", [
    lambda r: r.gradient_verdict(np.eye(2), -1), lambda r: r.matrix_powers(np.eye(2), 0),
    lambda r: r.ssm_kernel(np.eye(1), np.ones(1), np.ones(1), 0.0, 0),
    lambda r: r.diag_ssm_kernel(np.ones(1), np.ones(1), np.ones(1), 0.0, 0),
    lambda r: r.causal_conv_fft(np.ones(0), np.ones(2)), lambda r: r.rank1_power_coef(-1.0, 2),
    lambda r: r.rank1_power_apply(np.ones(2), -1, np.ones(2)),
    lambda r: r.linear_scan(np.ones((2, 1)), np.ones((2, 2))),
    lambda r: r.bptt(np.eye(2), np.eye(2), np.ones(2), np.ones((0, 2)), np.ones(2), np.ones(2)),
])
def test_refusals(call):
    with pytest.raises(ValueError):
        call(reference)


# ---- exam

def test_a_convolution_that_only_calls_the_loop_is_no_convolution():
    def ssm_forward_conv(W, U, b, x):
        return ssm_forward_unrolled(W, U, b, x)

    ssm_forward_unrolled = reference.ssm_forward_unrolled
    report = exercises("recurrent_models")["ssm_forward_unrolled"].examine(
        (ssm_forward_unrolled, ssm_forward_conv), "loop")
    assert [each.item for each in report.outcomes if not each.passed] == ["by FFT"]
