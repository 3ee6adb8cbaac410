"""Attention by content: min_score_gap, design_identity, design_histogram."""
import numpy as np

from viva.kits.hand_design_transformer.heads import all_sequences
from viva_course.reference import hand_design_transformer as reference
from viva_course.rubric import Exercise, then

from .common import copies, design, largest_score, random_sequences

gap = Exercise("min_score_gap", "the smallest gap that leaves the T - 1 others a mass of tol")

gap.values(2.5, "The gap must follow the formula.")


@gap.item(2, "With this gap the others have mass tol; with 1% less they have more.")
def just_enough(exam, min_score_gap):
    for _ in range(5):
        T, tol = int(exam.rng.integers(3, 40)), float(exam.rng.uniform(.001, .2))
        g = min_score_gap(T, tol)
        mass = [(T - 1) / (T - 1 + np.exp(s)) for s in (g, .99 * g)]
        exam.true(abs(mass[0] - tol) <= 1e-9 and mass[1] > tol + 1e-9,
                  f"the others have a mass of {mass[0]:.3g} instead of tol")


@gap.item(1.5, "One token needs no gap; a gap is never negative.")
def edges(exam, min_score_gap):
    T = int(exam.rng.integers(2, 6))
    border = (T - 1) / T                     # with this tolerance a gap of 0 is just enough
    trials = [(1, .001), (1, .9), (T, border + .05), (2, .9), (T, border - .05)]
    exam.same([min_score_gap(*trial) for trial in trials],
              [reference.min_score_gap(*trial) for trial in trials])


gap.mistakes_of(min_score_gap={
    "ignores_T": ("All T - 1 other tokens compete, not one.",
                  lambda T, tol: max(0.0, float(np.log((1 - tol) / tol)))),
    "one_other": (
        "All T - 1 other tokens compete, not one.",
        lambda T, tol: max(0.0, float(np.log((1 - tol) / tol))) if T > 1 else 0.0),
    "T_not_T-1": ("The target does not compete with itself: T - 1 others.",
                  lambda T, tol: max(0.0, float(np.log(T * (1 - tol) / tol))) if T > 1 else 0.0),
    "log10": ("softmax uses e, so the gap is a natural logarithm.",
              lambda T, tol: reference.min_score_gap(T, tol) / np.log(10)),
    "log2": ("softmax uses e, so the gap is a natural logarithm.",
             lambda T, tol: reference.min_score_gap(T, tol) / np.log(2)),
    "neg": ("Where the tolerance is met without a gap, the gap is 0.",
            lambda T, tol: float(np.log((T - 1) * (1 - tol) / tol)) if T > 1 else 0.0),
    "tol_only": ("Solve for the mass itself: the odds of tol are tol / (1 - tol).",
                 lambda T, tol: max(0.0, float(np.log((T - 1) / tol))) if T > 1 else 0.0),
    "inverted": (
        "The odds are upside down: a smaller tolerance needs a larger gap.",
        lambda T, tol: max(0.0, float(np.log((T - 1) * tol / (1 - tol)))) if T > 1 else 0.0),
    "each_not_all": (
        "The others may have the mass tol together, not each.",
        lambda T, tol: (
            max(0.0, float(np.log((1 - (T - 1) * tol) / tol))) if (T - 1) * tol < 1 else 0.0)),
})


@gap.mistake("single_token", "With T = 1 nothing competes: the gap is 0, not an error.")
def min_score_gap(T, tol):
    if T < 2:
        raise ValueError("nothing to compare")
    return reference.min_score_gap(T, tol)


@gap.variant("difference of log odds")
def min_score_gap(T, tol):
    with np.errstate(divide="ignore"):
        return np.maximum(0, np.log(T - 1) - np.log(tol / (1 - tol)))


