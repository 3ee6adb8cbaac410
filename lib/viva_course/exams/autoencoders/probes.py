"""Exam of `probe_accuracy`: what a code is worth."""

import numpy as np

from viva.cases.autoencoders.probes import clusters
from viva.kits.autoencoders import tricky_data
from viva_course.reference import autoencoders as reference
from viva_course.rubric import Exercise

probes = Exercise(
    "probe_accuracy",
    expects="the share of test samples whose label the probe, fitted on the training codes, "
            "predicts",
    survivors={
        "probe_accuracy: classes, mean = (np.unique(ytr), Ztr.mean(axis=1, keepdims=True)) -> "
        "classes, mean = (ytr, Ztr.mean(axis=1, keepdims=True))":
            "one output for each sample: those of a class are equal, and the largest is the same",
    },
)

probes.values(6, "Clusters that a line separates are told apart, wherever they lie and however "
              "they are called.", name="separable",
              only=("threshold_at_six", "three_classes", "four_corners", "one_sided_test",
                    "far_away", "wrong_test_labels"))
probes.values(3, "The probe learns from the training split and is judged on the test split.",
              name="two splits", only=("wrong_test_labels", "turned_labels", "absent_class"))
probes.values(1, "lam penalises the weights and not the intercept.", name="penalty",
              only=("huge_penalty", "weak_channel"))


@probes.item(2, "The PCA code of the tricky data probes at chance, the quiet direction at nearly "
             "100%.")
def a_tricky_code(exam, probe_accuracy):
    train, test = (tricky_data(400, int(exam.rng.integers(2**32))) for _ in range(2))
    U = np.linalg.svd(train[0], full_matrices=False)[0][:, :3]
    quiet = train[2][3:4]
    loud = probe_accuracy(U.T @ train[0], train[1], U.T @ test[0], test[1])
    exam.true(0.3 < loud < 0.7, "three loud directions know nothing of the label")
    exam.true(probe_accuracy(quiet @ train[0], train[1], quiet @ test[0], test[1]) > 0.95,
              "the quiet direction is the label")


@probes.item(1.5, "To shift or to turn the codes of both splits changes nothing; noisy data give "
             "the accuracy of least squares.")
def nothing_but_the_distances(exam, probe_accuracy):
    centres = exam.rng.normal(size=(3, 4))
    ytr, yte = exam.rng.integers(4, size=120), exam.rng.integers(4, size=300)
    Ztr, Zte = (clusters(exam.rng, centres, y, 0.6) for y in (ytr, yte))
    expected = float(reference.probe_accuracy(Ztr, ytr, Zte, yte))
    exam.same(probe_accuracy(Ztr, ytr, Zte, yte), expected, atol=0.015)
    turn, shift = np.linalg.qr(exam.rng.normal(size=(3, 3)))[0], exam.rng.normal(size=(3, 1)) * 50
    exam.same(probe_accuracy(turn @ Ztr + shift, ytr, turn @ Zte + shift, yte), expected,
              atol=0.015)


probes.unmodified(0.5, "Codes and labels must stay as they were.")


def probe(Ztr, ytr, Zte, yte, lam, centre=None, other=None, bias=True):
    """The probe with parts that can go wrong."""
    mean, classes = Ztr.mean(axis=1, keepdims=True), np.unique(ytr)
    mean = mean if centre is None else centre
    Y = (classes[:, None] == ytr).astype(float)
    b = Y.mean(axis=1, keepdims=True) if bias else np.zeros((len(classes), 1))
    A = Ztr - mean
    W = np.linalg.solve(A @ A.T + lam * np.eye(len(A)), A @ (Y - b).T).T
    out = W @ (Zte - (mean if other is None else other)) + b
    return np.mean(classes[np.argmax(out, axis=0)] == yte)


