"""Steepest descent under a norm."""
import numpy as np

from viva.cases.optimizers.common import matrix
from viva_course.reference import optimizers as ref
from viva_course.rubric import Exercise

from .common import UNCHANGED

FIRST_VECTORS = "only the first r singular vectors are used"
THRESHOLD = "any threshold above rounding and below the true singular values will do"

descent = Exercise(
    "steepest", expects="the minimiser of <g, D> + ||D||^2 / alpha, with the shape of g",
    survivors={
        "steepest: U, s, Vt = np.linalg.svd(g, full_matrices=False) -> "
        "U, s, Vt = np.linalg.svd(g)": FIRST_VECTORS,
        "steepest: U, s, Vt = np.linalg.svd(g, full_matrices=False) -> "
        "U, s, Vt = np.linalg.svd(g, full_matrices=True)": FIRST_VECTORS,
        "steepest: r = np.sum(s > 1e-12 * s.max()) -> r = np.sum(s >= 1e-12 * s.max())": THRESHOLD,
        "steepest: r = np.sum(s > 1e-12 * s.max()) -> r = np.sum(s > 2e-12 * s.max())": THRESHOLD,
    },
)
descent.values(2.5, "The steps under l2, linf and l1 must be right.", name="vector norms",
               only=("by_hand", "largest_is_positive", "tie", "random_vector"))
descent.values(2, "The steps under the Frobenius and the spectral norm must be right.",
               name="matrix norms", only=("diagonal", "random_matrix", "tiny_matrix"))

DUAL = {
    "l2": lambda g: np.linalg.norm(g),
    "frobenius": lambda g: np.linalg.norm(g),
    "linf": lambda g: np.abs(g).sum(),
    "l1": lambda g: np.abs(g).max(),
    "spectral": lambda g: np.linalg.norm(g, "nuc"),
}
PRIMAL = {
    "l2": lambda d: np.linalg.norm(d),
    "frobenius": lambda d: np.linalg.norm(d),
    "linf": lambda d: np.abs(d).max(),
    "l1": lambda d: np.abs(d).sum(),
    "spectral": lambda d: np.linalg.norm(d, 2),
}


@descent.item(2, "The value <g, D> + ||D||^2 / alpha must be -(alpha/4) times the squared dual "
              "norm, and no competitor may be better.")
def optimal(exam, steepest):
    alpha = exam.rng.uniform(0.3, 3)
    for norm in DUAL:
        g = exam.rng.normal(size=(4, 3) if norm in ("frobenius", "spectral") else 7)
        D = np.asarray(steepest(g, norm, alpha))
        exam.true(D.shape == g.shape, "the step has the shape of the gradient")
        value = lambda d: float((g * d).sum() + PRIMAL[norm](d) ** 2 / alpha)
        exam.same(value(D), -alpha / 4 * float(DUAL[norm](g)) ** 2, rtol=1e-9, atol=0)
        for noise in exam.rng.normal(size=(20, *g.shape)):
            better = value(D + 0.1 * noise) < value(D) - 1e-9
            exam.true(not better, "a step near yours is better")


@descent.item(1.5, "Zero entries and zero singular values stay without step, and the step is "
              "proportional to the gradient, however small or large that is.")
def zeros_and_low_rank(exam, steepest):
    alpha, g = exam.rng.uniform(0.3, 3), exam.rng.normal(size=6)
    g[[1, 4]] = 0
    low = matrix(exam.rng, 5, 2) @ matrix(exam.rng, 2, 4)
    for G, norms in ((g, ("l2", "linf", "l1")), (low, ("frobenius", "spectral"))):
        for norm in norms:
            expected = ref.steepest(G, norm, alpha)
            exam.same(steepest(G, norm, alpha), expected, rtol=1e-8, atol=1e-9)
            exam.same(steepest(-2.5 * G, norm, alpha), -2.5 * expected, rtol=1e-8, atol=1e-9)
    # Zero is what is small beside the largest singular value, for tiny and for huge gradients.
    for size in (1e-14, 1e8):
        exam.same(np.asarray(steepest(size * low, "spectral", alpha)) / size,
                  ref.steepest(low, "spectral", alpha), rtol=1e-8, atol=1e-9)