identity = Exercise(
    "design_identity", expects="every token comes out as it went in, within tol",
    survivors={
        ("design_identity: c = np.sqrt(gap * np.sqrt(n_tokens))"
         " -> c = np.sqrt(gap * n_tokens)"):
            "sharper than needed, below the cap on scores: as right",
    },
)

identity.values(3, "ABCC must come out as ABCC.")


@identity.item(3, "All sequences up to length 4, within any tolerance.")
def every_short_sequence(exam, design_identity):
    for tol in (1e-3, 1e-8):
        head = design(exam, design_identity(3, 4, tol=tol), 3)
        copies(exam, head, all_sequences(3, 4), 3, lambda X: X, tol)


@identity.item(2, "Other numbers of tokens and other lengths.")
def other_sizes(exam, design_identity):
    sizes = (5, 12, 1e-3), (2, 30, 1e-3), (9, 3, 10.0 ** -exam.rng.uniform(4, 7)), (200, 5, 1e-3)
    for n, L, tol in sizes:
        head = design(exam, design_identity(n, L, tol), n)
        one_against_all = (0,) + (1,) * (L - 1)          # the worst sequence
        sequences = [one_against_all, *random_sequences(exam.rng, n, L, 10)]
        copies(exam, head, sequences, n, lambda X: X, tol)


@identity.item(1, "No brute force: exp of every score must be finite.")
def scores_below_700(exam, design_identity):
    for n, L in ((3, 4), (5, 12), (200, 5)):
        head = design(exam, design_identity(n, L, 1e-6), n)
        sequences = random_sequences(exam.rng, n, L, 20)
        copies(exam, head, sequences, n, lambda X: X, 1e-6)
        top = largest_score(head, sequences, n)
        exam.true(top < 700, f"a score is {top:.2g}; far less is sharp enough")


def sharp(n, gap, Vm=None):
    """Km = Qm = cI with c^2 = gap, Vm = I: what the mistakes vary."""
    c = np.sqrt(gap) * np.eye(n)
    return c, c, np.eye(n) if Vm is None else Vm


identity.mistakes_of(design_identity={
    "unit": ("With Km = Qm = I the softmax is too soft: sharpen the scores.",
             lambda n_tokens, max_len, tol=1e-3: sharp(n_tokens, 1)),
    "forgets_sqrt_d": (
        "The gap is meant after the division by sqrt(d_qk).",
        lambda n_tokens, max_len, tol=1e-3: sharp(n_tokens, reference.min_score_gap(max_len, tol))),
    "divides_by_the_root": (
        "The scores are divided by the root of d_qk already: the numbers must be larger by it, not "
        "smaller.",
        lambda n_tokens, max_len, tol=1e-3: (
            sharp(n_tokens, reference.min_score_gap(max_len, tol) / np.sqrt(n_tokens)))),
    "fixed_scale": ("The scale must follow from n_tokens, max_len and tol.",
                    lambda n_tokens, max_len, tol=1e-3: sharp(n_tokens, 16)),
    "ignores_tol": (
        "The argument tol is not used: a small one needs a larger gap.",
        lambda n_tokens, max_len, tol=1e-3: reference.design_identity(n_tokens, max_len)),
    "ignores_length": (
        "The others are up to max_len - 1 tokens, not n_tokens - 1.",
        lambda n_tokens, max_len, tol=1e-3: reference.design_identity(n_tokens, n_tokens, tol)),
    "root_of_length": (
        "Scores are divided by the root of d_qk, the number of columns of Km, not by that of "
        "max_len.",
        lambda n_tokens, max_len, tol=1e-3: (
            sharp(n_tokens, reference.min_score_gap(max_len, tol) * np.sqrt(max_len)))),
    "neg_keys": ("Negative keys attend to everything but the token itself.",
                 then(reference.design_identity, lambda Km, Qm, Vm: (-Km, Qm, Vm))),
    "V_scaled": ("Only the scores are sharpened: the values are the one-hots.",
                 then(reference.design_identity, lambda Km, Qm, _: (Km, Qm, Km))),
    "hard3": ("The number of tokens is n_tokens, not 3.",
              lambda n_tokens, max_len, tol=1e-3: reference.design_identity(3, max_len, tol)),
    "huge": ("Scores of a million work here but overflow elsewhere: use the gap.",
             lambda n_tokens, max_len, tol=1e-3: sharp(n_tokens, 1e6 * np.sqrt(n_tokens))),
})


