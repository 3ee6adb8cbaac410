"""Exam of `query_for` and `min_beta`: a query that picks the keys it is told to."""

import numpy as np

from viva.cases.attention_exploration.queries import skew_keys
from viva_course.reference import attention_exploration as reference
from viva_course.rubric import Exercise

aim = Exercise(
    "query_for",
    expects={
        "query_for": "the shortest q (d,) whose scores are beta on the chosen keys, 0 elsewhere",
        "min_beta": "the number beta at which exactly tol of the mass is off the chosen keys",
    },
)

aim.values(1.5, "Orthogonal keys.", only=("two_of_four", "one_of_three"), name="orthogonal keys")
aim.values(2.5, "Keys that are not orthogonal: the scores must be beta and 0, the query shortest.",
           only=("skew", "skew_scores"), name="skew keys")
aim.values(2, "The mass off the chosen keys must be tol.", only=("ten_keys", "other_counts"),
           name="beta")
aim.values(0.5, "Where all keys are chosen, beta is 0.", only=("ten_keys", "all_chosen"),
           name="all chosen")


@aim.item(1, "K q is beta on the chosen keys and 0 on the others, whatever K is.")
def scores(exam, query_for, min_beta):
    for n, d, m in ((3, 8, 1), (6, 6, 3), (5, 9, 5)):
        K, beta = skew_keys(exam.rng, n, d), float(exam.rng.uniform(3, 9))
        idx = [int(i) for i in exam.rng.permutation(n)[:m]]
        expected = np.zeros(n)
        expected[idx] = beta
        exam.same(K @ np.asarray(query_for(K, idx, beta), float), expected, rtol=1e-8, atol=1e-8)


@aim.item(1, "At your beta the softmax leaves tol off the chosen keys.")
def mass(exam, query_for, min_beta):
    for n, m in ((6, 1), (11, 3), (40, 2)):
        tol = float(exam.rng.uniform(1e-4, 0.2))
        beta = float(min_beta(n, m, tol))
        exam.same((n - m) / (m * np.exp(beta) + n - m), tol)


aim.unmodified(0.5, "K and idx must stay as they were.")


def _wanted(K, idx, beta):
    wanted = np.zeros(len(K))
    wanted[list(idx)] = beta
    return wanted


