"""Public scenarios: softmax, the head in numpy and in torch, the score gap."""
import numpy as np
import torch

from viva.case import beside, case


@case("stable_softmax", rtol=1e-12, atol=1e-12)      # three exponentials: a few roundings
def worked_example(rng, stable_softmax):
    """scores 1, 2, 3"""
    return stable_softmax(np.array([1.0, 2.0, 3.0]))


@case("stable_softmax")
def every_axis(rng, stable_softmax):
    """every axis of a (2, 3, 4) array"""
    scores = rng.normal(size=(2, 3, 4))
    return [stable_softmax(scores, axis=axis) for axis in (0, 1, 2, -1)]


def random_head(rng, positions):
    """X (T, d_in), matrices and table of a head whose five sizes all differ."""
    T, d_in, d_qk, d_v = (int(size) for size in rng.permutation([2, 3, 4, 5]))
    d_pos = 6 if positions else 0
    Km, Qm = rng.normal(size=(2, d_in + d_pos, d_qk))
    pos = rng.normal(size=(T + int(rng.integers(1, 4)), d_pos)) if positions else None
    return rng.normal(size=(T, d_in)), Km, Qm, rng.normal(size=(d_in + d_pos, d_v)), pos


@case("attention_head")
def without_positions(rng, attention_head):
    """five random shapes without positions"""
    return [attention_head(*random_head(rng, False)) for _ in range(5)]


@case("attention_head")
def with_positions(rng, attention_head):
    """five random shapes, positional table longer than the sequence"""
    return [attention_head(*random_head(rng, True)) for _ in range(5)]


@case("attention_head")
def weights(rng, attention_head):
    """return_weights=True: output and weights"""
    out, attention = attention_head(*random_head(rng, True), return_weights=True)
    return {"output": out, "weights": attention, "sum of rows": attention.sum(-1)}


@beside
def torch_head(TorchHead, sizes, Km, Qm, Vm, pos, X, dtype=torch.float64):
    """Output for X of a TorchHead that is given these (numpy) matrices."""
    return _loaded(TorchHead, sizes, Km, Qm, Vm, pos, dtype)(torch.tensor(X, dtype=dtype)).detach()


@beside
def torch_head_gradients(TorchHead, sizes, Km, Qm, Vm, pos, X, weight):
    """Gradients of sum(weight * output) in X and in every matrix, as {name: tensor or None}."""
    head = _loaded(TorchHead, sizes, Km, Qm, Vm, pos, torch.float64)
    X = torch.tensor(X, requires_grad=True)
    (head(X) * torch.tensor(weight)).sum().backward()
    names = ("Km", "Qm", "Vm") if pos is None else ("Km", "Qm", "Vm", "pos")
    return {"X": X.grad} | {name: getattr(head, name).weight.grad for name in names}


@beside
def torch_head_state(TorchHead, sizes):
    """Names and shapes of what a TorchHead stores."""
    return {name: list(p.shape) for name, p in sorted(TorchHead(*sizes).state_dict().items())}


def _loaded(TorchHead, sizes, Km, Qm, Vm, pos, dtype):
    torch.default_generator.manual_seed(0)           # for parts that should not be there at all
    head = TorchHead(*sizes).to(dtype)
    with torch.no_grad():
        for part, matrix in ((head.Km, Km), (head.Qm, Qm), (head.Vm, Vm)):
            part.weight.copy_(torch.tensor(matrix).T)
        if pos is not None:
            head.pos.weight.copy_(torch.tensor(pos))
    return head


def sizes_of(X, Km, Qm, Vm, pos):
    """The arguments of TorchHead for given matrices."""
    return [X.shape[-1], Km.shape[1], Vm.shape[1], *([] if pos is None else pos.shape[::-1])]


@case("TorchHead", rtol=1e-6, atol=1e-6)             # torch.sqrt(torch.tensor(d)) is float32
def numpy_matrices(rng, TorchHead):
    """the numpy matrices, transposed, give the numpy head"""
    answers = []
    for positions in (False, True):
        X, *matrices = random_head(rng, positions)
        answers.append(torch_head(TorchHead, sizes_of(X, *matrices), *matrices, X))
    return answers


@case("TorchHead")
def stored_parameters(rng, TorchHead):
    """names and shapes of the parameters"""
    return [torch_head_state(TorchHead, [3, 2, 4]), torch_head_state(TorchHead, [3, 2, 4, 5])]


@case("min_score_gap")
def worked_gaps(rng, min_score_gap):
    """T = 2, tol = 0.5 needs no gap; T = 6, tol = 0.001 needs 8.51619"""
    return [min_score_gap(T, tol) for T, tol in ((2, .5), (2, 1e-3), (6, 1e-3), (7, 1e-8))]


@case("min_score_gap")
def random_gaps(rng, min_score_gap):
    """random lengths and tolerances"""
    return [min_score_gap(int(T), float(10.0 ** -u))
            for T, u in zip(rng.integers(3, 60, 4), rng.uniform(1, 6, 4), strict=True)]
