"""Exam of `expected_next_loss` and `sgd_constants`: a constant step that converges."""

import numpy as np

from viva.cases.linear_foundations import with_singular_values
from viva_course.reference import linear_foundations as reference
from viva_course.rubric import Exercise

sgd = Exercise(
    "expected_next_loss",
    expects={
        "expected_next_loss": "the loss ||Xw||^2 after one SGD step, averaged over the n samples "
                              "that may be drawn",
        "sgd_constants": "(c1, c2, the rate at which 1 - c1 eta + c2 eta^2 is smallest)",
    },
    survivors={
        "expected_next_loss: after = w - 2 * eta * (X @ w)[:, None] * X -> "
        "after = 2 * eta * (X @ w)[:, None] * X - w":
            "the loss of -w is that of w",
        "expected_next_loss: return np.mean(np.sum((after @ X.T) ** 2, axis=1)) -> "
        "return np.mean(np.sum((after @ X.T) ** 2, axis=0))":
            "the sum over all entries of a square array, divided by n, either way",
    },
)

sgd.values(4, "The expectation enumerates the samples and takes the loss of each outcome.",
           only=("worked_step", "three_samples", "many_samples", "no_step"), name="the expectation")
sgd.values(4, "c1 and c2 are as defined, the third is the minimiser of the parabola.",
           name="the constants", only=("worked_constants", "wide_constants", "tall_constants"))


def problems(rng):
    for n, d in ((4, 4), (3, 7), (5, 5), (2, 6), (6, 6)):
        X = with_singular_values(rng, rng.uniform(0.5, 2, n), n, d)
        yield X * rng.uniform(0.5, 2, (n, 1))


@sgd.item(2, "E[L_next] <= (1 - c1 eta + c2 eta^2) L for every w in the row space and every rate, "
          "with the exact expectation.")
def the_bound_holds(exam, expected_next_loss, sgd_constants):
    for X in problems(exam.rng):
        c1, c2, best = (float(c) for c in sgd_constants(X))
        exam.true(c1 > 0 and c2 > 0 and best > 0, "all three constants are positive")
        weights = exam.rng.normal(size=(20, len(X))) @ X  # combinations of the rows
        weights = np.vstack([weights, np.linalg.svd(X, full_matrices=False)[2]])
        for eta in best * np.array([0.2, 1, 1.7, 4, 9]):
            for w in weights:
                bound = (1 - c1 * eta + c2 * eta**2) * np.sum((X @ w) ** 2)
                exam.true(reference.expected_next_loss(X, w, eta) <= bound * (1 + 1e-9),
                          "a w violates the bound with your constants")


@sgd.item(1.5, "Along the weakest direction the loss falls, for small rates, by exactly c1 eta L: "
          "a larger c1 would be wrong, a smaller one wasteful.")
def c1_is_tight(exam, expected_next_loss, sgd_constants):
    for X in problems(exam.rng):
        w, h = np.linalg.svd(X, full_matrices=False)[2][-1], 1e-5
        ahead, behind = (reference.expected_next_loss(X, w, eta) for eta in (h, -h))
        slope = (behind - ahead) / (2 * h) / np.sum((X @ w) ** 2)
        exam.same(float(sgd_constants(X)[0]), float(slope), rtol=1e-6, atol=1e-7)


@sgd.item(2, "SGD at the third constant drives the loss of data that can be fitted to 1e-8 of its "
          "start.")
def simulated(exam, expected_next_loss, sgd_constants):
    X = with_singular_values(exam.rng, (1.3, 1.1, 1.0), 3, 5)
    eta, w = float(sgd_constants(X)[2]), X.T @ exam.rng.normal(size=3)
    start = reference.expected_next_loss(X, w, 0.0)
    exam.same(expected_next_loss(X, w, 0.0), float(start), rtol=1e-8)
    for i in exam.rng.integers(3, size=1500):
        w = w - 2 * eta * (X[i] @ w) * X[i]
    exam.true(np.sum((X @ w) ** 2) < 1e-8 * start, "the loss does not vanish at your rate")


sgd.unmodified(0.5, "X and w must stay as they were.")


