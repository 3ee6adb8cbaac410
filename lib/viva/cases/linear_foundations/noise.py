"""Public cases of noise in the inputs."""

from viva.case import case


def pair(rng):
    """An input and a standard deviation, both far from 1 and from each other."""
    return float(rng.uniform(1.5, 3)), float(rng.uniform(0.3, 0.8))


@case("noise_ridge_lambda")
def worked_penalty(rng, noise_ridge_lambda):
    """20 rows, tau = 0.5: 5"""
    return noise_ridge_lambda(20, 0.5)


@case("noise_ridge_lambda")
def other_penalties(rng, noise_ridge_lambda):
    """other numbers of rows, other noise, no noise"""
    tau = float(rng.uniform(1.5, 4))
    return [noise_ridge_lambda(int(rng.integers(3, 50)), tau), noise_ridge_lambda(7, 0.0)]


@case("noise_ridge_lambda")
def worked_mean(rng, noisy_sgd_mean_limit):
    """x = 1, tau = 1: 1"""
    return noisy_sgd_mean_limit(1.0, 1.0)


@case("noise_ridge_lambda")
def other_means(rng, noisy_sgd_mean_limit):
    """another x and tau; no noise; x = 0"""
    x, tau = pair(rng)
    return [noisy_sgd_mean_limit(x, tau), noisy_sgd_mean_limit(x, 0.0),
            noisy_sgd_mean_limit(0.0, tau)]


@case("noise_ridge_lambda")
def worked_mean_square(rng, noisy_sgd_ms_limit):
    """x = 1, tau = 1: 0.4"""
    return noisy_sgd_ms_limit(1.0, 1.0)


@case("noise_ridge_lambda")
def other_mean_squares(rng, noisy_sgd_ms_limit):
    """another x and tau; no noise; x = 0"""
    x, tau = pair(rng)
    return [noisy_sgd_ms_limit(x, tau), noisy_sgd_ms_limit(x, 0.0),
            noisy_sgd_ms_limit(0.0, tau)]


@case("noise_ridge_lambda")
def worked_end(rng, noisy_sgd_fixed_point):
    """x = 1, y = 3, tau = 1: 1.5"""
    return noisy_sgd_fixed_point(1.0, 3.0, 1.0)


@case("noise_ridge_lambda")
def other_ends(rng, noisy_sgd_fixed_point):
    """another x and tau; no noise; negative x; x = 0"""
    x, tau = pair(rng)
    return [noisy_sgd_fixed_point(x, 5.0, tau), noisy_sgd_fixed_point(x, 5.0, 0.0),
            noisy_sgd_fixed_point(-x, 0.7, tau), noisy_sgd_fixed_point(0.0, 5.0, tau)]
