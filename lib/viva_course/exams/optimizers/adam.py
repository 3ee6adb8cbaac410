"""The Adam step: its questions. The mistakes are in adam_mistakes."""
import numpy as np

from viva_course.reference import optimizers as ref
from viva_course.rubric import Exercise

from .common import UNCHANGED, moments, moved, state_path

adam = Exercise(
    "adam_step", expects="theta - lr m_hat / (sqrt(v_hat) + eps), and a new dict with keys t, m, v",
    forbidden=("torch.optim.Adam", "torch.optim.AdamW"),
)
adam.values(4, "The path and the state must be Adam's.")


@adam.item(1.5, "eps is added after the square root of the corrected v: a large eps and tiny "
           "gradients must give torch's path.")
def where_eps_is_added(exam, adam_step):
    for eps, scale in ((0.1, 1.0), (1e-8, 1e-9)):
        gradients, theta = scale * exam.rng.normal(size=(8, 3)), exam.rng.normal(size=3)
        expected, _ = state_path(ref.adam_step, gradients, theta, lr=0.1, eps=eps)
        path, _ = state_path(adam_step, gradients, theta, lr=0.1, eps=eps)
        exam.same(path - theta, expected - theta, rtol=1e-6, atol=1e-13)


@adam.item(1.5, "betas may be anything in [0, 1); a zero gradient at the first step moves nothing "
           "and is not NaN.", name="any betas, a zero gradient")
def any_betas_a_zero_gradient(exam, adam_step):
    for betas in ((0.5, 0.8), (0.0, 0.99), (0.95, 0.3)):
        gradients, theta = exam.rng.normal(size=(8, 4)), exam.rng.normal(size=4)
        gradients[0] = 0
        expected, _ = state_path(ref.adam_step, gradients, theta, lr=0.05, betas=betas)
        path, _ = state_path(adam_step, gradients, theta, lr=0.05, betas=betas)
        exam.same(path[0], theta, rtol=0, atol=0)
        exam.same(path, expected, rtol=1e-10, atol=1e-12)


@adam.item(1.5, "Gradients a thousand times larger give the same path, and each coordinate is "
           "scaled by itself.")
def ignores_the_scale(exam, adam_step):
    gradients, theta = exam.rng.normal(size=(8, 4)), exam.rng.normal(size=4)
    path, _ = state_path(adam_step, gradients, theta, lr=0.05)
    moved(exam, path, theta)
    for scale in (1000.0, np.array([1.0, 30.0, 1e3, 1e5])):
        scaled, _ = state_path(adam_step, scale * gradients, theta, lr=0.05)
        # eps = 1e-8 against |g| of order one changes a step by about 1e-8 of itself.
        exam.same(scaled, path, rtol=1e-5, atol=1e-5)
    exam.same(path[0], theta - 0.05 * np.sign(gradients[0]), rtol=0, atol=1e-5)


@adam.item(0.5, "The state counts steps from 1 and holds the plain averages m and v, uncorrected, "
           "with the shape of theta.", name="state")
def ask_state(exam, adam_step):
    gradients, theta = exam.rng.normal(size=(3, 2, 2)), exam.rng.normal(size=(2, 2))
    _, state = state_path(adam_step, gradients, theta)
    weights = [ref.ema_weights(3, beta) for beta in (0.9, 0.999)]
    exam.true(sorted(state) == ["m", "t", "v"], "the keys of the state are t, m and v")
    exam.same(state["t"], 3)
    exam.same(state["m"], np.tensordot(weights[0], gradients, 1))
    exam.same(state["v"], np.tensordot(weights[1], gradients**2, 1))


adam.unmodified(1, UNCHANGED)


@adam.variant("zeros first, roots of the correction folded into the rate")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    state = dict(state) or {"t": 0, "m": np.zeros_like(theta), "v": np.zeros_like(theta)}
    t = state["t"] + 1
    m = state["m"] + (1 - betas[0]) * (g - state["m"])
    v = betas[1] * state["v"] + (1 - betas[1]) * np.square(g)
    root = np.sqrt(1 - betas[1] ** t)
    step = lr * root / (1 - betas[0] ** t)
    return theta - step * m / (np.sqrt(v) + eps * root), dict(t=t, m=m, v=v)


def _step(direction):
    """A step along another direction(m_hat, v_hat, new, g, eps)."""
    def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        new, m_hat, v_hat = moments(g, state, betas)
        return theta - lr * direction(m_hat, v_hat, new, g, eps), new

    return adam_step


