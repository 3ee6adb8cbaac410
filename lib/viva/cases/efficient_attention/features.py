"""Cases of softmax_factors and positive_features."""

import numpy as np

from viva.case import case
from viva.cases.efficient_attention.inputs import any_numbers, tokens


@case("softmax_factors")
def by_hand(rng, softmax_factors):
    """q = 1 and 2, k = 0 and log 2: A = [[1, 2], [1, 4]], D = [3, 5]"""
    return softmax_factors(np.array([[1.0], [2.0]]), np.log([[1.0], [2.0]]))


@case("softmax_factors")
def more_tokens(rng, softmax_factors):
    """five queries, four keys, three features"""
    Q, K, _ = tokens(rng, 5, 4)
    return softmax_factors(Q, K)


@case("softmax_factors")
def more_features(rng, softmax_factors):
    """two queries, three keys, six features"""
    Q, K, _ = tokens(rng, 2, 3, d=6, scale=0.5)
    return softmax_factors(Q, K)


@case("softmax_factors")
def as_many(rng, softmax_factors):
    """four queries, four keys, four features"""
    Q, K, _ = tokens(rng, 4, 4, d=4, scale=0.5)
    return softmax_factors(Q, K)


@case("softmax_factors")
def factors_of_a_batch(rng, softmax_factors):
    """a batch of two sequences"""
    Q, K, _ = tokens(rng, 2, 5, 4)
    return softmax_factors(Q, K)


@case("softmax_factors")
def factors_of_lists(rng, softmax_factors):
    """lists, single precision and integers: the results are float64"""
    lists, singles, integers = any_numbers(rng, (4, 3), (5, 3), (5, 3))
    return [softmax_factors(lists, singles), softmax_factors(singles, integers),
            softmax_factors(lists, lists), softmax_factors(singles, singles)]


@case("positive_features")
def four_vectors(rng, positive_features):
    """four vectors, six features"""
    return positive_features(0.7 * rng.normal(size=(4, 3)), rng.normal(size=(6, 3)))


@case("positive_features")
def zero(rng, positive_features):
    """x = 0: every feature is 1 / sqrt(m)"""
    return positive_features(np.zeros((1, 3)), rng.normal(size=(4, 3)))


@case("positive_features")
def one_feature(rng, positive_features):
    """m = 1"""
    return positive_features(0.7 * rng.normal(size=(3, 2)), rng.normal(size=(1, 2)))


@case("positive_features")
def one_vector(rng, positive_features):
    """a single vector of shape (d,)"""
    return positive_features(0.7 * rng.normal(size=4), rng.normal(size=(5, 4)))


@case("positive_features")
def estimate(rng, positive_features):
    """f(q) . f(k) for 2000 features, beside exp(q . k)"""
    q, k, W = *(0.4 * rng.normal(size=(2, 3))), rng.normal(size=(2000, 3))
    fq, fk = (np.asarray(positive_features(x, W)) for x in (q, k))
    return {"estimate": float(fq @ fk), "exp(q . k)": float(np.exp(q @ k))}


@case("positive_features")
def features_of_a_batch(rng, positive_features):
    """a batch of two times three sequences of four vectors"""
    return positive_features(0.5 * rng.normal(size=(2, 3, 4, 5)), rng.normal(size=(7, 5)))


@case("positive_features")
def long_vector(rng, positive_features):
    """|x| = 40: logarithms of the features, which are tiny and not zero"""
    x, W = rng.normal(size=(2, 4)), rng.normal(size=(3, 4))
    x *= 40 / np.linalg.norm(x, axis=-1, keepdims=True)
    W[0] = 3 * x[0] / 40  # w . x = 120: the feature itself is exp(-680) / sqrt(3)
    W[1:] = W[0] + 0.02 * W[1:]
    x[1] = x[0] + 0.02 * x[1]
    with np.errstate(all="ignore"):
        return np.log(np.asarray(positive_features(x, W), float))


@case("positive_features")
def features_of_lists(rng, positive_features):
    """a list and single precision: the result is float64"""
    return positive_features(*any_numbers(rng, (4, 3), (5, 3)))
