"""What the sections about the gap and about attention by content state."""

import numpy as np

from viva.kits.hand_design_transformer.heads import apply_head, one_hot
from viva_course.claiming import above, below, claim, holds, literature, near


@literature("Chiang and Cholak (2022), ACL, doi:10.18653/v1/2022.acl-long.527", place="section 5")
def first_fails_on_long_strings():
    """Transformers that learnt FIRST on short strings do not always generalise to longer ones."""


@claim(seeds=1)
def worked_gaps(notebook, seed):
    stated = {(2, 0.5): 0, (6, 1e-3): 8.51619, (7, 1e-8): 20.2124}
    return tuple(near(notebook.min_score_gap(*given), gap, within=1e-4)
                 for given, gap in stated.items())


@claim(title="Five times as many others need a gap larger by 1.6", seeds=1)
def five_times_as_many(notebook, seed):
    gaps = [notebook.min_score_gap(T, 1e-3) for T in (2, 6, 26)]
    return tuple(near(step, 1.6, within=0.02) for step in np.diff(gaps))


@claim(title="A fixed gap is diluted by length", seeds=1)
def diluted_by_length(notebook, seed):
    borders = {4: 56, 8: 2982, 12: 162_756}
    halves = [notebook.mass_of_others(gap, T + more) - 0.5
              for gap, T in borders.items() for more in (-1, 1)]
    return (holds(all(low < 0 < high for low, high in zip(halves[::2], halves[1::2]))),
            near(np.exp(4), 55, within=0.5))


@claim(seeds=1)
def numbers_of_the_identity(notebook, seed):
    gap = notebook.min_score_gap(6, 1e-3)
    return near(gap, 8.516, within=5e-4), near(np.sqrt(gap * np.sqrt(3)), 3.841, within=5e-4)


@claim(title="Attention by content: equal tokens share the weight", seeds=1)
def equal_tokens_share(notebook, seed):
    head = notebook.design_identity(3, 6)
    weights = notebook.attention_head(one_hot("ABCC", 3), *head, return_weights=True)[1]
    return holds(np.allclose(weights[2:, 2:], 0.5, atol=1e-3)), above(weights[0, 0], 0.99)


def worst_errors(notebook, T, factors):
    """The error on one A among B for each factor on Km, as draw_factors measures it."""
    Km, Qm, Vm = notebook.design_identity(3, 30)
    X = one_hot([0] + [1] * (T - 1), 3)
    return np.array([np.abs(apply_head(X, a * Km, Qm, Vm) - X).max() for a in factors])


@claim(title="Sharpness pays exponentially", seeds=1)
def straight_lines_of_one_slope(notebook, seed):
    factors = np.array([0.8, 1.0, 1.2, 1.4])
    slopes = np.array([np.diff(np.log(worst_errors(notebook, T, factors))) for T in (2, 6, 30)])
    return below(np.ptp(slopes) / np.abs(slopes).mean(), 0.02), below(slopes.max(), -1)


def share_off(notebook, Km_factor, L, T):
    """Share of all sequences of length T that a design for L gets wrong."""
    gap = notebook.min_score_gap(L, 1e-3) + np.log(Km_factor)
    root = np.sqrt(gap * np.sqrt(3)) * np.eye(3)
    X = notebook.every_sequence(T)[-1]
    return (np.abs(apply_head(X, root, root, np.eye(3)) - X).max(axis=(1, 2)) > 1.001e-3).mean()


@claim(seeds=1)
def failures_begin_with_the_next_letter(notebook, seed):
    """A gap larger by ln 1.6 bears 1.6 times as many others: three instead of two for L = 3."""
    exact = [share_off(notebook, 1, L, T) for L in (2, 4, 6) for T in (L, L + 1)]
    wider = [share_off(notebook, 1.6, 3, T) for T in (4, 5)]
    return (holds(max(exact[::2]) == 0), above(min(exact[1::2]), 0.05),
            holds(wider[0] == 0), above(wider[1], 0.05))


@claim(title="Beyond its length a design fails, but not always", seeds=1)
def fails_where_a_letter_is_alone(notebook, seed):
    off = [np.abs(apply_head(X, *notebook.design_identity(3, 4)) - X).max(axis=(1, 2)) > 1.001e-3
           for X in notebook.every_sequence(8)]
    alone = [((X.sum(axis=1) == 1).any(axis=1)) for X in notebook.every_sequence(8)]
    shares = [each.mean() for each in off]
    return (holds(max(shares[:4]) == 0), above(shares[5], 0.3), below(max(shares), 0.95),
            holds((off[5] == alone[5]).all()), below(shares[7], shares[5]),
            below(share_off(notebook, 1, 2, 4), share_off(notebook, 1, 2, 3)),  # one against two
            above(share_off(notebook, 1, 2, 5), share_off(notebook, 1, 2, 4)))  # two against three
