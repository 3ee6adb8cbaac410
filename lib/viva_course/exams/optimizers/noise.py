"""The noise experiment: which weights a decay rule shrinks."""
import numpy as np

from viva_course.reference import optimizers as ref
from viva_course.rubric import Exercise

experiment = Exercise(
    "decay_experiment", homework="optimizers", points=4, reference=(ref.decay_experiment,),
    expects="the mean of n weights that start at 1 and see scaled noise as gradients",
)
experiment.values(2, "The mean weight must be that of the protocol.")


@experiment.item("small gradients, more decay", 1, "Under an L2 penalty in Adam the weights with "
                 "small gradients shrink most; under decoupled decay all shrink alike.")
def _(exam, decay_experiment):
    seed = int(exam.rng.integers(1000))
    for rule, low, high in ((ref.adam_l2_step, 0.5, 0.93), (ref.adamw_step, 0.7, 0.7)):
        short = {"steps": 100, "n": 50, "lr": 2e-2, "lam": 0.1, "seed": seed}
        small, large = (decay_experiment(rule, scale, **short) for scale in (0.1, 10.0))
        if rule is ref.adam_l2_step:
            exam.true(bool(small < low and large > high), "the L2 penalty must shrink small-"
                      "gradient weights below 0.5 and leave large-gradient ones above 0.93")
        else:
            exam.true(bool(abs(small - large) < 1e-3 and small > low), "decoupled decay must "
                      "not depend on the gradient's scale")
        exam.same([small, large], [ref.decay_experiment(rule, s, **short) for s in (0.1, 10.0)],
                  rtol=0, atol=1e-10)


@experiment.item("protocol", 1, "One draw of size n per step from default_rng(seed), the state "
                 "passed on from step to step, and the default settings of the signature.")
def _(exam, decay_experiment):
    scale = exam.rng.uniform(0.5, 3)
    calls, draws = [], np.random.default_rng(0)

    def step(theta, g, state, lr, lam):
        gap = np.abs(g - scale * draws.normal(size=400)).max()
        seen = (bool(gap < 1e-12), dict(state), lr, lam)
        calls.append(seen == (True, {"n": len(calls)} if calls else {}, 1e-3, 0.1))
        return np.asarray(theta) * 0.999, {"n": len(calls)}

    mean = decay_experiment(step, scale)
    exam.true(len(calls) == 2000, f"by default 2000 steps are made, not {len(calls)}")
    exam.true(all(calls), "a gradient, a state, lr or lam is not the protocol's")
    exam.same(mean, 0.999**2000, rtol=1e-9, atol=0)


@experiment.mistake("swapped_rules", "The rule that was passed in is not the one that is used.")
def decay_experiment(step, scale, steps=2000, n=400, lr=1e-3, lam=0.1, seed=0):
    rng = np.random.default_rng(seed)
    decoupled = float(step(np.ones(1), np.zeros(1), {}, lr=lr, lam=lam)[0][0]) > 1 - lr / 2
    theta, m, v = np.ones(n), 0.0, 0.0
    for t in range(1, steps + 1):
        g = scale * rng.normal(size=n) + (lam * theta if decoupled else 0.0)
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2
        theta = theta - (0.0 if decoupled else lr * lam) * theta - lr * (m / (1 - 0.9**t)) / (
            np.sqrt(v / (1 - 0.999**t)) + 1e-8)
    return float(theta.mean())


@experiment.mistake("fresh_state", "The state must be passed on: with {} every step is a first "
                    "step.")
def decay_experiment(step, scale, steps=2000, n=400, lr=1e-3, lam=0.1, seed=0):
    rng, theta = np.random.default_rng(seed), np.ones(n)
    for _ in range(steps):
        theta, _ = step(theta, scale * rng.normal(size=n), {}, lr=lr, lam=lam)
    return float(theta.mean())


@experiment.mistake("scale_ignored", "The noise is multiplied by scale.")
def decay_experiment(step, scale, steps=2000, n=400, lr=1e-3, lam=0.1, seed=0):
    rng, theta, state = np.random.default_rng(seed), np.ones(n), {}
    for _ in range(steps):
        theta, state = step(theta, rng.normal(size=n), state, lr=lr, lam=lam)
    return float(theta.mean())


@experiment.mistake("same_sign_noise", "The noise has mean zero: normal, not its absolute value.")
def decay_experiment(step, scale, steps=2000, n=400, lr=1e-3, lam=0.1, seed=0):
    rng, theta, state = np.random.default_rng(seed), np.ones(n), {}
    for _ in range(steps):
        theta, state = step(theta, scale * np.abs(rng.normal(size=n)), state, lr=lr, lam=lam)
    return float(theta.mean())


@experiment.mistake("same_noise", "Each step draws new noise; make the generator once, before the "
                    "loop.")
def decay_experiment(step, scale, steps=2000, n=400, lr=1e-3, lam=0.1, seed=0):
    theta, state = np.ones(n), {}
    for _ in range(steps):
        g = scale * np.random.default_rng(seed).normal(size=n)
        theta, state = step(theta, g, state, lr=lr, lam=lam)
    return float(theta.mean())


@experiment.mistake("default_strength", "lr and lam must be handed to the step.")
def decay_experiment(step, scale, steps=2000, n=400, lr=1e-3, lam=0.1, seed=0):
    rng, theta, state = np.random.default_rng(seed), np.ones(n), {}
    for _ in range(steps):
        theta, state = step(theta, scale * rng.normal(size=n), state, lr=1e-3, lam=0.1)
    return float(theta.mean())


@experiment.mistake("from_zero", "The weights start at 1.")
def decay_experiment(step, scale, steps=2000, n=400, lr=1e-3, lam=0.1, seed=0):
    rng, theta, state = np.random.default_rng(seed), np.zeros(n), {}
    for _ in range(steps):
        theta, state = step(theta, scale * rng.normal(size=n), state, lr=lr, lam=lam)
    return float(theta.mean())


@experiment.mistake("seed_ignored", "The generator is default_rng(seed).")
def decay_experiment(step, scale, steps=2000, n=400, lr=1e-3, lam=0.1, seed=0):
    rng, theta, state = np.random.default_rng(0), np.ones(n), {}
    for _ in range(steps):
        theta, state = step(theta, scale * rng.normal(size=n), state, lr=lr, lam=lam)
    return float(theta.mean())


@experiment.variant("all noise at once")
def decay_experiment(step, scale, steps=2000, n=400, lr=1e-3, lam=0.1, seed=0):
    theta, state = np.full(n, 1.0), {}
    for g in np.random.default_rng(seed).normal(size=(steps, n)) * scale:
        theta, state = step(theta, g, state, lr=lr, lam=lam)
    return np.mean(theta)
