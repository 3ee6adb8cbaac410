"""Noise added to the inputs at every look at them."""


def noise_ridge_lambda(m, sigma):
    """m sigma^2: E||(X + N) w - y||^2 = ||Xw - y||^2 + m sigma^2 ||w||^2.

    m      number of rows of X
    sigma  standard deviation of the entries of N
    Returns a number.
    """
    return m * sigma**2


def noisy_sgd_mean_limit(x, sigma):
    """2 / (x^2 + sigma^2): the mean of w converges for smaller rates, gradient (w x~ - y) x~."""
    return 2 / (x**2 + sigma**2)


def noisy_sgd_ms_limit(x, sigma):
    """2 (x^2 + sigma^2) / (x^4 + 6 x^2 sigma^2 + 3 sigma^4): below it the mean square is stable."""
    return 2 * (x**2 + sigma**2) / (x**4 + 6 * x**2 * sigma**2 + 3 * sigma**4)


def noisy_sgd_fixed_point(x, y, sigma):
    """x y / (x^2 + sigma^2): where the mean of w converges to."""
    return x * y / (x**2 + sigma**2)