def outcomes(X, w, eta, factor=2):
    """(n, d): the weights after drawing each sample."""
    return w - factor * eta * (X @ w)[:, None] * X


sgd.mistakes_of(expected_next_loss={
    "no_factor_2": ("The gradient of (x^T w)^2 is 2 x x^T w: a factor 2 is missing in the step.",
                    lambda X, w, eta: np.mean(np.sum((outcomes(X, w, eta, 1) @ X.T) ** 2, axis=1))),
    "sum_of_outcomes": ("Each sample is drawn with probability 1/n: take the mean of the outcomes, "
                        "not their sum.",
                        lambda X, w, eta: np.sum((outcomes(X, w, eta) @ X.T) ** 2)),
    "loss_of_the_mean": ("This is the loss of the average step. The loss is not linear: average "
                         "the losses of the n outcomes.",
                         lambda X, w, eta: np.sum((X @ outcomes(X, w, eta).mean(axis=0)) ** 2)),
    "own_sample_only": ("The loss after the step is that of all samples, not only of the one that "
                        "was drawn.",
                        lambda X, w, eta: np.mean(np.sum(outcomes(X, w, eta) * X, axis=1) ** 2)),
    "own_sample_sum": ("The loss after the step is that of all samples, not only of the one that "
                       "was drawn; and the outcomes are averaged, not added up.",
                       lambda X, w, eta: np.sum(np.sum(outcomes(X, w, eta) * X, axis=1) ** 2)),
    "mean_loss": ("L is the sum over the samples, ||Xw||^2, not their mean.",
                  lambda X, w, eta: np.mean((outcomes(X, w, eta) @ X.T) ** 2)),
    "full_gradient": ("This is a step of full gradient descent; SGD uses one sample.",
                      lambda X, w, eta: np.sum((X @ (w - 2 * eta * X.T @ (X @ w))) ** 2)),
    "uphill": ("The step goes against the gradient.",
               lambda X, w, eta: reference.expected_next_loss(X, w, -eta)),
})


@sgd.mistake("the_bound", "This is the bound; the expectation itself is asked for, exactly.")
def expected_next_loss(X, w, eta):
    c1, c2, _ = reference.sgd_constants(X)
    return (1 - c1 * eta + c2 * eta**2) * np.sum((X @ w) ** 2)


@sgd.mistake("w_in_place", "`w -= …` carries the step of one sample over to the next, and changes "
             "the caller's w.")
def expected_next_loss(X, w, eta):
    losses = []
    for x in X:
        w -= 2 * eta * (x @ w) * x
        losses.append(np.sum((X @ w) ** 2))
    return np.mean(losses)


def constants(X, c1=None, c2=None):
    right = reference.sgd_constants(X)
    c1, c2 = right[0] if c1 is None else c1, right[1] if c2 is None else c2
    return c1, c2, c1 / (2 * c2)


def extremes(X):
    """Largest and smallest squared singular value, largest squared row, number of rows."""
    s = np.linalg.svd(X, compute_uv=False) ** 2
    return s[0], s[-1], np.max(np.sum(X**2, axis=1)), len(X)


@sgd.mistake("c1_sigma_max", "The linear term helps least along the weakest direction: that one "
             "bounds it.")
def sgd_constants(X):
    largest, _, _, n = extremes(X)
    return constants(X, c1=4 * largest / n)


@sgd.mistake("c2_no_rho", "||X x_i||^2 also grows with the length of the row x_i.")
def sgd_constants(X):
    largest, _, _, n = extremes(X)
    return constants(X, c2=4 * largest / n)


@sgd.mistake("no_n", "A sample is drawn with probability 1/n: both constants carry it.")
def sgd_constants(X):
    largest, smallest, row, _ = extremes(X)
    return constants(X, 4 * smallest, 4 * largest * row)


@sgd.mistake("best_c1_over_c2", "At this rate the bound is 1 again, as at rate 0; the best rate "
             "lies halfway.")
def sgd_constants(X):
    c1, c2, _ = reference.sgd_constants(X)
    return c1, c2, c1 / c2


@sgd.mistake("rho_mean", "A bound that must hold for every sample needs the longest row.")
def sgd_constants(X):
    largest, _, _, n = extremes(X)
    return constants(X, c2=4 * largest * np.min(np.sum(X**2, axis=1)) / n)


