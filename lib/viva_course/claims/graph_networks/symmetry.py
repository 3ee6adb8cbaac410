"""What Part C states about numbering and about graphs that look alike."""

import math

import numpy as np

from viva_course.claiming import above, below, claim, holds, near


@claim(variants=("gnn_update",))
def layer_is_equivariant(notebook, seed):
    outputs = np.abs(notebook.dense_layer(notebook.S_club, notebook.club)).max()
    return (below(notebook.renumbering_gap(notebook.message_passing, seed), 1e-13),
            above(notebook.renumbering_gap(notebook.dense_layer, seed), 0.5 * outputs))


@claim(seeds=1)
def numberings(notebook, seed):
    return near(math.factorial(34) / 1e38, 3, within=0.2)


@claim(seeds=1)
def molecules_look_alike(notebook, seed):
    final = notebook.colours_of_both(20)
    return (*(holds(np.array_equal(*notebook.colours_of_both(k))) for k in range(21)),
            holds(sorted(final[0][final[0] > 0].tolist()) == [2, 4, 4]))


@claim(seeds=1)
def rings_return(notebook, seed):
    ways = [np.trace(notebook.propagate_sum(each, 5))
            for each in (notebook.decalin, notebook.bicyclopentyl)]
    return holds(ways == [0, 20])


@claim(seeds=1)
def club_has_27_colours(notebook, seed):
    seen = [len(set(notebook.refine_colors(notebook.club, np.zeros(34, int), k).tolist()))
            for k in (1, 2, 3, 34)]
    final = notebook.refine_colors(notebook.club, np.zeros(34, int), 34)
    five = [14, 15, 18, 20, 22]
    return (holds(seen[0] < 27 and seen[1:] == [27, 27, 27]),
            holds(len(set(final[five].tolist())) == 1 and notebook.club[14].sum() == 2),
            holds((notebook.club[five] == notebook.club[14]).all()))
