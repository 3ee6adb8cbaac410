"""L2 penalty against weight decay."""
import numpy as np
import torch

from viva.case import beside, case

from .adam import path
from .paths import long_walk


@case("sgd_l2_step")
def the_decay_of_a_penalty(rng, sgd_l2_step, sgd_wd_step, equivalent_decay):
    """lr = 0.1, gamma = 0.05, and a random pair"""
    lr, gamma = rng.uniform(0.02, 0.4), rng.uniform(0.1, 2)
    return [equivalent_decay(0.1, 0.05), equivalent_decay(lr, gamma)]


@case("sgd_l2_step")
def penalised_step(rng, sgd_l2_step, sgd_wd_step, equivalent_decay):
    """sgd_l2_step, arrays of shape (2, 3)"""
    theta, g = rng.normal(size=(2, 2, 3))
    return sgd_l2_step(theta, g, rng.uniform(0.1, 0.4), rng.uniform(0.1, 0.4))


@case("sgd_l2_step")
def decayed_step(rng, sgd_l2_step, sgd_wd_step, equivalent_decay):
    """sgd_wd_step, arrays of shape (2, 3)"""
    theta, g = rng.normal(size=(2, 2, 3))
    return sgd_wd_step(theta, g, rng.uniform(0.1, 0.4), rng.uniform(0.1, 0.4))


@case("sgd_l2_step", rtol=0, atol=1e-12)  # rounding of 40 additions of size one
def same_trajectory(rng, sgd_l2_step, sgd_wd_step, equivalent_decay):
    """40 steps of both rules with the equivalent decay"""
    start, gradients = rng.normal(size=2), rng.normal(size=(40, 2))
    lr, gamma = rng.uniform(0.05, 0.2), rng.uniform(0.1, 1)
    lam = equivalent_decay(lr, gamma)
    return {
        "sgd_l2_step": long_walk(sgd_l2_step, start, [(g, lr, gamma) for g in gradients]),
        "sgd_wd_step": long_walk(sgd_wd_step, start, [(g, lr, lam) for g in gradients]),
    }


@case("adam_l2_step", rtol=1e-11, atol=1e-12)
def penalised_path(rng, adam_l2_step, adamw_step):
    """adam_l2_step, 50 random gradients"""
    return path(adam_l2_step, rng.normal(size=(50, 3)), rng.normal(size=3), keep=25, lr=0.05,
                lam=rng.uniform(0.2, 0.6))


@case("adam_l2_step", rtol=1e-11, atol=1e-12)
def adam_penalised_step(rng, adam_l2_step, adamw_step):
    """adam_l2_step, one step with a large rate from theta = (2, -1)"""
    return path(adam_l2_step, [rng.uniform(0.5, 1.5, 2)], np.array([2.0, -1.0]), keep=1, lr=0.5,
                eps=0.1, lam=0.8)


@case("adam_l2_step", rtol=1e-11, atol=1e-12)
def decoupled_path(rng, adam_l2_step, adamw_step):
    """adamw_step, 50 random gradients"""
    return path(adamw_step, rng.normal(size=(50, 3)), rng.normal(size=3), keep=25, lr=0.05,
                lam=rng.uniform(0.2, 0.6))


@case("adam_l2_step", rtol=1e-11, atol=1e-12)
def adam_decoupled_step(rng, adam_l2_step, adamw_step):
    """adamw_step, one step with a large rate from theta = (2, -1)"""
    return path(adamw_step, [rng.uniform(0.5, 1.5, 2)], np.array([2.0, -1.0]), keep=1, lr=0.5,
                eps=0.1, lam=0.8)


def torch_step(optimizer_class):
    """A pure step (theta, g, state, lr, lam) -> (theta, state) around a torch optimizer."""

    def step(theta, g, state, lr, lam):
        p = torch.nn.Parameter(torch.tensor(theta))
        p.grad = torch.tensor(g)
        optimizer = optimizer_class([p], lr=lr, weight_decay=lam)
        if state:
            optimizer.state[p] = {k: torch.tensor(v) for k, v in state.items()}
        optimizer.step()
        return p.detach().numpy(), {k: v.numpy() for k, v in optimizer.state[p].items()}

    return step


@beside
def mean_weights(decay_experiment, optimizer, scales, settings):
    """The mean weight per scale under torch.optim.<optimizer>, beside the student's code."""
    step = torch_step(getattr(torch.optim, optimizer))
    return [decay_experiment(step, scale, **settings) for scale in scales]


# Ten steps with a rate a hundred times the default decay the weights as 1000 with the default.
SHORT = {"steps": 10, "n": 20, "lr": 0.1, "lam": 0.1}


@case("decay_experiment", rtol=0, atol=1e-10, log=False)  # the same draws: rounding only
def decoupled(rng, decay_experiment):
    """torch's AdamW, gradient scales 0.1 and 10"""
    settings = SHORT | {"seed": int(rng.integers(1000))}
    return mean_weights(decay_experiment, "AdamW", (0.1, 10.0), settings)


@case("decay_experiment", rtol=0, atol=1e-10, log=False)
def penalised(rng, decay_experiment):
    """torch's Adam with an L2 penalty, gradient scales 0.1 and 10"""
    settings = SHORT | {"seed": int(rng.integers(1000))}
    return mean_weights(decay_experiment, "Adam", (0.1, 10.0), settings)


@beside
def recorded(decay_experiment, scale, settings):
    """What a step is given during a run: a few gradients, the states, the settings.

    It runs beside the student's code, so that the default 2000 steps are cheap.
    """
    calls, rows = 0, {}

    def step(theta, g, state, lr, lam):
        nonlocal calls
        if calls % 400 in (0, 1):
            rows[calls] = [np.asarray(g)[:3], len(g), dict(state), lr, lam]
        calls += 1
        return np.asarray(theta) * 0.999, {"calls": calls}

    mean = decay_experiment(step, scale, **settings)
    return {"calls": calls, "rows": rows, "mean": mean}


def leaking_step(theta, g, state, lr, lam):
    """A step with a memory: the running sum of gradients, and weights that leak."""
    total = np.asarray(state.get("sum", 0.0)) + g
    return (1 - lr * lam) * theta - lr * total, {"sum": total}


@case("decay_experiment", rtol=0, atol=1e-10)
def another_rule(rng, decay_experiment):
    """a rule with a memory of its own, and other settings"""
    return decay_experiment(leaking_step, rng.uniform(0.5, 2), steps=10, n=7, lr=0.08, lam=0.9,
                            seed=int(rng.integers(1000)))