@sgd.mistake("rho_average", "A bound that must hold for every sample needs the longest row, not "
             "the average one.")
def sgd_constants(X):
    largest, _, _, n = extremes(X)
    return constants(X, c2=4 * largest * np.mean(np.sum(X**2, axis=1)) / n)


@sgd.mistake("rows_that_occur", "c2 is defined by two replacements: for ||X x_i||^2 stands the "
             "largest value of a vector as long as the longest row, not the largest that occurs.")
def sgd_constants(X):
    return constants(X, c2=4 * np.max(np.sum((X @ X.T) ** 2, axis=0)) / len(X))


@sgd.mistake("rho_sum", "The bound needs the longest row, not the sum of the squared lengths of "
             "all of them.")
def sgd_constants(X):
    largest, _, _, n = extremes(X)
    return constants(X, c2=4 * largest * np.sum(X**2) / n)


@sgd.mistake("rho_columns", "The samples are the rows of X: this takes the longest column.")
def sgd_constants(X):
    largest, _, _, n = extremes(X)
    return constants(X, c2=4 * largest * np.max(np.sum(X**2, axis=0)) / n)


@sgd.mistake("samples_not_spanned", "With more samples than features X X^T has zero eigenvalues, "
             "but Xw never lies along them: the smallest of the min(n, d) singular values counts.")
def sgd_constants(X):
    return constants(X, c1=0.0) if len(X) > X.shape[1] else reference.sgd_constants(X)


@sgd.mistake("rho_not_squared", "The length of the row enters squared.")
def sgd_constants(X):
    largest, _, row, n = extremes(X)
    return constants(X, c2=4 * largest * np.sqrt(row) / n)


@sgd.mistake("constants_without_2", "With the step 2 eta x x^T w the linear term has a factor 4, "
             "and so has the quadratic one.")
def sgd_constants(X):
    largest, smallest, row, n = extremes(X)
    return constants(X, 2 * smallest / n, largest * row / n)


@sgd.mistake("c1_factor_2", "The linear term is twice a product that holds the step's 2: a "
             "factor 4.")
def sgd_constants(X):
    _, smallest, _, n = extremes(X)
    return constants(X, c1=2 * smallest / n)


@sgd.mistake("not_squared", "Singular values enter squared: the loss is ||Xw||^2.")
def sgd_constants(X):
    largest, smallest, row, n = extremes(X)
    return constants(X, 4 * np.sqrt(smallest) / n, 4 * np.sqrt(largest) * row / n)


@sgd.mistake("c1_not_squared", "The smallest singular value enters c1 squared: the linear term is "
             "a squared norm.")
def sgd_constants(X):
    _, smallest, _, n = extremes(X)
    return constants(X, c1=4 * np.sqrt(smallest) / n)


@sgd.mistake("null_space", "With more features than samples X^T X has zero eigenvalues, but w "
             "has no part there: take the singular values of X.")
def sgd_constants(X):
    smallest = max(np.linalg.eigvalsh(X.T @ X)[0], 0)
    return constants(X, c1=4 * smallest / len(X)) if X.shape[0] >= X.shape[1] else (
        constants(X, c1=0.0))


@sgd.variant("a loop over the samples")
def expected_next_loss(X, w, eta):
    total = 0.0
    for x in X:
        after = w - 2 * eta * x * (x @ w)
        total += float((X @ after) @ (X @ after))
    return total / len(X)


@sgd.variant("expanded")
def expected_next_loss(X, w, eta):
    n, r = len(X), X @ w
    gram = X @ X.T
    return r @ r - 4 * eta / n * r @ gram @ r + 4 * eta**2 / n * np.sum(
        r**2 * np.sum(gram**2, axis=1))


@sgd.variant("norms")
def sgd_constants(X):
    n, rows = X.shape[0], np.linalg.norm(X, axis=1)
    c1 = 4 / n * np.linalg.norm(X, -2) ** 2
    c2 = 4 / n * np.linalg.norm(X, 2) ** 2 * rows.max() ** 2
    return c1, c2, 0.5 * c1 / c2
