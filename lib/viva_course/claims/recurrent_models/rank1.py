"""What the section about the identity plus a little states."""

from fractions import Fraction

import numpy as np

from viva_course.claiming import above, claim, holds, near

EXACT = float(((1 + Fraction(1, 10**14)) ** 1000 - 1) * 10**14)


@claim(seeds=1, variants=("rank1_power_coef",))
def coefficient_of_a_tiny_s(notebook, seed):
    return (near(EXACT, 1000.000000005, within=1e-9), above(notebook.typed_error(1e-14), 1e-4),
            near(notebook.rank1_power_coef(1e-14, 1000), EXACT, within=1e-7))


@claim(seeds=1)
def rank_one_by_hand(notebook, seed):
    p = np.array([1.0, 2.0])
    column = notebook.rank1_power_apply(p, 3, np.array([1.0, 0.0]))
    return near(notebook.rank1_power_coef(5.0, 3), 43, within=1e-6), holds(
        np.allclose(column, [44, 86]))


@claim(title="When s is ten times smaller, the typed formula has one digit less", seeds=1)
def a_digit_per_power_of_ten(notebook, seed):
    """The median over a decade: single errors jump with the last digit of s."""
    typical = [np.median([notebook.typed_error(s) for s in np.logspace(k, k + 1, 200)])
               for k in (-15, -14, -13, -12, -11, -10)]
    slopes = -np.diff(np.log10(typical))
    return near(slopes.mean(), 1, within=0.2)
