"""Exam of `subset_critical_point` and `escape_direction`: flat places that are not valleys."""

import numpy as np

from viva.cases.autoencoders import loss, with_singular_values
from viva_course.reference import autoencoders as reference
from viva_course.rubric import Exercise, then

saddles = Exercise(
    "subset_critical_point",
    expects={
        "subset_critical_point": "(W1, W2) that keep exactly the singular directions of idx, in "
                                 "the order of idx",
        "escape_direction": "(D1, D2) such that a small step of both weights along them lowers "
                            "the loss",
    },
)

saddles.values(5, "The autoencoder keeps the directions of idx and no others.",
               name="critical point", only=("reconstruction", "outside", "in_order"))
saddles.values(5, "A step of 0.05, and one of 0.01, lowers the loss; encoder and decoder both "
               "take up the missing direction.", name="way out",
               only=("way_out", "way_out_between", "way_out_unordered"))


@saddles.item(1.5, "At every subset both gradients are zero.")
def gradients_vanish(exam, subset_critical_point, escape_direction):
    for m, n in ((5, 8), (8, 5)):
        X = with_singular_values(exam.rng, exam.rng.permutation([5, 4, 3, 2, 1.0]), m, n)
        for k in (1, 2, 3):
            idx = [int(i) for i in exam.rng.permutation(5)[:k]]
            W1, W2 = (np.asarray(w, float) for w in subset_critical_point(X, idx))
            exam.same(list(reference.ae_grads(W1, W2, X)), [np.zeros((k, m)), np.zeros((m, k))],
                      atol=1e-8)
            kept = np.sum(np.array([5, 4, 3, 2, 1])[idx] ** 2)
            exam.same(loss(W1, W2, X), float(55 - kept), rtol=1e-8)


@saddles.item(2, "From every subset that leaves out a stronger direction your direction leads "
              "down, along a curve that bends down like a parabola.")
def strict_saddles(exam, subset_critical_point, escape_direction):
    X = with_singular_values(exam.rng, (5, 4, 3, 2, 1), 6, 9)
    U = np.linalg.svd(X)[0]
    for idx, missing in (([4], 0), ([2, 1], 0), ([0, 4], 3), ([3, 0, 1], 2), ([1, 4, 3], 2),
                         ([1, 4, 3], 0)):
        D1, D2 = (np.asarray(d, float) for d in escape_direction(X, idx, missing))
        losses = [loss(U[:, idx].T + e * D1, U[:, idx] + e * D2, X) for e in (0, 0.01, 0.02)]
        falls = [losses[0] - each for each in losses[1:]]
        exam.true(falls[0] > 0 and falls[1] > 0, "a small step does not lower the loss")
        exam.true(3 < falls[1] / falls[0] < 4.5, "twice the step does not fall four times "
                  "as far")


saddles.unmodified(0.5, "X and idx must stay as they were.")


def vectors(X):
    return np.linalg.svd(X, full_matrices=False)[0]


@saddles.mistake("top_always", "These are the strongest directions; those of idx are asked for.")
def subset_critical_point(X, idx):
    U = vectors(X)[:, : len(idx)]
    return U.T, U


@saddles.mistake("not_unit", "The singular vectors are multiplied by their singular values here; "
                 "they must keep length one.")
def subset_critical_point(X, idx):
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    return (U[:, idx] * s[idx]).T, U[:, idx] * s[idx]


@saddles.mistake("sorted", "The order of idx is lost: row i of W1 belongs to idx[i].")
def subset_critical_point(X, idx):
    U = vectors(X)[:, sorted(idx)]
    return U.T, U


@saddles.mistake("complement", "These are the directions outside idx.")
def subset_critical_point(X, idx):
    U = vectors(X)
    U = U[:, [i for i in range(U.shape[1]) if i not in idx]]
    return U.T, U


@saddles.mistake("ascending", "Index 0 is the strongest direction; here it is the weakest.")
def subset_critical_point(X, idx):
    U = vectors(X)[:, ::-1][:, idx]
    return U.T, U


@saddles.mistake("one_based", "idx counts from 0: direction 0 is the strongest.")
def subset_critical_point(X, idx):
    U = vectors(X)[:, [i - 1 for i in idx]]
    return U.T, U


@saddles.mistake("rows_of_U", "The singular vectors are the columns of U, not its rows.")
def subset_critical_point(X, idx):
    U = np.linalg.svd(X)[0][idx].T
    return U.T, U


