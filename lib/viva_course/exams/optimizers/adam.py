"""The Adam step: its questions. The mistakes are in adam_mistakes."""
import numpy as np

from viva_course.reference import optimizers as ref
from viva_course.rubric import Exercise, unmodified

from .common import UNCHANGED, moved, state_path

adam = Exercise(
    "adam_step", homework="optimizers", points=10, reference=(ref.adam_step,),
    expects="theta - lr m_hat / (sqrt(v_hat) + eps), and a new dict with keys t, m, v",
    forbidden=("torch.optim.Adam", "torch.optim.AdamW"),
)
adam.values(4, "The path and the state must be Adam's.")


@adam.item("where eps is added", 1.5, "eps is added after the square root of the corrected v: a "
           "large eps and tiny gradients must give torch's path.")
def _(exam, adam_step):
    for eps, scale in ((0.1, 1.0), (1e-8, 1e-9)):
        gradients, theta = scale * exam.rng.normal(size=(8, 3)), exam.rng.normal(size=3)
        expected, _ = state_path(ref.adam_step, gradients, theta, lr=0.1, eps=eps)
        path, _ = state_path(adam_step, gradients, theta, lr=0.1, eps=eps)
        exam.same(path - theta, expected - theta, rtol=1e-6, atol=1e-13)


@adam.item("any betas, a zero gradient", 1.5, "betas may be anything in [0, 1); a zero gradient "
           "at the first step moves nothing and is not NaN.")
def _(exam, adam_step):
    for betas in ((0.5, 0.8), (0.0, 0.99), (0.95, 0.3)):
        gradients, theta = exam.rng.normal(size=(8, 4)), exam.rng.normal(size=4)
        gradients[0] = 0
        expected, _ = state_path(ref.adam_step, gradients, theta, lr=0.05, betas=betas)
        path, _ = state_path(adam_step, gradients, theta, lr=0.05, betas=betas)
        exam.same(path[0], theta, rtol=0, atol=0)
        exam.same(path, expected, rtol=1e-10, atol=1e-12)


@adam.item("ignores the scale", 1.5, "Gradients a thousand times larger give the same path, and "
           "each coordinate is scaled by itself.")
def _(exam, adam_step):
    gradients, theta = exam.rng.normal(size=(8, 4)), exam.rng.normal(size=4)
    path, _ = state_path(adam_step, gradients, theta, lr=0.05)
    moved(exam, path, theta)
    for scale in (1000.0, np.array([1.0, 30.0, 1e3, 1e5])):
        scaled, _ = state_path(adam_step, scale * gradients, theta, lr=0.05)
        # eps = 1e-8 against |g| of order one changes a step by about 1e-8 of itself.
        exam.same(scaled, path, rtol=1e-5, atol=1e-5)
    exam.same(path[0], theta - 0.05 * np.sign(gradients[0]), rtol=0, atol=1e-5)


@adam.item("state", 0.5, "The state counts steps from 1 and holds the plain averages m and v, "
           "uncorrected, with the shape of theta.")
def _(exam, adam_step):
    gradients, theta = exam.rng.normal(size=(3, 2, 2)), exam.rng.normal(size=(2, 2))
    _, state = state_path(adam_step, gradients, theta)
    weights = [ref.ema_weights(3, beta) for beta in (0.9, 0.999)]
    exam.true(sorted(state) == ["m", "t", "v"], "the keys of the state are t, m and v")
    exam.same(state["t"], 3)
    exam.same(state["m"], np.tensordot(weights[0], gradients, 1))
    exam.same(state["v"], np.tensordot(weights[1], gradients**2, 1))


adam.item("arguments unchanged", 1, UNCHANGED)(unmodified)


@adam.variant("zeros first, roots of the correction folded into the rate")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    state = dict(state) or {"t": 0, "m": np.zeros_like(theta), "v": np.zeros_like(theta)}
    t = state["t"] + 1
    m = state["m"] + (1 - betas[0]) * (g - state["m"])
    v = betas[1] * state["v"] + (1 - betas[1]) * np.square(g)
    root = np.sqrt(1 - betas[1] ** t)
    step = lr * root / (1 - betas[0] ** t)
    return theta - step * m / (np.sqrt(v) + eps * root), dict(t=t, m=m, v=v)
