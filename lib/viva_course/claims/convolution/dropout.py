"""What the sections on dropout state."""

import numpy as np

from viva_course.claiming import above, below, cause, claim, literature, near


@claim(seeds=1, title="An infinitesimal drop rate changes everything (dots: no dropout, shortest)")
def jump_at_zero(notebook, seed):
    (first, second), = notebook.ridge_path([1e-7])
    shortest = np.linalg.pinv(np.array([[10.0, 1.0]])) @ [11.0]
    return (near(first, 0.55, within=0.001), near(second, 5.5, within=0.01),
            near(shortest[0], 1.0891, within=1e-4), near(shortest[1], 0.1089, within=1e-4))


@claim()
def units_change_the_shortest(notebook, seed):
    rng = np.random.default_rng(seed)
    x, new, units = np.array([[10.0, 1.0]]), rng.normal(size=2), np.array([7.0, 1.0])

    def change(solve):
        return abs(solve(x) @ new - solve(x * units) @ (new * units))

    y = np.array([11.0])
    return (below(change(lambda X: notebook.dropout_ridge_solution(X, y, 0.7)), 1e-9),
            above(change(lambda X: np.linalg.pinv(X) @ y), 1e-3))


@claim()
def ridge_on_unit_columns(notebook, seed):
    rng, p = np.random.default_rng(seed), 0.3
    X, y = rng.normal(size=(9, 4)) * [1, 5, 0.2, 3], rng.normal(size=9)
    lengths = np.linalg.norm(X, axis=0)
    Z = X / lengths
    plain = np.linalg.solve(Z.T @ Z + (1 - p) / p * np.eye(4), Z.T @ y) / lengths
    return below(np.abs(notebook.dropout_ridge_solution(X, y, p) - plain).max(), 1e-9)


@claim(title="Training with masks lands on the formula")
def masks_land(notebook, seed):
    X, y = notebook.datasets.diabetes()
    gap = notebook.train_with_masks(X, y, 0.5, seed=seed) - notebook.dropout_ridge_solution(
        X, y, 0.5)
    return below(np.abs(gap).max(), 0.015)


@claim(seeds=1)
def s1_and_s2(notebook, seed):
    X, y = notebook.datasets.diabetes()
    least, masked = (notebook.dropout_ridge_solution(X, y, p) for p in (1.0, 0.5))
    return (near(np.corrcoef(X.T)[4, 5], 0.9, within=0.01), near(least[4], -0.49, within=0.01),
            near(least[5], 0.29, within=0.01), below(np.abs(masked[4:6]).max(), 0.03),
            near(least[6], 0.06, within=0.01), near(masked[6], -0.09, within=0.01))


@cause(control="the same columns made uncorrelated, where every weight is halved")
def correlation_is_the_cause(notebook, seed):
    X, y = notebook.datasets.diabetes()
    rng = np.random.default_rng(seed)
    whitened = np.linalg.qr(X[:, rng.permutation(10)])[0]

    def shares(columns):  # of every weight of least squares, what dropout leaves
        least, masked = (notebook.dropout_ridge_solution(columns, y, p) for p in (1.0, 0.5))
        return masked / least

    return (below(np.abs(shares(X)[4:6]).max(), 0.1),
            below(np.abs(shares(whitened) - 0.5).max(), 1e-6))


@literature("Hinton et al. (2012), arXiv:1207.0580", place="title",
            quotes="preventing co-adaptation of feature detectors")
def co_adaptation():
    """Improving neural networks by preventing co-adaptation of feature detectors."""


@literature("Srivastava et al. (2014), JMLR 15", place="section 1, figure 2")
def paper_scaled_at_test_time():
    """At test time the weights are multiplied by the probability to keep."""
