"""Exam of `coord_exponent`, `coord_verdict` and `wrong_layer`."""

import numpy as np

from viva.cases.width_scaling.exponents import WIDTHS, checks, power_law
from viva_course.reference import width_scaling as reference
from viva_course.rubric import Exercise

fit = Exercise(
    "coord_exponent",
    expects={
        "coord_exponent": "the slope of log(change) over log(width), by least squares",
        "coord_verdict": '"stable", "explodes" or "vanishes"',
        "wrong_layer": "the number of the layer to repair first, from 0, or None",
    },
)

fit.values(2.5, "The exponent is the slope of a straight line through the logarithms.",
           only=("exact_laws", "noisy_laws"), name="exponent")
fit.values(1.5, "An exponent within the tolerance is stable, above it explodes, below it vanishes.",
           only=("verdicts", "at_the_tolerance"), name="verdict")
fit.values(2, "The first layer that is not stable is the wrong one; None if there is none.",
           only=("planted", "nothing_wrong"), name="wrong layer")


@fit.item(1.5, "One width only, or a change that is not positive and finite, raises ValueError in "
          "all functions.")
def refused(exam, coord_exponent, coord_verdict, wrong_layer):
    law = power_law(exam.rng, -0.4)  # one that always raises earns nothing
    exam.same(coord_exponent(WIDTHS, law), reference.coord_exponent(WIDTHS, law))
    exam.same(coord_verdict(WIDTHS, law, 1.5), "stable")
    exam.same(wrong_layer(WIDTHS, checks(exam.rng, 0.0, -0.8, 0.3)), 1)
    for widths, changes in (([64], [1.0]), ([32, 32, 32], [1.0, 2.0, 3.0]),
                            ([64, 128], [1.0, 0.0]), ([64, 128], [1.0, -2.0]),
                            ([64, 128], [1.0, np.nan]), ([64, 128], [1.0, np.inf]),
                            ([32, 64, 128], [1.0, 0.0, 2.0]), ([32, 64, 128], [1.0, np.nan, 2.0])):
        exam.raises(ValueError, coord_exponent, widths, changes)
        exam.raises(ValueError, coord_verdict, widths, changes)
        for first in (np.ones(len(widths)), np.array(widths)):  # a stable layer, and one that grows
            exam.raises(ValueError, wrong_layer, widths, np.array([first, changes]).T)


fit.unmodified(0.5, "widths and changes must stay as they were.")


def _slope(widths, changes, x=np.log, y=np.log, checked=True):
    widths, changes = np.asarray(widths, float), np.asarray(changes, float)
    if checked:
        reference.coord_exponent(widths, changes)
    with np.errstate(all="ignore"):
        return float(np.polyfit(x(widths), y(changes), 1)[0])


fit.mistakes_of(coord_exponent={
    "plain_slope": ("An exponent is a slope between logarithms, of both.",
                    lambda widths, changes: _slope(widths, changes, x=lambda n: n, y=lambda c: c)),
    "semilog": ("Take the logarithm of the widths as well.",
                lambda widths, changes: _slope(widths, changes, x=lambda n: n)),
    "changes_not_logged": ("Take the logarithm of the changes as well.",
                           lambda widths, changes: _slope(widths, changes, y=lambda c: c)),
    "mixed_logarithms": ("The same logarithm on both sides.",
                         lambda widths, changes: _slope(widths, changes, x=np.log2)),
})
fit.mistakes_of(coord_verdict={
    "words_swapped": (
        "A change that grows with the width explodes.",
        lambda widths, changes, tol=0.2: _words(-reference.coord_exponent(widths, changes), tol)),
    "tol_ignored": (
        "`tol` is an argument, not always 0.2.",
        lambda widths, changes, tol=0.2: _words(reference.coord_exponent(widths, changes), 0.2)),
    "one_sided": (
        "A change that falls with the width is not stable either.",
        lambda widths, changes, tol=0.2: (
            "stable" if reference.coord_exponent(widths, changes) <= tol else "explodes")),
})