adam.mistakes_of(adam_step={
    "eps_inside_sqrt": ("eps is added after the square root, not under it.",
                        _step(lambda m_hat, v_hat, new, g, eps: m_hat / np.sqrt(v_hat + eps))),
    "no_m_correction": ("m is pulled to zero as well: divide it by 1 - beta1^t.",
                        _step(lambda m_hat, v_hat, new, g, eps: new["m"] / (np.sqrt(v_hat) + eps))),
    "no_v_correction": ("v is pulled to zero as well: divide it by 1 - beta2^t. Without it the "
                        "first step is 3.16 lr.",
                        _step(lambda m_hat, v_hat, new, g, eps: m_hat / (np.sqrt(new["v"]) + eps))),
    "no_correction": (
        "Neither average is corrected: divide m by 1 - beta1^t and v by 1 - beta2^t.",
        _step(lambda m_hat, v_hat, new, g, eps: new["m"] / (np.sqrt(new["v"]) + eps))),
    "no_root": ("The denominator is the square root of v_hat.",
                _step(lambda m_hat, v_hat, new, g, eps: m_hat / (v_hat + eps))),
    "one_scale_for_all": (
        "Each coordinate is divided by its own root of v, not by a norm over all of them.",
        _step(lambda m_hat, v_hat, new, g, eps: m_hat / (np.sqrt(np.mean(v_hat)) + eps))),
    "ascent": ("The step goes uphill: subtract it.",
               _step(lambda m_hat, v_hat, new, g, eps: -m_hat / (np.sqrt(v_hat) + eps))),
    "sign_only": ("Adam steps by sign(g) at the first step only; later the averages differ.",
                  _step(lambda m_hat, v_hat, new, g, eps: np.sign(m_hat))),
    "gradient_for_m": ("The numerator is the corrected average m, not the last gradient.",
                       _step(lambda m_hat, v_hat, new, g, eps: g / (np.sqrt(v_hat) + eps))),
})


@adam.mistake("t_from_zero", "t counts from 1: with t = 0 the correction divides by zero.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with np.errstate(all="ignore"):
        new, m_hat, v_hat = moments(g, {"t": -1} | state, betas)
        return theta - lr * m_hat / (np.sqrt(v_hat) + eps), new


@adam.mistake("betas_swapped", "beta1 belongs to m, beta2 to v.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, v_hat = moments(g, state, betas[::-1])
    return theta - lr * m_hat / (np.sqrt(v_hat) + eps), new


@adam.mistake("abs_instead_of_square", "v averages g squared, not |g|.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, _ = moments(g, state, betas)
    new["v"] = betas[1] * state.get("v", 0.0) + (1 - betas[1]) * np.abs(g)
    v_hat = new["v"] / (1 - betas[1] ** new["t"])
    return theta - lr * m_hat / (np.sqrt(v_hat) + eps), new


@adam.mistake("mean_size", "v averages g squared, and the root of that is the divisor; this is the "
              "average of |g|.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, _ = moments(g, state, betas)
    new["v"] = betas[1] * state.get("v", 0.0) + (1 - betas[1]) * np.abs(g)
    return theta - lr * m_hat / (new["v"] / (1 - betas[1] ** new["t"]) + eps), new


@adam.mistake("square_of_the_average", "v averages the squares of the gradients, not the squares "
              "of the average m.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, _ = moments(g, state, betas)
    new["v"] = betas[1] * state.get("v", 0.0) + (1 - betas[1]) * new["m"] ** 2
    v_hat = new["v"] / (1 - betas[1] ** new["t"])
    return theta - lr * m_hat / (np.sqrt(v_hat) + eps), new


@adam.mistake("norm_squared", "v averages the square of each coordinate; this is the squared norm "
              "of the whole gradient.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, _ = moments(g, state, betas)
    new["v"] = betas[1] * state.get("v", 0.0) + (1 - betas[1]) * np.sum(g**2) * np.ones_like(g)
    v_hat = new["v"] / (1 - betas[1] ** new["t"])
    return theta - lr * m_hat / (np.sqrt(v_hat) + eps), new


@adam.mistake("eps_hat", "eps is added to the root of the corrected v; added before the "
              "correction it is scaled by it (TensorFlow's epsilon hat).")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, _ = moments(g, state, betas)
    root = (np.sqrt(new["v"]) + eps) / np.sqrt(1 - betas[1] ** new["t"])
    return theta - lr * m_hat / root, new


@adam.mistake("stores_corrected", "Store the plain averages: corrected ones are corrected again "
              "at the next step.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, v_hat = moments(g, state, betas)
    return theta - lr * m_hat / (np.sqrt(v_hat) + eps), new | {"m": m_hat, "v": v_hat}


@adam.mistake("t_never_advances", "The new state must hold the advanced t.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, v_hat = moments(g, state, betas)
    return theta - lr * m_hat / (np.sqrt(v_hat) + eps), new | {"t": 0}


@adam.mistake("no_eps", "Without eps a zero gradient gives 0 / 0.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, v_hat = moments(g, state, betas)
    with np.errstate(all="ignore"):
        return theta - lr * m_hat / np.sqrt(v_hat), new


@adam.mistake("double_lr", "The rate enters twice; the update is lr m_hat / (sqrt(v_hat) + eps).")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, v_hat = moments(g, state, betas)
    return theta - lr * lr * m_hat / (np.sqrt(v_hat) + eps), new


@adam.mistake("corrects_after_root", "Correct v before the root: sqrt(v / (1 - beta2^t)).")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, _ = moments(g, state, betas)
    root = np.sqrt(new["v"]) / (1 - betas[1] ** new["t"])
    return theta - lr * m_hat / (root + eps), new


@adam.mistake("mutates_state", "The caller's state dict is changed; return a new one.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, v_hat = moments(g, state, betas)
    state.update(new)
    return theta - lr * m_hat / (np.sqrt(v_hat) + eps), state
