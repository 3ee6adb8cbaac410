"""Cases of TorchHead."""
import torch

from viva.case import candidate_side, case, rule

from .head import random_head


def torch_head(TorchHead, sizes, Km, Qm, Vm, pos, X, dtype=torch.float64):
    """Output for X of a TorchHead that is given these (numpy) matrices."""
    return _loaded(TorchHead, sizes, Km, Qm, Vm, pos, dtype)(torch.tensor(X, dtype=dtype)).detach()


def torch_head_gradients(TorchHead, sizes, Km, Qm, Vm, pos, X, weight):
    """Gradients of sum(weight * output) in X and in every matrix, as {name: tensor or None}."""
    head = _loaded(TorchHead, sizes, Km, Qm, Vm, pos, torch.float64)
    X = torch.tensor(X, requires_grad=True)
    (head(X) * torch.tensor(weight)).sum().backward()
    names = ("Km", "Qm", "Vm") if pos is None else ("Km", "Qm", "Vm", "pos")
    return {"X": X.grad} | {name: getattr(head, name).weight.grad for name in names}


def torch_head_state(TorchHead, sizes):
    """Names and shapes of what a TorchHead stores."""
    return {name: list(p.shape) for name, p in sorted(TorchHead(*sizes).state_dict().items())}


def _loaded(TorchHead, sizes, Km, Qm, Vm, pos, dtype):
    torch.manual_seed(0)                             # for parts that should not be there at all
    head = TorchHead(*sizes).to(dtype)
    fill(head, Km, Qm, Vm, pos)
    return head


@candidate_side
def fill(head, Km, Qm, Vm, pos) -> None:
    """Write these matrices into a head."""
    with torch.no_grad():
        for part, matrix in ((head.Km, Km), (head.Qm, Qm), (head.Vm, Vm)):
            part.weight.copy_(torch.tensor(matrix).T)
        if pos is not None:
            head.pos.weight.copy_(torch.tensor(pos))


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


@rule("TorchHead", rtol=1e-6, atol=1e-6)             # torch.sqrt(torch.tensor(d)) is float32
def batch(rng, TorchHead):
    """a batch (N, T, d), without positions and with"""
    answers = []
    for positions in (False, True):
        X, *matrices = random_head(rng, positions)
        sequences = rng.normal(size=(len(X) + 1, *X.shape))
        answers.append(torch_head(TorchHead, sizes_of(X, *matrices), *matrices, sequences))
    return answers


@rule("TorchHead", rtol=1e-6, atol=1e-6)
def gradients(rng, TorchHead):
    """gradients of the weighted sum of outputs, in X and in every matrix"""
    X, *matrices = random_head(rng, True)
    weight = rng.normal(size=(len(X), matrices[2].shape[1]))
    return torch_head_gradients(TorchHead, sizes_of(X, *matrices), *matrices, X, weight)


@rule("TorchHead", rtol=1e-4, atol=1e-4)             # single precision, sums of some ten terms
def large_scores(rng, TorchHead):
    """scores of 10,000 in float32, which stays float32"""
    X, Km, Qm, Vm, pos = random_head(rng, False)
    return torch_head(TorchHead, sizes_of(X, Km, Qm, Vm, pos), 100 * Km, 100 * Qm, Vm, pos, X,
                      torch.float32)
