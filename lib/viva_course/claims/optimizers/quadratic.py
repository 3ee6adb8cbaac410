"""What sections 8 to 10 state about speed on quadratics."""

import numpy as np

from viva_course.claiming import above, below, claim, holds, near


@claim(seeds=1)
def numbers_of_heavy_ball(notebook, seed):
    eps, alpha = notebook.optimal_heavy_ball(1.0, 100.0)
    radii = [notebook.heavy_ball_radius(h, eps, alpha) for h in np.linspace(1, 100, 34)]
    descent = [notebook.heavy_ball_radius(h, 2 / 101, 0.0) for h in (1.0, 100.0)]
    plain = notebook.heavy_ball_radius(2.0, 0.7, 0.0)
    return (near(alpha, (9 / 11) ** 2, within=1e-9), near(max(radii), 0.818, within=6e-4),
            near(min(radii), 0.818, within=6e-4), near(max(descent), 0.980, within=6e-4),
            near(plain, 0.4, within=1e-9))


@claim()
def root_of_the_condition(notebook, seed):
    condition = float(np.random.default_rng(seed).uniform(4, 1000))
    eps, alpha = notebook.optimal_heavy_ball(1.0, condition)
    radius = max(notebook.heavy_ball_radius(h, eps, alpha) for h in (1.0, condition))
    root = np.sqrt(condition)  # of descent: (condition - 1) / (condition + 1)
    return near(radius, (root - 1) / (root + 1), within=1e-5)


@claim(title="Momentum widens the stable range (left of the dashed line)", seeds=1)
def stable_range(notebook, seed):
    margins = []
    for alpha in (0.0, 0.3, 0.6, 0.9, 0.99):
        end = 2 * (1 + alpha)
        margins += [below(notebook.heavy_ball_radius(1.0, 0.99 * end, alpha), 1),
                    above(notebook.heavy_ball_radius(1.0, 1.01 * end, alpha), 1)]
    return tuple(margins)


@claim(seeds=1)
def darkest_point(notebook, seed):
    radius = {(eps, alpha): notebook.heavy_ball_radius(1.0, eps, alpha)
              for eps in np.linspace(0.1, 3.9, 39) for alpha in np.linspace(0, 0.95, 20)}
    eps, alpha = min(radius, key=radius.get)
    flat = [notebook.heavy_ball_radius(1.0, eps, 0.64) for eps in (0.05, 1.0, 2.0, 3.2)]
    return (near(eps, 1, within=0.01), near(alpha, 0, within=0.01),
            near(np.ptp([*flat, 0.8]), 0, within=1e-6))


@claim(seeds=1)
def looking_ahead_by_hand(notebook, seed):
    theta, v = notebook.nesterov_step(0.0, 0.0, 1.0, 0.9, 0.1)
    return near(theta, -0.19, within=1e-12), near(v, 1, within=1e-12)


@claim(seeds=1)
def halving_by_hand(notebook, seed):
    def halve(x, grad, state):
        return x - 0.5 * grad, state

    return holds(notebook.iterations_to(halve, np.eye(1), np.ones(1), 0.1) == 4)


def counted(notebook, name):
    """Steps from (1, 1) to 1e-6 for curvatures 1 and 100, and the first positions (61, 2)."""
    H = np.diag([1.0, 100.0])
    rule = notebook.three_rules(H)[name]
    return (notebook.iterations_to(rule, H, np.ones(2), 1e-6),
            notebook.path_of(rule, H, np.ones(2)))


@claim(seeds=1)
def descent_creeps(notebook, seed):
    count, path = counted(notebook, "gradient descent")
    return (near(count, 691, within=1), holds(np.all(path[1:, 1] * path[:-1, 1] < 0)),
            above(path[-1, 0], 0.2))


@claim(seeds=1)
def ball_swings_out(notebook, seed):
    count, path = counted(notebook, "heavy ball")
    return near(count, 93, within=1), near(691 / count, 7, within=0.5), above(-path[:, 1].min(), 2)


@claim(seeds=1)
def adam_on_the_diagonal(notebook, seed):
    count, path = counted(notebook, "Adam")
    return (near(count, 212, within=1), below(np.abs(path[:, 0] - path[:, 1]).max(), 1e-4),
            below(path[:, 0].min(), -0.05))
