"""Public cases of the linear probe. Codes have samples as columns."""

import numpy as np

from viva.case import case


def clusters(rng, centres, labels, spread=0.1):
    """Codes (k, n) around the centres (k, c), one for each entry of labels."""
    return centres[:, labels] + spread * rng.normal(size=(len(centres), len(labels)))


@case("probe_accuracy")
def threshold_at_six(rng, probe_accuracy):
    """one code channel, classes at 5 and 7: 1"""
    centres, ytr, yte = np.array([[5.0, 7.0]]), rng.permutation(30) % 2, rng.permutation(20) % 2
    return probe_accuracy(clusters(rng, centres, ytr), ytr, clusters(rng, centres, yte), yte)


@case("probe_accuracy")
def three_classes(rng, probe_accuracy):
    """three classes with the labels 3, 7 and 20: 1"""
    centres, names = np.array([[0.0, 4.0, 0.0], [0.0, 0.0, 4.0]]), np.array([3, 7, 20])
    ytr, yte = rng.permutation(36) % 3, rng.permutation(27) % 3
    return probe_accuracy(clusters(rng, centres, ytr), names[ytr], clusters(rng, centres, yte),
                          names[yte])


@case("probe_accuracy")
def four_corners(rng, probe_accuracy):
    """four classes at the corners of a square, labels that no plane can rank: 1"""
    centres, names = np.array([[0.0, 4.0, 0.0, 4.0], [0.0, 0.0, 4.0, 4.0]]), np.array([0, 5, 1, 2])
    ytr, yte = rng.permutation(48) % 4, rng.permutation(36) % 4
    return probe_accuracy(clusters(rng, centres, ytr), names[ytr], clusters(rng, centres, yte),
                          names[yte])


@case("probe_accuracy")
def wrong_test_labels(rng, probe_accuracy):
    """separable, but five of twenty test labels are wrong: 0.75"""
    centres, ytr, yte = np.array([[1.0, 3.0]]), rng.permutation(30) % 2, rng.permutation(20) % 2
    given = np.where(np.arange(20) < 5, 1 - yte, yte)
    return probe_accuracy(clusters(rng, centres, ytr), ytr, clusters(rng, centres, yte), given)


@case("probe_accuracy")
def one_sided_test(rng, probe_accuracy):
    """all test samples are of class 1: 1"""
    centres, ytr = np.array([[0.0, 2.0], [1.0, -1.0]]), rng.permutation(40) % 2
    yte = np.ones(16, int)
    return probe_accuracy(clusters(rng, centres, ytr), ytr, clusters(rng, centres, yte), yte)


@case("probe_accuracy")
def absent_class(rng, probe_accuracy):
    """no test sample is of class 9, but five of twenty look like it and are taken for it: 0.75"""
    centres, names = np.array([[0.0, 4.0, 0.0], [0.0, 0.0, 4.0]]), np.array([2, 6, 9])
    ytr, yte = rng.permutation(36) % 3, rng.permutation(20) % 2
    Zte = clusters(rng, centres, yte)
    like_nine, yte[:5] = np.array([[0.0], [2.8]]), 0  # nearer to class 9 than to class 2
    Zte[:, :5] = like_nine + 0.1 * rng.normal(size=(2, 5))
    return probe_accuracy(clusters(rng, centres, ytr), names[ytr], Zte, names[yte])


@case("probe_accuracy")
def turned_labels(rng, probe_accuracy):
    """the labels of the small training split are all exchanged: 0"""
    centres, ytr, yte = np.array([[0.0, 2.0]]), rng.permutation(12) % 2, rng.permutation(40) % 2
    return probe_accuracy(clusters(rng, centres, ytr), 1 - ytr, clusters(rng, centres, yte), yte)


@case("probe_accuracy")
def huge_penalty(rng, probe_accuracy):
    """lam = 1e9 leaves only the intercept, which knows the larger class: 0.4, near or far apart"""
    ytr, yte = np.array([0] * 10 + [1] * 20), np.array([0] * 12 + [1] * 8)
    splits = [[clusters(rng, np.array([[0.0, far]]), y, 0.02) for y in (ytr, yte)]
              for far in (2.0, 0.6)]
    return [probe_accuracy(Ztr, ytr, Zte, yte, 1e9) for Ztr, Zte in splits]


@case("probe_accuracy")
def weak_channel(rng, probe_accuracy):
    """a weak channel that knows the label, a strong one that hardly does: lam = 50, 5, 0.05"""
    ytr, yte = rng.permutation(60) % 2, rng.permutation(400) % 2
    Ztr, Zte = (np.array([[-0.1], [0.3]]) * (2 * y - 1)
                + np.array([[0.02], [1.0]]) * rng.normal(size=(2, len(y))) for y in (ytr, yte))
    return [probe_accuracy(Ztr, ytr, Zte, yte, lam) for lam in (50.0, 5.0, 0.05)]


@case("probe_accuracy")
def far_away(rng, probe_accuracy):
    """both splits far from the origin, four channels, two of them useless: 1"""
    centres = np.array([[0.0, 2.0], [0.0, 0.0], [1.0, -1.0], [0.0, 0.0]]) + 300
    ytr, yte = rng.permutation(50) % 2, rng.permutation(30) % 2
    return probe_accuracy(clusters(rng, centres, ytr), ytr, clusters(rng, centres, yte), yte)
