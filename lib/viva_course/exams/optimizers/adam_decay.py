"""Adam with an L2 penalty against Adam with decoupled decay."""
import numpy as np

from viva_course.reference import optimizers as ref
from viva_course.rubric import Exercise

from .common import UNCHANGED, moments, state_path

rules = Exercise(
    "adam_l2_step",
    expects={
        "adam_l2_step": "(theta, state); the penalty's gradient goes through both moments",
        "adamw_step": "(theta, state); the moments see g alone",
    },
    forbidden=("torch.optim.Adam", "torch.optim.AdamW"),
)
rules.values(2, "adam_l2_step must be torch's Adam with weight_decay.", name="adam_l2_step",
             only=("penalised_path", "adam_penalised_step"))
rules.values(2, "adamw_step must be torch's AdamW.", name="adamw_step",
             only=("decoupled_path", "adam_decoupled_step"))


@rules.item(1.5, "A large lr lam shows the order of decay and step; with lam = 0 both rules are "
            "Adam, for any betas and eps.", name="large rates, no decay")
def large_rates_no_decay(exam, adam_l2_step, adamw_step):
    gradients, theta = exam.rng.normal(size=(6, 3)), exam.rng.normal(size=3)
    for lam, more in ((0.8, {"lr": 0.5}), (0.0, {"lr": 0.1, "betas": (0.6, 0.7), "eps": 0.05})):
        for step, right in ((adam_l2_step, ref.adam_l2_step), (adamw_step, ref.adamw_step)):
            expected, _ = state_path(right, gradients, theta, lam=lam, **more)
            exam.same(state_path(step, gradients, theta, lam=lam, **more)[0], expected,
                      rtol=1e-10, atol=1e-11)


@rules.item(1, "Without loss gradient AdamW shrinks by 1 - lr lam per step, while Adam-L2 first "
            "moves by lr, whatever lam is.")
def no_loss_gradient(exam, adam_l2_step, adamw_step):
    theta = exam.rng.uniform(1, 3, 4) * exam.rng.choice([-1, 1], 4)
    zeros = np.zeros((5, 4))
    path, _ = state_path(adamw_step, zeros, theta, lr=0.1, lam=0.5)
    exam.same(path, theta * 0.95 ** np.arange(1, 6)[:, None])
    for lam in (0.01, 1.0):
        path, _ = state_path(adam_l2_step, zeros[:1], theta, lr=0.1, lam=lam)
        exam.same(path[0], theta - 0.1 * np.sign(theta), rtol=0, atol=1e-5)


@rules.item(1, "The moments of Adam-L2 see g + lam theta, those of AdamW see g alone.")
def what_the_moments_see(exam, adam_l2_step, adamw_step):
    theta, g = exam.rng.normal(size=(2, 3))
    for step, seen in ((adam_l2_step, g + 0.7 * theta), (adamw_step, g)):
        state = step(theta, g, {}, lr=0.1, lam=0.7)[1]
        exam.same(state["m"], 0.1 * seen)
        exam.same(state["v"], 0.001 * seen**2)


rules.unmodified(0.5, UNCHANGED)


def _descend(theta, lr, lam, step):
    return theta - lr * step


def _adam(moved, penalty=lambda lam, theta: 0.0):
    """Adam on g + penalty(lam, theta), with the new weights moved(theta, lr, lam, step)."""
    def step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, lam=0.0):
        new, m_hat, v_hat = moments(g + penalty(lam, theta), state, betas)
        return moved(theta, lr, lam, m_hat / (np.sqrt(v_hat) + eps)), new

    return step


rules.mistakes_of(adamw_step={
    "adamw_is_l2": ("The decay went into the gradient: AdamW's moments see g alone.",
                    _adam(_descend, penalty=lambda lam, theta: lam * theta)),
    "wd_without_lr": ("In torch's convention the decay is multiplied by lr.",
                      _adam(lambda theta, lr, lam, step: (1 - lam) * theta - lr * step)),
    "decay_after": ("The decay uses the old theta, not the updated one.",
                    _adam(lambda theta, lr, lam, step: (1 - lr * lam) * (theta - lr * step))),
    "decayed_twice": ("The decay acts twice, beside the step and in the gradient: AdamW's "
                      "moments see g alone.",
                      _adam(lambda theta, lr, lam, step: (1 - lr * lam) * theta - lr * step,
                            penalty=lambda lam, theta: lam * theta)),
    "adamw_forgets": ("The weights are not decayed at all.", _adam(_descend)),
    "adamw_factor_2": ("The decay is lr lam theta, without a factor 2.",
                       _adam(lambda theta, lr, lam, step: (1 - 2 * lr * lam) * theta - lr * step)),
})
rules.mistakes_of(adam_l2_step={
    "l2_is_adamw": ("The penalty is part of the loss: its gradient enters the moments.",
                    _adam(lambda theta, lr, lam, step: (1 - lr * lam) * theta - lr * step)),
    "l2_factor_2": ("The penalty is (lam/2) ||theta||^2 here: its gradient is lam theta.",
                    _adam(_descend, penalty=lambda lam, theta: 2 * lam * theta)),
})


@rules.mistake("decay_scaled", "The decay is not divided by sqrt(v_hat): that is what decoupled "
               "means.")
def adamw_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, lam=0.0):
    new, m_hat, v_hat = moments(g, state, betas)
    return theta - lr * (m_hat + lam * theta) / (np.sqrt(v_hat) + eps), new


@rules.mistake("l2_only_in_m", "The penalised gradient enters both moments, v as well.")
def adam_l2_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, lam=0.0):
    new, m_hat, _ = moments(g + lam * theta, state, betas)
    plain, _, v_hat = moments(g, state, betas)
    return theta - lr * m_hat / (np.sqrt(v_hat) + eps), new | {"v": plain["v"]}


@rules.mistake("l2_only_in_v", "The penalised gradient enters both moments, m as well.")
def adam_l2_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, lam=0.0):
    new, _, v_hat = moments(g + lam * theta, state, betas)
    plain, m_hat, _ = moments(g, state, betas)
    return theta - lr * m_hat / (np.sqrt(v_hat) + eps), new | {"m": plain["m"]}


@rules.mistake("in_place", "The caller's gradient is overwritten: += on an argument changes it.")
def adam_l2_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, lam=0.0):
    g += lam * theta
    new, m_hat, v_hat = moments(g, state, betas)
    step = m_hat / (np.sqrt(v_hat) + eps)
    return theta - lr * step, new


@rules.variant("decay first, on a copy")
def adamw_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, lam=0.0):
    theta = np.array(theta)
    theta *= 1 - lr * lam
    t = state.get("t", 0) + 1
    m = betas[0] * state.get("m", np.zeros_like(g)) + (1 - betas[0]) * g
    v = betas[1] * state.get("v", np.zeros_like(g)) + (1 - betas[1]) * g * g
    theta -= lr / (1 - betas[0] ** t) * m / (np.sqrt(v / (1 - betas[1] ** t)) + eps)
    return theta, {"t": t, "m": m, "v": v}
