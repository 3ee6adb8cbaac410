"""What sections 9 to 11 state about valleys, transfer, wrong tables and Muon."""

import functools

import numpy as np

from viva_course.claiming import above, below, between, claim, near


@functools.cache
def losses(notebook, seed, rule, width, first, last, runs):
    """Training losses at the rates 2^first, ..., 2^last."""
    table = {"standard": notebook.standard, "mup": notebook.mup}.get(rule)
    rates = 2.0 ** np.arange(first, last + 1)
    return notebook.losses_at(width, table or notebook.table_of(rule), rates, runs, seed)


def bottom(notebook, seed, *experiment):
    """log2 of the best rate."""
    rates = 2.0 ** np.arange(experiment[2], experiment[3] + 1)
    return np.log2(notebook.best_rate(rates, losses(notebook, seed, *experiment)))


NARROW = {"standard": ("standard", 32, -9, -3, 2), "mup": ("mup", 32, -9, -3, 2)}
WIDE = ("standard", 512, -12, -6, 1)
TABLES = {"C": ("C", 512, -8, -5, 2), "A": ("A", 512, -8, -5, 2), "B": ("B", 512, -6, -3, 2),
          "D": ("D", 512, -9, -6, 2)}


@claim(seeds=1)
def vertex_by_hand(notebook, seed):
    rates = [0.25, 0.5, 1.0]
    return (near(notebook.best_rate(rates, [1, 0, 1]), 0.5, within=1e-9),
            near(notebook.best_rate(rates, [1, 0, 3]), 2**-1.25, within=1e-9))


@claim(seeds=1)
def regret_by_hand(notebook, seed):
    rows = np.array([[3.0, 1.0, 2.0], [1.0, 2.0, 5.0], [4.0, 3.0, 3.5]])
    return near(np.abs(notebook.transfer_regret(rows) - [0, 1, 0]).max(), 0, within=1e-9)


@claim(seeds=1)
def same_at_the_proxy(notebook, seed):
    gap = np.array(notebook.mup(64, 0.1)) - np.array(notebook.standard(64, 0.1))
    return near(np.abs(gap).max(), 0, within=1e-12)


@claim()
def valley_moves(notebook, seed):
    moved = bottom(notebook, seed, *NARROW["standard"]) - bottom(notebook, seed, *WIDE)
    return between(2**moved, 4, 20)


@claim()
def wide_learns_faster(notebook, seed):
    wide = losses(notebook, seed, *WIDE)[0]
    return below(wide, losses(notebook, seed, "standard", 32, -12, -12, 2)[0])


@claim()
def valley_stays(notebook, seed):
    moved = bottom(notebook, seed, *TABLES["C"]) - bottom(notebook, seed, *NARROW["mup"])
    return below(2 ** abs(moved), 1.7)


@claim()
def wider_is_better(notebook, seed):
    return below(losses(notebook, seed, *TABLES["C"]).min(),
                 losses(notebook, seed, *NARROW["mup"]).min())


@claim()
def wide_tolerates_more(notebook, seed):
    return below(losses(notebook, seed, "mup", 512, -3, -3, 1)[0],
                 losses(notebook, seed, *NARROW["mup"])[-1])


def tuned(notebook, seed):
    """Loss of the standard network at its best rate over that of muP at its own, at width 512."""
    standard, mup = (losses(notebook, seed, *each).min() for each in (WIDE, TABLES["C"]))
    return standard / mup


@claim()
def tuned_alike(notebook, seed):
    return between(tuned(notebook, seed), 1 / 2, 2)


@claim(seeds=1)
def lead_changes(notebook, seed):
    return below(tuned(notebook, 0), 1), above(tuned(notebook, 2), 1)


def given_away(notebook, seed, narrow, wide):
    """Loss that the best rate of the narrow network costs the wide one, over its best loss."""
    rule, width, first, last, runs = wide
    chosen = narrow[2] + int(np.argmin(losses(notebook, seed, *narrow)))
    best = losses(notebook, seed, *wide).min()
    if not first <= chosen <= last:  # a rate that the figure does not show for this width
        return losses(notebook, seed, rule, width, chosen, chosen, runs)[0] / best - 1
    return losses(notebook, seed, *wide)[chosen - first] / best - 1


@claim()
def regret_of_the_standard(notebook, seed):
    return above(given_away(notebook, seed, NARROW["standard"], WIDE), 0.5)


@claim()
def regret_of_mup(notebook, seed):
    return below(given_away(notebook, seed, NARROW["mup"], TABLES["C"]), 1 / 3)


def shift(notebook, seed, name):
    """By which factor the best rate of a colleague differs from the right table's."""
    return 2 ** (bottom(notebook, seed, *TABLES[name]) - bottom(notebook, seed, *TABLES["C"]))


@claim(title="One wrong layer moves the valley, or it does not")
def input_rate_moves_right(notebook, seed):
    return between(shift(notebook, seed, "B"), 1.4, 4)


@claim()
def hidden_rate_moves_left(notebook, seed):
    return between(1 / shift(notebook, seed, "D"), 1.3, 3)


@claim()
def output_start_hardly_moves(notebook, seed):
    moved = shift(notebook, seed, "A")
    return below(max(moved, 1 / moved), 1.8)


@claim()
def as_good_at_their_best(notebook, seed):
    right = losses(notebook, seed, *TABLES["C"]).min()
    return tuple(below(losses(notebook, seed, *TABLES[name]).min(), 1.15 * right)
                 for name in "ABD")


@functools.cache
def muon(notebook, seed, width, scaled):
    """log2 of Muon's best rate."""
    rates = 2.0 ** np.arange(-5, -1)
    return np.log2(notebook.best_rate(rates, notebook.muon_losses(width, rates, scaled, seed)))


@claim(title="Muon with the spectral scaling: one rate for all widths")
def muon_stays(notebook, seed):
    moved = muon(notebook, seed, 128, True) - muon(notebook, seed, 32, True)
    return below(2 ** abs(moved), 1.4)


@claim()
def factor_matters_little(notebook, seed):
    moved = muon(notebook, seed, 32, False) - muon(notebook, seed, 128, False)
    return between(2**moved, 1, 2)