@saddles.mistake("centred", "X is not centred: the autoencoder has no bias.")
def subset_critical_point(X, idx):
    return reference.subset_critical_point(X - X.mean(axis=1, keepdims=True), idx)


def spread(X, idx, row, u):
    D1 = np.zeros((len(idx), len(X)))
    D1[row] = u
    return D1, D1.T.copy()


saddles.mistakes_of(escape_direction={
    "encoder_only": ("The code sees the missing direction, but the decoder does not write it: the "
                     "loss rises. Both have to move.",
                     then(reference.escape_direction, lambda D1, D2: (D1, 0 * D2))),
    "decoder_only": ("The decoder writes the missing direction, but the encoder does not look at "
                     "it: the loss rises. Both have to move.",
                     then(reference.escape_direction, lambda D1, D2: (0 * D1, D2))),
    "first_row": (
        "The missing direction must go to a code channel that holds a weaker one; here it competes "
        "with a stronger one.",
        lambda X, idx, k_missing: spread(X, idx, 0, vectors(X)[:, k_missing])),
    "every_row": (
        "The missing direction goes into every code channel here; those that hold a stronger one "
        "make the loss rise. One channel, with a weaker one, is enough.",
        lambda X, idx, k_missing: spread(X, idx, slice(None), vectors(X)[:, k_missing])),
    "strongest_row": (
        "The missing direction must go to a code channel that holds a weaker one; here it competes "
        "with a stronger one.",
        lambda X, idx, k_missing: spread(X, idx, int(np.argmin(idx)), vectors(X)[:, k_missing])),
    "last_row": ("The missing direction must go to a code channel that holds a weaker one; here it "
                 "competes with a stronger one.",
                 lambda X, idx, k_missing: spread(X, idx, len(idx) - 1, vectors(X)[:, k_missing])),
    "opposite_signs": ("Encoder and decoder move in opposite senses: what the code sees is then "
                       "written with the wrong sign, and the loss rises.",
                       then(reference.escape_direction, lambda D1, D2: (D1, -D2))),
    "moves_over": (
        "What the channel keeps is taken away here while the missing direction comes in: that "
        "costs more than it gains. The kept direction stays, and the missing one is added.",
        lambda X, idx, k_missing: spread(X, idx, int(np.argmax(idx)), (
            vectors(X)[:, k_missing] - vectors(X)[:, max(idx)]))),
    "gradient": (
        "At a critical point the gradient is zero: it shows no way out.",
        lambda X, idx, k_missing: (
            tuple(-g for g in reference.ae_grads(*reference.subset_critical_point(X, idx), X)))),
    "swapped": ("The direction of the encoder comes first, (k, m).",
                lambda X, idx, k_missing: reference.escape_direction(X, idx, k_missing)[::-1]),
})


@saddles.mistake("kept_direction", "This mixes in a direction that is already kept; the missing "
                 "one is the column k_missing.")
def escape_direction(X, idx, k_missing):
    kept = [i for i in idx if i != max(idx)] or idx
    return spread(X, idx, int(np.argmax(idx)), vectors(X)[:, kept[0]])


@saddles.mistake("idx_sorted_in_place", "The arguments belong to the caller: neither X nor idx may "
                 "change.")
def subset_critical_point(X, idx):
    found = reference.subset_critical_point(X, list(idx))
    idx.sort()
    return found


@saddles.mistake("in_place", "The arguments belong to the caller: neither X nor idx may change.")
def escape_direction(X, idx, k_missing):
    found = reference.escape_direction(X, idx, k_missing)
    X *= 2
    return found


@saddles.variant("outer products")
def escape_direction(X, idx, k_missing):
    values, U = np.linalg.eigh(X @ X.T)
    u, e = U[:, ::-1][:, k_missing], np.eye(len(idx))[list(idx).index(max(idx))]
    return np.outer(e, u), np.outer(u, e)


@saddles.variant("eigenvectors")
def subset_critical_point(X, idx):
    U = np.linalg.eigh(X @ X.T)[1][:, ::-1]
    chosen = np.stack([U[:, i] for i in idx], axis=1)
    return chosen.T, chosen


@saddles.variant("a turn of the weakest direction")
def escape_direction(X, idx, k_missing):
    U = np.linalg.svd(X)[0]
    weakest, D2 = max(range(len(idx)), key=lambda i: idx[i]), np.zeros((len(X), len(idx)))
    D2[:, weakest] = U[:, k_missing] - 1e-3 * U[:, idx[weakest]]
    return D2.T, D2
