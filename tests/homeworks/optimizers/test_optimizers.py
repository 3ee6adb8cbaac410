"""The reference of `optimizers` against torch.optim, torch.linalg, scipy and brute force."""
import numpy as np
import pytest
import torch
from scipy.linalg import polar
from scipy.optimize import minimize

from viva_course.reference import optimizers as ref

RNG = np.random.default_rng(20261116)


def torch_path(make, gradients, start):
    """Positions of a torch optimizer that is fed the given gradients, float64."""
    p = torch.nn.Parameter(torch.tensor(start, dtype=torch.float64))
    optimizer, path = make([p]), []
    for g in gradients:
        p.grad = torch.tensor(g, dtype=torch.float64)
        optimizer.step()
        path.append(p.detach().numpy().copy())
    return np.array(path)


def own_path(step, gradients, start, state):
    theta, path = np.array(start), []
    for g in gradients:
        theta, state = step(theta, g, state)
        path.append(theta)
    return np.array(path)


def test_momentum_worked_numbers():
    theta, v, seen = 0.0, 0.0, []
    for g in (1.0, 2.0, 3.0):
        theta, v = ref.momentum_step(theta, v, g, 0.5, 0.1)
        seen.append((v, theta))
    np.testing.assert_allclose(seen, [(0.1, -0.1), (0.25, -0.35), (0.425, -0.775)], rtol=1e-14)
    theta, v, seen = 0.0, 0.0, []
    for g in (1.0, 2.0, 3.0):
        theta, v = ref.ema_step(theta, v, g, 0.5, 0.2)
        seen.append((v, theta))
    np.testing.assert_allclose(seen, [(0.5, -0.1), (1.25, -0.35), (2.125, -0.775)], rtol=1e-14)


@pytest.mark.parametrize("beta", [0.0, 0.5, 0.99])
@pytest.mark.parametrize("delta", [2.0, 0.3, 1e-3])
def test_momentum_forms_agree_with_torch(beta, delta):
    gradients, start = RNG.normal(size=(40, 3)), RNG.normal(size=3)
    alpha, eps = ref.momentum_from_ema(beta, delta)
    np.testing.assert_allclose(ref.ema_from_momentum(alpha, eps), (beta, delta), rtol=1e-13)
    ema = own_path(lambda x, g, v: ref.ema_step(x, v, g, beta, delta), gradients, start, 0.0)
    classical = own_path(
        lambda x, g, v: ref.momentum_step(x, v, g, alpha, eps), gradients, start, 0.0
    )
    sgd = torch_path(lambda p: torch.optim.SGD(p, lr=eps, momentum=alpha), gradients, start)
    np.testing.assert_allclose(ema, classical, rtol=0, atol=1e-12)
    np.testing.assert_allclose(ema, sgd, rtol=0, atol=1e-12)


def test_wrong_momentum_map_has_the_curriculum_error():
    gradients = np.random.default_rng(0).normal(size=(40, 3))
    for delta, bound in ((0.1, 0.05), (1.0, None)):
        ema = own_path(lambda x, g, v, d=delta: ref.ema_step(x, v, g, 0.9, d),
                       gradients, np.zeros(3), 0.0)
        wrong = own_path(lambda x, g, v, d=delta: ref.momentum_step(x, v, g, d * 0.9, d * 0.1),
                         gradients, np.zeros(3), 0.0)
        error = np.abs(ema - wrong).max()
        assert error > bound if bound else error < 1e-13


def test_nesterov_is_torch():
    gradients, start = RNG.normal(size=(40, 4)), RNG.normal(size=4)
    own = own_path(lambda x, g, v: ref.nesterov_step(x, v, g, 0.8, 0.05), gradients, start, 0.0)
    sgd = torch_path(
        lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.8, nesterov=True), gradients, start
    )
    np.testing.assert_allclose(own, sgd, rtol=0, atol=1e-12)


