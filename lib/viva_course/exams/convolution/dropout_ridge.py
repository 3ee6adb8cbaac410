"""Exam of `dropout_expected_loss` and `dropout_ridge_solution`: noise that is a penalty."""

import numpy as np

from viva.cases.convolution.dropout_ridge import regression
from viva_course.reference import convolution as reference
from viva_course.rubric import Exercise

ridge = Exercise(
    "dropout_expected_loss",
    expects={
        "dropout_expected_loss": "the average of the squared error over all masks, as a number",
        "dropout_ridge_solution": "(d,): p times the weights with the smallest expected loss",
    },
    survivors={
        "dropout_expected_loss: squares = np.sum(X ** 2, axis=0) -> squares = X ** 2":
            "the sum over the samples is then taken by the sum over everything that follows",
    },
)

ridge.values(3, "The expected loss has a part for the mean of the mask and one for its variance.",
             only=("toy_loss", "all_masks", "several_losses", "many_columns"),
             name="expected loss")
ridge.values(3.5, "The solution is that of a ridge regression whose penalty knows the columns.",
             only=("toy_solution", "several_solutions", "more_columns_than_rows"), name="solution")


@ridge.item(2, "Your solution divided by p must minimise the expected loss: the gradient there "
            "is zero, and no neighbour is better.")
def the_minimum(exam, dropout_expected_loss, dropout_ridge_solution):
    for p in (0.2, 0.7):
        X, y, _ = regression(exam.rng, 6, 4)
        w = np.asarray(dropout_ridge_solution(X, y, p)) / p
        gradient = -2 * p * X.T @ (y - p * X @ w) + 2 * p * (1 - p) * (X**2).sum(axis=0) * w
        exam.same(gradient, np.zeros(4), rtol=0, atol=1e-9)
        lowest = dropout_expected_loss(X, y, w, p)
        exam.same(lowest, reference.dropout_expected_loss(X, y, w, p))
        other = w + 0.1 * exam.rng.normal(size=4)
        exam.true(dropout_expected_loss(X, y, other, p) > lowest, "a neighbour is better")


@ridge.item(1.5, "A column in other units, c times as large, gets a weight c times as small.")
def units_do_not_matter(exam, dropout_expected_loss, dropout_ridge_solution):
    X, y, _ = regression(exam.rng, 7, 3)
    units = np.array([10.0, 0.3, 2.0])
    w = dropout_ridge_solution(X, y, 0.4)
    exam.same(w, reference.dropout_ridge_solution(X, y, 0.4))
    exam.same(dropout_ridge_solution(X * units, y, 0.4) * units, w, rtol=1e-8, atol=1e-10)


@ridge.item(1.5, "With columns of length one it is ridge regression with lambda = (1 - p) / p; "
            "nothing is centred.")
def ridge_on_unit_columns(exam, dropout_expected_loss, dropout_ridge_solution):
    for p in (0.3, 0.6):
        X, y, _ = regression(exam.rng, 6, 3)
        X = X / np.linalg.norm(X, axis=0)
        expected = np.linalg.solve(X.T @ X + (1 - p) / p * np.eye(3), X.T @ y)
        exam.same(dropout_ridge_solution(X, y, p), expected, rtol=1e-8, atol=1e-10)


ridge.unmodified(0.5, "X, y and w must stay as they were.")


def _loss(X, y, w, p, mean=None, factor=None, penalty=None):
    mean = p if mean is None else mean
    factor = p * (1 - p) if factor is None else factor
    penalty = (X**2).sum(axis=0) @ w**2 if penalty is None else penalty
    return float(((y - mean * X @ w) ** 2).sum() + factor * penalty)


