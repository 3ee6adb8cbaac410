"""Heavy ball on quadratics, Nesterov, and counting steps."""
import numpy as np

from viva.case import beside, case

from .paths import velocity_path


# At a double root eigenvalues are good to 1e-8 only, so rates are compared at 1e-6.
@case("heavy_ball_radius", rtol=1e-6)
def radius(rng, heavy_ball_radius, heavy_ball_max_step, optimal_heavy_ball):
    """the radius without momentum, and for three curvatures with momentum"""
    alpha, lam = rng.uniform(0.3, 0.9), rng.uniform(0.2, 2)
    plain = [heavy_ball_radius(lam, eps / lam, 0.0) for eps in (0.4, 1.5)]
    return plain + [heavy_ball_radius(c * lam, 0.1, alpha) for c in (0.1, 10, 60)]


@case("heavy_ball_radius")
def largest_step(rng, heavy_ball_radius, heavy_ball_max_step, optimal_heavy_ball):
    """the largest stable step without momentum and with"""
    lam, alpha = rng.uniform(0.5, 3), rng.uniform(0.3, 0.9)
    return [heavy_ball_max_step(lam, 0.0), heavy_ball_max_step(lam, alpha)]


@case("heavy_ball_radius")
def best_pair(rng, heavy_ball_radius, heavy_ball_max_step, optimal_heavy_ball):
    """the best pair for mu = 1, L = 100, and for random curvatures"""
    mu = rng.uniform(0.2, 2)
    return [optimal_heavy_ball(1.0, 100.0), optimal_heavy_ball(mu, rng.uniform(3, 50) * mu)]


@case("nesterov_step")
def first_nesterov_step(rng, nesterov_step):
    """the first step is -(1 + mu) lr g"""
    return nesterov_step(np.zeros(2), np.zeros(2), np.array([1.0, -2.0]), 0.9, 0.1)


@case("nesterov_step")
def nesterov_path(rng, nesterov_step):
    """eight random gradients"""
    mu, lr = rng.uniform(0.6, 0.9), rng.uniform(0.05, 0.2)
    gradients = rng.normal(size=(8, 2, 2))
    start = rng.normal(size=(2, 2))
    thetas, vs = velocity_path(nesterov_step, gradients, start, np.zeros((2, 2)), mu, lr)
    return {"theta": thetas, "v": vs}


def gradient_descent(rate):
    return lambda theta, grad, state: (theta - rate * grad, state)


def two_point(theta, grad, previous):
    """Heavy ball with the previous position as its state."""
    theta, previous = np.asarray(theta), theta if previous is None else previous
    return theta - 0.033 * np.asarray(grad) + 0.67 * (theta - np.asarray(previous)), theta


@beside
def descents(iterations_to, problems):
    """Counts of gradient descent on problems (rate, H, theta0, tol), beside the student's code."""
    return [iterations_to(gradient_descent(rate), *problem) for rate, *problem in problems]


@beside
def on_a_bad_quadratic(iterations_to):
    """Counts for curvatures 1 and 100; beside the student's code, as these are many steps."""
    H = np.diag([1.0, 100.0])
    # The limits keep a run that diverges short and its numbers finite.
    return [iterations_to(gradient_descent(2 / 101), H, np.ones(2), 1e-6, max_iter=1000),
            iterations_to(two_point, H, np.ones(2), 1e-6, max_iter=400)]


@case("iterations_to", log=False)
def ill_conditioned(rng, iterations_to):
    """kappa = 100, tol 1e-6 from (1, 1): gradient descent and heavy ball"""
    return on_a_bad_quadratic(iterations_to)


@case("iterations_to")
def long_start(rng, iterations_to):
    """a random start of length 10 to 40 and a full matrix"""
    B = rng.normal(size=(3, 3))
    H = B @ B.T / np.linalg.norm(B, 2) ** 2 + 0.2 * np.eye(3)
    theta0 = rng.normal(size=3)
    theta0 *= rng.uniform(10, 40) / np.linalg.norm(theta0)
    return descents(iterations_to, [(0.8, H, theta0, 1e-3)])


@case("iterations_to")
def never_there(rng, iterations_to):
    """steps too small to get there: max_iter"""
    return iterations_to(gradient_descent(0.01), np.eye(2), rng.normal(size=2), 1e-3, max_iter=9)
