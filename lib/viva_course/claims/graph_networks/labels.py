"""What Part D states about labels that spread, each time on twenty graphs of its own."""

import numpy as np

from viva_course.claiming import above, below, cause, claim, holds, near


@claim(title="The textbook formula ends at a logit of about 17", seeds=1)
def textbook_ends(notebook, seed):
    return (holds(np.isfinite(notebook.textbook_loss(16.5))),
            holds(not np.isfinite(notebook.textbook_loss(17.5))))


@claim(title="Four labels suffice for 100 nodes while communities are clear")
def four_labels_suffice(notebook, seed):
    return above(notebook.share_right(0.02, 10, seed), 0.94)


@claim()
def no_groups_no_signal(notebook, seed):
    return tuple(below(notebook.share_right(0.2, steps, seed), 0.57) for steps in (1, 3, 10, 50))


@claim()
def five_friends_across(notebook, seed):
    return near(notebook.share_right(0.1, 10, seed), 0.65, within=0.05)


@claim()
def three_steps_beat_fifty(notebook, seed):
    three, ten, fifty = (notebook.share_right(0.06, steps, seed) for steps in (3, 10, 50))
    return above(three, ten), above(ten, fifty)


def without_common_part(notebook, q, steps, seed):
    """The share of right classes if the mean over edges is taken out of every term P^k b."""
    right = []
    for graph in range(20):
        A, y = notebook.sbm(100, 0.2, q, 20 * seed + graph)
        degree = np.maximum(A.sum(axis=1), 1)
        term = np.zeros(100)
        term[[0, 1]], term[[50, 51]] = -1, 1
        x = np.zeros(100)
        for _ in range(steps + 1):
            x = x + term - degree @ term / degree.sum()
            term = A @ term / degree
        right.append(np.mean((x > 0) == y))
    return np.mean(right)


@cause(control="the same sum with the common part of every term taken out")
def late_terms_outvote(notebook, seed):
    return (below(notebook.share_right(0.06, 50, seed), 0.7),
            above(without_common_part(notebook, 0.06, 50, seed), 0.75))
