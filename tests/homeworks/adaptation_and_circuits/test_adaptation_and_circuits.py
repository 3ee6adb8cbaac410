"""The reference of adaptation_and_circuits against oracles that do not share its formulas."""

import inspect

import numpy as np
import pytest
import scipy.linalg
import torch
from torch import nn
from torch.nn import functional as F

from viva_course.reference import adaptation_and_circuits as reference
from viva_course.rubric import exercises

EXERCISES = exercises("adaptation_and_circuits")


def heads_of(rng, d_model, widths):
    """Random (WQ, WK, WV) of each width, and WO."""
    heads = [tuple(rng.normal(size=(3, width, d_model))) for width in widths]
    return heads, rng.normal(size=(d_model, sum(widths)))


def test_candidates_are_the_curriculums_in_its_order():
    assert {name: each.candidates for name, each in EXERCISES.items()} == {
        "LoRALinear": ("LoRALinear",),
        "lora_grads": ("lora_grads", "svd_init"),
        "residual_contributions": ("residual_contributions",),
        "head_patterns": ("head_patterns", "multihead_concat", "multihead_additive"),
        "qk_circuit": ("qk_circuit", "ov_circuit"),
        "virtual_paths": ("virtual_paths", "copying_score"),
        "induction_score": ("induction_score", "ablate"),
        "composition_scores": ("composition_scores",),
    }


def constant(each, value):
    """A function (or class) that always returns one value."""
    if not inspect.isclass(each):
        return lambda *args, **kwargs: value

    class Constant(nn.Module):
        def __init__(self, base, k, alpha=None):
            super().__init__()
            self.A, self.B = nn.Parameter(torch.zeros(1)), nn.Parameter(torch.zeros(1))

        def forward(self, x):
            return value

        def merged_weight(self):
            return value

    return Constant


@pytest.mark.parametrize("value", [0.0, 1.0, None, np.zeros((3, 3)), (0.0, 1.0), []])
@pytest.mark.parametrize("name", EXERCISES)
def test_a_constant_gets_nothing(name, value):
    candidates = tuple(constant(each, value) for each in EXERCISES[name].reference)
    report = EXERCISES[name].examine(candidates, "constants")
    assert report.score == 0, report


def refuse(*args, **kwargs):
    raise ValueError("never")


@pytest.mark.parametrize("name", EXERCISES)
def test_a_refusal_of_everything_gets_nothing(name):
    candidates = (refuse,) * len(EXERCISES[name].reference)
    assert EXERCISES[name].examine(candidates, "refusals").score == 0


def test_a_merged_layer_computes_the_same():
    torch.manual_seed(0)
    layer = reference.LoRALinear(nn.Linear(5, 3), 2, alpha=7)
    with torch.no_grad():
        layer.A.normal_()
    x = torch.randn(4, 5)
    torch.testing.assert_close(F.linear(x, layer.merged_weight(), layer.base.bias), layer(x))
    assert sum(p.numel() for p in layer.parameters() if p.requires_grad) == 2 * (5 + 3)


def test_gradients_are_autograds():
    rng = np.random.default_rng(0)
    G, A, B = (rng.normal(size=shape) for shape in ((4, 6), (4, 2), (2, 6)))
    tensors = [torch.tensor(each, requires_grad=True) for each in (A, B)]
    (torch.tensor(G) * (tensors[0] @ tensors[1])).sum().backward()
    for found, tensor in zip(reference.lora_grads(G, A, B), tensors, strict=True):
        np.testing.assert_allclose(found, tensor.grad, rtol=1e-12)


def test_no_orthonormal_start_catches_more():
    rng = np.random.default_rng(1)
    G = rng.normal(size=(6, 8))
    A, B = reference.svd_init(G, 3)
    caught = (reference.lora_grads(G, A, B)[0] ** 2).sum()
    assert caught == pytest.approx((np.linalg.svd(G)[1][:3] ** 2).sum())
    for _ in range(200):
        Q = np.linalg.qr(rng.normal(size=(8, 3)))[0]
        assert ((G @ Q) ** 2).sum() < caught


def test_the_stream_is_that_of_linear_layers():
    """For linear layers the final state is a product of (I + M), and every part a difference."""
    rng = np.random.default_rng(6)
    X0, Ms = rng.normal(size=(3, 5)), rng.normal(size=(4, 3, 3))
    final, parts = reference.residual_contributions(X0, [lambda X, M=M: M @ X for M in Ms])
    states = [X0]
    for M in Ms:
        states.append((np.eye(3) + M) @ states[-1])
    np.testing.assert_allclose(final, states[-1])
    np.testing.assert_allclose(parts, [X0, *np.diff(states, axis=0)], atol=1e-12)


@pytest.mark.parametrize("causal", [False, True])
def test_heads_are_torchs(causal):
    """nn.MultiheadAttention: rows are tokens there, widths are equal."""
    rng = np.random.default_rng(2)
    heads, WO = heads_of(rng, 6, (3, 3))
    X = rng.normal(size=(6, 5))
    layer = nn.MultiheadAttention(6, 2, bias=False, batch_first=True).double()
    with torch.no_grad():
        stacked = [np.concatenate([head[i] for head in heads]) for i in range(3)]
        layer.in_proj_weight.copy_(torch.tensor(np.concatenate(stacked)))
        layer.out_proj.weight.copy_(torch.tensor(WO))
    x = torch.tensor(X.T)[None]
    mask = torch.ones(5, 5, dtype=bool).triu(1) if causal else None
    expected, weights = layer(x, x, x, attn_mask=mask, average_attn_weights=False)
    found = reference.multihead_concat(X, heads, WO, causal)
    np.testing.assert_allclose(found.T, expected[0].detach(), atol=1e-12)
    np.testing.assert_allclose(sum(reference.multihead_additive(X, heads, WO, causal)), found)
    for (WQ, WK, _), pattern in zip(heads, weights[0].detach(), strict=True):
        np.testing.assert_allclose(reference.head_patterns(X, WQ, WK, causal), pattern, atol=1e-12)