def test_ema_weights_and_bias():
    np.testing.assert_allclose(ref.ema_weights(3, 0.9), [0.081, 0.09, 0.1], rtol=1e-14)
    np.testing.assert_array_equal(ref.ema_weights(4, 0), [0, 0, 0, 1])
    gradients, v = RNG.normal(size=20), 0.0
    for g in gradients:
        v = 0.9 * v + 0.1 * g
    np.testing.assert_allclose(ref.ema_weights(20, 0.9) @ gradients, v, rtol=1e-12)
    totals = [ref.total_weight(*a) for a in ((1, 0.9), (10, 0.9), (1, 0.999), (1000, 0.999))]
    np.testing.assert_allclose(totals, [0.1, 0.651322, 0.001, 0.632305], atol=5e-7)
    np.testing.assert_allclose(ref.bias_correct(ref.ema_weights(7, 0.3).sum(), 7, 0.3), 1)
    # 1 - beta^t = 1e-12 has only four digits when subtracted; expm1 keeps all of them.
    assert ref.total_weight(1, 1 - 2.0**-40) == pytest.approx(2.0**-40, rel=1e-12)
    for t, beta in ((0, 0.9), (3, 1.0), (3, -0.1)):
        with pytest.raises(ValueError):
            ref.ema_weights(t, beta)


@pytest.mark.parametrize("betas", [(0.9, 0.999), (0.5, 0.8), (0.0, 0.99)])
@pytest.mark.parametrize("eps, scale", [(1e-8, 1.0), (0.1, 1.0), (1e-8, 1e-9)])
def test_adam_family_is_torch(betas, eps, scale):
    gradients, start = scale * RNG.normal(size=(60, 5)), RNG.normal(size=5)
    gradients[0, 0] = 0
    for step, make, lam in (
        (ref.adam_step, torch.optim.Adam, 0.0),
        (ref.adam_l2_step, torch.optim.Adam, 0.3),
        (ref.adamw_step, torch.optim.AdamW, 0.8),
        (ref.adamw_step, torch.optim.AdamW, 0.0),
    ):
        extra = {} if step is ref.adam_step else {"lam": lam}
        own = own_path(
            lambda x, g, s, step=step, extra=extra: step(x, g, s, 0.5, betas, eps, **extra),
            gradients, start, {},
        )
        expected = torch_path(
            lambda p, make=make, lam=lam: make(p, lr=0.5, betas=betas, eps=eps, weight_decay=lam),
            gradients, start,
        )
        # lr = 0.5 over 60 steps: weights are of size 1 to 10, rounding of 60 additions.
        np.testing.assert_allclose(own, expected, rtol=1e-11, atol=1e-11)


def test_adam_is_pure_and_keeps_float32():
    theta, g = np.ones(3, np.float32), np.ones(3, np.float32)
    state = {}
    theta2, state2 = ref.adam_step(theta, g, state)
    assert state == {} and (theta == 1).all() and theta2.dtype == np.float32
    before = {k: np.copy(v) for k, v in state2.items()}
    ref.adamw_step(theta2, g, state2, lam=0.1)
    assert all((before[k] == state2[k]).all() for k in before)
    assert ref.adam_step([1, 2], [3, 4], {})[0].dtype == np.float64


def test_first_adam_step():
    g = np.array([3.0, -1e-3, 40.0])
    np.testing.assert_allclose(ref.adam_step(np.zeros(3), g, {}, lr=0.1)[0], -0.1 * np.sign(g),
                               rtol=1e-4)
    assert (1 - 0.9) / np.sqrt(1 - 0.999) == pytest.approx(3.16228, abs=1e-5)


def test_sgd_l2_by_autograd_and_equivalence():
    start, lr, gamma = RNG.normal(size=6), 0.1, 0.05
    A = RNG.normal(size=(6, 6))
    p = torch.tensor(start, requires_grad=True)
    loss = (torch.tensor(A) @ p).cos().sum()
    (g,) = torch.autograd.grad(loss, p, retain_graph=True)
    (full,) = torch.autograd.grad(loss + gamma * p.square().sum(), p)
    np.testing.assert_allclose(ref.sgd_l2_step(start, g.numpy(), lr, gamma),
                               start - lr * full.numpy(), rtol=1e-13)
    lam = ref.equivalent_decay(lr, gamma)
    assert lam == pytest.approx(0.01)
    np.testing.assert_allclose(ref.sgd_wd_step(start, g.numpy(), lr, lam),
                               ref.sgd_l2_step(start, g.numpy(), lr, gamma), rtol=1e-13)


def test_decay_experiment_worked_numbers():
    adamw = [ref.decay_experiment(ref.adamw_step, scale) for scale in (0.1, 1, 10)]
    l2 = [ref.decay_experiment(ref.adam_l2_step, scale) for scale in (0.1, 1, 10)]
    np.testing.assert_allclose(adamw, [0.816814] * 3, atol=5e-6)
    np.testing.assert_allclose(l2, [0.189846, 0.817814, 0.97819], atol=5e-6)


