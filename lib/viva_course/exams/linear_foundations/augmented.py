"""Exam of `ridge_by_rows` and `ridge_by_features`: the penalty as data."""

import numpy as np

from viva.cases.linear_foundations import with_singular_values
from viva_course.reference import linear_foundations as reference
from viva_course.rubric import Exercise

augmented = Exercise(
    "ridge_by_rows",
    expects={
        "ridge_by_rows": "the ridge weights, by least squares on more rows",
        "ridge_by_features": "the ridge weights, d of them, by the shortest solution with more "
                             "features",
    },
    survivors={
        "ridge_by_rows: return np.linalg.lstsq(more, np.concatenate([y, np.zeros(X.shape[1])]), "
        "rcond=None)[0] -> return np.linalg.lstsq(more, np.concatenate([y, "
        "np.zeros(X.shape[1])]))[0]":
            "rcond=None is the default of numpy itself",
        "ridge_by_features: return np.linalg.lstsq(more, y, rcond=None)[0][:X.shape[1]] -> "
        "return np.linalg.lstsq(more, y)[0][:X.shape[1]]":
            "rcond=None is the default of numpy itself",
    },
)

augmented.values(2, "More rows: least squares on them is ridge regression.", name="rows",
                 only=("more_rows", "extreme_rows"))
augmented.values(2, "More features: the shortest solution is ridge regression in its first d "
                 "weights.", name="features", only=("more_features", "extreme_features"))


@augmented.item(1.5, "Both are the ridge weights, for every shape, from lam = 1e-8 to 1e6.")
def any_shape(exam, ridge_by_rows, ridge_by_features):
    for n, d in ((8, 3), (3, 8), (4, 4), (1, 5), (5, 1)):
        X = with_singular_values(exam.rng, np.linspace(2, 1, min(n, d)), n, d)
        y = exam.rng.normal(size=n)
        for lam in (1e-8, float(exam.rng.uniform(0.2, 5)), 1e6):
            expected = max(1.0, lam) * reference.ridge(X, y, lam)
            for solve in (ridge_by_rows, ridge_by_features):
                exam.same(max(1.0, lam) * np.asarray(solve(X, y, lam)), expected,
                          rtol=1e-5, atol=1e-5)


augmented.unmodified(0.5, "X and y must stay as they were.")


def by_rows(X, y, scale, target=0.0):
    d = X.shape[1]
    more = np.vstack([X, scale * np.eye(d)])
    return np.linalg.lstsq(more, np.concatenate([y, np.full(d, target)]), rcond=None)[0]


def by_features(X, y, scale):
    return np.linalg.lstsq(np.hstack([X, scale * np.eye(len(X))]), y, rcond=None)[0]


augmented.mistakes_of(ridge_by_rows={
    "lam_not_sqrt": ("The residuals of the new rows are squared: their entries are the square root "
                     "of lam.",
                     lambda X, y, lam: by_rows(X, y, lam)),
    "ones_rows": ("The new rows pull the weights towards their targets: these are 0.",
                  lambda X, y, lam: by_rows(X, y, np.sqrt(lam), 1.0)),
    "root_as_targets": ("The new rows pull the weights towards their targets: these are 0.",
                        lambda X, y, lam: by_rows(X, y, np.sqrt(lam), np.sqrt(lam))),
    "rows_times_n": ("lam is not multiplied by the number of samples.",
                     lambda X, y, lam: by_rows(X, y, np.sqrt(lam * len(X)))),
    "lam_ignored": ("The new rows hold the square root of lam, not ones.",
                    lambda X, y, lam: by_rows(X, y, 1.0)),
})
augmented.mistakes_of(ridge_by_features={
    "features_not_sqrt": ("The auxiliary weights are squared in the norm: the new features hold "
                          "the square root of lam.",
                          lambda X, y, lam: by_features(X, y, lam)[: X.shape[1]]),
    "inputs_scaled": (
        "Here the features of X are divided by the root of lam, and their weights are as many "
        "times too long: scale the private columns instead.",
        lambda X, y, lam: by_features(X / np.sqrt(lam), y, 1.0)[: X.shape[1]]),
    "returns_all": ("The last n weights only absorb the residuals; return the first d.",
                    lambda X, y, lam: by_features(X, y, np.sqrt(lam))),
    "returns_last": ("These are the auxiliary weights; those of X come first.",
                     lambda X, y, lam: by_features(X, y, np.sqrt(lam))[X.shape[1]:]),
    "features_inverse": ("A small lam makes the auxiliary weights expensive: the new features "
                         "shrink with lam, they do not grow.",
                         lambda X, y, lam: by_features(X, y, 1 / np.sqrt(lam))[: X.shape[1]]),
    "not_the_shortest": ("Many solutions fit; the one that uses only the auxiliary weights is not "
                         "the shortest.",
                         lambda X, y, lam: np.zeros(X.shape[1])),
    "private_first": (
        "Here the private columns come first, so the first d weights are theirs.",
        lambda X, y, lam: np.linalg.lstsq(np.hstack([np.sqrt(lam) * np.eye(len(X)), X]), y,
                                          rcond=None)[0][: X.shape[1]]),
    "last_d": ("The weights of X come first; these are the last d of all.",
               lambda X, y, lam: by_features(X, y, np.sqrt(lam))[-X.shape[1]:]),
})


@augmented.mistake("rows_as_features", "Every weight needs a row of its own that pulls it to 0; "
                   "one row for all of them pulls only their sum.")
def ridge_by_rows(X, y, lam):
    more = np.vstack([X, np.sqrt(lam) * np.ones(X.shape[1])])
    return np.linalg.lstsq(more, np.append(y, 0.0), rcond=None)[0]


@augmented.mistake("rows_in_place", "y belongs to the caller; build new arrays.")
def ridge_by_rows(X, y, lam):
    found = reference.ridge_by_rows(X, y, lam)
    y -= X @ found
    return found


@augmented.mistake("one_feature", "One constant feature is an intercept; every sample needs an "
                   "auxiliary feature of its own.")
def ridge_by_features(X, y, lam):
    more = np.hstack([X, np.sqrt(lam) * np.ones((len(X), 1))])
    return np.linalg.lstsq(more, y, rcond=None)[0][: X.shape[1]]


@augmented.variant("normal equations of the new rows")
def ridge_by_rows(X, y, lam):
    more = np.concatenate((X, np.sqrt(lam) * np.eye(X.shape[1])))
    target = np.r_[y, np.zeros(X.shape[1])]
    return np.linalg.solve(more.T @ more, more.T @ target)


@augmented.variant("pseudo-inverse")
def ridge_by_features(X, y, lam):
    more = np.column_stack([X, lam**0.5 * np.eye(len(X))])
    return (np.linalg.pinv(more) @ y)[: X.shape[1]]


@augmented.variant("Gram matrix of the samples")
def ridge_by_features(X, y, lam):
    more = np.hstack([X, np.sqrt(lam) * np.eye(X.shape[0])])
    return (more.T @ np.linalg.solve(more @ more.T, y))[: X.shape[1]]
