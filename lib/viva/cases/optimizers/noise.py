"""Cases of weights that see nothing but noise."""
import numpy as np
import torch

from viva.case import candidate_side, case


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

    step.__qualname__ = "step"  # what a message about its arguments says
    return step


def mean_weights(decay_experiment, optimizer, scales, settings):
    """The mean weight per scale under torch.optim.<optimizer>."""
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


def leaking_step(theta, g, state, lr, lam):
    """A step with a memory: the running sum of gradients, and weights that leak."""
    total = np.asarray(state.get("sum", 0.0)) + g
    return (1 - lr * lam) * theta - lr * total, {"sum": total}


@candidate_side
def long_run(decay_experiment, scale, settings):
    """The mean weight under a leaking step: every draw, state and setting goes into it.

    It runs beside the student's code, so that the default 2000 steps are cheap.
    """
    return decay_experiment(leaking_step, scale, **settings)


@case("decay_experiment", rtol=0, atol=1e-10)
def another_rule(rng, decay_experiment):
    """a rule with a memory of its own, and other settings"""
    return decay_experiment(leaking_step, rng.uniform(0.5, 2), steps=10, n=7, lr=0.08, lam=0.9,
                            seed=int(rng.integers(1000)))
