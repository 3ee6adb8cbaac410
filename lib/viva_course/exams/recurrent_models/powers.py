"""Exam of `matrix_powers`."""

import math

import numpy as np

from viva.cases.recurrent_models.powers import Counted, remainders
from viva_course.reference import recurrent_models as reference
from viva_course.rubric import Exercise

powers = Exercise(
    "matrix_powers",
    expects="(I, A, .., A^{L-1}), shape (L, n, n), by at most 2 ceil(log2 L) calls of matmul",
    survivors={
        "matrix_powers: powers = np.concatenate([powers, matmul(step, powers)]) -> "
        "powers = np.concatenate([powers, matmul(powers, step)])": "powers of one matrix commute",
    },
)

powers.values(3.5, "The powers 0 .. L-1, for every L.", only=("shear", "every_length"),
              name="powers")
powers.values(0.5, "The first is the identity, whatever A is.", only=("zero_matrix",),
              name="identity first")


@powers.item(2.5, "At most 2 ceil(log2 L) products, each of them by the given matmul, which "
             "multiplies stacks of matrices at once.")
def number_of_products(exam, matrix_powers):
    A = 0.4 * exam.rng.normal(size=(3, 3))
    for L in (2, 3, 5, 64, 65, 200, 1000):
        counted = Counted()
        found = matrix_powers(A, L, matmul=counted)
        exam.same(found, reference.matrix_powers(A, L))
        most = 2 * math.ceil(math.log2(L))
        exam.true(counted.calls <= most,
                  f"L = {L}: {counted.calls} products, at most {most} are needed")
        # I and A are known; each product at most doubles the highest power known
        exam.true(counted.calls >= math.ceil(math.log2(max(L - 1, 1))),
                  f"L = {L}: only {counted.calls} products went through matmul")
    A = exam.rng.integers(1, 97, size=(3, 3)).astype(float)
    exam.same(matrix_powers(A, 100, matmul=remainders),
              reference.matrix_powers(A, 100, remainders))


@powers.item(0.5, "L < 1 raises ValueError; L = 1 is the identity alone.")
def refusals(exam, matrix_powers):
    A = exam.rng.normal(size=(4, 4))
    exam.same(matrix_powers(A, 1), np.eye(4)[None])
    exam.raises(ValueError, matrix_powers, A, 0)
    exam.raises(ValueError, matrix_powers, A, -3)


powers.unmodified(1, "A must stay as it was.")


TOO_MANY = ("Too many products: double the list, and multiply the whole stack in one call of "
            "matmul.")


def refuse(L):
    if L < 1:
        raise ValueError


def doubled(A, L, matmul, first=None, square=None):
    refuse(L)
    found, step = np.eye(len(A))[None] if first is None else first, A
    while len(found) < L:
        found = np.concatenate([found, matmul(step, found)])
        step = (square or matmul)(step, step)
    return found


powers.mistakes_of(matrix_powers={
    "starts_at_A": ("The first power is the identity, the last one A^{L-1}.",
                    lambda A, L, matmul=np.matmul: doubled(A, L, matmul, A[None])[:L]),
    "elementwise_all": (
        "A**k powers the entries, and A**0 is a matrix of ones.",
        lambda A, L, matmul=np.matmul: refuse(L) or np.array([A**k for k in range(L)])),
    "power_of_two_only": ("Doubling overshoots: cut the result to L powers.",
                          lambda A, L, matmul=np.matmul: doubled(A, L, matmul)),
    "one_doubling_short": (
        "Where L is no power of two, one more doubling is needed, and a cut.",
        lambda A, L, matmul=np.matmul: doubled(A, 2 ** int(math.log2(L)), matmul) if L > 0
        else refuse(L)),
    "own_product": ("The products must be made by the matmul that is given.",
                    lambda A, L, matmul=np.matmul: doubled(A, L, np.matmul)[:L]),
    "own_squares": (
        "The squarings are products as well: the matmul that is given makes them, too.",
        lambda A, L, matmul=np.matmul: doubled(A, L, matmul, square=np.matmul)[:L]),
    "empty": ("At least the identity is asked for: L < 1 raises ValueError.",
              lambda A, L, matmul=np.matmul: doubled(A, max(L, 1), matmul)[: max(L, 0)]),
    "list": ("Return one array of shape (L, n, n), not a list.",
             lambda A, L, matmul=np.matmul: list(doubled(A, L, matmul)[:L])),
})


@powers.mistake("elementwise_power", "A**k powers the entries; A^k is a product of matrices.")
def matrix_powers(A, L, matmul=np.matmul):
    refuse(L)
    return np.array([A**k if k else np.eye(len(A)) for k in range(L)])


@powers.mistake("reuses_top", "The multiplier must be squared as well: the second half of the "
                "list is A^l times the first, with the l of this doubling.")
def matrix_powers(A, L, matmul=np.matmul):
    refuse(L)
    found = np.eye(len(A))[None]
    while len(found) < L:
        found = np.concatenate([found, matmul(A, found)])
    return found[:L]


@powers.mistake("multiplier_A_l_minus_1", "The last matrix of the list is A^{l-1}; the second half "
                "needs A^l.")
def matrix_powers(A, L, matmul=np.matmul):
    refuse(L)
    found = np.array([np.eye(len(A)), A])
    while len(found) < L:
        found = np.concatenate([found, matmul(found[-1], found)])
    return found[:L]


@powers.mistake("sequential", TOO_MANY)
def matrix_powers(A, L, matmul=np.matmul):
    refuse(L)
    found = [np.eye(len(A))]
    while len(found) < L:
        found.append(matmul(A, found[-1]))
    return np.array(found)


@powers.mistake("one_by_one", TOO_MANY)
def matrix_powers(A, L, matmul=np.matmul):
    refuse(L)
    found, step = [np.eye(len(A))], A
    while len(found) < L:
        found += [matmul(step, each) for each in found]
        step = matmul(step, step)
    return np.array(found[:L])


@powers.mistake("identity_lost", "A^0 is the identity also where A is zero.")
def matrix_powers(A, L, matmul=np.matmul):
    refuse(L)
    found = doubled(A, L, matmul)[:L]
    return found if A.any() else np.zeros_like(found)


@powers.mistake("in_place", "A belongs to the caller: square a copy.")
def matrix_powers(A, L, matmul=np.matmul):
    refuse(L)
    found = np.eye(len(A))[None]
    while len(found) < L:
        found = np.concatenate([found, matmul(A, found)])
        A[:] = matmul(A, A)
    return found[:L]


@powers.variant("from A on, the identity in front")
def matrix_powers(A, L, matmul=np.matmul):
    if L < 1:
        raise ValueError("L")
    rest = np.asarray(A, float)[None]
    while len(rest) < L - 1:
        rest = np.concatenate([rest, matmul(rest[-1], rest)])
    return np.concatenate([np.eye(len(A))[None], rest])[:L]


@powers.variant("filling an array, cut at its end")
def matrix_powers(A, L, matmul=np.matmul):
    if L <= 0:
        raise ValueError("L")
    n = A.shape[0]
    out, have, step = np.zeros((L, n, n)), 1, A.copy()
    out[0] = np.identity(n)
    while have < L:
        more = min(have, L - have)
        out[have : have + more] = matmul(out[:more], step)
        have += more
        if have < L:
            step = matmul(step, step)
    return out