ridge.mistakes_of(dropout_expected_loss={
    "no_p_mean": ("On average the mask leaves p X, not X.",
                  lambda X, y, w, p: _loss(X, y, w, p, mean=1.0)),
    "mean_only": ("The mask also adds a variance.",
                  lambda X, y, w, p: _loss(X, y, w, p, factor=0.0)),
    "loss_keep_drop": ("p is the probability to keep.", lambda X, y, w, p: _loss(X, y, w, 1 - p)),
    "loss_plain_ridge": ("A weight is penalised by the length of its column.",
                         lambda X, y, w, p: _loss(X, y, w, p, penalty=w @ w)),
    "loss_plain_ridge_of_samples": (
        "A weight is penalised by the length of its column.",
        lambda X, y, w, p: _loss(X, y, w, p, penalty=len(X) * w @ w)),
    "loss_norm_not_sq": (
        "The column lengths enter squared.",
        lambda X, y, w, p: _loss(X, y, w, p, penalty=np.linalg.norm(X, axis=0) @ w**2)),
    "loss_scaled_variable": ("(1 - p) / p belongs to the weights p w; for w itself the variance of "
                             "a mask is p (1 - p).",
                             lambda X, y, w, p: _loss(X, y, w, p, factor=(1 - p) / p)),
    "loss_weights_not_squared": (
        "The weights enter the penalty squared.",
        lambda X, y, w, p: _loss(X, y, w, p, penalty=(X**2).sum(axis=0) @ np.abs(w))),
    "loss_of_inverted_masks": (
        "A mask is 0 or 1 here, not divided by p: its mean is p, its variance p (1 - p).",
        lambda X, y, w, p: _loss(X, y, w, p, mean=1.0, factor=(1 - p) / p)),
    "variance_p": ("A Bernoulli variable has the variance p (1 - p), not p or 1 - p.",
                   lambda X, y, w, p: _loss(X, y, w, p, factor=1 - p)),
    "one_mask_per_sample": ("Every entry has a mask of its own: the variance of a sample is a sum "
                            "over its entries.",
                            lambda X, y, w, p: _loss(X, y, w, p, penalty=((X @ w) ** 2).sum())),
    "one_mask_per_column": (
        "Every entry has a mask of its own, also within a column.",
        lambda X, y, w, p: _loss(X, y, w, p, penalty=((X * w).sum(axis=0) ** 2).sum())),
    "mean_over_samples": ("The squared errors are summed over the samples.",
                          lambda X, y, w, p: _loss(X, y, w, p) / len(y)),
})
ridge.mistakes_of(dropout_ridge_solution={
    "plain_ridge": ("The penalty is not the same for all weights: each has the length of its "
                    "column.",
                    lambda X, y, p: _solve(X, y, p, penalty=np.ones(X.shape[1]))),
    "p1p": ("Rewriting the loss for p w divides the penalty by p^2.",
            lambda X, y, p: _solve(X, y, p, factor=p * (1 - p))),
    "p_over": ("p is the probability to keep: the penalty vanishes as p goes to 1.",
               lambda X, y, p: _solve(X, y, p, factor=p / (1 - p) if p < 1 else 1e12)),
    "one_minus_p": ("The penalty on p w is (1 - p) / p, not 1 - p.",
                    lambda X, y, p: _solve(X, y, p, factor=1 - p)),
    "unscaled": ("Return p w, the weights for use without dropout.",
                 lambda X, y, p: _solve(X, y, p) / p),
    "norm_not_sq": ("The column lengths enter squared.",
                    lambda X, y, p: _solve(X, y, p, penalty=np.linalg.norm(X, axis=0))),
    "row_norms": (
        "The penalty needs the lengths of the columns: one number per weight.",
        lambda X, y, p: _solve(X, y, p, penalty=np.resize((X**2).sum(axis=1), X.shape[1]))),
    "variances": ("The lengths of the columns count, not their variances: nothing is centred.",
                  lambda X, y, p: _solve(X, y, p, penalty=len(X) * X.var(axis=0))),
    "centred": ("Dropout does not centre the columns, and neither may you.",
                lambda X, y, p: _solve(X - X.mean(axis=0), y - y.mean(), p)),
    "mean_squares": ("The penalty has the sum of the squares of a column, not their mean.",
                     lambda X, y, p: _solve(X, y, p, penalty=(X**2).mean(axis=0))),
    "average_column": ("Each column has a length of its own, not the average one.",
                       lambda X, y, p: _solve(X, y, p, penalty=np.full(
                           X.shape[1], (X**2).sum() / X.shape[1]))),
    "p_twice": ("The solution of the system is p w already: do not multiply it by p once more.",
                lambda X, y, p: p * _solve(X, y, p)),
    "factor_squared": ("p (1 - p) divided by p^2 is (1 - p) / p.",
                       lambda X, y, p: _solve(X, y, p, factor=(1 - p) / p**2)),
    "no_penalty": ("This is least squares times p: the mask also adds a penalty on the weights.",
                   lambda X, y, p: p * np.linalg.pinv(X) @ y),
    "minimum_norm": ("This ignores p: the solution without dropout.",
                     lambda X, y, p: np.linalg.pinv(X) @ y),
    "odds_inverted": ("The penalty on p w is (1 - p) / p, not p / (1 - p): to keep everything "
                      "costs nothing.",
                      lambda X, y, p: _solve(X, y, 1 - p if p < 1 else p)),
})


def _solve(X, y, p, factor=None, penalty=None):
    factor = (1 - p) / p if factor is None else factor
    penalty = (X**2).sum(axis=0) if penalty is None else penalty
    with np.errstate(all="ignore"):
        return np.linalg.pinv(X.T @ X + factor * np.diag(penalty)) @ X.T @ y


@ridge.mistake("in_place", "X belongs to the caller: divide its columns in a new array.")
def dropout_ridge_solution(X, y, p):
    answer = _solve(X, y, p)
    X /= np.linalg.norm(X, axis=0)
    return answer


@ridge.mistake("loss_in_place", "X belongs to the caller: scale it in a new array.")
def dropout_expected_loss(X, y, w, p):
    answer = _loss(X, y, w, p)
    X *= p
    return answer


@ridge.variant("more rows for the penalty")
def dropout_ridge_solution(X, y, p):
    rows = np.sqrt((1 - p) / p) * np.diag(np.linalg.norm(X, axis=0))
    more = np.concatenate([y, np.zeros(X.shape[1])])
    return np.linalg.lstsq(np.vstack([X, rows]), more, rcond=None)[0]


@ridge.variant("unit columns")
def dropout_ridge_solution(X, y, p):
    lengths = np.linalg.norm(X, axis=0)
    Z = X / lengths
    return np.linalg.inv(Z.T @ Z + (1 / p - 1) * np.eye(len(lengths))) @ (Z.T @ y) / lengths


@ridge.variant("second moments")
def dropout_expected_loss(X, y, w, p):
    return y @ y - 2 * p * y @ X @ w + np.einsum(
        "ij,ik,jk,j,k->", X, X, np.where(np.eye(len(w)), p, p**2), w, w)