@fit.mistake("endpoints", "All measurements count, not only the first and the last.")
def coord_exponent(widths, changes):
    reference.coord_exponent(widths, changes)
    return float(np.log(changes[-1] / changes[0]) / np.log(widths[-1] / widths[0]))


@fit.mistake("upside_down", "The exponent is the slope of the change over the width, not the other "
             "way round.")
def coord_exponent(widths, changes):
    return _slope(changes, widths, checked=False) if reference.coord_exponent(
        widths, changes) else 0.0


@fit.mistake("intercept", "This is the intercept of the line; the slope is asked for.")
def coord_exponent(widths, changes):
    reference.coord_exponent(widths, changes)
    return float(np.polyfit(np.log(widths), np.log(changes), 1)[1])


@fit.mistake("through_origin", "The line has a constant, too: it need not pass through the origin.")
def coord_exponent(widths, changes):
    reference.coord_exponent(widths, changes)
    x, y = np.log(np.asarray(widths, float)), np.log(np.asarray(changes, float))
    return float(x @ y / (x @ x))


@fit.mistake("correlation", "The slope is asked for, not the correlation.")
def coord_exponent(widths, changes):
    reference.coord_exponent(widths, changes)
    return float(np.corrcoef(np.log(widths), np.log(changes))[0, 1])


@fit.mistake("nan", "The logarithm of zero or of a negative number is no measurement: raise "
             "ValueError.")
def coord_exponent(widths, changes):
    if len(set(np.asarray(widths).tolist())) < 2:
        raise ValueError
    x, y = np.asarray(widths, float), np.asarray(changes, float)
    with np.errstate(all="ignore"):
        x = np.log(x) - np.log(x).mean()
        return float(x @ np.log(y) / (x @ x))


@fit.mistake("one_width", "With one width there is no slope: raise ValueError.")
def coord_exponent(widths, changes):
    if len(set(np.asarray(widths).tolist())) < 2 and np.min(changes) > 0:
        return 0.0
    return reference.coord_exponent(widths, changes)


def _words(exponent, tol):
    return "stable" if abs(exponent) <= tol else "explodes" if exponent > 0 else "vanishes"


@fit.mistake("strict_tol", "An exponent equal to the tolerance is stable: at most tol.")
def coord_verdict(widths, changes, tol=0.2):
    exponent = reference.coord_exponent(widths, changes)
    return _words(exponent, tol) if abs(exponent) != tol else "vanishes"


@fit.mistake("tol_above_only", "The tolerance holds on both sides: a small negative exponent is "
             "stable too.")
def coord_verdict(widths, changes, tol=0.2):
    exponent = reference.coord_exponent(widths, changes)
    return "vanishes" if exponent < 0 else _words(exponent, tol)


@fit.mistake("tol_on_ratio", "The tolerance is one of the exponent, not of the ratio between the "
             "widest and the narrowest.")
def coord_verdict(widths, changes, tol=0.2):
    reference.coord_exponent(widths, changes)
    return _words(float(np.log(changes[-1] / changes[0])), tol)


@fit.mistake("verdict_of_nan", "What cannot be measured has no verdict: raise ValueError.")
def coord_verdict(widths, changes, tol=0.2):
    try:
        return _words(reference.coord_exponent(widths, changes), tol)
    except ValueError:
        return "explodes"


@fit.mistake("dropped", "A change that cannot be measured is refused with ValueError, not left "
             "out.")
def coord_exponent(widths, changes):
    widths, changes = np.asarray(widths, float), np.asarray(changes, float)
    kept = np.isfinite(changes) & (changes > 0)
    return reference.coord_exponent(widths[kept], changes[kept])


@fit.mistake("verdict_dropped", "A change that cannot be measured is refused with ValueError, not "
             "left out.")
def coord_verdict(widths, changes, tol=0.2):
    widths, changes = np.asarray(widths, float), np.asarray(changes, float)
    kept = np.isfinite(changes) & (changes > 0)
    return reference.coord_verdict(widths[kept], changes[kept], tol)


