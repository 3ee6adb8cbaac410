"""L2 penalty against weight decay for plain gradient descent."""
import numpy as np

from viva.cases.optimizers.common import long_walk
from viva_course.reference import optimizers as ref
from viva_course.rubric import Exercise

from .common import UNCHANGED

decay = Exercise(
    "sgd_l2_step",
    expects={
        "sgd_l2_step": "theta after a gradient step on the penalised loss",
        "sgd_wd_step": "theta after decay and gradient step",
        "equivalent_decay": "the number lam for which both rules take the same path",
    },
)
decay.values(1, "sgd_l2_step must step on the loss plus gamma ||theta||^2.", name="sgd_l2_step",
             only=("penalised_step",))
decay.values(1, "sgd_wd_step must shrink theta by 1 - lam and step by lr g.", name="sgd_wd_step",
             only=("decayed_step",))
decay.values(1, "Both rules must take the same path with the equivalent decay.",
             name="equivalence", only=("the_decay_of_a_penalty", "same_trajectory"))


@decay.item(0.5, "The step of sgd_l2_step must be -lr times the gradient of L + gamma ||theta||^2, "
            "by finite differences.", name="the penalty's gradient")
def the_penalty_s_gradient(exam, sgd_l2_step, sgd_wd_step, equivalent_decay):
    theta, c = exam.rng.normal(size=(2, 4))
    lr, gamma, h = 0.2, exam.rng.uniform(0.3, 2), 1e-6
    loss = lambda x: np.cos(c * x).sum() + gamma * (x**2).sum()
    numeric = [(loss(theta + d) - loss(theta - d)) / (2 * h) for d in h * np.eye(4)]
    step = sgd_l2_step(theta, -c * np.sin(c * theta), lr, gamma) - theta
    exam.same(step, -lr * np.array(numeric), rtol=1e-5, atol=1e-6)


@decay.item(0.5, "With a rate that changes, the rules agree when lam follows the rate at every "
            "step, and part when lam stays constant.")
def schedule(exam, sgd_l2_step, sgd_wd_step, equivalent_decay):
    start, gamma = exam.rng.normal(size=3) + 2, exam.rng.uniform(0.3, 0.8)
    gradients, rates = exam.rng.normal(size=(12, 3)), 0.2 / np.arange(1.0, 13.0)
    lams = [equivalent_decay(lr, gamma) for lr in rates]
    penalties = [(g, lr, gamma) for g, lr in zip(gradients, rates)]
    expected = long_walk(ref.sgd_l2_step, start, penalties)
    exam.same(long_walk(sgd_l2_step, start, penalties), expected)
    exam.same(long_walk(sgd_wd_step, start, list(zip(gradients, rates, lams))), expected)
    constant = long_walk(sgd_wd_step, start, [(g, lr, lams[0]) for g, lr in zip(gradients, rates)])
    exam.true(np.abs(constant - expected).max() > 1e-3, "a constant lam takes the same path")


@decay.item(0.5, "Without gradient the weights shrink by 1 - 2 lr gamma; with lam = 0 the step is "
            "plain gradient descent.", name="no gradient, no decay")
def no_gradient_no_decay(exam, sgd_l2_step, sgd_wd_step, equivalent_decay):
    theta, g = exam.rng.normal(size=(2, 2, 3))
    lr, gamma = exam.rng.uniform(0.1, 0.3, 2)
    exam.same(sgd_l2_step(theta, 0 * g, lr, gamma), (1 - 2 * lr * gamma) * theta)
    exam.same(sgd_wd_step(theta, 0 * g, lr, equivalent_decay(lr, gamma)),
              (1 - 2 * lr * gamma) * theta)
    exam.same(sgd_wd_step(theta, g, lr, 0.0), theta - lr * g)


decay.unmodified(0.5, UNCHANGED)


decay.mistakes_of(equivalent_decay={
    "lam_eta_gamma": ("The derivative of theta^2 is 2 theta: lam = 2 lr gamma.",
                      lambda lr, gamma: lr * gamma),
    "lam_2gamma": ("The penalty's gradient is multiplied by the rate: lam = 2 lr gamma.",
                   lambda lr, gamma: 2 * gamma),
    "lam_over_lr": ("The penalty's gradient is multiplied by the rate, not divided.",
                    lambda lr, gamma: 2 * gamma / lr),
})
decay.mistakes_of(sgd_wd_step={
    "wd_times_lr": ("Here lam is the whole decay of one step: no second factor lr.",
                    lambda theta, g, lr, lam: (1 - lr * lam) * theta - lr * g),
    "decay_after": ("The old theta is shrunk; the step itself is not.",
                    lambda theta, g, lr, lam: (1 - lam) * (theta - lr * g)),
    "growth": ("Decay shrinks: the factor is 1 - lam.",
               lambda theta, g, lr, lam: (1 + lam) * theta - lr * g),
    "wd_forgotten": ("The weights are not decayed.", lambda theta, g, lr, lam: theta - lr * g),
})
decay.mistakes_of(sgd_l2_step={
    "l1": ("This is the gradient of gamma |theta|; the penalty is squared.",
           lambda theta, g, lr, gamma: theta - lr * (g + gamma * np.sign(theta))),
    "l2_no_two": ("The gradient of gamma theta^2 is 2 gamma theta.",
                  lambda theta, g, lr, gamma: theta - lr * (g + gamma * theta)),
    "l2_no_lr": ("The penalty is part of the loss: its gradient is multiplied by lr too.",
                 lambda theta, g, lr, gamma: theta - lr * g - 2 * gamma * theta),
    "l2_grows": ("The penalty pulls to zero: its gradient is added to g.",
                 lambda theta, g, lr, gamma: theta - lr * (g - 2 * gamma * theta)),
})


@decay.mistake("in_place", "The caller's weights are overwritten: *= on an argument changes it.")
def sgd_wd_step(theta, g, lr, lam):
    theta *= 1 - lam
    theta -= lr * g
    return theta


@decay.variant("shrink and step")
def sgd_l2_step(theta, g, lr, gamma):
    return theta * (1 - 2 * gamma * lr) - g * lr


@decay.variant("step and shrink")
def sgd_wd_step(theta, g, lr, lam):
    return theta - lam * theta - lr * g
