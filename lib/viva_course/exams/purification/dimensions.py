"""Exam of `effective_dof` and `lambda_for_dof`: how many directions a filter leaves."""

import numpy as np

from viva.cases.purification.common import with_singular_values
from viva_course.rubric import Exercise

dimensions = Exercise(
    "effective_dof",
    expects={
        "effective_dof": "the sum of the factors of all directions",
        "lambda_for_dof": "the lam that leaves exactly dof directions",
    },
    survivors={
        "lambda_for_dof: lo, hi = (1e-20, 1e+20) -> lo, hi = (2e-20, 1e+20)":
            "any bracket that holds the answer is right",
        "lambda_for_dof: lo, hi = (1e-20, 1e+20) -> lo, hi = (1e-20, 2e+20)":
            "any bracket that holds the answer is right",
        "lambda_for_dof: for _ in range(100): -> for _ in range(100 + 1):":
            "about 60 halvings are enough",
        "lambda_for_dof: for _ in range(100): -> for _ in range(100 - 1):":
            "about 60 halvings are enough",
        "lambda_for_dof: for _ in range(100): -> for _ in range(1, 100):":
            "about 60 halvings are enough",
        "lambda_for_dof: if np.sum(power / (power + middle)) > dof: -> "
        "if np.sum(power / (power + middle)) >= dof:": "equality ends the search on either side",
    },
)

dimensions.values(2.5, "The trace of W must be right.", name="trace",
                  only=("eight_directions", "tall_directions"))
dimensions.values(1, "The lam for three directions must be right.", name="three directions",
                  only=("three_directions",))


@dimensions.item(0.5, "More penalty, fewer directions: from the rank of X down to 0.")
def monotone(exam, effective_dof, lambda_for_dof):
    X = with_singular_values(exam.rng, [3, 2, 1], 5, 8)
    got = np.array([float(effective_dof(X, lam)) for lam in (1e-5, 0.1, 1.0, 10.0, 1e5)])
    exam.true((np.diff(got) < 0).all(), "a larger lam must leave fewer directions")
    exam.true(abs(got[0] - 3) < 1e-3 and abs(got[-1]) < 1e-3, "the limits are the rank and 0")


@dimensions.item(1.5, "effective_dof at the lam you found must be dof, to 1e-8, for any dof "
                 "between 0 and the rank, and data of any scale.")
def inverse(exam, effective_dof, lambda_for_dof):
    # few directions of large data need the largest lam, nearly all of small data the smallest
    between = float(exam.rng.uniform(0.3, 0.7))
    for m, n, scale, fraction in ((4, 7, 1.0, between), (6, 3, 30.0, 0.02), (3, 3, 0.03, 0.97),
                                  (4, 6, 1e6, 0.5), (4, 6, 1e-6, 0.5)):
        X = scale * exam.rng.normal(size=(m, n))
        squares = np.linalg.svd(X, compute_uv=False) ** 2
        dof = fraction * min(m, n)
        lam = float(lambda_for_dof(X, dof))
        exam.true(0 < lam < np.inf, "lam must be a positive number")
        exam.true(abs((squares / (squares + lam)).sum() - dof) < 1e-8,
                  "the lam found does not leave dof directions")


@dimensions.item(1, "dof <= 0, or >= the rank of X, is a ValueError.")
def impossible_requests(exam, effective_dof, lambda_for_dof):
    X = with_singular_values(exam.rng, [3, 1.5], 4, 6)  # rank 2 of 4 channels
    lam, squares = float(lambda_for_dof(X, 1.3)), np.array([9, 2.25])
    exam.true(abs((squares / (squares + lam)).sum() - 1.3) < 1e-7, "a possible request fails")
    for dof in (0, -0.5, 2, 2.5, 4):
        exam.raises(ValueError, lambda_for_dof, X, dof)


dimensions.unmodified(0.5, "X must stay as it was.")


@dimensions.mistake("sum_first_power", "Square the singular values.")
def effective_dof(X, lam):
    s = np.linalg.svd(X, compute_uv=False)
    return np.sum(s / (s + lam))


dimensions.mistakes_of(effective_dof={
    "rank": ("The rank counts every direction fully; here each counts by its factor.",
             lambda X, lam: float(np.linalg.matrix_rank(X))),
    "sum_of_squares": ("A trace of XX^T alone; each direction needs its factor.",
                       lambda X, lam: np.sum(X**2) / (np.sum(X**2) + lam)),
    "removed": ("This counts what is removed: lam/(sigma^2 + lam).",
                lambda X, lam: np.sum(lam / (np.linalg.svd(X, compute_uv=False) ** 2 + lam))),
    "threshold": ("No direction is cut: each counts by its factor, also below one half.",
                  lambda X, lam: float(np.sum(np.linalg.svd(X, compute_uv=False) ** 2 > lam))),
})


@dimensions.mistake("frob", "This is ||W||_F^2, the sum of squared factors; the trace is the sum "
                    "of factors.")
def effective_dof(X, lam):
    s2 = np.linalg.svd(X, compute_uv=False) ** 2
    return np.sum((s2 / (s2 + lam)) ** 2)


@dimensions.mistake("doubles_in_place", "`X *= X` squares the caller's data.")
def effective_dof(X, lam):
    s2 = np.linalg.svd(X, compute_uv=False) ** 2
    X *= X
    return np.sum(s2 / (s2 + lam))


@dimensions.mistake("no_range_check", "No lam reaches such a dof: raise ValueError instead of "
                    "returning an end of the search interval.")
def lambda_for_dof(X, dof):
    s2 = np.linalg.svd(X, compute_uv=False) ** 2
    lo, hi = -40.0, 40.0
    for _ in range(200):
        middle = (lo + hi) / 2
        lo, hi = (middle, hi) if np.sum(s2 / (s2 + np.exp(middle))) > dof else (lo, middle)
    return float(np.exp(lo))