def _exponents(widths, changes):
    return np.array([reference.coord_exponent(widths, layer) for layer in np.transpose(changes)])


def _first(unstable):
    return int(np.argmax(unstable)) if np.any(unstable) else None


fit.mistakes_of(wrong_layer={
    "steepest": (
        "The largest exponent need not stand at the fault: layers behind a wrong one inherit its "
        "growth. The first is wrong.",
        lambda widths, changes, tol=0.2: (
            None if reference.wrong_layer(widths, changes, tol) is None
            else int(np.argmax(np.abs(_exponents(widths, changes)))))),
    "last": (
        "The layers behind a wrong one inherit its growth: the first that is not stable is to "
        "blame, not the last.",
        lambda widths, changes, tol=0.2: (
            None if reference.wrong_layer(widths, changes, tol) is None
            else int(np.flatnonzero(np.abs(_exponents(widths, changes)) > tol)[-1]))),
    "growth_only": (
        "A layer whose change vanishes is as wrong as one whose change explodes.",
        lambda widths, changes, tol=0.2: _first(_exponents(widths, changes) > tol)),
    "from_one": (
        "Layers are counted from 0, the input layer.",
        lambda widths, changes, tol=0.2: (
            None if reference.wrong_layer(widths, changes, tol) is None
            else reference.wrong_layer(widths, changes, tol) + 1)),
    "minus_one": (
        "If every layer is stable the answer is None, not a number.",
        lambda widths, changes, tol=0.2: (
            -1 if reference.wrong_layer(widths, changes, tol) is None
            else reference.wrong_layer(widths, changes, tol))),
    "always_one": (
        "If every layer is stable none is wrong: return None.",
        lambda widths, changes, tol=0.2: _first(np.abs(_exponents(widths, changes)) > tol) or 0),
    "layer_tol_ignored": (
        "`tol` is an argument, not always 0.2.",
        lambda widths, changes, tol=0.2: reference.wrong_layer(widths, changes)),
    "list_of_all": (
        "One number is asked for, that of the first layer, not a list.",
        lambda widths, changes, tol=0.2: [
            int(n) for n in np.flatnonzero(np.abs(_exponents(widths, changes)) > tol)]),
    "rows_are_layers": (
        "Rows are widths, columns are layers.",
        lambda widths, changes, tol=0.2: _first([
            abs(reference.coord_exponent(widths[:len(row)], row)) > tol for row in
            np.asarray(changes)])),
})


@fit.mistake("layer_of_nan", "A layer that never moved cannot be judged: raise ValueError.")
def wrong_layer(widths, changes, tol=0.2):
    try:
        return reference.wrong_layer(widths, changes, tol)
    except ValueError:
        return None


@fit.mistake("stops_early", "What cannot be measured is refused in whichever layer it stands: look "
             "at all layers, also behind a wrong one.")
def wrong_layer(widths, changes, tol=0.2):
    for number, layer in enumerate(np.transpose(changes)):
        if abs(reference.coord_exponent(widths, layer)) > tol:
            return number
    return None


@fit.variant("all slopes in one fit")
def wrong_layer(widths, changes, tol=0.2):
    changes = np.array(changes, float)
    if len(set(widths)) < 2 or not (np.isfinite(changes).all() and (changes > 0).all()):
        raise ValueError("no line")
    found = np.flatnonzero(np.abs(np.polyfit(np.log(widths), np.log(changes), 1)[0]) > tol)
    return found[0] if len(found) else None


@fit.mistake("in_place", "changes belongs to the caller: take the logarithm in a new array.")
def coord_exponent(widths, changes):
    answer = reference.coord_exponent(widths, changes)
    if isinstance(changes, np.ndarray):
        np.log(changes, out=changes)
    return answer


@fit.variant("polyfit")
def coord_exponent(widths, changes):
    widths, changes = np.array(widths, float), np.array(changes, float)
    if np.ptp(widths) == 0 or not np.all(np.isfinite(changes)) or np.any(changes <= 0):
        raise ValueError("no line")
    return np.polyfit(np.log2(widths), np.log2(changes), 1)[0]