def test_heavy_ball_radius_against_eigenvalues():
    for lam, eps, alpha in RNG.uniform([0.1, 0.01, 0], [5, 1, 0.99], (200, 3)):
        matrix = [[1 - eps * lam, -alpha], [eps * lam, alpha]]
        expected = np.abs(np.linalg.eigvals(matrix)).max()
        assert ref.heavy_ball_radius(lam, eps, alpha) == pytest.approx(expected, rel=1e-7)
    grid = ref.heavy_ball_radius(2.0, np.linspace(0, 2, 5)[:, None], np.linspace(0, 0.9, 4))
    assert grid.shape == (5, 4)


def test_heavy_ball_bound_and_optimum():
    for alpha in (0.0, 0.5, 0.9):
        bound = ref.heavy_ball_max_step(3.0, alpha)
        assert ref.heavy_ball_radius(3.0, 0.99 * bound, alpha) < 1
        assert ref.heavy_ball_radius(3.0, 1.01 * bound, alpha) > 1
    eps, alpha = ref.optimal_heavy_ball(1, 100)
    np.testing.assert_allclose([eps, alpha, alpha**0.5], [0.033058, 0.669421, 0.818182],
                               atol=5e-7)
    assert np.log(1e-6) / np.log(99 / 101) == pytest.approx(690.752501, abs=1e-5)

    def worst(pair):
        return max(ref.heavy_ball_radius(lam, *pair) for lam in (1.0, 100.0))

    found = minimize(worst, [0.02, 0.5], method="Nelder-Mead", options={"maxiter": 2000})
    assert worst((eps, alpha)) <= found.fun + 1e-9


def test_iterations_worked_numbers():
    H, start = np.diag([1.0, 100.0]), np.ones(2)
    eps, alpha = ref.optimal_heavy_ball(1, 100)

    def ball(theta, g, v):
        return ref.momentum_step(theta, 0.0 if v is None else v, g, alpha, eps)

    def adam(theta, g, s):
        return ref.adam_step(theta, g, s or {}, lr=0.05)

    counts = [ref.iterations_to(step, H, start, 1e-6) for step in (
        lambda theta, g, s: (theta - 2 / 101 * g, s), ball, adam)]
    assert counts == [691, 93, 212]
    assert ref.iterations_to(lambda x, g, s: (x, s), H, start, 1e-6, max_iter=17) == 17


@pytest.mark.parametrize("shape", [(5, 5), (9, 4), (4, 9)])
def test_newton_schulz_is_the_polar_factor(shape):
    G = RNG.normal(size=shape) + 2 * np.eye(*shape)
    np.testing.assert_allclose(ref.newton_schulz(G), polar(G)[0], atol=1e-10)
    T = torch.tensor(G, dtype=torch.float32)
    assert ref.newton_schulz(T).dtype == torch.float32
    np.testing.assert_allclose(ref.newton_schulz(T), polar(G)[0], atol=1e-5)


def test_newton_schulz_batches_scales_and_ranks():
    G = RNG.normal(size=(3, 2, 4, 6))
    expected = [[polar(M)[0] for M in row] for row in G]
    np.testing.assert_allclose(ref.newton_schulz(G, 40), expected, atol=1e-9)
    for scale in (1e-200, 1e200):
        np.testing.assert_allclose(ref.newton_schulz(scale * G, 40), expected, atol=1e-9)
    low = RNG.normal(size=(6, 2)) @ RNG.normal(size=(2, 5))
    U, s, Vt = np.linalg.svd(low)
    np.testing.assert_allclose(ref.newton_schulz(low, 40), U[:, :2] @ Vt[:2], atol=1e-8)
    assert (ref.newton_schulz(np.zeros((2, 3))) == 0).all()
    with pytest.raises(ValueError):
        ref.newton_schulz(np.ones(3))


def test_newton_schulz_worked_numbers():
    assert ref.ns_macs(4096, 1024) == ref.ns_macs(1024, 4096) == 8589934592
    assert ref.ns_macs(1024, 64) == 8388608
    needed = []
    for s in (0.01, 0.1, 0.5):
        n = 0
        while abs(s - 1) >= 1e-3:
            s, n = (3 * s - s**3) / 2, n + 1
        needed.append(n)
    assert needed == [14, 9, 4]