probes.mistakes_of(probe_accuracy={
    "test_centred": (
        "The test codes are centred with their own mean; at test time only the mean of the "
        "training split is known.",
        lambda Ztr, ytr, Zte, yte, lam=1e-3: (
            probe(Ztr, ytr, Zte, yte, lam, other=Zte.mean(axis=1, keepdims=True)))),
    "test_not_centred": (
        "The training codes are centred and the test codes are not: subtract the same mean from "
        "both.",
        lambda Ztr, ytr, Zte, yte, lam=1e-3: probe(Ztr, ytr, Zte, yte, lam, other=0.0)),
    "trains_on_test": ("The probe is fitted on the test split; it must learn from the training "
                       "split.",
                       lambda Ztr, ytr, Zte, yte, lam=1e-3: probe(Zte, yte, Zte, yte, lam)),
    "trains_on_both": (
        "The probe is fitted on both splits; the test split may only be used for counting.",
        lambda Ztr, ytr, Zte, yte, lam=1e-3: (
            probe(np.hstack([Ztr, Zte]), np.append(ytr, yte), Zte, yte, lam))),
    "one_mean": ("This mean is a single number for all channels of the code; each channel has its "
                 "own, `axis=1`.",
                 lambda Ztr, ytr, Zte, yte, lam=1e-3: (
                     probe(Ztr, ytr, Zte, yte, lam, centre=Ztr.mean()))),
    "lam_times_n": ("lam is not multiplied by the number of samples: the loss is a sum.",
                    lambda Ztr, ytr, Zte, yte, lam=1e-3: probe(Ztr, ytr, Zte, yte, lam * len(ytr))),
    "centred_no_bias": (
        "The outputs have no intercept; once the codes are centred it is the mean of the targets.",
        lambda Ztr, ytr, Zte, yte, lam=1e-3: probe(Ztr, ytr, Zte, yte, lam, bias=False)),
    "no_bias": ("Without an intercept the boundary must pass through the origin.",
                lambda Ztr, ytr, Zte, yte, lam=1e-3: (
                    probe(Ztr, ytr, Zte, yte, lam, centre=0.0, bias=False))),
    "train_accuracy": ("This is the accuracy on the training split.",
                       lambda Ztr, ytr, Zte, yte, lam=1e-3: probe(Ztr, ytr, Ztr, ytr, lam)),
    "lam_ignored": ("lam is not used.",
                    lambda Ztr, ytr, Zte, yte, lam=1e-3: probe(Ztr, ytr, Zte, yte, 1e-3)),
    "standardised": (
        "The codes are centred and nothing else: divided by their spread they meet another "
        "penalty.",
        lambda Ztr, ytr, Zte, yte, lam=1e-3: (
            lambda size: probe(Ztr / size, ytr, Zte / size, yte, lam))(
                np.maximum(Ztr.std(axis=1, keepdims=True), 1e-12))),
    "error_rate": ("This is the share of errors; the share of right answers is asked for.",
                   lambda Ztr, ytr, Zte, yte, lam=1e-3: 1 - probe(Ztr, ytr, Zte, yte, lam)),
    "count": ("This is the number of right answers; divide by the number of samples.",
              lambda Ztr, ytr, Zte, yte, lam=1e-3: probe(Ztr, ytr, Zte, yte, lam) * len(yte)),
    "percent": ("The accuracy is a number between 0 and 1.",
                lambda Ztr, ytr, Zte, yte, lam=1e-3: 100 * probe(Ztr, ytr, Zte, yte, lam)),
})


@probes.mistake("lam_everywhere", "`A @ A.T + lam` adds lam to every entry; the penalty belongs on "
                "the diagonal.")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    mean, classes = Ztr.mean(axis=1, keepdims=True), np.unique(ytr)
    Y, A = (classes[:, None] == ytr).astype(float), Ztr - mean
    W = Y @ A.T @ np.linalg.pinv(A @ A.T + lam)
    out = W @ (Zte - mean) + Y.mean(axis=1, keepdims=True)
    return np.mean(classes[np.argmax(out, axis=0)] == yte)


