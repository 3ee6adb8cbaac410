"""What sections 5 and 6 state: climbs, and the baseline on the stairs."""

import functools

import numpy as np

from viva_course.claiming import above, below, cause, claim, holds, near

START, TOP = (-0.3, 0.5), (2.18, 2.045)


def resting_place(gradient, start=(2.0, 2.0)):
    """Where ascent without noise ends."""
    point = np.array(start)
    for _ in range(4000):
        point = point + 0.02 * gradient(*point)
    return point


def forward(f, delta):
    return lambda x, y: np.array([f(x + delta, y) - f(x, y), f(x, y + delta) - f(x, y)]) / delta


@functools.cache
def climb(notebook, kind, s):
    """The path of one of the figure's climbs, (61, 2)."""
    with np.errstate(all="ignore"):
        return notebook.ascend(kind, START, 0.3, 20, 0.1, 60, np.random.default_rng(s))


def climbs(notebook, kind, seeds):
    """Paths of many of them, (seeds, 61, 2)."""
    return np.array([climb(notebook, kind, s) for s in seeds])


@claim(seeds=1, title="Plain ascent is stuck, blurred ascent climbs on")
def plain_is_stuck(notebook, seed):
    end = notebook.ascend("plain", START, 0.3, 5, 0.01, 500, np.random.default_rng(0))[-1]
    axis = np.arange(-1, 3.001, 0.005)
    east, north = np.meshgrid(axis, axis)
    heights = notebook.landscape(east, north)
    best = np.unravel_index(heights.argmax(), heights.shape)
    return (near(end[0], 0.045372, 1e-6), near(end[1], 0.848328, 1e-6),
            near(notebook.landscape(*end), -3.538, 5e-4), near(heights.max(), 1.962, 5e-4),
            near(east[best], 2.18, 0.003), near(north[best], 2.045, 0.003))


@claim()
def reparam_arrives(notebook, seed):
    ends = climbs(notebook, "reparam", range(200 * seed, 200 * seed + 200))[:, -1]
    return above(np.mean(notebook.smoothed_exact(*ends.T, 0.3) > -0.5), 0.97)


@claim()
def blurred_arrive(notebook, seed):
    seeds = range(20 * seed, 20 * seed + 20)
    return tuple(above(np.mean(np.linalg.norm(climbs(notebook, kind, seeds)[:, -1] - TOP, axis=1)
                               < 1.2), 0.8) for kind in ("score", "reparam", "fd"))


@claim(seeds=1)
def fd_rests_short(notebook, seed):
    def hill(x, y):
        return notebook.smoothed_exact(x, y, 0.3)

    top = resting_place(lambda x, y: notebook.smoothed_grad_exact(x, y, 0.3))
    wide, narrow = (resting_place(forward(hill, delta)) for delta in (0.25, 0.1))
    off = (top - wide) / 0.125
    return (near(wide[0], 1.62, 0.006), near(wide[1], 1.67, 0.006), near(top[0], 2.08, 0.006),
            near(top[1], 2.00, 0.006), near(narrow[0], 1.96, 0.006), near(narrow[1], 1.92, 0.006),
            near(off[0], 3.2, 0.6), near(off[1], 3.0, 0.6))


@cause(control="a round parabola", seeds=1)
def ridge_is_to_blame(notebook, seed):
    ridge = resting_place(forward(lambda x, y: notebook.smoothed_exact(x, y, 0.3), 0.25))
    round_hill = resting_place(forward(lambda x, y: -((x - 2) ** 2) - (y - 2) ** 2, 0.25))
    return (above(2.076 - ridge[0], 0.3),
            min(near(2 - round_hill[0], 0.125, 1e-6), near(2 - round_hill[1], 0.125, 1e-6)))


@claim()
def variances_again(notebook, seed):
    rng = np.random.default_rng([1, seed])
    score, reparam = (np.var([notebook.smoothed_estimators(0.3, 0.9, 0.3, 20, rng, kind)
                              for _ in range(4000)], axis=0).sum() for kind in ("score", "reparam"))
    return near(score, 26, 2), near(reparam, 2.7, 0.25)


@claim(seeds=1)
def one_overflow(notebook, seed):
    ends = climbs(notebook, "score", range(500))[:, -1]
    return holds(np.sum(~np.isfinite(ends).all(axis=1)) == 1)


@claim(seeds=1)
def calm_at_the_top(notebook, seed):
    def last_steps(kind):
        steps = np.diff(climbs(notebook, kind, range(500))[:, -31:], axis=1)
        return np.nanmedian(np.linalg.norm(steps, axis=2).mean(axis=1))  # one overflows

    with np.errstate(all="ignore"):
        return tuple(near(last_steps(kind), stated, within=0.006)
                     for kind, stated in (("score", 0.13), ("fd", 0.15), ("reparam", 0.18)))


def heights_around(notebook, point, seed, n=200_000):
    z = np.random.default_rng(seed).standard_normal((2, n))
    return notebook.staircase(point[0] + 0.3 * z[0], point[1] + 0.3 * z[1])


@claim()
def best_on_the_flank(notebook, seed):
    found = []
    for point, best, mean in ((START, -1.67, -1.69), ((0.6, 1.1), -0.61, -0.49)):
        rng = np.random.default_rng(seed)
        found += [near(notebook.best_baseline(point, 0.3, 200_000, rng), best, 0.012),
                  near(heights_around(notebook, point, seed).mean(), mean, 0.012)]
    return tuple(found)


@claim(title="At the top the best baseline is none")
def none_is_best_at_the_top(notebook, seed):
    best = notebook.best_baseline(TOP, 0.3, 200_000, np.random.default_rng(seed))
    mean = heights_around(notebook, TOP, seed).mean()
    none, plain, centre = (notebook.stair_variance(TOP, b) for b in (0.0, mean, 1.0))
    return (near(best, 0.0, 0.01), near(mean, 0.09, 0.01), near(none, 0.21, 0.02),
            near(plain, 0.37, 0.03), near(centre, 22, 0.7))


@claim()
def nine_of_ten_miss(notebook, seed):
    return near(np.mean(heights_around(notebook, TOP, seed) == 0), 0.91, 0.01)


@claim()
def flank_needs_one(notebook, seed):
    best = notebook.best_baseline(START, 0.3, 50_000, np.random.default_rng(seed))
    return (near(notebook.stair_variance(START, 0.0), 69, 2),
            below(notebook.stair_variance(START, best), 7))


@claim(title="Two unbiased baselines ruin the climb")
def arrivals_of_five(notebook, seed):
    seeds = range(200 * seed, 200 * seed + 200)
    ends = {name: notebook.arrivals(baseline, seeds)[-1]
            for name, baseline in notebook.BASELINES.items()}
    return (*(above(ends[name], 0.9) for name in list(ends)[:3]),
            below(ends["height at the centre"], 0.4), below(ends["the constant 1"], 0.1))


@cause(control="the same first step without a baseline")
def why_centre_fails(notebook, seed):
    def stays(baseline):
        ends = [notebook.ascend_quantized(TOP, 0.3, 50, 0.5, 1, np.random.default_rng([seed, s]),
                                          baseline)[-1] for s in range(200)]
        return np.mean(notebook.staircase(*np.transpose(ends)) == 1)

    return below(stays(notebook.staircase), 0.5), above(stays(None), 0.9)