@dimensions.mistake("channels_not_rank", "The limit is the rank of X, not its number of channels "
                    "or samples.")
def lambda_for_dof(X, dof):
    if not 0 < dof < len(X):
        raise ValueError("dof out of range")
    s2 = np.linalg.svd(X, compute_uv=False) ** 2
    lo, hi = -40.0, 40.0
    for _ in range(200):
        middle = (lo + hi) / 2
        lo, hi = (middle, hi) if np.sum(s2 / (s2 + np.exp(middle))) > dof else (lo, middle)
    return float(np.exp(lo))


@dimensions.mistake("rank_accepted", "A dof of exactly the rank needs lam = 0: the rank itself is "
                    "refused as well.")
def lambda_for_dof(X, dof):
    if not 0 < dof <= np.linalg.matrix_rank(X):
        raise ValueError("dof out of range")
    s2 = np.linalg.svd(X, compute_uv=False) ** 2
    lo, hi = -40.0, 40.0
    for _ in range(200):
        middle = (lo + hi) / 2
        lo, hi = (middle, hi) if np.sum(s2 / (s2 + np.exp(middle))) > dof else (lo, middle)
    return float(np.exp(lo))


@dimensions.mistake("sq_dof", "This is the square root of lam.")
def lambda_for_dof(X, dof):
    s2 = np.linalg.svd(X, compute_uv=False) ** 2
    if not 0 < dof < np.linalg.matrix_rank(X):
        raise ValueError("dof out of range")
    lo, hi = -40.0, 40.0
    for _ in range(200):
        middle = (lo + hi) / 2
        lo, hi = (middle, hi) if np.sum(s2 / (s2 + np.exp(middle))) > dof else (lo, middle)
    return float(np.exp(lo / 2))


@dimensions.mistake("log_lam", "The bisection is on log lam; return lam itself.")
def lambda_for_dof(X, dof):
    s2 = np.linalg.svd(X, compute_uv=False) ** 2
    if not 0 < dof < np.linalg.matrix_rank(X):
        raise ValueError("dof out of range")
    lo, hi = -40.0, 40.0
    for _ in range(200):
        middle = (lo + hi) / 2
        lo, hi = (middle, hi) if np.sum(s2 / (s2 + np.exp(middle))) > dof else (lo, middle)
    return lo


@dimensions.mistake("fixed_bracket", "The bracket is the same whatever the scale of X: lam grows "
                    "with the square of the data. Take it from the singular values.")
def lambda_for_dof(X, dof):
    s2 = np.linalg.svd(X, compute_uv=False) ** 2
    if not 0 < dof < np.linalg.matrix_rank(X):
        raise ValueError("dof out of range")
    lo, hi = np.log(1e-10), np.log(1e10)
    for _ in range(200):
        middle = (lo + hi) / 2
        lo, hi = (middle, hi) if np.sum(s2 / (s2 + np.exp(middle))) > dof else (lo, middle)
    return float(np.exp(lo))


@dimensions.mistake("bracket_of_six", "The answer may lie outside 1e-6 to 1e6: lam grows with the "
                    "square of the scale of the data. Take the bracket from the data.")
def lambda_for_dof(X, dof):
    s2 = np.linalg.svd(X, compute_uv=False) ** 2
    if not 0 < dof < np.linalg.matrix_rank(X):
        raise ValueError("dof out of range")
    lo, hi = np.log(1e-6), np.log(1e6)
    for _ in range(200):
        middle = (lo + hi) / 2
        lo, hi = (middle, hi) if np.sum(s2 / (s2 + np.exp(middle))) > dof else (lo, middle)
    return float(np.exp(lo))


@dimensions.mistake("narrow_bracket", "The answer may lie outside 1e-3 to 1e3: take the bracket "
                    "from the data.")
def lambda_for_dof(X, dof):
    s2 = np.linalg.svd(X, compute_uv=False) ** 2
    if not 0 < dof < np.linalg.matrix_rank(X):
        raise ValueError("dof out of range")
    lo, hi = np.log(1e-3), np.log(1e3)
    for _ in range(200):
        middle = (lo + hi) / 2
        lo, hi = (middle, hi) if np.sum(s2 / (s2 + np.exp(middle))) > dof else (lo, middle)
    return float(np.exp(lo))


@dimensions.mistake("stops_early", "Twenty halvings are not enough for eight digits.")
def lambda_for_dof(X, dof):
    s2 = np.linalg.svd(X, compute_uv=False) ** 2
    if not 0 < dof < np.linalg.matrix_rank(X):
        raise ValueError("dof out of range")
    lo, hi = -40.0, 40.0
    for _ in range(20):
        middle = (lo + hi) / 2
        lo, hi = (middle, hi) if np.sum(s2 / (s2 + np.exp(middle))) > dof else (lo, middle)
    return float(np.exp(lo))


@dimensions.variant("the trace of W")
def effective_dof(X, lam):
    gram = X @ X.T
    return np.trace(np.linalg.solve(gram + lam * np.eye(len(gram)), gram))


@dimensions.variant("a fixed, generous bracket")
def lambda_for_dof(X, dof):
    squares = np.linalg.svd(X, compute_uv=False) ** 2
    if dof <= 0 or dof >= np.linalg.matrix_rank(X):
        raise ValueError("impossible")
    lo, hi = 1e-15, 1e15
    for _ in range(120):
        middle = np.sqrt(lo * hi)
        if np.sum(squares / (squares + middle)) > dof:
            lo = middle
        else:
            hi = middle
    return middle
