"""What the experiment with noisy gradients states."""

import functools

from viva_course.claiming import above, below, cause, claim, near

PLAIN, TENTH, BALL, BATCH, FALLING = range(5)  # the settings of the notebook, in their order


@functools.cache
def noisy(notebook, seed):
    """The losses of every setting, step by step."""
    return [notebook.noisy_losses(**each, seed=seed) for each in notebook.NOISY.values()]


def floor(losses):
    return losses[-300:].mean()


def arrival(losses):
    """The first step at which the loss is below 0.1."""
    return int((losses < 0.1).argmax())


@claim(title="Momentum raises the noise floor as a larger rate does")
def faster_and_noisier(notebook, seed):
    runs = noisy(notebook, seed)
    return (above(arrival(runs[PLAIN]) / arrival(runs[BALL]), 3),
            near(floor(runs[BALL]) / floor(runs[PLAIN]), 9, within=1.5))


@claim()
def a_tenth_of_the_rate(notebook, seed):
    runs = noisy(notebook, seed)
    down = [run[80:300].mean() for run in (runs[TENTH], runs[PLAIN])]
    return (above(runs[TENTH][10] / runs[PLAIN][10], 10), near(down[0] / down[1], 1, within=0.1),
            near(floor(runs[TENTH]) / floor(runs[PLAIN]), 1, within=0.25))


@claim()
def batch_of_ten(notebook, seed):
    runs = noisy(notebook, seed)
    return near(floor(runs[BATCH]) / floor(runs[BALL]), 0.1, within=0.015)


@claim()
def falling_rate_has_both(notebook, seed):
    runs = noisy(notebook, seed)
    others = [run for number, run in enumerate(runs) if number != FALLING]
    return (near(arrival(runs[FALLING]) / arrival(runs[BALL]), 1, within=0.5),
            below(runs[FALLING][-10:].mean(), min(map(floor, others))))


@cause(control="the same run with next to no noise")
def floor_is_noise(notebook, seed):
    quiet = notebook.noisy_losses(0.005, 0.9, batch=1e30, seed=seed)
    return above(floor(noisy(notebook, seed)[BALL]), 0.01), below(quiet[-1], 1e-12)
