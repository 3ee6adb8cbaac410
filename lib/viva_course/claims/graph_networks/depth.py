"""What the deep networks show: ten starts for each seed, those from 10 s to 10 s + 9."""

import functools

import numpy as np

from viva_course.claiming import above, below, cause, claim, holds, near


@functools.cache
def tried(notebook, which, layers, remedy, seed):
    """Accuracy, loss, size and relative spread of ten starts, each (10,)."""
    network = notebook.NETWORK_X if which == "X" else notebook.NETWORK_Y
    change = notebook.remedies[remedy] if remedy else {}
    return notebook.trial(layers, range(10 * seed, 10 * seed + 10), **(network | change)).T


@claim(title="X vanishes")
def x_vanishes(notebook, seed):
    _, loss, size, spread = tried(notebook, "X", 10, "", seed)
    return (near(loss.min(), np.log(2), within=0.01), near(loss.max(), np.log(2), within=0.01),
            below(size.max(), 1e-50), above(np.median(spread), 0.1))


@cause(control="the same ten layers with weights of full size and no penalty")
def louder_cures_x(notebook, seed):
    ill, well = (tried(notebook, "X", 10, remedy, seed) for remedy in ("", "louder"))
    return (below(ill[0].mean(), 0.6),
            min(above(well[0].mean(), 0.85), above(np.sum(well[1] < 0.35), 7)))


@claim()
def sides_exchanged(notebook, seed):
    """Of thirty starts of X, those far below one half; and the mean of the deeper twenty."""
    found = [tried(notebook, "X", layers, "", seed) for layers in (4, 6, 10)]
    accuracy, loss, size, _ = np.concatenate(found, axis=1)
    low = accuracy < 0.4
    return (holds(low.any()), near(loss[low], np.log(2), within=0.01).min(initial=1),
            below(size[low].max(initial=0), 1e-20),
            near(np.mean([each[0] for each in found[1:]]), 0.5, within=0.2))


@claim()
def deep_x_has_both(notebook, seed):
    _, _, size, spread = tried(notebook, "X", 32, "", seed)
    return below(size.max(), 1e-100), below(np.median(spread), 0.05)


@claim()
def centring_leaves_x_ill(notebook, seed):
    _, loss, _, spread = tried(notebook, "X", 10, "centre", seed)
    return near(loss.min(), np.log(2), within=0.01), near(spread.min(), 1, within=1e-6)


@claim(title="Y is smoothed")
def y_is_smoothed(notebook, seed):
    _, loss, size, spread = tried(notebook, "Y", 32, "", seed)
    return (below(np.sum(loss < 0.35), 2.5), below(np.median(spread), 0.05),
            near(np.median(size), 1.5, within=1))


@cause(control="the same 32 layers with the mean state taken out in each",
       title="Two networks fail alike, for different reasons")
def centring_cures_y(notebook, seed):
    ill, well = (tried(notebook, "Y", 32, remedy, seed) for remedy in ("", "centre"))
    return below(ill[0].mean(), 0.65), above(well[0].mean(), 0.85)


@claim()
def training_fights_smoothing(notebook, seed):
    spread = np.median(tried(notebook, "Y", 6, "", seed)[3])
    rng = range(10 * seed, 10 * seed + 10)
    untrained = notebook.train_networks(notebook.club, notebook.sides, notebook.KNOWN, 0, rng)
    start = [notebook.relative_spread(notebook.last_states(S, W1, W2, 6, rescale=True))
             for S, W1, W2, _ in untrained]  # without a layer W1 and W2 stay as they were drawn
    return below(np.median(start), 0.6), above(spread, 0.8)


@claim()
def residual_keeps_apart(notebook, seed):
    with_it, without = (tried(notebook, "Y", 32, remedy, seed) for remedy in ("residual", ""))
    return (above(np.median(with_it[3]), np.median(without[3])), below(with_it[0].mean(), 0.7))


@cause(control="the same six layers without the connection")
def residual_costs(notebook, seed):
    with_it, without = (tried(notebook, "Y", 6, remedy, seed) for remedy in ("residual", ""))
    explained = below(max(np.median(with_it[1]), np.median(without[1])), 0.01)
    return min(explained, below(with_it[0].mean(), without[0].mean())), explained


@claim()
def three_layers_are_a_gamble(notebook, seed):
    return tuple(above(np.ptp(tried(notebook, "Y", 3, remedy, seed)[0]), 0.3)
                 for remedy in ("residual", ""))


@claim()
def centring_needs_depth(notebook, seed):
    return near(tried(notebook, "Y", 1, "centre", seed)[0].mean(),
                tried(notebook, "Y", 1, "", seed)[0].mean(), within=0.1)


def along_second(notebook, layers, seed):
    """Correlation of the longest direction of centred states with the second eigenvector, (10,)."""
    values, vectors = np.linalg.eig(notebook.averaging)
    second = vectors[:, np.argsort(-np.abs(values))[1]].real
    change, found = notebook.NETWORK_Y | notebook.remedies["centre"], []
    for start, W1, W2, _ in notebook.train_networks(
            notebook.club, notebook.sides, notebook.KNOWN, layers,
            range(10 * seed, 10 * seed + 10), **change):
        S = notebook.last_states(start, W1, W2, layers, **change)
        longest = np.linalg.svd(S - S.mean(axis=0), full_matrices=False)[0][:, 0]
        found.append(abs(np.corrcoef(longest, second)[0, 1]))
    return np.array(found)


@cause(control="one layer instead of 32")
def centring_finds_eigenvector(notebook, seed):
    return (above(np.median(along_second(notebook, 32, seed)), 0.9),
            below(np.median(along_second(notebook, 1, seed)), 0.7))


@claim()
def centring_is_no_magic(notebook, seed):
    drawn = np.random.default_rng(seed).integers(0, 2, 34)
    drawn[notebook.KNOWN] = notebook.sides[notebook.KNOWN]
    change, found = notebook.NETWORK_Y | notebook.remedies["centre"], []
    for start, W1, W2, readout in notebook.train_networks(
            notebook.club, drawn, notebook.KNOWN, 32, range(10 * seed, 10 * seed + 10), **change):
        logits = notebook.last_states(start, W1, W2, 32, **change) @ readout
        right = np.delete((logits > 0) == drawn, notebook.KNOWN)
        found.append((notebook.bce_loss(logits[notebook.KNOWN], drawn[notebook.KNOWN]),
                      right.mean()))
    loss, right = np.median(found, axis=0)
    return below(loss, 0.1), below(right, 0.7)
