"""Noise added to the inputs at every look at them."""


def noise_ridge_lambda(m, tau):
    """m tau^2: E||(X + N) w - y||^2 = ||Xw - y||^2 + m tau^2 ||w||^2.

    m    number of rows of X
    tau  standard deviation of the entries of N
    Returns a number.
    """
    return m * tau**2


def noisy_sgd_mean_limit(x, tau):
    """2 / (x^2 + tau^2): the mean of w converges for smaller rates, gradient (w x~ - y) x~."""
    return 2 / (x**2 + tau**2)


def noisy_sgd_ms_limit(x, tau):
    """2 (x^2 + tau^2) / (x^4 + 6 x^2 tau^2 + 3 tau^4): below it the mean square is stable."""
    return 2 * (x**2 + tau**2) / (x**4 + 6 * x**2 * tau**2 + 3 * tau**4)


def noisy_sgd_fixed_point(x, y, tau):
    """x y / (x^2 + tau^2): where the mean of w converges to."""
    return x * y / (x**2 + tau**2)
