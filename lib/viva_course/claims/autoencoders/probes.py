"""What Part C states about probes on made data and on digits."""

import functools

import numpy as np

from viva_course.claiming import above, below, between, claim, holds, near

COUNTS = (30, 100, 500, 2000)
SIZES = (2, 3, 5, 8, 10, 12, 15, 20, 25, 30, 40, 45, 50, 55, 64)


@functools.cache
def factors(notebook, seed):
    """{labels: (accuracy of the raw probe, of the one on the code)}, each of ten draws."""
    found = notebook.few_labels(COUNTS, 10, 10 * seed)
    return {count: (found[0][i].mean(), found[1][i].mean()) for i, count in enumerate(COUNTS)}


@functools.cache
def curve(notebook, count, seed, draws=20):
    """{size of the code: accuracy} with this many labels."""
    seeds = range(draws * seed, draws * (seed + 1))
    return dict(zip(SIZES, notebook.digit_curves(count, SIZES, seeds).mean(axis=0)))


@claim(seeds=1)
def boundary_by_hand(notebook, seed):
    known, y = np.array([[5.0, 5.0, 7.0, 7.0]]), np.array([0, 0, 1, 1])
    return holds(notebook.probe_accuracy(known, y, np.array([[5.99, 6.01]]), np.array([0, 1])) == 1)


@claim()
def the_puzzle(notebook, seed):
    table = notebook.tricky_table(2 * seed)
    return near(table["PCA, k = 3"][1], 0.5, within=0.08), above(
        table["quiet direction, k = 1"][1], 0.995)


@claim()
def quiet_direction_knows(notebook, seed):
    table = notebook.tricky_table(2 * seed)
    return (near(table["PCA, k = 3"][0], 0.007, within=0.001),
            near(table["PCA, k = 3"][1], 0.5, within=0.08),
            near(table["quiet direction, k = 1"][0], 0.994, within=0.001),
            above(table["quiet direction, k = 1"][1], 0.995))


@claim()
def four_catch_it(notebook, seed):
    return above(notebook.tricky_table(2 * seed)["PCA, k = 4"][1], 0.99)


@claim()
def code_with_thirty(notebook, seed):
    found = factors(notebook, seed)
    return (near(found[30][1], 0.87, within=0.03), near(found[500][0], 0.86, within=0.02),
            below(found[100][0], found[30][1]))


@claim(title="A code learned without labels helps most around as many labels as channels")
def dip_at_a_hundred(notebook, seed):
    found = factors(notebook, seed)
    X, y = notebook.factor_data(100, seed)
    ahead = {count: coded - raw for count, (raw, coded) in found.items()}
    return (below(found[100][0], 0.62), above(found[30][0], found[100][0]),
            holds(notebook.probe_accuracy(X, y, X, y) == 1),
            above(ahead[100], max(ahead[30], ahead[500], ahead[2000])))


@claim()
def little_left(notebook, seed):
    raw, coded = factors(notebook, seed)[2000]
    return near(100 * (coded - raw), 2, within=1)


@claim(seeds=1)
def all_labels_saturate(notebook, seed):
    found = curve(notebook, 1200, 0, draws=1)
    return (above(found[40], found[25]), above(found[25], found[10]), above(found[10], found[3]),
            below(np.ptp([found[k] for k in (40, 45, 50, 55, 64)]), 0.015))


@claim()
def fifty_labels(notebook, seed):
    found = curve(notebook, 50, seed)
    best = max(found, key=found.get)
    return holds(best in (12, 15)), above(found[best] - found[64], 0.3)


@claim()
def twenty_labels(notebook, seed):
    found = curve(notebook, 20, seed)
    return below(found[64] - found[10], 0.05), above(found[10] - found[20], 0.15)


@claim(title=("Always better …", "… but not for everybody (stars: best k)"))
def where_sizes_meet(notebook, seed):
    worst = [min((k for k in SIZES if k >= 8), key=curve(notebook, count, seed).get)
             for count in (20, 50)]
    lost = [notebook.ae_loss(*notebook.pca_autoencoder(notebook.X_train, k), notebook.X_test)
            for k in SIZES]
    return (holds(worst[0] == 20), between(worst[1], 40, 60), holds((np.diff(lost) < 0).all()))


@claim(seeds=1)
def nearly_empty(notebook, seed):
    W1, W2 = notebook.pca_autoencoder(notebook.X_train, 50)
    return below(notebook.ae_loss(W1, W2, notebook.X_test) / np.sum(notebook.X_test**2), 0.0002)


@claim()
def recovers_or_not(notebook, seed):
    twenty, fifty = (curve(notebook, count, seed) for count in (20, 50))
    return above(twenty[64] - twenty[20], 0.1), below(fifty[64] - fifty[50], 0.04)


@claim()
def louder_does_not_help(notebook, seed):
    """The directions from 50 on, scaled up to the spread of direction 40."""
    W1 = notebook.pca_autoencoder(notebook.X_train, 64)[0]
    spread = (W1 @ notebook.X_train).std(axis=1)
    louder = np.where((np.arange(64) >= 50) & (spread > 1e-9), spread[40] / spread, 1)[:, None]
    Z, Z_test = louder * (W1 @ notebook.X_train), louder * (W1 @ notebook.X_test)
    picks = [notebook.every_digit_first(each)[:50] for each in range(20 * seed, 20 * seed + 20)]
    loud = np.mean([notebook.probe_accuracy(Z[:, p], notebook.train_labels[p], Z_test,
                                            notebook.test_labels) for p in picks])
    return below(loud - curve(notebook, 50, seed)[64], 0.03)


@claim()
def absent_digits(notebook, seed):
    """Plain draws against those with every digit, at a code of ten numbers."""
    W1 = notebook.pca_autoencoder(notebook.X_train, 10)[0]
    Z, Z_test = W1 @ notebook.X_train, W1 @ notebook.X_test
    draws = [np.random.default_rng(each).permutation(1200)[:20]
             for each in range(20 * seed, 20 * seed + 20)]
    lacking = np.mean([len(np.unique(notebook.train_labels[p])) < 10 for p in draws])
    plain = np.mean([notebook.probe_accuracy(Z[:, p], notebook.train_labels[p], Z_test,
                                             notebook.test_labels) for p in draws])
    return above(lacking, 0.5), above(100 * (curve(notebook, 20, seed)[10] - plain), 1)


@claim()
def rule_of_the_loss(notebook, seed):
    seeds = range(20 * seed, 20 * seed + 20)
    return near(notebook.judge_rule(lambda Z, y, sizes: 64, seeds=seeds)[0], 0.4, within=0.03)
