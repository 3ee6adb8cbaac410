"""What Part E states about the club before anything is trained."""

import numpy as np

from viva_course.claiming import above, below, cause, claim, holds, near


def wrong(notebook, steps):
    return np.flatnonzero(notebook.club_guesses(steps) != notebook.sides).tolist()


@claim(title="From two labels, {} of 34 members are placed rightly", seeds=1,
       variants=("spread_labels",))
def one_exception(notebook, seed):
    return holds(wrong(notebook, 10) == [8])


@claim(seeds=1)
def summary_two_labels(notebook, seed):
    return holds(len(wrong(notebook, 10)) == 1)


@claim(seeds=1)
def friends_of_node_8(notebook, seed):
    friends = notebook.sides[np.flatnonzero(notebook.club[8])]
    return holds(friends.sum() == 3 and len(friends) == 5)


@claim(seeds=1)
def one_step_leaves_three(notebook, seed):
    return holds(wrong(notebook, 1) == [24, 25, 31])


@claim(seeds=1)
def late_steps_lose_the_club(notebook, seed):
    return (holds(wrong(notebook, 20) == [2, 8]), holds(wrong(notebook, 100) == [2, 8, 13, 19]),
            holds(wrong(notebook, 400) == np.flatnonzero(notebook.sides == 0).tolist()))


@claim(seeds=1)
def officer_has_more_friends(notebook, seed):
    start = np.zeros(34)
    start[[0, 33]] = -1, 1
    late = [np.linalg.matrix_power(notebook.averaging, k) @ start for k in range(40, 400, 40)]
    return (holds(notebook.club[[0, 33]].sum(axis=1).tolist() == [16, 17]),
            above(np.min(late), 0))


def drawn_together(notebook, layers, seed):
    """By which factor averaging has drawn the points together."""
    return (notebook.smoothed(0, seed).std(axis=0).mean()
            / notebook.smoothed(layers, seed).std(axis=0).mean())


@claim()
def two_layers_draw_together(notebook, seed):
    return near(drawn_together(notebook, 2, seed), 4, within=1.7)


@claim(title="All members become equal")
def forty_layers_equal(notebook, seed):
    slope = drawn_together(notebook, 40, seed) / drawn_together(notebook, 30, seed)
    return (above(drawn_together(notebook, 40, seed), 700),
            near(slope ** -0.1, abs(eigenvectors(notebook)[0]), within=0.02))


def eigenvectors(notebook):
    """The second eigenvalue of the averaging matrix, its right and its left eigenvector."""
    values, vectors = np.linalg.eig(notebook.averaging)
    second = np.argsort(-np.abs(values))[1]
    right = vectors[:, second].real
    return values[second].real, right, right * notebook.club.sum(axis=1)


@claim(seeds=1)
def second_eigenvector_is_the_split(notebook, seed):
    same = np.sum((eigenvectors(notebook)[1] > 0) == notebook.sides)
    return holds(max(same, 34 - same) == 32)


def sorted_share(notebook, points):
    """Of all pairs of members of two sides, the share in one order along the longest direction."""
    centred = points - points.mean(axis=0)
    along = centred @ np.linalg.svd(centred, full_matrices=False)[2][0]
    share = np.mean(along[notebook.sides == 1][:, None] > along[notebook.sides == 0])
    return max(share, 1 - share)


@claim(title="Averaging first sorts the members by side, and then makes them all equal")
def sorted_by_side(notebook, seed):
    return (above(sorted_share(notebook, notebook.smoothed(6, seed)), 0.88),
            below(sorted_share(notebook, notebook.smoothed(0, seed)), 0.75))


@cause(control="the same numbers without their part along the second eigenvector")
def eigenvector_sorts(notebook, seed):
    _, right, left = eigenvectors(notebook)
    points = notebook.smoothed(0, seed)
    rest = points - np.outer(right, left @ points / (left @ right))
    six = np.linalg.matrix_power(notebook.averaging, 6)
    return (above(sorted_share(notebook, notebook.smoothed(6, seed)), 0.88),
            below(sorted_share(notebook, six @ rest), 0.8))
