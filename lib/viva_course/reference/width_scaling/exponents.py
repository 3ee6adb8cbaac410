"""From a coordinate check to an exponent and a verdict."""

import numpy as np


def coord_exponent(widths, changes):
    """The slope of log(change) over log(width), by least squares.

    widths, changes: sequences of equal length; fewer than two different widths, or a change that
    is not positive and finite, raise ValueError
    """
    widths, changes = np.asarray(widths, float), np.asarray(changes, float)
    if len(set(widths.tolist())) < 2 or not (np.isfinite(changes) & (changes > 0)).all():
        raise ValueError("two widths and positive, finite changes are needed")
    x = np.log(widths) - np.log(widths).mean()
    return float(x @ np.log(changes) / (x @ x))


def coord_verdict(widths, changes, tol=0.2):
    """"stable" if the exponent is at most tol in absolute value, else "explodes" or "vanishes"."""
    exponent = coord_exponent(widths, changes)
    if abs(exponent) <= tol:
        return "stable"
    return "explodes" if exponent > 0 else "vanishes"


def wrong_layer(widths, changes, tol=0.2):
    """The first layer, counted from 0, whose change depends on the width; None if there is none.

    changes (widths, layers): a coordinate check in each row; refused as in coord_exponent
    """
    verdicts = [coord_verdict(widths, layer, tol) for layer in np.transpose(changes)]
    return next((number for number, verdict in enumerate(verdicts) if verdict != "stable"), None)