@probes.mistake("classes_of_test", "The classes are taken from the test labels: a probe knows "
                "those of the training split, and may answer with one that the test split lacks.")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    mean, classes = Ztr.mean(axis=1, keepdims=True), np.unique(yte)
    Y, A = (classes[:, None] == ytr).astype(float), Ztr - mean
    W = Y @ A.T @ np.linalg.inv(A @ A.T + lam * np.eye(len(A)))
    out = W @ (Zte - mean) + Y.mean(axis=1, keepdims=True)
    return np.mean(classes[np.argmax(out, axis=0)] == yte)


@probes.mistake("two_classes", "There may be more than two classes: one output for each, and the "
                "largest decides.")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    classes = np.unique(ytr)[:2]
    keep = np.isin(ytr, classes)
    return probe(Ztr[:, keep], ytr[keep], Zte, yte, lam)


@probes.mistake("index_as_label", "The position of the largest output is not yet the label: look "
                "up which class it stands for.")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    classes = np.unique(ytr)
    return probe(Ztr, np.searchsorted(classes, ytr), Zte, yte, lam)


@probes.mistake("label_as_number", "Labels are names: a regression on their values puts class 7 "
                "between 3 and 20. Use one target for each class.")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    mean, y = Ztr.mean(axis=1, keepdims=True), ytr.mean()
    A = Ztr - mean
    w = np.linalg.solve(A @ A.T + lam * np.eye(len(A)), A @ (ytr - y))
    return np.mean(np.round(w @ (Zte - mean) + y) == yte)


@probes.mistake("intercept_penalised", "The intercept is penalised as well; it should be free.")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    more = [np.vstack([Z - Ztr.mean(axis=1, keepdims=True), np.ones(Z.shape[1])])
            for Z in (Ztr, Zte)]
    return probe(more[0], ytr, more[1], yte, lam, centre=0.0, bias=False)


@probes.mistake("smallest_output", "The largest output decides, not the smallest.")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    flipped = np.unique(ytr)[::-1][np.searchsorted(np.unique(ytr), ytr)]
    return probe(Ztr, flipped, Zte, yte, lam)


@probes.mistake("in_place", "`Z -= mean` changes the caller's codes.")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    found = probe(Ztr, ytr, Zte, yte, lam)
    Ztr -= Ztr.mean(axis=1, keepdims=True)
    return found


@probes.mistake("nearest_label", "A label is a name, not a quantity: fit one output for each "
                "class instead of the label itself.")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    mean, classes = Ztr.mean(axis=1, keepdims=True), np.unique(ytr)
    A = Ztr - mean
    w = np.linalg.solve(A @ A.T + lam * np.eye(len(A)), A @ (ytr - ytr.mean()))
    out = w @ (Zte - mean) + ytr.mean()
    return np.mean(classes[np.argmin(np.abs(out[:, None] - classes), axis=1)] == yte)


@probes.variant("an intercept channel without a penalty")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    mean = np.mean(Ztr, axis=1)
    A = np.column_stack([(Ztr.T - mean), np.ones(len(ytr))])
    names = sorted(set(int(y) for y in ytr))
    Y = np.array([[float(y == name) for name in names] for y in ytr])
    penalty = lam * np.eye(A.shape[1])
    penalty[-1, -1] = 0
    W = np.linalg.solve(A.T @ A + penalty, A.T @ Y)
    out = np.column_stack([Zte.T - mean, np.ones(len(yte))]) @ W
    return float(np.mean([names[i] == y for i, y in zip(out.argmax(axis=1), yte)]))


@probes.variant("targets of -1 and 1")
def probe_accuracy(Ztr, ytr, Zte, yte, lam=1e-3):
    mu, classes = Ztr.mean(1)[:, None], np.unique(ytr)
    Y = np.where(ytr[:, None] == classes, 1.0, -1.0)
    b, A = Y.mean(0), (Ztr - mu).T
    W = np.linalg.lstsq(np.vstack([A, np.sqrt(lam) * np.eye(A.shape[1])]),
                        np.vstack([Y - b, np.zeros((A.shape[1], len(classes)))]), rcond=None)[0]
    return (classes[((Zte - mu).T @ W + b).argmax(1)] == yte).mean()
