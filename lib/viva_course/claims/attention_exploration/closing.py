"""What section 11 states about readers of a play."""

import functools

import numpy as np

from viva_course.claiming import above, below, cause, claim, holds, near


@functools.cache
def trained(notebook, text, ordered, seed):
    """A reader of one of the notebook's texts, and its record."""
    return notebook.train(getattr(notebook, text), ordered=ordered, seed=seed, every=100)


@claim(seeds=1)
def size_of_the_opening(notebook, seed):
    return holds(len(notebook.OPENING) == 14_591)


@claim(seeds=1)
def size_of_the_play(notebook, seed):
    return holds(len(notebook.PLAY) == 149_301), holds(notebook.SCENE not in notebook.PLAY)


@claim(seeds=1)
def size_of_the_scene(notebook, seed):
    return holds(len(notebook.SCENE) == 5_165)


def table_of_pairs(notebook, text):
    """What a table of which letter follows which, counted in the text, costs on scene 3."""
    text, scene = (notebook.tokens_of(each).numpy() for each in (text, notebook.SCENE))
    counts = np.full((61, 61), 0.1)
    np.add.at(counts, (text[:-1], text[1:]), 1)
    shares = counts / counts.sum(axis=1, keepdims=True)
    return -np.log(shares[scene[:-1], scene[1:]]).mean()


@claim(seeds=1)
def counted_pairs(notebook, seed):
    return near(table_of_pairs(notebook, notebook.PLAY), 2.57, within=0.01)


@cause(control="the same reader with ten times as much text",
       title="Two scenes are learnt by heart")
def two_scenes_by_heart(notebook, seed):
    _, read, scene = trained(notebook, "OPENING", True, seed)[1].T
    more = trained(notebook, "PLAY", True, seed)[1][:, 2]
    return (min(near(read[-1], 1.83, within=0.1), above(scene[-1], 2.75),
                above(scene[-1] - scene.min(), 0.05),
                near(table_of_pairs(notebook, notebook.OPENING), 2.8, within=0.05)),
            above(more.argmin(), 3 - 0.5))


@claim()
def order_is_worth(notebook, seed):
    ordered, without = (trained(notebook, "PLAY", each, seed)[1][-1, 2] for each in (True, False))
    return (near(ordered, 2.23, within=0.08), near(without, 2.5, within=0.08),
            near(without - ordered, 0.25, within=0.1))


@claim(title="With rotations, heads read the last letters")
def heads_read_the_last_letters(notebook, seed):
    weights = notebook.by_distance(trained(notebook, "PLAY", True, seed)[0])
    return above(weights[:, 1].max(), 1 / 3), below(weights[:, 5:].max(), 0.1)


@claim()
def narrow_heads_read_better(notebook, seed):
    one, six = (notebook.cost_of_heads(heads, seed) for heads in (1, 6))
    three = trained(notebook, "PLAY", True, seed)[1][-1, 2]
    return (near(one, 2.33, within=0.08), near(three, 2.24, within=0.08),
            near(six, 2.19, within=0.08), above(one, six))
