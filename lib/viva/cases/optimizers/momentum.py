"""Cases of momentum in two costumes, and of the map between them."""
import numpy as np
import torch

from viva.case import case

from .common import velocity_path


def path(step, gradients, theta, v, *settings):
    thetas, vs = velocity_path(step, gradients, theta, v, *settings)
    return {"theta": thetas, "v": vs}


# Worked examples start from floats: a float, a numpy scalar and a 0-d array are all right.
@case("momentum_step", dtype=False)
def classical_by_hand(rng, momentum_step):
    """momentum_step, g = 1, 2, 3 from theta = v = 0, as worked by hand"""
    return path(momentum_step, (1.0, 2.0, 3.0), 0.0, 0.0, 0.5, 0.1)


@case("momentum_step")
def classical_path(rng, momentum_step):
    """momentum_step, six random gradients of shape (3, 2)"""
    gradients, theta = rng.normal(size=(6, 3, 2)), rng.normal(size=(3, 2))
    alpha, eps = rng.uniform(0.6, 0.9), rng.uniform(0.05, 0.3)
    return path(momentum_step, gradients, theta, np.zeros((3, 2)), alpha, eps)


@case("momentum_step", dtype=False)
def average_by_hand(rng, ema_step):
    """ema_step, g = 1, 2, 3 from theta = v = 0, as worked by hand"""
    return path(ema_step, (1.0, 2.0, 3.0), 0.0, 0.0, 0.5, 0.2)


@case("momentum_step")
def average_path(rng, ema_step):
    """ema_step, six random gradients of shape (3, 2)"""
    gradients, theta = rng.normal(size=(6, 3, 2)), rng.normal(size=(3, 2))
    beta, delta = rng.uniform(0.1, 0.4), rng.uniform(0.4, 0.8)  # beta = 0.5 would hide a swap
    return path(ema_step, gradients, theta, np.zeros((3, 2)), beta, delta)


def torch_sgd(alpha, eps, gradients, theta):
    """Positions of torch.optim.SGD with momentum alpha and rate eps."""
    p = torch.nn.Parameter(torch.tensor(theta))
    optimizer, positions = torch.optim.SGD([p], lr=float(eps), momentum=float(alpha)), []
    for g in gradients:
        p.grad = torch.tensor(g)
        optimizer.step()
        positions.append(p.detach().numpy().copy())
    return np.array(positions)


@case("momentum_from_ema")
def one_pair(rng, momentum_from_ema):
    """(beta, delta) = (0.9, 0.1)"""
    return momentum_from_ema(0.9, 0.1)


@case("momentum_from_ema", rtol=0, atol=1e-12, log=False)  # rounding of 40 additions of size one
def same_trajectory(rng, momentum_from_ema):
    """torch's SGD with your (alpha, eps) moves as the running average does"""
    alpha, eps = momentum_from_ema(rng.uniform(0.6, 0.95), rng.uniform(0.05, 0.3))
    return torch_sgd(alpha, eps, rng.normal(size=(40, 2)), rng.normal(size=2))[::8]


@case("momentum_from_ema")
def backwards(rng, ema_from_momentum):
    """(alpha, eps) = (0.8, 0.05) and a random pair, backwards"""
    return [ema_from_momentum(0.8, 0.05),
            ema_from_momentum(rng.uniform(0.1, 0.9), rng.uniform(0.01, 1))]


@case("momentum_from_ema")
def there_and_back(rng, momentum_from_ema, ema_from_momentum):
    """one map after the other is the identity"""
    beta, delta = rng.uniform(0.1, 0.9), rng.uniform(0.2, 3)
    return ema_from_momentum(*momentum_from_ema(beta, delta))