@descent.item(0.5, "An unknown norm raises ValueError, a known one does not.")
def unknown_norm(exam, steepest):
    exam.raises(ValueError, steepest, exam.rng.normal(size=3), "l7", 1.0)
    exam.same(steepest(np.array([1.0, -2.0]), "l2", 2.0), np.array([-1.0, 2.0]))


descent.unmodified(0.5, UNCHANGED, name="argument unchanged")


def _strongest(G, alpha):
    """-alpha / 2 times the part of G along its largest singular value."""
    U, s, Vt = np.linalg.svd(G, full_matrices=False)
    return -alpha / 2 * s[0] * np.outer(U[:, 0], Vt[0])


descent.mistakes_of(steepest={
    "no_half": ("The derivative of ||D||^2 / alpha is 2 D / alpha: the factor is alpha / 2.",
                lambda g, norm, alpha=1.0: ref.steepest(g, norm, 2 * alpha)),
    "linf_no_dual": (
        "The sign alone forgets the size of the step, ||g||_1.",
        lambda g, norm, alpha=1.0: (
            -alpha / 2 * np.sign(g) if norm == "linf" else ref.steepest(g, norm, alpha))),
    "l1_and_linf_swapped": (
        "The step of a norm is sized by its dual: under linf all coordinates move, under l1 one.",
        lambda g, norm, alpha=1.0: (
            ref.steepest(g, {"l1": "linf", "linf": "l1"}.get(norm, norm), alpha))),
    "only_the_unit_step": (
        "The sign, or U V^T, is the unit step only; its size is alpha / 2 times the dual norm.",
        lambda g, norm, alpha=1.0: ref.steepest(g, norm, alpha) / (
            DUAL[norm](g) if norm in ("linf", "spectral") else 1)),
    "spectral_no_dual": (
        "U V^T is the unit step only; its size is alpha / 2 times the nuclear norm.",
        lambda g, norm, alpha=1.0: ref.steepest(g, norm, alpha) / (
            DUAL[norm](g) if norm == "spectral" else 1)),
    "ascent": ("The step goes uphill: it needs a minus sign.",
               lambda g, norm, alpha=1.0: -ref.steepest(g, norm, alpha)),
    "unsquared": ("The penalty is the squared norm; these are unit steps, without the size of the "
                  "gradient.",
                  lambda g, norm, alpha=1.0: 2 * ref.steepest(g, norm, alpha) / DUAL[norm](g)),
    "unit_and_half": (
        "These steps have the size alpha / 2 whatever the gradient is; multiply by its dual norm.",
        lambda g, norm, alpha=1.0: ref.steepest(g, norm, alpha) / DUAL[norm](g)),
    "l2_without_its_size": (
        "The l2 step grows with the gradient too: its unit step is multiplied by alpha / 2 and by "
        "the dual norm.",
        lambda g, norm, alpha=1.0: ref.steepest(g, norm, alpha) / (
            DUAL[norm](g) if norm == "l2" else 1)),
    "one_singular_direction": (
        "Under the spectral norm every singular direction may move by r, not only the strongest.",
        lambda g, norm, alpha=1.0: (
            _strongest(g, alpha) if norm == "spectral" else ref.steepest(g, norm, alpha))),
    "silent_norm": (
        "An unknown norm must raise ValueError, not be taken for l2.",
        lambda g, norm, alpha=1.0: ref.steepest(g, norm if norm in DUAL else "l2", alpha)),
})


@descent.mistake("linf_l2", "The size of the linf step is the dual norm of g, ||g||_1, not "
                  "||g||_2.")
def steepest(g, norm, alpha=1.0):
    if norm == "linf":
        return -alpha / 2 * np.linalg.norm(g) * np.sign(g)
    return ref.steepest(g, norm, alpha)


@descent.mistake("linf_inf", "The size of the linf step is the dual norm of g, ||g||_1, not "
                  "||g||_inf.")
def steepest(g, norm, alpha=1.0):
    if norm == "linf":
        return -alpha / 2 * np.abs(g).max() * np.sign(g)
    return ref.steepest(g, norm, alpha)