aim.mistakes_of(query_for={
    "mean_of_keys": ("Averaged over the chosen keys, each scores beta / m only.",
                     lambda K, idx, beta: reference.query_for(K, idx, beta / len(idx))),
    "only_first": ("All keys of idx are chosen, not only the first.",
                   lambda K, idx, beta: reference.query_for(K, idx[:1], beta)),
    "transpose": ("A sum of keys has the right scores only if the keys are orthonormal.",
                  lambda K, idx, beta: K.T @ _wanted(K, idx, beta)),
    "norms_only": (
        "Dividing by the squared lengths is enough for orthogonal keys only.",
        lambda K, idx, beta: (K / np.sum(K**2, axis=1, keepdims=True)).T @ _wanted(K, idx, beta)),
    "unit_keys": ("Dividing by the lengths once is not enough: the score of k / |k| with k is |k|.",
                  lambda K, idx, beta: (
                      (K / np.linalg.norm(K, axis=1, keepdims=True)).T @ _wanted(K, idx, beta))),
    "orthonormalised": ("The keys were orthonormalised first: the scores must be those of the keys "
                        "as they are given.",
                        lambda K, idx, beta: np.linalg.qr(K.T)[0] @ _wanted(K, idx, beta)),
    "too_large": ("The scores of the chosen keys are too large.",
                  lambda K, idx, beta: 1.1 * reference.query_for(K, idx, beta)),
    "beta_ignored": ("The chosen keys score 1; they must score beta.",
                     lambda K, idx, beta: reference.query_for(K, idx, 1.0)),
    "complement": (
        "These are the keys that were not chosen.",
        lambda K, idx, beta: (
            reference.query_for(K, [i for i in range(len(K)) if i not in list(idx)], beta))),
    "regularised": ("The scores are only nearly right: solve the system as it is, with nothing "
                    "small added to it.",
                    lambda K, idx, beta: K.T @ np.linalg.solve(
                        K @ K.T + 1e-6 * np.eye(len(K)), _wanted(K, idx, beta))),
    "others_ignored": ("The other keys must score 0: solve for all keys at once.",
                       lambda K, idx, beta: np.linalg.pinv(K[list(idx)]) @ np.full(len(idx), beta)),
})
aim.mistakes_of(min_beta={
    "beta_m1": ("This is the formula for a single chosen key; m share the mass.",
                lambda n, m, tol: float(np.log((n - 1) * (1 - tol) / tol)) if m < n else 0.0),
    "beta_per_key": ("The chosen keys hold 1 - tol, not all of the mass.",
                     lambda n, m, tol: float(np.log((n - m) / (m * tol))) if m < n else 0.0),
    "no_m": ("The m chosen keys share the mass 1 - tol.",
             lambda n, m, tol: float(np.log((n - m) * (1 - tol) / tol)) if m < n else 0.0),
    "n_others": ("There are n - m other keys, not n.",
                 lambda n, m, tol: float(np.log(n * (1 - tol) / (m * tol))) if m < n else 0.0),
    "ratio_inverted": (
        "The ratio is upside down: more other keys need a larger beta.",
        lambda n, m, tol: float(-np.log((n - m) * (1 - tol) / (m * tol))) if m < n else 0.0),
    "log10": ("The softmax has base e: take the natural logarithm.",
              lambda n, m, tol: float(np.log10((n - m) * (1 - tol) / (m * tol))) if m < n else 0.0),
    "on_one_key": (
        "This puts 1 - tol on each chosen key; together they hold 1 - tol.",
        lambda n, m, tol: float(np.log((n - m) * (1 - tol) / tol) + np.log(m)) if m < n else 0.0),
})


@aim.mistake("unit_query", "Do not normalise q: its length carries beta.")
def query_for(K, idx, beta):
    q = reference.query_for(K, idx, beta)
    return q / np.linalg.norm(q)


@aim.mistake("not_shortest", "The scores are right, but there is a shorter query: nothing in it "
             "may be orthogonal to all keys.")
def query_for(K, idx, beta):
    rest = np.eye(K.shape[1]) - np.linalg.pinv(K) @ K
    return reference.query_for(K, idx, beta) + rest.sum(axis=1)


@aim.mistake("in_place", "K belongs to the caller: normalise a copy.")
def query_for(K, idx, beta):
    q = reference.query_for(K, idx, beta)
    K /= np.linalg.norm(K, axis=1, keepdims=True)
    return q


@aim.mistake("tol_for_each", "tol is the mass of all other keys together, not of each.")
def min_beta(n, m, tol):
    rest = (n - m) * tol
    return float(np.log((1 - rest) / (m * tol))) if m < n and rest < 1 else 0.0


@aim.mistake("tol_for_each_or_nan", "tol is the mass of all other keys together, not of each.")
def min_beta(n, m, tol):
    with np.errstate(invalid="ignore"):
        return float(np.log((1 - (n - m) * tol) / (m * tol))) if m < n else 0.0


@aim.mistake("minus_infinity", "With all keys chosen any beta does: return 0, not -infinity.")
def min_beta(n, m, tol):
    with np.errstate(divide="ignore"):
        return float(np.log((n - m) * (1 - tol) / (m * tol)))


aim.variants_of(query_for={
    "least squares": lambda K, idx, beta: np.linalg.lstsq(K, _wanted(K, idx, beta), rcond=None)[0],
    "normal equations": lambda K, idx, beta: K.T @ np.linalg.solve(K @ K.T, _wanted(K, idx, beta)),
})


@aim.variant("sum of logarithms")
def min_beta(n, m, tol):
    if m == n:
        return 0
    return np.log(n - m) - np.log(m) + np.log1p(-tol) - np.log(tol)
