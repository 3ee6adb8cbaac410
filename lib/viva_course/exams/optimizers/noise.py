"""The noise experiment: which weights a decay rule shrinks."""
import numpy as np

from viva.cases.optimizers.noise import leaking_step, long_run, mean_weights
from viva_course.reference import optimizers as ref
from viva_course.rubric import Exercise

experiment = Exercise("decay_experiment", "the mean of n weights that start at 1 and see scaled "
                      "noise as gradients")
experiment.values(2, "The mean weight must be that of the protocol.")


@experiment.item(1, "Under an L2 penalty in Adam the weights with small gradients shrink most; "
                 "under decoupled decay all shrink alike.", name="small gradients, more decay")
def small_gradients_more_decay(exam, decay_experiment):
    scales, short = (0.1, 10.0), {"steps": 10, "n": 200, "lr": 0.1, "lam": 0.1,
                                  "seed": int(exam.rng.integers(1000))}
    means = {}
    for name, rule in (("Adam", ref.adam_l2_step), ("AdamW", ref.adamw_step)):
        means[name] = mean_weights(decay_experiment, name, scales, short)
        expected = [ref.decay_experiment(rule, scale, **short) for scale in scales]
        exam.same(means[name], expected, rtol=0, atol=1e-10)
    small, large = means["Adam"]
    # The means differ by 0.62 with a standard deviation of 0.02 over seeds.
    exam.true(small < large - 0.4, "the L2 penalty must shrink small-gradient weights more")
    small, large = means["AdamW"]
    exam.true(abs(small - large) < 1e-3, "decoupled decay must not depend on the scale")


@experiment.item(1, "One draw of size n per step from default_rng(seed), the state passed on from "
                 "step to step, and the default settings of the signature.")
def protocol(exam, decay_experiment):
    scale = exam.rng.uniform(0.5, 3)
    other = {"steps": 5, "n": 7, "lr": 0.3, "lam": 0.6, "seed": 11}
    for settings in ({"steps": 5}, other):
        exam.same(decay_experiment(leaking_step, scale, **settings),
                  ref.decay_experiment(leaking_step, scale, **settings), rtol=0, atol=1e-10)
    settings = {"n": 5}  # with {"steps": 5} above, every default is left alone once
    exam.same(long_run(decay_experiment, scale, settings),
              long_run(ref.decay_experiment, scale, settings), rtol=1e-9, atol=1e-9)


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


@experiment.mistake("drawn_by_columns", "Drawn all at once, the noise has the shape (steps, n): a "
                    "column of (n, steps) holds other numbers than the draw of a step.")
def decay_experiment(step, scale, steps=2000, n=400, lr=1e-3, lam=0.1, seed=0):
    theta, state = np.ones(n), {}
    for g in scale * np.random.default_rng(seed).normal(size=(n, steps)).T:
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


@experiment.mistake("mean_of_sizes", "The mean of the weights is asked for, not of their sizes.")
def decay_experiment(step, scale, steps=2000, n=400, lr=1e-3, lam=0.1, seed=0):
    rng, theta, state = np.random.default_rng(seed), np.ones(n), {}
    for _ in range(steps):
        theta, state = step(theta, scale * rng.normal(size=n), state, lr=lr, lam=lam)
    return float(np.abs(theta).mean())


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
