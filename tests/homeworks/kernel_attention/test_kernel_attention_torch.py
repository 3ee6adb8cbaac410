"""The torch forms of kernel_attention: values, dtypes, gradients, memory."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from viva_course.reference import kernel_attention as ka
from viva_course.reference.kernel_attention import differentiable as dif

TIGHT = {"rtol": 1e-9, "atol": 1e-10}  # float64, small sizes: only summation order differs


@pytest.fixture
def rng():
    return np.random.default_rng(20)


def test_torch_forms_agree_with_numpy_forms(rng):
    q, k, V, W = (rng.uniform(0.1, 1, s) for s in ((2, 70, 4), (2, 70, 4), (2, 70, 3), (6, 4)))
    t = [torch.tensor(x) for x in (q, k, V, W)]
    for name in ("linear_attention", "causal_linear_attention"):
        got = getattr(dif, name)(*t[:3]).numpy()
        np.testing.assert_allclose(got, getattr(ka, name)(q, k, V), **TIGHT)
        single = getattr(dif, name)(*(x.float() for x in t[:3]))
        assert single.dtype == torch.float32
        np.testing.assert_allclose(single.numpy(), got, rtol=1e-4, atol=1e-5)  # float32
    for name in ("rff_features", "positive_features"):
        got = getattr(dif, name)(t[0], t[3]).numpy()
        np.testing.assert_allclose(got, getattr(ka, name)(q, W), **TIGHT)
    for name in ("sample_frequencies", "orthogonal_frequencies"):
        draws = [
            getattr(dif, name)(3, 8, 2.0, torch.Generator().manual_seed(5)) for _ in range(2)
        ]
        assert torch.equal(*draws) and draws[0].shape == (8, 3)
    gram = draws[0][:3] @ draws[0][:3].T
    assert torch.allclose(gram, gram.diag().diag(), atol=1e-6)


@pytest.mark.parametrize("chunk", [1, 4, 7, 64])
def test_causal_gradients_are_those_of_the_masked_product(rng, chunk):
    q, k = (torch.tensor(rng.uniform(0.1, 1, (2, 3, 11, 4)), requires_grad=True) for _ in "qk")
    v = torch.tensor(rng.normal(size=(3, 11, 2)), requires_grad=True)  # broadcast over the batch
    g = torch.tensor(rng.normal(size=(2, 3, 11, 2)))
    weights = (q @ k.mT).tril()
    naive = weights @ v / weights.sum(-1, keepdim=True)
    out = dif.causal_linear_attention(q, k, v, chunk)
    torch.testing.assert_close(out, naive, **TIGHT)
    wanted = torch.autograd.grad(naive, (q, k, v), g)
    for got, want in zip(torch.autograd.grad(out, (q, k, v), g), wanted, strict=True):
        torch.testing.assert_close(got, want, **TIGHT)
    assert torch.autograd.gradcheck(
        lambda *a: dif.causal_linear_attention(*a, chunk), (q[0], k[0], v)
    )


@pytest.mark.parametrize("causal", [False, True])
def test_module_matches_the_quadratic_formula(rng, causal):
    torch.manual_seed(1)
    module = ka.MultiHeadLinearAttention(6, 2, causal).double()
    x = torch.tensor(rng.normal(size=(2, 5, 6)), requires_grad=True)
    heads = []
    for h in (slice(0, 3), slice(3, 6)):
        q, k = (F.elu(p(x)[..., h]) + 1 for p in (module.q, module.k))
        weights = q @ k.mT
        weights = weights.tril() if causal else weights
        heads.append(weights / weights.sum(-1, keepdim=True) @ module.v(x)[..., h])
    torch.testing.assert_close(module(x), module.o(torch.cat(heads, -1)), **TIGHT)
    assert torch.autograd.gradcheck(module, (x,))
    with pytest.raises(AssertionError):
        ka.MultiHeadLinearAttention(7, 2)


def test_causal_attention_saves_nothing_of_size_n_c_m():
    N, C, M = 256, 16, 16
    sizes = []
    q, k, v = (torch.rand(N, n).requires_grad_() for n in (C, C, M))

    def record(x):
        sizes.append(x.numel())
        return x

    with torch.autograd.graph.saved_tensors_hooks(record, lambda x: x):
        dif.causal_linear_attention(q, k, v).sum().backward()
    assert sum(sizes) <= N * (2 * C + 2 * M + 1)


def test_a_zero_denominator_is_refused():
    q, k, v = torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0]]), torch.ones(1, 1)
    for f in (dif.linear_attention, dif.causal_linear_attention):
        with pytest.raises(ValueError):
            f(q, k, v)
