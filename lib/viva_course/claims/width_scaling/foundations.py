"""What sections 1 to 6 state: norms, starting weights, sign steps, the table."""

import math

import numpy as np

from viva_course.claiming import above, below, between, cause, claim, holds, near

EXACT = 1e-9


@claim(seeds=1)
def norms_by_hand(notebook, seed):
    ones = np.ones((2, 8))
    return (near(notebook.rms(np.array([3.0, 4.0])), math.sqrt(12.5), within=EXACT),
            near(notebook.rms(ones @ np.ones(8)), 8, within=EXACT),
            near(np.linalg.svd(ones)[1][0], 4, within=EXACT))


@claim()
def product_rule(notebook, seed):
    rng = np.random.default_rng(seed)
    A, B = rng.normal(size=(4, 9)), rng.normal(size=(9, 3))
    norm = notebook.rms_operator_norm
    return below(norm(A @ B), norm(A) * norm(B))


@claim(title="An update uses its whole norm, random weights about half of it")
def half_of_the_norm(notebook, seed):
    weights, updates = notebook.alignment(seed=seed)
    return near(np.mean(weights), 0.5, within=0.05), near(updates.min(), 1, within=EXACT)


@claim()
def twice_a_typical_vector(notebook, seed):
    return tuple(near(1 / np.mean(notebook.alignment(n, 50, seed)[0]), 2, within=0.3)
                 for n in (64, 256))


@claim()
def bound_attained(notebook, seed):
    return near(np.abs(notebook.alignment(draws=50, seed=seed)[1] - 1).max(), 0, within=EXACT)


@claim()
def random_entries_underestimate(notebook, seed):
    n, rng = 256, np.random.default_rng(seed)
    x, g = rng.normal(size=(2, n))
    update = np.outer(g, x)
    mixed = rng.permutation(update.ravel()).reshape(n, n)  # the same entries elsewhere
    ratio = notebook.rms(update @ x) / notebook.rms(mixed @ x)
    return between(ratio, 0.7 * math.sqrt(n), 1.4 * math.sqrt(n))


@claim(seeds=1)
def power_by_hand(notebook, seed):
    found = [notebook.power_norm(np.diag([3.0, 1.0]), np.ones(2), k) for k in (0, 1, 2)]
    return tuple(near(one, stated, within=5e-6)
                 for one, stated in zip(found, (5**0.5, 2.98370, 2.99980), strict=True))


@claim(title="Eight steps give the norm of a random matrix to a tenth")
def eight_steps(notebook, seed):
    at = notebook.POWER_STEPS.index(8)
    return tuple(below(notebook.power_errors(n, seed)[at], 0.1) for n in (16, 64, 256))


@claim()
def norm_of_a_random_matrix(notebook, seed):
    rng = np.random.default_rng(seed)
    return tuple(near(np.linalg.norm(rng.normal(size=(b, a)), 2) / (a**0.5 + b**0.5), 1, within=0.1)
                 for a, b in notebook.SHAPES)


@claim(seeds=1)
def moments_by_hand(notebook, seed):
    return (near(notebook.dense_rms2(256, 1.0), 256, within=EXACT),
            near(notebook.dense_rms2(256, 1 / 16), 1, within=EXACT))


@claim(seeds=1)
def starts_by_hand(notebook, seed):
    return (near(notebook.mup_init_std(400, 400), 0.05, within=EXACT),
            near(notebook.mup_init_std(100, 800), 0.1, within=EXACT))


@claim(title="The classical rule is too large for narrowing layers")
def factors_of_the_start(notebook, seed):
    yours = notebook.start_norms(notebook.mup_init_std, seed)
    classical = notebook.start_norms(notebook.classical_std, seed)
    return (*(near(one, stated, within=0.1) for one, stated in zip(yours, (2.0, 1.35, 1.2),
                                                                   strict=True)),
            above(classical[2], 3))


@claim()
def classical_grows(notebook, seed):
    rng = np.random.default_rng(seed)

    def norm(inputs):
        return notebook.rms_operator_norm(rng.normal(size=(50, inputs)) / inputs**0.5)

    return near(norm(1600), 6.6, within=0.3), near(norm(6400) / norm(1600), 2, within=0.4)


@claim(seeds=1)
def signs_by_hand(notebook, seed):
    return (near(notebook.sign_update_rms2(1, 0.3), 0.09, within=EXACT),
            near(notebook.sign_update_rms2(50), 1609.7, within=0.05),
            near(2 / math.pi * 50**2, 1591.5, within=0.1))


def slope(notebook, aligned, seed):
    """Of the size of a step over the width, from 16 inputs on."""
    sizes = notebook.sign_sizes(aligned, seed)[4:]
    return np.polyfit(np.log(notebook.SIGN_WIDTHS[4:]), np.log(sizes), 1)[0]


@cause(control="signs that are drawn at random",
       title="One sign step moves the output in proportion to the width")
def alignment_makes_it_grow(notebook, seed):
    return (near(slope(notebook, True, seed), 1, within=0.05),
            near(slope(notebook, False, seed), 0.5, within=0.05))


@claim(seeds=1)
def flat_with_the_rate(notebook, seed):
    sizes = [notebook.sign_update_rms2(n, notebook.sign_lr(n)) ** 0.5 for n in (1, 256, 4096)]
    return (near(sizes[0], 1, within=EXACT), near(sizes[1], 0.8, within=0.02),
            near(sizes[2], 0.8, within=0.02))


@claim(seeds=1)
def unit_scale_by_hand(notebook, seed):
    return holds((notebook.unit_scale_const(256), notebook.unit_scale_lr("sign", 256, 64),
                  notebook.unit_scale_lr("muon", 256, 64)) == (1 / 16, 1 / 16, 8))


@claim(seeds=1)
def table_by_hand(notebook, seed):
    table = notebook.mup_table([64, 256, 256, 10], [64, 64, 64, 10], 0.01)
    return near(np.abs(np.array(table)[:, 0] - [1 / 8, 1 / 16, 1 / 32]).max()
                + abs(table[0][1] - 0.01), 0, within=EXACT)
