"""Public cases of the learning rates that singular values allow."""

from viva.case import case
from viva.cases.linear_foundations import with_singular_values

FIVE = (5, 4, 2, 1, 0.5)


@case("max_lr")
def worked_largest(rng, max_lr):
    """singular values 3 and 1: 1/9"""
    return max_lr(with_singular_values(rng, (3, 1), 4, 2))


@case("max_lr")
def largest_of_five(rng, max_lr):
    """eight samples, five features; then five samples, eight features"""
    return [max_lr(with_singular_values(rng, rng.uniform(0.5, 4, 5), 8, 5)),
            max_lr(with_singular_values(rng, rng.uniform(0.5, 4, 5), 5, 8))]


@case("max_lr")
def worked_best(rng, best_lr):
    """singular values 3 and 1: 1/10"""
    return best_lr(with_singular_values(rng, (3, 1), 5, 2))


@case("max_lr")
def best_of_five(rng, best_lr):
    """singular values 5, 4, 2, 1, 0.5: 1/25.25"""
    return best_lr(with_singular_values(rng, FIVE, 9, 5))


@case("max_lr")
def best_of_a_wide_matrix(rng, best_lr):
    """three samples, six features; then rank two in four features"""
    return [best_lr(with_singular_values(rng, (2, 1.5, 0.7), 3, 6)),
            best_lr(with_singular_values(rng, (2, float(rng.uniform(0.5, 1))), 7, 4))]


@case("max_lr")
def best_of_a_small_matrix(rng, best_lr):
    """singular values 3e-8 and 1e-8, far from zero beside each other: 1e15; printed times 1e-16"""
    return best_lr(1e-8 * with_singular_values(rng, (3, 1), 5, 2)) * 1e-16


@case("max_lr")
def best_around_a_millionth(rng, best_lr):
    """singular values 3e-6 and 5e-7, both far from zero beside each other; printed times 1e-12"""
    return best_lr(1e-6 * with_singular_values(rng, (3, 0.5), 5, 2)) * 1e-12


@case("max_lr")
def contraction_around_a_millionth(rng, contraction):
    """singular values 3e-6 and 5e-7, at a rate that suits the stronger one"""
    return contraction(1e-6 * with_singular_values(rng, (3, 0.5), 5, 2), 1e12 / 18)


@case("max_lr")
def contraction_of_far_apart(rng, contraction):
    """singular values 1 and 1e-4, at eta = 0.9; then all of it 1e-8 times as large"""
    X = with_singular_values(rng, (1, 1e-4), 5, 2)
    return [contraction(X, 0.9), contraction(1e-8 * X, 0.9e16)]


@case("max_lr")
def worked_contraction(rng, contraction):
    """singular values 3 and 1 at eta = 1/10: 0.8; at 1/9 and 0.02: 1 and 0.96"""
    X = with_singular_values(rng, (3, 1), 4, 2)
    return [contraction(X, eta) for eta in (0.1, 1 / 9, 0.02)]


@case("max_lr")
def contraction_of_five(rng, contraction):
    """five singular values at four rates, one of them too large"""
    X = with_singular_values(rng, FIVE, 6, 5)
    return [contraction(X, float(eta) / 25) for eta in (0.1, rng.uniform(0.4, 0.6), 0.99, 1.3)]


@case("max_lr")
def contraction_of_a_wide_matrix(rng, contraction):
    """two samples, five features; rank one in three features; two directions that overshoot"""
    return [contraction(with_singular_values(rng, (2, 1), 2, 5), 0.2),
            contraction(with_singular_values(rng, (2,), 6, 3), float(rng.uniform(0.03, 0.1))),
            contraction(with_singular_values(rng, (2, 1.8), 5, 2), 0.2)]
