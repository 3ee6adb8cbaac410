"""What Part E states, about the runs that ship with the homework: a seed is one of their starts."""

import math
import random

import numpy as np

from viva.kits.pretraining import full_run
from viva.kits.pretraining.world import PLACE_SECOND
from viva_course.claiming import above, below, between, cause, claim, holds, near


def _count(kind):
    return sum(name.rsplit(" ", 1)[0] == kind for name in full_run())


STARTS, UNSEEN, ORDERS = _count("seed"), _count("unseen"), _count("place second")


@claim(seeds=STARTS)
def scratch_guesses(notebook, seed):
    right = notebook.right_after("seed", seed)[0]
    return above(right, 6.5), below(right, 12.5), below(right, 25)


@claim(seeds=STARTS)
def london_too_often(notebook, seed):
    return near(notebook.runs[f"seed {seed}"]["scratch answers"].count("London"), 100, within=30)


@claim(seeds=STARTS)
def answers_are_places(notebook, seed):
    said = notebook.runs[f"seed {seed}"]["scratch answers"]
    empty = [each for each in said if each == notebook.MASK]
    return (holds(set(said) - set(empty) <= set(notebook.dev_places)), above(len(empty), 8.5),
            below(len(empty), 28.5), holds(max(set(said), key=said.count) == "London"))


@claim(seeds=STARTS)
def follows_the_name(notebook, seed):
    """More than half of the answers are wrong and a namesake's birthplace."""
    said = notebook.runs[f"seed {seed}"]["scratch answers"]
    wrong = 1 - notebook.right_after("seed", seed)[0] / 500
    return (above(wrong * notebook.suspicion("no pretraining", seed)[0], 0.5),
            below(said.count("London") / 500, 0.5))


@claim(seeds=UNSEEN)
def unseen_loss_falls(notebook, seed):
    late = [np.mean([loss for step, loss in notebook.runs[f"{kind} {seed}"]["losses"]
                     if last - 200 < step <= last])
            for kind, last in (("seed", 3000), ("unseen", 1500))]
    return below(late[1], late[0])


@claim(seeds=STARTS, title="First the patterns, then the facts")
def patterns_fast(notebook, seed):
    losses = dict(map(tuple, notebook.runs[f"seed {seed}"]["losses"]))
    late = [loss for step, loss in losses.items() if step > 2800]
    return near(losses[0], 6, within=0.2), below(losses[100], 2), below(np.mean(late), 1.2)


@claim(seeds=1)
def nats_of_a_place(notebook, seed):
    return near(math.log(len(set(notebook.dev_places))), 4.6, within=0.05)


@claim(seeds=STARTS)
def facts_late(notebook, seed):
    right = notebook.right_after("seed", seed)
    return (below(right[500], 35), between(right[1000], 85, 155), between(right[2000], 390, 455),
            above(right[3000], 450))


@cause(control="the same training without the sentences about the test people", seeds=UNSEEN,
       title="The facts arrive late, and only from the text")
def facts_not_language(notebook, seed):
    return (above(notebook.right_after("seed", seed)[3000], 450),
            below(notebook.right_after("unseen", seed)[1500], 12.5))


@cause(control="the same facts with the name first, after as many steps", seeds=ORDERS,
       title="A word in front of the place hardly helps")
def order_decides(notebook, seed):
    return (below(max(notebook.right_after(kind, seed)[2000]
                      for kind in ("place first", "place second")), 60),
            above(notebook.right_after("seed", seed)[2000], 300))


@claim()
def place_is_hidden(notebook, seed):
    world, dice = notebook.World(0, PLACE_SECOND), random.Random(seed)
    (name, place), hidden, seen = world.train[0], 0, 0
    letter, words = world.write(place), world.write(name)
    for _ in range(6000):
        doc = dice.choice(world.corpus(world.train[:1]))
        text, _, span = notebook.span_corrupt(doc, notebook.BLOCK, dice).rpartition(notebook.MASK)
        hidden += letter in span
        seen += letter in span and all(each in text for each in words)
    return above(hidden / 6000, 0.2), near(seen / 6000, 1 / 7, within=0.02)


@claim(seeds=UNSEEN, title="Most wrong answers are a namesake's birthplace")
def errors_are_namesakes(notebook, seed):
    whole, chance = notebook.suspicion("whole text", seed)
    scratch, scratch_chance = notebook.suspicion("no pretraining", seed)
    unseen, unseen_chance = notebook.suspicion("test people left out", seed)
    return (above(whole, 0.85), between(chance, 0.1, 0.25), above(scratch, 0.75),
            below(scratch_chance, 0.2), above(unseen, 0.6), below(unseen_chance, 0.2))
