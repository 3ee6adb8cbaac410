"""Exam of `best_rate` and `predict_rate`."""

import numpy as np

from viva.cases.width_scaling.transfer import RATES, valley
from viva_course.reference import width_scaling as reference
from viva_course.rubric import Exercise

best = Exercise(
    "best_rate",
    expects={
        "best_rate": "the rate at the vertex of the parabola through the lowest loss and its two "
                     "neighbours",
        "predict_rate": "the rate at `width` on the straight line through the logarithms",
    },
)

best.values(3.5, "The vertex of the parabola through the lowest loss and its two neighbours, over "
            "the logarithm of the rate.", name="vertex",
            only=("parabola", "any_grid", "diverged", "minus_infinity", "infinite_neighbour",
                  "equal_losses"))
best.values(3, "A power law through the measured best rates, extended to another width.",
            only=("laws",), name="prediction")


@best.item(2, "A lowest loss at an end of the grid, nothing but divergence, or one width only "
           "raises ValueError.")
def edges(exam, best_rate, predict_rate):
    losses = valley(exam.rng, RATES)  # one that always raises earns nothing
    exam.same(best_rate(RATES, losses), reference.best_rate(RATES, losses), rtol=1e-7)
    falling = np.sort(exam.rng.uniform(size=7))[::-1]
    for wrong in (falling, falling[::-1], np.full(7, np.nan), np.full(7, np.inf)):
        exam.raises(ValueError, best_rate, RATES, wrong)
    exam.same(predict_rate([8, 16], [0.2, 0.1], 32), 0.05)
    exam.raises(ValueError, predict_rate, [8], [0.2], 32)
    exam.raises(ValueError, predict_rate, [8, 8], [0.2, 0.3], 32)


@best.item(1, "Losses in other units have the same best rate, and rates in other units a rate in "
           "those units.")
def units_do_not_matter(exam, best_rate, predict_rate):
    losses = valley(exam.rng, RATES)
    found = best_rate(RATES, losses)
    exam.same(found, reference.best_rate(RATES, losses), rtol=1e-7)
    exam.same(best_rate(RATES, 3 * losses + 5), float(found), rtol=1e-7)
    exam.same(best_rate(10 * RATES, losses), 10 * float(found), rtol=1e-7)


best.unmodified(0.5, "rates, losses and widths stay as they were.")


def _logs(losses):
    return np.log(np.where(np.isfinite(losses), losses, np.inf))


def _vertex(rates, losses, scale=np.log, back=np.exp, deg_points=1):
    """The vertex by a least-squares parabola, or an error as the text asks."""
    rates, losses = np.asarray(rates, float), np.asarray(losses, float)
    losses = np.where(np.isfinite(losses), losses, np.inf)
    reference.best_rate(rates, losses)
    i = int(np.argmin(losses))
    near = slice(max(i - deg_points, 0), i + deg_points + 1)
    if np.isinf(losses[i - 1 : i + 2]).any():
        return float(rates[i])
    kept = np.isfinite(losses[near])
    x, y = scale(rates[near][kept]), losses[near][kept]
    a, b, _ = np.polyfit(x - scale(rates[i]), y, 2)
    return float(back(scale(rates[i]) - b / (2 * a)))


@best.mistake("grid_point", "The best of the grid is not the bottom of the valley: lay a parabola "
              "through three points.")
def best_rate(rates, losses):
    reference.best_rate(rates, losses)
    return float(rates[int(np.nanargmin(losses))])


best.mistakes_of(best_rate={
    "linear_rates": (
        "The parabola lies over the logarithm of the rate, not over the rate.",
        lambda rates, losses: _vertex(rates, losses, scale=lambda r: r, back=lambda r: r)),
    "all_points": ("Only the lowest point and its two neighbours count; far away the valley is no "
                   "parabola.",
                   lambda rates, losses: _vertex(rates, losses, deg_points=99)),
    "five_points": ("Only the lowest point and its two neighbours count.",
                    lambda rates, losses: _vertex(rates, losses, deg_points=2)),
    "logarithm": ("Return the rate itself, not its logarithm.",
                  lambda rates, losses: float(np.log(reference.best_rate(rates, losses)))),
    "log_losses": ("Only the rate is taken by its logarithm; the losses stay as they are.",
                   lambda rates, losses: _vertex(rates, _logs(losses))),
})


@best.mistake("even_grid", "The grid need not be even: use the distances between the rates.")
def best_rate(rates, losses):
    rates, losses = np.asarray(rates, float), np.asarray(losses, float)
    answer = reference.best_rate(rates, losses)
    i = int(np.nanargmin(losses))
    y = losses[i - 1 : i + 2]
    if not np.isfinite(y).all():
        return answer
    shift = (y[0] - y[2]) / (2 * (y[0] - 2 * y[1] + y[2]))
    return float(rates[i] * np.exp(shift * np.log(rates[i + 1] / rates[i])))


@best.mistake("lowest_loss", "The rate is asked for, not the loss.")
def best_rate(rates, losses):
    reference.best_rate(rates, losses)
    return float(np.nanmin(losses))


@best.mistake("edge_accepted", "At an end of the grid the valley may go on beyond it: raise "
              "ValueError.")
def best_rate(rates, losses):
    finite = np.where(np.isfinite(losses), losses, np.inf)
    i = int(np.argmin(finite))
    if np.isfinite(finite[i]) and i in (0, len(finite) - 1):
        return float(rates[i])
    return reference.best_rate(rates, losses)


@best.mistake("nan_wins", "NaN is not a low loss: a run that diverged never wins.")
def best_rate(rates, losses):
    losses = np.asarray(losses, float)
    if np.isnan(losses).any():
        return float(np.asarray(rates)[int(np.argmin(losses))])
    return reference.best_rate(rates, losses)


