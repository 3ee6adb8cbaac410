"""What the section about the share of the signal states."""

import numpy as np

from viva_course.claiming import above, below, claim, holds, near

SHARE, SOFT, HARD = "share of the signal", "soft, best λ", "hard, k = 3"


@claim(seeds=1)
def wiener_by_hand(notebook, seed):
    Y = np.full((1, 2), 2.0)
    return (near(np.linalg.norm(Y) ** 2, 8, within=1e-9),
            near(notebook.wiener_purifier(Y, 1.0)[0, 0], 0.75, within=1e-9))


@claim()
def untuned_beats_the_best_penalty(notebook, seed):
    errors, first = notebook.three_filters(seed), notebook.three_filters()
    return (below(errors[SHARE] / errors[SOFT], 1), near(first[SHARE], 0.173, within=0.0005),
            near(first[SOFT], 0.22, within=0.0005))


@claim(seeds=1)
def untuned_against_hard(notebook, seed):
    ahead = [found[SHARE] < found[HARD] for found in map(notebook.three_filters, range(10))]
    return holds(ahead[0]), holds(sum(ahead) == 8)


@claim()
def noise_is_not_even(notebook, seed):
    Y, _ = notebook.make_low_rank(20, 200, 3, seed=seed)
    power = np.linalg.svd(Y, compute_uv=False) ** 2
    return near(power[3] / 200, 1.5, within=0.3), above(power[3] / power[-1], 2)
