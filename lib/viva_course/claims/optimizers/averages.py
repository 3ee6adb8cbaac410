"""What section 3 states about running averages."""

import numpy as np

from viva_course.claiming import between, claim, holds, near


@claim(seeds=1)
def weights_by_hand(notebook, seed):
    weights = notebook.ema_weights(3, 0.9)
    return (near(np.abs(weights - [0.081, 0.09, 0.1]).max(), 0, within=1e-12),
            near(weights.sum(), 0.271, within=1e-12))


@claim(title="The larger beta, the longer the memory", seeds=1)
def newest_and_oldest(notebook, seed):
    small, middle, large = (notebook.ema_weights(40, beta) for beta in (0.5, 0.9, 0.99))
    return (holds(small[-1] > middle[-1] > large[-1] and small[0] < middle[0] < large[0]),
            near(large[0] / large[-1], 2 / 3, within=0.02))


@claim(title="The young average is too small", seeds=1)
def plain_average_climbs(notebook, seed):
    plain = [notebook.ema_weights(t, 0.99).sum() for t in range(1, 401)]
    corrected = [notebook.bias_correct(v, t, 0.99) for t, v in enumerate(plain, start=1)]
    first = 1 + int(np.argmax(np.array(plain) > 0.63))
    return near(first, 100, within=2), near(np.ptp([*corrected, 1.0]), 0, within=1e-9)


@claim(seeds=1)
def memory_in_steps(notebook, seed):
    return tuple(between(notebook.ema_weights(steps, beta).sum(), 0.62, 0.66)
                 for steps, beta in ((10, 0.9), (1000, 0.999)))


@claim(seeds=1)
def correction_fades(notebook, seed):
    changes = np.array([notebook.bias_correct(1.0, t, 0.999) - 1 for t in range(1, 6000)])
    return near(1 + int(np.argmax(changes < 0.01)), 4600, within=50)
