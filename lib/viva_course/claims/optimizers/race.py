"""What the race on a small network states."""

import functools

import numpy as np

from viva_course.claiming import above, below, cause, claim, holds, near

SIGN, ADAM, ADAMW, MUON = "sign descent", "Adam", "AdamW, lam = 0.1", "Muon"


@functools.cache
def raced(notebook, seed):
    """{(name, rotated, falling): last losses at every rate} on three problems of this seed."""
    problems = tuple(range(3 * seed, 3 * seed + 3))
    return {(name, rotated, falling): notebook.last_losses(name, rotated, falling, problems)
            for name in notebook.OPTIMIZERS for rotated in (False, True)
            for falling in (False, True)}


def best(notebook, seed, name, rotated, schedules=(False, True)):
    """The best loss under the better of these schedules."""
    return min(float(raced(notebook, seed)[name, rotated, falling].min())
               for falling in schedules)


@claim()
def stars_inside(notebook, seed):
    places = [int(losses.argmin()) for losses in raced(notebook, seed).values()]
    return holds(min(places) > 0 and max(places) < len(notebook.RATES) - 1)


@claim(seeds=1)
def race_in_numbers(notebook, seed):
    stated = {SIGN: (0.023, 0.047), ADAM: (0.006, 0.017), MUON: (0.009, 0.009)}
    return tuple(near(best(notebook, 0, name, rotated), number, within=0.001)
                 for name, pair in stated.items() for rotated, number in enumerate(pair))


@claim(title="Along the axes Adam wins")
def order_along_the_axes(notebook, seed):
    sign, adam, muon = (best(notebook, seed, name, False) for name in (SIGN, ADAM, MUON))
    return below(adam, muon), below(adam, sign)


@claim(title="Rotated, Adam's loss more than doubles, Muon's stays")
def order_rotated(notebook, seed):
    adam, muon = (best(notebook, seed, name, True) / best(notebook, seed, name, False)
                  for name in (ADAM, MUON))
    return (above(adam, 2), near(muon, 1, within=0.4),
            below(best(notebook, seed, MUON, True), best(notebook, seed, ADAM, True)))


@cause(control="Adam's step, which rescales coordinates")
def muon_knows_no_axes(notebook, seed):
    rng = np.random.default_rng(seed)
    W, G = rng.normal(size=(2, 4, 6))
    turn, _ = np.linalg.qr(rng.normal(size=(6, 6)))

    def gap(name):
        update = notebook.OPTIMIZERS[name]
        turned = update(W, G, None, 0.1)[0] @ turn
        return np.abs(turned - update(W @ turn, G @ turn, None, 0.1)[0]).max()

    return below(gap(MUON), 1e-6), above(gap(ADAM), 0.01)


@cause(control="Adam, whose averages shrink where gradients alternate")
def who_needs_a_falling_rate(notebook, seed):
    def gain(name, rotated):  # by how much a falling rate makes the loss smaller
        stays, falls = (best(notebook, seed, name, rotated, (kind,)) for kind in (False, True))
        return stays / falls

    return (min(above(gain(name, rotated), 1) for name in (SIGN, MUON)
                for rotated in (False, True)),
            min(below(gain(ADAM, rotated), 1) for rotated in (False, True)))


@claim(seeds=1)
def schedule_decides(notebook, seed):
    adam, muon = (best(notebook, 0, name, False, (True,)) for name in (ADAM, MUON))
    return near(adam, 0.015, within=0.001), below(muon, adam)