@descent.mistake("l1_signed", "The largest coordinate is the one largest in size, whatever its "
                  "sign.")
def steepest(g, norm, alpha=1.0):
    if norm == "l1":
        return -alpha / 2 * g * (np.arange(g.size) == np.argmax(g))
    return ref.steepest(g, norm, alpha)


@descent.mistake("l1_all_ties", "Under l1 one coordinate moves: of several that are equally large "
                 "the first.")
def steepest(g, norm, alpha=1.0):
    if norm == "l1":
        return -alpha / 2 * g * (np.abs(g) == np.abs(g).max())
    return ref.steepest(g, norm, alpha)


@descent.mistake("l1_last_tie", "Of several coordinates that are equally large the first one "
                 "moves, not the last.")
def steepest(g, norm, alpha=1.0):
    if norm == "l1":
        return ref.steepest(g[::-1], norm, alpha)[::-1]
    return ref.steepest(g, norm, alpha)


@descent.mistake("l1_uphill", "Under l1 the step goes against the sign of the largest coordinate: "
                 "this one is uphill where that coordinate is positive.")
def steepest(g, norm, alpha=1.0):
    if norm == "l1":
        size = np.abs(g)
        return alpha / 2 * size * (np.arange(g.size) == size.argmax())
    return ref.steepest(g, norm, alpha)


@descent.mistake("l1_downwards", "Under l1 the step goes against the sign of the largest "
                 "coordinate: this one is uphill where that coordinate is negative.")
def steepest(g, norm, alpha=1.0):
    if norm == "l1":
        size = np.abs(g)
        return -alpha / 2 * size * (np.arange(g.size) == size.argmax())
    return ref.steepest(g, norm, alpha)


@descent.mistake("spectral_no_nuclear", "The dual of the spectral norm is the nuclear norm, the "
                  "sum of the singular values.")
def steepest(g, norm, alpha=1.0):
    if norm == "spectral":
        U, s, Vt = np.linalg.svd(g, full_matrices=False)
        return -alpha / 2 * s[0] * (U * (s > 1e-12 * s[0])) @ Vt
    return ref.steepest(g, norm, alpha)


@descent.mistake("spectral_full", "Directions with singular value zero are arbitrary: leave them "
                  "out.")
def steepest(g, norm, alpha=1.0):
    if norm == "spectral":
        U, s, Vt = np.linalg.svd(g, full_matrices=False)
        return -alpha / 2 * s.sum() * U @ Vt
    return ref.steepest(g, norm, alpha)


@descent.mistake("absolute_threshold", "A singular value is zero if it is small beside the "
                 "largest one; this threshold does not know the size of the gradient.")
def steepest(g, norm, alpha=1.0):
    if norm == "spectral":
        U, s, Vt = np.linalg.svd(g, full_matrices=False)
        return -alpha / 2 * s.sum() * (U * (s > 1e-12)) @ Vt
    return ref.steepest(g, norm, alpha)


@descent.mistake("in_place", "The caller's gradient is overwritten: *= on an argument changes it.")
def steepest(g, norm, alpha=1.0):
    step = ref.steepest(g, norm, alpha)
    if norm in ("l2", "frobenius"):
        g *= -alpha / 2
    return step


@descent.variant("by the largest singular values, in place on copies")
def steepest(g, norm, alpha=1.0):
    g = np.array(g, dtype=float)
    if norm not in ("l2", "frobenius", "linf", "l1", "spectral"):
        raise ValueError(f"unknown norm {norm}")
    if norm == "linf":
        g = np.linalg.norm(g.ravel(), 1) * np.where(g > 0, 1.0, np.where(g < 0, -1.0, 0.0))
    elif norm == "l1":
        i = np.unravel_index(np.abs(g).argmax(), g.shape)
        g, kept = np.zeros_like(g), g[i]
        g[i] = kept
    elif norm == "spectral":
        U, s, Vt = np.linalg.svd(g)
        r = int((s > 1e-9 * s.max()).sum())
        g = s.sum() * U[:, :r] @ Vt[:r]
    return -0.5 * alpha * g