def test_circuits_are_what_the_heads_do():
    rng = np.random.default_rng(3)
    [(WQ, WK, WV)], WO = heads_of(rng, 5, (2,))
    X = rng.normal(size=(5, 4))
    scores = X.T @ reference.qk_circuit(WQ, WK) @ X / np.sqrt(2)
    P = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(P, reference.head_patterns(X, WQ, WK))
    np.testing.assert_allclose(reference.ov_circuit(WO, WV) @ X @ P.T,
                               reference.multihead_concat(X, [(WQ, WK, WV)], WO))


def two_layers(rng, n=9):
    """X (5, n), WU, and two layers of heads of different widths with their output matrices."""
    X, WU = rng.normal(size=(5, n)), rng.normal(size=(7, 5))
    return X, WU, [heads_of(rng, 5, widths) for widths in ((1, 2), (2, 3, 1))]


def as_pairs(X, heads, WO):
    """(pattern, OV circuit) of each head that reads the stream X."""
    starts = np.cumsum([0, *(len(WV) for _, _, WV in heads)])
    return [(reference.head_patterns(X, WQ, WK, causal=True),
             reference.ov_circuit(WO[:, start : start + len(WV)], WV))
            for (WQ, WK, WV), start in zip(heads, starts, strict=False)]


def test_paths_add_up_to_the_model():
    """Attention computed from scratch in both layers, with softmax, against the sum of paths."""
    X, WU, layers = two_layers(np.random.default_rng(4))
    final, parts = reference.residual_contributions(
        X, [lambda X, layer=layer: reference.multihead_concat(X, *layer, causal=True)
            for layer in layers])
    first, second = as_pairs(X, *layers[0]), as_pairs(X + parts[1], *layers[1])
    direct, ones, twos, virtual = reference.virtual_paths(X, WU, first, second)
    assert virtual.shape == (2, 3, 7, 9)
    np.testing.assert_allclose(direct + ones.sum(0) + twos.sum(0) + virtual.sum((0, 1)), WU @ final)
    np.testing.assert_allclose(ones.sum(0), WU @ parts[1])


def test_a_perfect_induction_head_scores_one_and_a_lookalike_does_not():
    tokens = [4, 1, 3, 4, 1, 3]
    perfect, same_token = np.eye(6), np.eye(6)
    for t in (3, 4, 5):
        perfect[t], same_token[t] = np.eye(6)[t - 2], np.eye(6)[t - 3]
    assert reference.induction_score(perfect, tokens) == 1
    assert reference.induction_score(same_token, tokens) == 0
    with pytest.raises(ValueError, match="twice"):
        reference.induction_score(perfect, range(6))


def test_an_ablated_head_is_one_that_writes_nothing():
    """The same model with the output matrix of the head set to zero."""
    X, _, layers = two_layers(np.random.default_rng(8))
    as_functions = [[lambda X, h=h, heads=heads, WO=WO: reference.multihead_additive(
        X, heads, WO, causal=True)[h] for h in range(len(heads))] for heads, WO in layers]
    silent = [(heads, WO.copy()) for heads, WO in layers]
    silent[0][1][:, 1:3] = 0  # head 1 of the first layer
    expected, _ = reference.residual_contributions(
        X, [lambda X, layer=layer: reference.multihead_concat(X, *layer, causal=True)
            for layer in silent])
    np.testing.assert_allclose(reference.ablate(X, as_functions, [(0, 1)]), expected)
    with pytest.raises(ValueError, match="no such head"):
        reference.ablate(X, as_functions, [(0, 2)])


def test_composition_is_one_where_a_head_reads_all_that_was_written():
    rng = np.random.default_rng(9)
    u, v, w = np.linalg.qr(rng.normal(size=(6, 3)))[0].T
    written = np.outer(u, w)  # writes u
    q, k, value = reference.composition_scores(np.outer(v, u), np.outer(w, v), written)
    assert (round(q, 12), round(k, 12), round(value, 12)) == (0, 1, 0)
    scores = [reference.composition_scores(*rng.normal(size=(3, 64, 64))) for _ in range(5)]
    np.testing.assert_allclose(scores, 64**-0.5, atol=0.01)


def test_copying_scores_are_those_of_the_schur_form():
    for M in np.random.default_rng(7).normal(size=(20, 5, 5)):
        on_diagonal = np.diagonal(scipy.linalg.schur(M, output="complex")[0])
        expected = np.trace(M) / np.abs(on_diagonal).sum()
        assert reference.copying_score(M) == pytest.approx(expected)


def test_copying_scores_stay_in_their_interval():
    rng = np.random.default_rng(5)
    scores = [reference.copying_score(M) for M in rng.normal(size=(50, 4, 4))]
    assert -1 <= min(scores) < max(scores) <= 1
    assert reference.copying_score(np.array([[1.0, -2], [2, 1]])) == pytest.approx(5**-0.5)
