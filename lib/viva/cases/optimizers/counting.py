"""Cases of counting steps."""
import numpy as np

from viva.case import case, rule


def gradient_descent(rate):
    return lambda theta, grad, state: (theta - rate * grad, state)


def two_point(theta, grad, previous):
    """Heavy ball with the previous position as its state."""
    theta, previous = np.asarray(theta), theta if previous is None else previous
    return theta - 0.033 * np.asarray(grad) + 0.67 * (theta - np.asarray(previous)), theta


def descents(iterations_to, problems):
    """Counts of gradient descent on problems (rate, H, theta0, tol)."""
    with np.errstate(all="ignore"):  # a run that diverges is told by its count
        return [iterations_to(gradient_descent(rate), *problem) for rate, *problem in problems]


def on_a_bad_quadratic(iterations_to):
    """Counts for curvatures 1 and 100."""
    H = np.diag([1.0, 100.0])
    # The limits keep a run that diverges short and its numbers finite.
    with np.errstate(all="ignore"):
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


@rule("iterations_to")
def exactly_there(rng, iterations_to):
    """halving 4 until 0.5: exactly is close enough, 3 steps"""
    return descents(iterations_to, [(0.5, np.eye(1), np.array([4.0]), 0.125)])


@rule("iterations_to")
def length_counts(rng, iterations_to):
    """from (1, 1), one coordinate gone after a step: the length is compared, not an entry"""
    return descents(iterations_to, [(1.0, np.diag([1.0, 0.1]), np.ones(2), 1e-2)])


@rule("iterations_to")
def there_already(rng, iterations_to):
    """a start that is close enough: no step"""
    return descents(iterations_to, [(0.5, np.eye(2), np.ones(2), 1.0),
                                    (0.5, np.eye(2), np.zeros(2), 1e-3)])