@best.mistake("minus_infinity_wins", "Minus infinity is no loss either: everything that is not "
              "finite means diverged.")
def best_rate(rates, losses):
    low = int(np.argmin(np.where(np.isnan(losses), np.inf, losses)))
    return float(rates[low]) if losses[low] == -np.inf else reference.best_rate(rates, losses)


@best.mistake("parabola_through_divergence", "Next to a run that diverged there is no parabola: "
              "return the rate of the grid.")
def best_rate(rates, losses):
    losses = np.nan_to_num(np.asarray(losses, float), nan=10.0, posinf=10.0)
    return reference.best_rate(rates, losses)


@best.mistake("diverged_left_out", "Leave runs that diverged in their place: without them other "
              "points become neighbours.")
def best_rate(rates, losses):
    rates, losses = np.asarray(rates, float), np.asarray(losses, float)
    kept = np.isfinite(losses)
    return reference.best_rate(rates[kept], losses[kept])


@best.mistake("through_infinity", "An infinite loss is as good as no neighbour: no parabola passes "
              "through it; return the rate of the grid.")
def best_rate(rates, losses):
    losses = np.asarray(losses, float)
    answer = reference.best_rate(rates, losses)
    low = int(np.nanargmin(np.where(np.isfinite(losses), losses, np.inf)))
    return float("nan") if np.isinf(losses[low - 1 : low + 2]).any() else answer


@best.mistake("last_of_equals", "Of equal losses the first counts as the lowest.")
def best_rate(rates, losses):
    rates, losses = np.asarray(rates, float), np.asarray(losses, float)
    return float(1 / reference.best_rate(1 / rates[::-1], losses[::-1]))


@best.mistake("diverged_left_out_unrefused", "Leave runs that diverged in their place: without "
              "them other points become neighbours, and a low point moves to the end of the grid.")
def best_rate(rates, losses):
    rates, losses = np.asarray(rates, float), np.asarray(losses, float)
    kept = np.isfinite(losses)
    return reference.best_rate(rates[kept], losses[kept]) if kept.any() else float("nan")


@best.mistake("linear_law", "A power law is a straight line between logarithms.")
def predict_rate(widths, best, width):
    reference.predict_rate(widths, best, width)
    return float(np.polyval(np.polyfit(widths, best, 1), width))


@best.mistake("log_widths_only", "Take the logarithm of the rates as well.")
def predict_rate(widths, best, width):
    reference.predict_rate(widths, best, width)
    return float(np.polyval(np.polyfit(np.log(widths), best, 1), np.log(width)))


@best.mistake("log_rates_only", "Take the logarithm of the widths as well: this is an exponential, "
              "not a power.")
def predict_rate(widths, best, width):
    reference.predict_rate(widths, best, width)
    return float(np.exp(np.polyval(np.polyfit(widths, np.log(best), 1), width)))


@best.mistake("assumed_inverse", "Measure the exponent; it need not be -1.")
def predict_rate(widths, best, width):
    reference.predict_rate(widths, best, width)
    return float(best[-1] * widths[-1] / width)


@best.mistake("no_transfer", "The best rate may depend on the width: extend the line, do not take "
              "the mean.")
def predict_rate(widths, best, width):
    reference.predict_rate(widths, best, width)
    return float(np.exp(np.mean(np.log(best))))


@best.mistake("two_points", "All measurements count, not only the first and the last.")
def predict_rate(widths, best, width):
    reference.predict_rate(widths, best, width)
    slope = np.log(best[-1] / best[0]) / np.log(widths[-1] / widths[0])
    return float(best[-1] * (width / widths[-1]) ** slope)


@best.mistake("last_two", "All measurements count, not only the last two.")
def predict_rate(widths, best, width):
    reference.predict_rate(widths, best, width)
    if widths[-1] == widths[-2]:
        return reference.predict_rate(widths, best, width)
    slope = np.log(best[-1] / best[-2]) / np.log(widths[-1] / widths[-2])
    return float(best[-1] * (width / widths[-1]) ** slope)


@best.mistake("prediction_logged", "Return the rate itself, not its logarithm.")
def predict_rate(widths, best, width):
    return float(np.log(reference.predict_rate(widths, best, width)))


@best.mistake("one_width", "One width has no trend: raise ValueError.")
def predict_rate(widths, best, width):
    if len(set(np.asarray(widths).tolist())) < 2:
        return float(best[0])
    return reference.predict_rate(widths, best, width)


@best.mistake("in_place", "losses belongs to the caller: replace NaN in a new array.")
def best_rate(rates, losses):
    answer = reference.best_rate(rates, losses)
    if isinstance(losses, np.ndarray):
        losses[:] = np.nan_to_num(losses, nan=1e9, posinf=1e9) + 1
    return answer


@best.variant("polyfit")
def best_rate(rates, losses):
    rates, losses = np.array(rates, float), np.array(losses, float)
    losses[~np.isfinite(losses)] = np.inf
    low = losses.argmin()
    if low == 0 or low == len(losses) - 1 or not np.isfinite(losses[low]):
        raise ValueError("edge")
    three = slice(low - 1, low + 2)
    if not np.all(np.isfinite(losses[three])):
        return rates[low]
    a, b, _ = np.polyfit(np.log10(rates[three]), losses[three], 2)
    return 10 ** (-b / (2 * a))


@best.variant("least squares with a matrix")
def predict_rate(widths, best, width):
    if len(np.unique(widths)) < 2:
        raise ValueError("trend")
    A = np.stack([np.log2(widths), np.ones(len(widths))], axis=1)
    slope, constant = np.linalg.lstsq(A, np.log2(best), rcond=None)[0]
    return 2 ** (slope * np.log2(width) + constant)
