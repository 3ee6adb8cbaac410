"""What section 7 states about the trained models. A seed is another training."""

import functools

import numpy as np

from viva_course.claiming import above, below, cause, claim, holds, near

TOKENS = [3, 14, 1, 5, 9, 2, 6] * 3


@functools.cache
def scores(notebook, seed):
    """{(layer, head): (weight on the token before, induction score)}."""
    return notebook.head_scores(seed)


@functools.cache
def without(notebook, removed, seed, distinct=None):
    return notebook.accuracy_without(list(removed), seed, distinct=distinct)


def noting(notebook, seed):
    """The head of the first layer that reads the token before, and the other one."""
    before = [scores(notebook, seed)[0, h][0] for h in range(2)]
    return int(np.argmax(before)), int(np.argmin(before))


@claim(seeds=1)
def score_by_hand(notebook, seed):
    P = np.zeros((4, 4))
    P[2:] = [[0.2, 0.5, 0.3, 0], [0.1, 0.2, 0.3, 0.4]]
    return near(notebook.induction_score(P, [7, 2, 7, 7]), 0.55, within=1e-9)


@claim(seeds=1)
def composition_by_hand(notebook, seed):
    e = np.eye(4)
    found = notebook.composition_scores(np.outer(e[0], e[1]), np.outer(e[3], e[1]),
                                        np.outer(e[1], e[2]))
    return tuple(near(one, stated, within=1e-9) for one, stated in zip(found, (0, 1, 1)))


@claim()
def random_composition(notebook, seed):
    rng = np.random.default_rng(seed)
    circuits = [rng.normal(size=(32, 16)) @ rng.normal(size=(16, 32)) for _ in range(3)]
    return near(np.mean(notebook.composition_scores(*circuits)), 0.175, within=0.02)


@claim()
def one_layer_guesses(notebook, seed):
    model, losses = notebook.trained(1, 1, seed)
    return (near(np.mean(losses[-50:]), 2.3, within=0.1),
            near(notebook.right_answers(model), 0.2, within=0.04))


@claim()
def one_layer_copies(notebook, seed):
    return above(notebook.copying(1, 1, seed)[0], 0.95)


@claim(title="Two layers find a rule that one layer does not")
def two_layers_solve(notebook, seed):
    model, losses = notebook.trained(2, 2, seed)
    cliff = next(step for step, loss in enumerate(losses) if loss < 1.5)
    return near(cliff, 50, within=15), near(notebook.right_answers(model), 0.98, within=0.012)


@claim()
def one_head_notes(notebook, seed):
    return above(scores(notebook, seed)[0, noting(notebook, seed)[0]][0], 0.9)


@claim()
def two_induction_heads(notebook, seed):
    found = scores(notebook, seed)
    return (above(min(found[1, h][1] for h in range(2)), 0.85),
            below(max(found[0, h][1] for h in range(2)), 0.2))


@cause(control="the same removal where the other head is removed as well")
def twins_replace_each_other(notebook, seed):
    alone = min(without(notebook, ((1, h),), seed) for h in range(2))
    return above(alone, 0.88), below(without(notebook, ((1, 0), (1, 1)), seed), 0.12)


@claim(seeds=1)
def two_share_the_note(notebook, seed):
    """Of the training with seed 2."""
    found = scores(notebook, 2)
    left = {removed: without(notebook, removed, 2)
            for removed in (((0, 0),), ((0, 1),), ((0, 0), (0, 1)))}
    stated = {((0, 0),): 0.59, ((0, 1),): 0.9, ((0, 0), (0, 1)): 0.28}
    return (near(found[0, 0][0], 0.63, within=0.02), near(found[0, 1][0], 0.57, within=0.02),
            *(near(found[1, h][1], 0.8, within=0.02) for h in range(2)),
            *(near(left[removed], share, within=0.02) for removed, share in stated.items()))


@claim()
def noting_head_is_needed(notebook, seed):
    left = without(notebook, ((0, noting(notebook, seed)[0]),), seed)
    here = (near(left, 0.25, within=0.02),) if seed == 0 else ()  # the figure's
    return near(left, 0.31, within=0.1), *here


@claim()
def other_head_reads_two_back(notebook, seed):
    tokens, _ = notebook.repeated(np.random.default_rng(7), 20)
    reading, other = notebook.Reading(notebook.trained(2, 2, seed)[0]), noting(notebook, seed)[1]
    patterns = [reading.patterns(row)[0][other] for row in tokens[:, :-1].numpy()]
    back = [np.mean([np.diagonal(P, -by).mean() for P in patterns]) for by in range(6)]
    return above(back[2], 0.38), holds(np.argmax(back) == 2)


@cause(control="blocks in which no token occurs twice")
def two_back_helps_repeats(notebook, seed):
    other = ((0, noting(notebook, seed)[1]),)
    cost = {kind: without(notebook, (), seed, kind) - without(notebook, other, seed, kind)
            for kind in (False, True)}
    return above(cost[False], 0.07), below(cost[True], 0.02)


@claim()
def second_layer_votes(notebook, seed):
    votes = {name: each[7:].mean() for name, each in notebook.path_votes(TOKENS, seed).items()}
    own = votes.pop("second layer")
    return above(own, sum(abs(each) for each in votes.values()))


@claim()
def keys_compose(notebook, seed):
    found, (note, other) = notebook.compositions(seed), noting(notebook, seed)
    keys = found[:, :, 1]
    return (above(keys[:, note].min(), 0.2), above(keys[:, note].min(), keys[:, other].max()),
            below(found[:, :, 2].max(), 32**-0.5))


@claim()
def note_is_looked_up(notebook, seed):
    tables = notebook.look_up_tables(seed)
    note, itself = tables[noting(notebook, seed)[0]], tables[2]
    return above(prominence(note), 5), below(abs(prominence(itself)), 0.25 * prominence(note))


def prominence(table):
    """The mean of the diagonal minus that of all else."""
    n = len(table)
    return np.trace(table) / n - (table.sum() - np.trace(table)) / (n * (n - 1))


@claim()
def induction_heads_copy(notebook, seed):
    return above(min(notebook.copying(2, 2, seed)), 0.95)