def test_muon_polynomial():
    a, b, c = ref.MUON_COEFFS
    s = np.linspace(0.02, 1, 20001)
    for _ in range(5):
        s = a * s + b * s**3 + c * s**5
    np.testing.assert_allclose([s.min(), s.max()], [0.681832, 1.134315], atol=1e-4)  # other grids
    G = RNG.normal(size=(4, 7))
    U, s, Vt = np.linalg.svd(G, full_matrices=False)
    s /= np.linalg.norm(s)
    np.testing.assert_allclose(ref.muon_orthogonalize(G, 1),
                               (U * (a * s + b * s**3 + c * s**5)) @ Vt, rtol=1e-5, atol=1e-6)
    assert (ref.muon_orthogonalize(np.zeros((2, 3))) == 0).all()
    np.testing.assert_allclose(ref.muon_orthogonalize(G, 30, (1.5, -0.5, 0)),
                               ref.newton_schulz(G), atol=1e-6)
    np.testing.assert_allclose(ref.muon_orthogonalize(G.T), ref.muon_orthogonalize(G).T,
                               atol=1e-12)


def test_iterations_are_differentiable():
    G = torch.tensor(RNG.normal(size=(2, 3, 4)), requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: ref.newton_schulz(x, 5), G)
    assert torch.autograd.gradcheck(lambda x: ref.muon_orthogonalize(x, 3), G)


DUAL = {
    "l2": lambda g: np.linalg.norm(g),
    "frobenius": lambda g: np.linalg.norm(g),
    "linf": lambda g: np.abs(g).sum(),
    "l1": lambda g: np.abs(g).max(),
    "spectral": lambda g: np.linalg.norm(g, "nuc"),
}
PRIMAL = {
    "l2": lambda d: np.linalg.norm(d),
    "frobenius": lambda d: np.linalg.norm(d),
    "linf": lambda d: np.abs(d).max(),
    "l1": lambda d: np.abs(d).sum(),
    "spectral": lambda d: np.linalg.norm(d, 2),
}


@pytest.mark.parametrize("norm", sorted(DUAL))
def test_steepest_is_optimal(norm):
    for g in (RNG.normal(size=(4, 3)), np.outer([1.0, 2, 0], [3.0, 0, -1])):
        value = lambda d, g=g: (g * d).sum() + PRIMAL[norm](d) ** 2 / 0.7  # noqa: E731
        best = ref.steepest(g, norm, 0.7)
        assert value(best) == pytest.approx(-0.7 / 4 * DUAL[norm](g) ** 2, rel=1e-12)
        found = minimize(lambda x, g=g: value(x.reshape(g.shape)), best.ravel() + 0.01,
                         method="Nelder-Mead", options={"maxiter": 3000})
        assert found.fun >= value(best) - 1e-9
        np.testing.assert_allclose(ref.steepest(torch.tensor(g), norm, 0.7), best, atol=1e-12)


def test_steepest_worked_numbers():
    g = [3, -4]
    np.testing.assert_allclose(ref.steepest(g, "l2", 2), [-3, 4])
    np.testing.assert_allclose(ref.steepest(g, "linf", 2), [-7, 7])
    np.testing.assert_allclose(ref.steepest(g, "l1", 2), [0, 4])
    np.testing.assert_allclose(ref.steepest(np.diag([3, 4]), "spectral", 2), -7 * np.eye(2),
                               atol=1e-12)
    np.testing.assert_allclose(ref.steepest(np.diag([5.0, 0.0]), "spectral", 2),
                               [[-5, 0], [0, 0]], atol=1e-12)
    with pytest.raises(ValueError):
        ref.steepest(g, "l3")


def test_muon_step():
    W, G1, G2 = RNG.normal(size=(3, 6, 4))
    W1, buf = ref.muon_step(W, G1, np.zeros((6, 4)), 0.1)
    np.testing.assert_allclose(W - W1, 0.1 * np.sqrt(6 / 4) * polar(G1)[0], atol=1e-8)
    W2, buf = ref.muon_step(W1, G2, buf, 0.1)
    np.testing.assert_allclose(buf, 0.95 * G1 + G2, rtol=1e-12)
    np.testing.assert_allclose(W1 - W2, 0.1 * np.sqrt(6 / 4) * polar(buf)[0], atol=1e-8)
