"""Public cases of gradient descent on one weight."""

from viva.case import case


@case("gd_scalar")
def seven_steps(rng, gd_scalar):
    """seven steps from w0 = 0.4: a cautious rate, one that overshoots, one that diverges"""
    sigma, y = float(rng.uniform(1.2, 2)), float(rng.uniform(1, 3))
    return [gd_scalar(sigma, y, share / sigma**2, 0.4, 7) for share in (0.1, 0.6, 1.2)]


@case("gd_scalar")
def negative_sigma(rng, gd_scalar):
    """a negative sigma, four steps"""
    return gd_scalar(-float(rng.uniform(0.5, 0.8)), 2.0, 0.3, -1.0, 4)


@case("gd_scalar")
def no_step(rng, gd_scalar):
    """t = 0: nothing has happened yet"""
    return gd_scalar(1.5, 2.0, 0.1, float(rng.uniform(3, 5)), 0)


@case("gd_scalar")
def worked_bound(rng, max_lr_scalar):
    """sigma = 2: 0.25"""
    return max_lr_scalar(2.0)


@case("gd_scalar")
def other_bounds(rng, max_lr_scalar):
    """three other sigmas, one of them negative"""
    small, large = float(rng.uniform(0.2, 0.7)), float(rng.uniform(3, 9))
    return [max_lr_scalar(small), max_lr_scalar(large), max_lr_scalar(-large)]


@case("gd_scalar")
def worked_steps(rng, steps_to_tol):
    """sigma = 1, eta = 0.1: 31 steps to 1e-3, 62 to 1e-6"""
    return [steps_to_tol(1.0, 0.1, 1e-3), steps_to_tol(1.0, 0.1, 1e-6)]


@case("gd_scalar")
def overshooting(rng, steps_to_tol):
    """sigma = 1, eta = 0.9: the error changes its sign at every step, 31 steps to 1e-3"""
    return steps_to_tol(1.0, 0.9, 1e-3)


@case("gd_scalar")
def patient(rng, steps_to_tol):
    """sigma = 1, eta = 0.001: 3,451 steps to 1e-3"""
    return steps_to_tol(1.0, 0.001, 1e-3)


@case("gd_scalar")
def very_patient(rng, steps_to_tol):
    """sigma = 1, eta = 0.000002: 1,726,936 steps to 1e-3"""
    return steps_to_tol(1.0, 2e-6, 1e-3)


@case("gd_scalar")
def one_step_is_enough(rng, steps_to_tol):
    """sigma = 1, eta = 0.5: one step"""
    return steps_to_tol(1.0, 0.5, 1e-3)


@case("gd_scalar")
def never(rng, steps_to_tol):
    """rates at and above the bound, and eta = 0: infinity"""
    return [steps_to_tol(1.0, eta, 1e-2) for eta in (1.0, 1.0 + float(rng.uniform(0.1, 1)), 0.0)]


@case("gd_scalar")
def other_steps(rng, steps_to_tol):
    """six other settings, with another sigma"""
    sigma = float(rng.uniform(1.5, 3))
    shares, tolerances = rng.uniform(0.02, 0.98, 6), 10 ** rng.uniform(-6, -0.1, 6)
    return [steps_to_tol(sigma, float(share) / sigma**2, float(eps))
            for share, eps in zip(shares, tolerances)]
