"""From measured losses to the best learning rate, at this width and at another one."""

import numpy as np


def best_rate(rates, losses):
    """The vertex of the parabola through the lowest loss and its neighbours, over log(rate).

    rates: increasing; losses: of each rate, NaN or infinite where training diverged
    returns a float; the lowest rate itself where a neighbour diverged; a lowest loss at an end of
    the grid, or none, raises ValueError
    """
    rates, losses = np.asarray(rates, float), np.asarray(losses, float)
    losses = np.where(np.isfinite(losses), losses, np.inf)
    i = int(np.argmin(losses))
    if i in (0, len(rates) - 1) or np.isinf(losses[i]):
        raise ValueError("the best rate is not inside the grid")
    if np.isinf(losses[i - 1 : i + 2]).any():
        return float(rates[i])
    left, right = np.log(rates[i - 1] / rates[i]), np.log(rates[i + 1] / rates[i])
    rise, fall = losses[i - 1] - losses[i], losses[i + 1] - losses[i]
    vertex = (fall * left**2 - rise * right**2) / (2 * (fall * left - rise * right))
    return float(rates[i] * np.exp(vertex))


def predict_rate(widths, best, width):
    """The rate at another width, on the line through log(best) over log(width), by least squares.

    fewer than two different widths raise ValueError
    """
    x, y = np.log(np.asarray(widths, float)), np.log(np.asarray(best, float))
    if len(set(x.tolist())) < 2:
        raise ValueError("at least two widths are needed")
    slope = (x - x.mean()) @ y / ((x - x.mean()) @ (x - x.mean()))
    return float(np.exp(y.mean() + slope * (np.log(width) - x.mean())))