@identity.variant("all sharpness in the query, another basis")
def design_identity(n_tokens, max_len, tol=1e-3):
    basis = np.linalg.qr(np.random.default_rng(0).normal(size=(n_tokens, n_tokens)))[0]
    gap = reference.min_score_gap(max_len, tol) * n_tokens ** .5
    return basis, gap * basis, np.eye(n_tokens)


@identity.variant("wider than needed, twice as sharp")
def design_identity(n_tokens, max_len, tol=1e-3):
    wide = np.eye(n_tokens, n_tokens + 2)
    gap = 2 * reference.min_score_gap(max_len, tol) * (n_tokens + 2) ** .5
    return np.sqrt(gap) * wide, np.sqrt(gap) * wide, np.eye(n_tokens)


histogram = Exercise(
    "design_histogram", expects="every row holds the frequencies of the tokens",
    survivors={
        ("design_histogram: nothing = np.zeros((n_tokens, n_tokens))"
         " -> nothing = np.ones((n_tokens, n_tokens))"):
            "constant keys: uniform attention as well",
    },
)

histogram.values(2, "ABCC has the frequencies 1/4, 1/4, 1/2, in every row.")


@histogram.item(2, "Exact frequencies for other numbers of tokens.")
def six_tokens(exam, design_histogram):
    for n in (6, 2):
        head = design(exam, design_histogram(n), n)
        sequences = random_sequences(exam.rng, n, 12, 12)
        copies(exam, head, sequences, n,
               lambda X: np.broadcast_to(X.mean(-2, keepdims=True), X.shape), 1e-12)


histogram.mistakes_of(design_histogram={
    "content": ("Every token must get the same weight: no score may stand out.",
                lambda n_tokens: (np.eye(n_tokens), np.eye(n_tokens), np.eye(n_tokens))),
    "V_ones": (
        "Values of ones forget which token they came from.",
        lambda n_tokens: (
            (np.zeros((n_tokens, 1)), np.zeros((n_tokens, 1)), np.ones((n_tokens, n_tokens))))),
    "V_uniform": (
        "All tokens have the same value: their average forgets which token it came from.",
        lambda n_tokens: (np.zeros((n_tokens, 1)), np.zeros((n_tokens, 1)),
                          np.full((n_tokens, n_tokens), 1 / n_tokens))),
    "V_mixed": (
        "The values are the one-hots: softmax does the averaging by itself.",
        lambda n_tokens: (
            (np.zeros((n_tokens, 1)), np.zeros((n_tokens, 1)), np.eye(n_tokens) / n_tokens))),
    "hard3": ("The number of tokens is n_tokens, not 3.",
              lambda n_tokens: reference.design_histogram(3)),
})


@histogram.mistake("weak_content", "Small scores are not equal scores: a token still weighs "
                   "itself a little more than the others.")
def design_histogram(n_tokens):
    return 1e-3 * np.eye(n_tokens), 1e-3 * np.eye(n_tokens), np.eye(n_tokens)


@histogram.mistake("key_only_A", "Keys depend on the token, so some tokens count more.")
def design_histogram(n_tokens):
    Km = np.zeros((n_tokens, 1))
    Km[0] = 1
    return Km, np.ones((n_tokens, 1)), np.eye(n_tokens)


@histogram.variant("constant keys")
def design_histogram(n_tokens):
    return np.ones((n_tokens, 2)), np.arange(2.0 * n_tokens).reshape(-1, 2), np.eye(n_tokens)
