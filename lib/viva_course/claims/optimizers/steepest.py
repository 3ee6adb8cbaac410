"""What sections 12 to 15 state about steps of matrices."""

import numpy as np

from viva_course.claiming import above, below, between, claim, holds, literature, near


@claim(seeds=1)
def steps_by_hand(notebook, seed):
    g, G = np.array([3.0, -4.0]), np.diag([3.0, 4.0])
    expected = {"l2": [-3, 4], "linf": [-7, 7], "l1": [0, 4]}
    gaps = [np.abs(notebook.steepest(g, norm, 2.0) - step).max()
            for norm, step in expected.items()]
    gaps.append(np.abs(notebook.steepest(G, "spectral", 2.0) + 7 * np.eye(2)).max())
    return near(max(gaps), 0, within=1e-9)


@claim()
def steepest_under_its_norm(notebook, seed):
    """Sign descent and Muon's direction have the signs and the U V^T of steepest descent."""
    rng = np.random.default_rng(seed)
    g, G = rng.normal(size=5), rng.normal(size=(4, 6))
    corner = notebook.steepest(g, "linf", 2.0) / np.abs(g).sum()
    matrix = notebook.steepest(G, "spectral", 2.0) / np.linalg.norm(G, "nuc")
    moved, _ = notebook.muon_step(np.zeros((4, 6)), G, np.zeros((4, 6)), 1.0)
    return (near(np.abs(corner + np.sign(g)).max(), 0, within=1e-9),
            near(np.abs(matrix - moved / np.sqrt(4 / 6)).max(), 0, within=1e-6))


@claim(seeds=1)
def cubic_by_hand(notebook, seed):
    seen = [notebook.lifted(lambda M: notebook.newton_schulz(M, steps), 0.5)
            for steps in (1, 2, 3, 4)]
    return near(np.abs(np.subtract(seen, [0.6875, 0.869, 0.975, 0.999])).max(), 0, within=6e-4)


@claim(seeds=1)
def a_dozen_cubic_steps(notebook, seed):
    after = [notebook.lifted(lambda M: notebook.newton_schulz(M, steps), 0.01)
             for steps in (0, 1, 8, 12)]
    return near(after[1] / after[0], 1.5, 0.01), below(after[2], 0.3), above(after[3], 0.8)


@claim(seeds=1)
def quintic_by_hand(notebook, seed):
    once = notebook.lifted(lambda M: notebook.muon_orthogonalize(M, steps=1), 0.5)
    small = notebook.lifted(lambda M: notebook.muon_orthogonalize(M, steps=1), 1e-3) / 1e-3
    return near(once, 1.1889, within=1e-4), near(small, 3.4, within=0.05)


def quintic(notebook, low, high):
    """Singular values of the result of five tuned steps, for values from low to high."""
    return np.array([notebook.lifted(notebook.muon_orthogonalize, x)
                     for x in np.geomspace(low, high, 2000)])


@claim(seeds=1)
def in_the_band(notebook, seed):
    lifted = quintic(notebook, 0.02, 1)
    return above(lifted.min(), 0.675), below(lifted.max(), 1.14)


@claim(title="Five tuned steps lift all from 0.02 on into the band", seeds=1)
def quintic_against_cubic(notebook, seed):
    cubic = [notebook.lifted(lambda M: notebook.newton_schulz(M, 5), x) for x in (0.02, 0.05, 0.1)]
    lifted = quintic(notebook, 0.02, 1)
    wiggles = np.sum(np.diff(np.sign(np.diff(lifted))) != 0)
    return below(max(cubic), 0.7), between(lifted.min(), 0.67, 0.7), above(wiggles, 3)


@claim(seeds=1)
def overshoot_of_the_small(notebook, seed):
    lifted = quintic(notebook, 0.003, 0.02)
    return above(lifted.min(), 0.5), near(lifted.max(), 1.2, within=0.02)


@claim(seeds=1)
def thirty_cubic_steps(notebook, seed):
    return near(notebook.lifted(lambda M: notebook.newton_schulz(M, 30), 0.003), 1, within=1e-6)


@claim(seeds=1)
def muon_by_hand(notebook, seed):
    W, buf = notebook.muon_step(np.zeros((2, 2)), np.diag([3.0, 4.0]), np.zeros((2, 2)), lr=0.1)
    return (near(np.abs(W + 0.1 * np.eye(2)).max(), 0, within=1e-7),
            holds(np.array_equal(buf, np.diag([3.0, 4.0]))))


@claim()
def change_of_the_output(notebook, seed):
    rng, margins = np.random.default_rng(seed), []
    for d_out, d_in in ((4, 64), (64, 4), (32, 32)):
        (W, G), x = rng.normal(size=(2, d_out, d_in)), rng.normal(size=d_in)
        new, _ = notebook.muon_step(W, G, 0 * G, lr=0.1)
        rms = [np.sqrt(np.mean(a**2)) for a in ((new - W) @ x, x)]
        margins.append(below(rms[0], 0.1 * rms[1] * (1 + 1e-9)) + 1e-9)
    return tuple(margins)


@literature("Jordan and others (2024), Muon: An optimizer for hidden layers in neural networks",
            place="definition of Muon, and the reference code it links")
def published_muon():
    """Nesterov momentum by default, five steps of the quintic, and the factor
    max(1, rows / columns) ** 0.5."""
