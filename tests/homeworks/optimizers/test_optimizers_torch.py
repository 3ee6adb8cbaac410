"""The torch.optim classes of the reference, trained beside torch's own."""
import numpy as np
import pytest
import torch

from viva_course.reference import optimizers as ref


def network(seed=0):
    torch.manual_seed(seed)
    return torch.nn.Sequential(
        torch.nn.Linear(3, 8), torch.nn.Tanh(), torch.nn.Linear(8, 2)
    ).double()


def trained(make, steps=25, groups=False):
    """Weights of a small network after some steps of full-batch regression."""
    net = network()
    X = torch.randn(16, 3, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    Y = X[:, :2].sin()
    params = list(net.parameters())
    if groups:
        params = [{"params": params[::2]},
                  {"params": params[1::2], "lr": 0.003, "weight_decay": 0.0}]
    optimizer = make(params)
    for _ in range(steps):
        optimizer.zero_grad()
        (net(X) - Y).square().mean().backward()
        optimizer.step()
    return torch.cat([p.detach().flatten() for p in net.parameters()]).numpy()


@pytest.mark.parametrize("groups", [False, True])
@pytest.mark.parametrize("name", ["Adam", "AdamW"])
def test_adam_classes_are_torch(name, groups):
    settings = {"lr": 0.02, "betas": (0.8, 0.95), "eps": 1e-6, "weight_decay": 0.3}
    own = trained(lambda p: getattr(ref, name)(p, **settings), groups=groups)
    expected = trained(lambda p: getattr(torch.optim, name)(p, **settings), groups=groups)
    np.testing.assert_allclose(own, expected, rtol=0, atol=1e-10)


def test_state_survives_a_round_trip():
    whole = trained(lambda p: ref.AdamW(p, lr=0.02))
    saved = {}

    def resume(params):
        optimizer = ref.AdamW(params, lr=0.02)
        optimizer.load_state_dict(saved)
        return optimizer

    net, expected = network(), network()
    first, other = ref.AdamW(net.parameters(), lr=0.02), ref.AdamW(expected.parameters(), lr=0.02)
    for n in range(10):
        for model, optimizer in ((net, first), (expected, other)):
            optimizer.zero_grad()
            model(torch.ones(1, 3, dtype=torch.float64)).square().sum().backward()
            optimizer.step()
        if n == 4:
            saved = first.state_dict()
            first = resume(net.parameters())
    for p, q in zip(net.parameters(), expected.parameters()):
        np.testing.assert_array_equal(p.detach(), q.detach())
    assert np.isfinite(whole).all()
    assert set(first.state[next(net.parameters())]) == {"step", "exp_avg", "exp_avg_sq"}


def test_closure_late_parameters_and_history():
    p, q = (torch.nn.Parameter(torch.ones(2, dtype=torch.float64)) for _ in range(2))
    optimizer = ref.AdamW([p, q], lr=0.1, weight_decay=0.5)

    def closure():
        optimizer.zero_grad()
        loss = p.square().sum()
        loss.backward()
        return loss

    assert optimizer.step(closure).item() == 2.0
    assert (q == 1).all() and q not in optimizer.state
    q.grad = torch.ones(2, dtype=torch.float64)
    optimizer.step()
    assert optimizer.state[q]["step"] == 1 and optimizer.state[p]["step"] == 2
    assert p.is_leaf and p.grad_fn is None


def test_sign_descent():
    p = torch.nn.Parameter(torch.tensor([1.0, -2.0, 0.0]))
    optimizer = ref.SignDescent([p], lr=0.1)
    p.grad = torch.tensor([5.0, -1e-9, 0.0])
    optimizer.step()
    np.testing.assert_allclose(p.detach(), [0.9, -1.9, 0.0], rtol=1e-6)


@pytest.mark.parametrize("shape", [(12, 5), (5, 12)])
def test_muon_is_torch(shape):
    """torch.optim.Muon iterates in bfloat16: entries agree to a few hundredths."""
    rng = torch.Generator().manual_seed(3)
    start = torch.randn(shape, generator=rng)
    own, other = torch.nn.Parameter(start.clone()), torch.nn.Parameter(start.clone())
    optimizer = ref.Muon([own], lr=0.1, momentum=0.9, weight_decay=0.2)
    peer = torch.optim.Muon([other], lr=0.1, momentum=0.9, weight_decay=0.2, nesterov=False)
    for _ in range(3):
        g = torch.randn(shape, generator=rng)
        own.grad, other.grad = g, g.clone()
        before, beside = own.detach().clone(), other.detach().clone()
        optimizer.step()
        peer.step()
        # torch averages with weight 1 - momentum and scales by sqrt(max(1, d_out / d_in)).
        ours = (own.detach() - 0.98 * before) / (shape[0] / shape[1]) ** 0.5
        theirs = (other.detach() - 0.98 * beside) / max(1, shape[0] / shape[1]) ** 0.5
        np.testing.assert_allclose(ours, theirs, atol=0.1 * 0.06)


def test_muon_step_has_rms_norm_lr_and_rejects_vectors():
    p = torch.nn.Parameter(torch.zeros(6, 3, dtype=torch.float64))
    optimizer = ref.Muon([p], lr=0.1, orthogonalize=ref.newton_schulz)
    p.grad = torch.randn(6, 3, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    optimizer.step()
    rms = torch.linalg.matrix_norm(p.detach(), 2) * (3 / 6) ** 0.5
    assert float(rms) == pytest.approx(0.1, rel=1e-8)
    with pytest.raises(ValueError):
        ref.Muon([torch.nn.Parameter(torch.zeros(3))])
