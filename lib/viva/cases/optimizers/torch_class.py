"""Cases of AdamW as a torch.optim.Optimizer."""
import copy

import torch

from viva import seam
from viva.case import candidate_side, case, rule


@candidate_side
def parameters(optimizer_class, weights):
    """Parameters, made where the student's class can move them."""
    return [torch.nn.Parameter(torch.tensor(w, dtype=torch.float64)) for w in weights]


@candidate_side
def moved(optimizer_class, params):
    """The same parameters, as they are now."""
    return params


def gradients(params, X, Y):
    """Set the gradients of the squared error of a small tanh network; return the loss."""
    W1, b1, W2, b2 = params
    for p in params:
        p.grad = None
    out = torch.tanh(torch.as_tensor(X) @ W1 + b1) @ W2 + b2  # (N, 2)
    loss = (out - torch.as_tensor(Y)).square().mean()
    loss.backward()
    return loss


@candidate_side
def gradients_there(optimizer_class, params, X, Y):
    """Set the gradients where the student's class runs, as they are on or off there; the loss."""
    return float(gradients(params, X, Y).detach())


def values(params):
    return [p.detach().numpy().copy() for p in params]


def step(optimizer_class, optimizer, params):
    """One step; the parameters as they are then."""
    optimizer.step()
    return moved(optimizer_class, params)


def train(optimizer_class, weights, X, Y, steps, settings, bias_settings=None):
    """Weights [W1, b1, W2, b2] after some steps; biases in a group of their own if asked."""
    params = parameters(optimizer_class, weights)
    groups = params
    if bias_settings is not None:
        groups = [{"params": params[::2]}, {"params": params[1::2], **bias_settings}]
    optimizer = optimizer_class(groups, **settings)
    for _ in range(steps):
        gradients(params, X, Y)
        params = step(optimizer_class, optimizer, params)
    return values(params)


def resume(optimizer_class, weights, X, Y, before, after, settings):
    """Train, save weights and state, load both into new objects, train on."""
    params = parameters(optimizer_class, weights)
    optimizer = optimizer_class(params, **settings)
    for _ in range(before):
        gradients(params, X, Y)
        params = step(optimizer_class, optimizer, params)
    saved = copy.deepcopy(optimizer.state_dict())
    params = parameters(optimizer_class, values(params))
    optimizer = optimizer_class(params, **settings)
    optimizer.load_state_dict(saved)
    for _ in range(after):
        gradients(params, X, Y)
        params = step(optimizer_class, optimizer, params)
    keys = sorted({key for entry in saved["state"].values() for key in entry})
    return {"weights": values(params), "keys": keys}


def unchanged(grad, given):
    """Whether a gradient is still what was given: a step reads gradients, it does not write."""
    if grad is None or given is None:
        return grad is given
    return bool((grad.numpy() == given).all())


def feed(optimizer_class, starts, given, settings):
    """Positions of parameters that are fed gradients; None is a step without gradient."""
    params = parameters(optimizer_class, starts)
    optimizer, positions, kept = optimizer_class(params, **settings), [], []
    for row in given:
        for p, g in zip(params, row, strict=True):
            p.grad = None if g is None else torch.tensor(g)
        params = step(optimizer_class, optimizer, params)
        positions.append(values(params))
        kept += [unchanged(p.grad, g) for p, g in zip(params, row, strict=True)]
    return {"positions": positions, "gradients kept": all(kept)}


def with_closure(optimizer_class, weights, X, Y, settings):
    """One step with a closure: the loss returned, and what happened on the way."""
    params = parameters(optimizer_class, weights)
    optimizer = optimizer_class(params, **settings)
    losses = []

    def closure():
        try:
            losses.append(gradients_there(optimizer_class, params, X, Y))
        except RuntimeError as error:
            if seam.is_engine_error(error):
                raise
            losses.append("no backward: gradients are off")
            return torch.zeros(())
        return torch.tensor(losses[-1], dtype=torch.float64)

    loss = optimizer.step(closure)
    params = moved(optimizer_class, params)
    bases = [base.__module__ for base in optimizer_class.__mro__ if base.__name__ != "Optimizer"]
    state = [x for entry in optimizer.state_dict()["state"].values() for x in entry.values()]
    return {
        "loss": None if loss is None else float(torch.as_tensor(loss).detach()),
        "losses in the closure": losses,
        "still leaves": all(p.is_leaf and p.requires_grad for p in params),
        "history in the state": any(getattr(x, "requires_grad", False) for x in state),
        "inherits torch's update": any(name.startswith("torch.optim") for name in bases),
        "weights": values(params),
    }


def problem(rng):
    """Initial weights of a 3-4-2 network and ten examples."""
    shapes = ((3, 4), (4,), (4, 2), (2,))
    return [0.5 * rng.normal(size=s) for s in shapes], rng.normal(size=(10, 3)), \
        rng.normal(size=(10, 2))


@case("AdamW", rtol=0, atol=1e-10, log=False)  # 25 steps of rate 0.02: rounding only
def a_small_network(rng, AdamW):
    """25 steps on a small network"""
    weights, X, Y = problem(rng)
    return train(AdamW, weights, X, Y, 25, {"lr": 0.02, "weight_decay": 0.4})


@case("AdamW", rtol=0, atol=1e-10)
def other_settings(rng, AdamW):
    """betas (0.5, 0.8) and eps 0.01, on two parameters fed with random gradients"""
    starts = [rng.normal(size=(2, 2)), rng.normal(size=3)]
    given = [[rng.normal(size=(2, 2)), rng.normal(size=3)] for _ in range(6)]
    settings = {"lr": 0.1, "betas": (0.5, 0.8), "eps": 0.01, "weight_decay": 0.3}
    return feed(AdamW, starts, given, settings)


@rule("AdamW", rtol=0, atol=1e-10)
def groups(rng, AdamW):
    """biases in a group of their own, with another rate and without decay"""
    weights, X, Y = problem(rng)
    return train(AdamW, weights, X, Y, 3, {"lr": 0.03, "weight_decay": 0.5},
                 {"lr": 0.01, "weight_decay": 0.0})


@rule("AdamW", rtol=0, atol=1e-10)
def saved_and_loaded(rng, AdamW):
    """two steps, saved and loaded, two more; and the keys of the state"""
    return resume(AdamW, *problem(rng), 2, 2, {"lr": 0.03, "weight_decay": 0.2})


@rule("AdamW", rtol=0, atol=1e-10)
def closure(rng, AdamW):
    """a step with a closure: the loss is returned, gradients are on while it runs"""
    return with_closure(AdamW, *problem(rng), {"lr": 0.05})


@rule("AdamW", rtol=0, atol=1e-10)
def no_gradient(rng, AdamW):
    """a parameter whose grad is None is left alone: no step, no decay"""
    given = [[g, None] for g in rng.normal(size=(3, 3))]
    return feed(AdamW, list(rng.normal(size=(2, 3))), given, {"lr": 0.1, "weight_decay": 0.6})


@rule("AdamW", rtol=0, atol=1e-10)
def late_parameter(rng, AdamW):
    """a parameter that gets its first gradient at step 4 counts its own steps"""
    given = [[g, h if n >= 3 else None] for n, (g, h) in enumerate(rng.normal(size=(5, 2, 3)))]
    return feed(AdamW, list(rng.normal(size=(2, 3))), given, {"lr": 0.1, "weight_decay": 0.6})
