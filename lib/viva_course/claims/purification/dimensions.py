"""What Part D states about soft and hard dimensions and the zero diagonal."""

import numpy as np

from viva_course.claiming import above, below, cause, claim, holds, near

OTHERS = "predicted from the others"


@claim()
def dof_falls(notebook, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(6, 3)) @ rng.normal(size=(3, 20))
    dof = [notebook.effective_dof(X, lam) for lam in np.logspace(-9, 12, 400)]
    return (below(np.diff(dof).max(), 1e-12), near(dof[0], 3, within=1e-6), below(dof[-1], 1e-6),
            below(np.abs(np.diff(dof)).max(), 0.2))


@claim(seeds=1)
def dof_by_hand(notebook, seed):
    return near(notebook.effective_dof(np.diag([2.0, 1.0]), 1.0), 1.3, within=1e-9)


@claim(seeds=1)
def dof_of_eight(notebook, seed):
    X = np.diag(notebook.eight_sigmas)
    return (near(notebook.effective_dof(X, 1.0), 3.75568, within=5e-6),
            near(notebook.effective_dof(X, 4.0), 2.99931, within=5e-6),
            near(notebook.lambda_for_dof(X, 3), 3.9945, within=5e-5))


@claim()
def eckart_and_young(notebook, seed):
    """Against alternating least squares for X = A B with k columns, from three starts."""
    rng = np.random.default_rng(seed)
    X, k, errors = rng.normal(size=(6, 9)), 2, []
    for _ in range(3):
        A = rng.normal(size=(6, k))
        for _ in range(500):
            B = np.linalg.lstsq(A, X, rcond=None)[0]
            A = np.linalg.lstsq(B.T, X.T, rcond=None)[0].T
        errors.append(np.sum((X - A @ B) ** 2))
    own = np.sum((X - notebook.rank_k_purifier(X, k) @ X) ** 2)
    dropped = np.sum(np.linalg.svd(X, compute_uv=False)[k:] ** 2)
    return near(own, dropped, within=1e-9), above(min(errors), own * (1 - 1e-9))


@claim(seeds=1)
def projector_by_hand(notebook, seed):
    X = np.diag([3.0, 2.0, 1.0])
    W = notebook.rank_k_purifier(X, 2)
    return holds(np.allclose(W, np.diag([1, 1, 0]))), near(np.sum((X - W @ X) ** 2), 1, within=1e-9)


@claim(title="Three directions: kept whole, or spread over all", seeds=1)
def hard_and_soft_bars(notebook, seed):
    X = np.diag(notebook.eight_sigmas)
    hard = np.diag(notebook.rank_k_purifier(X, 3))
    soft = np.diag(notebook.purifier(X, notebook.lambda_for_dof(X, 3)))
    return (holds(np.allclose(hard, [1, 1, 1, 0, 0, 0, 0, 0])), near(soft.sum(), 3, within=1e-6),
            above(soft[1], 0.9), near(soft[2], 0.8, within=0.02), near(soft[3], 0.2, within=0.02))


@claim(seeds=1)
def two_equal_channels(notebook, seed):
    W = notebook.zero_diag_purifier(np.ones((2, 2)), 1.0)
    return holds(np.allclose(W, [[0, 2 / 3], [2 / 3, 0]]))


@claim()
def weak_sensor_gains(notebook, seed):
    errors = notebook.sensor_errors(seed=seed)
    return below(errors[OTHERS][0] / errors["sensors"][0], 1 / 3)


@cause(control="three sensors of equal gain")
def strong_sensor_loses(notebook, seed):
    errors, equal = notebook.sensor_errors(seed=seed), notebook.sensor_errors((3, 3, 3), seed)
    return (above(errors[OTHERS][2], errors["sensors"][2]),
            below(equal[OTHERS][2], equal["sensors"][2]))


@claim()
def truth_does_better(notebook, seed):
    errors = notebook.sensor_errors(seed=seed)
    best = errors["best map, from the truth"]
    return tuple(below((best / other).max(), 1) for name, other in errors.items()
                 if name != "best map, from the truth")


@claim(seeds=1)
def nearly_the_identity(notebook, seed):
    errors = notebook.sensor_errors()
    own, stated = errors["map of exercise 3"], (0.233, 0.25, 0.261)
    return (*(near(value, number, within=0.0005) for value, number in zip(own, stated)),
            near((own / errors["sensors"]).min(), 1, within=0.1))
