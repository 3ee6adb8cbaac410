"""Exam of `virtual_paths` and `copying_score`."""

import numpy as np

from viva.cases.adaptation_and_circuits.paths import model, named, summed
from viva_course.reference import adaptation_and_circuits as reference
from viva_course.rubric import Exercise, then

ways = Exercise(
    "virtual_paths",
    expects={
        "virtual_paths": "(direct, ones, twos, virtual): the logits of every path; together they "
                         "are the model's",
        "copying_score": "a number from -1 to 1: the sum of the eigenvalues over the sum of their "
                         "moduli",
    },
)

ways.values(3, "The direct path, those through one head, and the one through both.", name="paths",
            only=("by_hand", "one_head_each"))
ways.values(3, "Every pair of heads has a virtual path.", name="several heads",
            only=("several_heads",))
ways.values(1.5, "All paths together are the logits.", only=("total",), name="total")
ways.values(1.5, "1 for positive eigenvalues, -1 for negative ones, 0 for a quarter turn.",
            only=("extremes",), name="extremes")
ways.values(1.5, "Mixed and complex eigenvalues, in large and in tiny matrices.",
            only=("mixed", "tiny"), name="mixed eigenvalues")


def _logits(X, WU, first, second):
    """The model run layer by layer, token by token, with these patterns."""
    for layer in (first, second):
        added = np.zeros(X.shape)
        for P, M in layer:
            for t in range(X.shape[1]):
                for s in range(X.shape[1]):
                    added[:, t] += P[t, s] * (M @ X[:, s])
        X = X + added
    return WU @ X


@ways.item(2, "A head that is taken out takes all its paths with it, the virtual ones too.")
def a_head_taken_out(exam, virtual_paths, copying_score):
    X, WU, first, second = model(exam.rng, 4, 6, 5, (2, 3))
    whole, kinds = virtual_paths(X, WU, first, second), ("ones", "virtual")
    exam.same(summed(whole), _logits(X, WU, first, second))
    own = named(whole)
    exam.true(own["virtual"].shape == (2, 3, 5, 6), f"virtual has shape {own['virtual'].shape}")
    missing = own[kinds[0]][1] + own[kinds[1]][1].sum(axis=0)
    exam.same(_logits(X, WU, first, second) - _logits(X, WU, first[:1], second), missing)


@ways.item(1, "The score lies between -1 and 1, whatever the size of the matrix.",
           name="from -1 to 1")
def from_1_to_1(exam, virtual_paths, copying_score):
    for _ in range(10):
        M = exam.rng.normal(size=(6, 6)) * 10 ** exam.rng.uniform(-2, 2)
        score = copying_score(M)
        exam.true(np.isrealobj(score), "the score is complex")
        exam.same(score, reference.copying_score(M), rtol=1e-7, atol=1e-8)
        exam.same(copying_score(-3 * M), -float(score), rtol=1e-7, atol=1e-8)


ways.unmodified(0.5, "The stream, the heads and W_U must stay as they were.")


def _paths(X, WU, first, second, middle=None, after=lambda logits: logits):
    """All paths; the virtual ones by `middle(P1, M1, P2, M2)`, which gives the stream's part."""
    right = middle or (lambda P1, M1, P2, M2: M2 @ M1 @ X @ P1.T @ P2.T)
    return (after(WU @ X), np.array([after(WU @ M @ X @ P.T) for P, M in first]),
            np.array([after(WU @ M @ X @ P.T) for P, M in second]),
            np.array([[after(WU @ right(P1, M1, P2, M2)) for P2, M2 in second]
                      for P1, M1 in first]))


def _middle(product):
    """`virtual_paths` with virtual paths product(X, P1, M1, P2, M2)."""
    return lambda X, WU, first, second: _paths(
        X, WU, first, second, lambda *head_pair: product(X, *head_pair))


def _transposed_patterns(heads):
    return [(P.T, M) for P, M in heads]


ways.mistakes_of(virtual_paths={
    "circuits_exchanged": ("In a virtual path the circuit of the first layer acts first: it stands "
                           "on the right. These are in the other order.",
                           _middle(lambda X, P1, M1, P2, M2: M1 @ M2 @ X @ P1.T @ P2.T)),
    "patterns_exchanged": ("In a virtual path the pattern of the first layer acts first. The two "
                           "patterns are in the other order.",
                           _middle(lambda X, P1, M1, P2, M2: M2 @ M1 @ X @ P2.T @ P1.T)),
    "all_exchanged": ("This path goes through the second layer before the first: circuits and "
                      "patterns are in the other order.",
                      _middle(lambda X, P1, M1, P2, M2: M1 @ M2 @ X @ P2.T @ P1.T)),
    "entrywise_patterns": ("The patterns of a virtual path are multiplied as matrices, not entry "
                           "by entry.",
                           _middle(lambda X, P1, M1, P2, M2: M2 @ M1 @ X @ (P1 * P2).T)),
    "second_pattern_only": ("A virtual path moves twice: by the pattern of the first layer, then "
                            "by that of the second. One pattern is missing.",
                            _middle(lambda X, P1, M1, P2, M2: M2 @ M1 @ X @ P2.T)),
    "first_pattern_only": ("A virtual path moves twice: by the pattern of the first layer, then "
                           "by that of the second. One pattern is missing.",
                           _middle(lambda X, P1, M1, P2, M2: M2 @ M1 @ X @ P1.T)),
    "second_circuit_only": ("A virtual path passes two OV circuits; the first layer's is missing.",
                            _middle(lambda X, P1, M1, P2, M2: M2 @ X @ P1.T @ P2.T)),
    "virtual_holds_direct": ("The virtual path holds the part of the embedding as well; that one "
                             "goes through the second head only.",
                             _middle(lambda X, P1, M1, P2, M2: M2 @ (X + M1 @ X @ P1.T) @ P2.T)),
    "no_virtual": ("The paths through both layers are missing: the second layer reads what the "
                   "first has written.",
                   _middle(lambda X, P1, M1, P2, M2: 0 * X)),
    "patterns_not_transposed": (
        "Token t reads with row t of the pattern: it stands transposed, on the right.",
        lambda X, WU, first, second: reference.virtual_paths(
            X, WU, _transposed_patterns(first), _transposed_patterns(second))),
    "swapped_axes": ("virtual[i, j] is head i of the first layer and head j of the second; these "
                     "two axes are exchanged.",
                     then(reference.virtual_paths, lambda direct, ones, twos, virtual: (
                         direct, ones, twos, virtual.swapaxes(0, 1)))),
    "no_unembedding": ("The paths end in logits: W_U comes last.",
                       lambda X, WU, first, second: reference.virtual_paths(
                           X, np.eye(len(X)), first, second)),
    "transposed_logits": ("Logits are (vocabulary, n): columns are tokens.",
                          lambda X, WU, first, second: _paths(
                              X, WU, first, second, after=np.transpose)),
    "ones_and_twos_exchanged": (
        "The second result holds the heads of the first layer, the third those of the second.",
        then(reference.virtual_paths, lambda direct, ones, twos, virtual: (
            direct, twos, ones, virtual))),
    "direct_in_heads": ("The stream itself is counted in the paths of the heads; it is the direct "
                        "path only.",
                        then(reference.virtual_paths, lambda direct, ones, twos, virtual: (
                            direct, ones + direct, twos + direct, virtual))),
    "summed_heads": ("One path for each head is asked for, not the sum over a layer.",
                     then(reference.virtual_paths, lambda direct, ones, twos, virtual: (
                         direct, ones.sum(axis=0), twos.sum(axis=0), virtual.sum(axis=(0, 1))))),
    "diagonal_pairs": ("Every head of the first layer meets every head of the second, not only the "
                       "one of its own number.",
                       then(reference.virtual_paths, lambda direct, ones, twos, virtual: (
                           direct, ones, twos,
                           virtual * np.eye(*virtual.shape[:2])[:, :, None, None]))),
})


@ways.mistake("second_reads_everything", "The third result is what the second layer makes of the "
              "embedding alone. Here it reads the whole stream, so that the virtual paths are "
              "counted twice.")
def virtual_paths(X, WU, first, second):
    direct, ones, twos, virtual = reference.virtual_paths(X, WU, first, second)
    return direct, ones, twos + virtual.sum(axis=0), virtual


@ways.mistake("in_place", "The stream belongs to the caller: do not write into it.")
def virtual_paths(X, WU, first, second):
    paths = reference.virtual_paths(X, WU, first, second)
    X += first[0][1] @ X @ first[0][0].T
    return paths


@ways.mistake("complex", "The score is a real number: take the real part of the sum.")
def copying_score(M):
    eigenvalues = np.linalg.eigvals(M).astype(complex)
    return complex(eigenvalues.sum() / np.abs(eigenvalues).sum())


ways.mistakes_of(copying_score={
    "trace": ("The sum of the eigenvalues must be divided by the sum of their moduli.",
              lambda M: float(np.trace(M))),
    "mean_eigenvalue": ("Divide by the sum of the moduli, not by the number of eigenvalues.",
                        lambda M: float(np.trace(M) / len(M))),
    "singular": ("Singular values are never negative; the signs are in the eigenvalues.",
                 lambda M: float(np.trace(M) / np.linalg.svd(M, compute_uv=False).sum())),
    "modulus_of_sum_below": (
        "Below stands the sum of the moduli, not the modulus of the sum.",
        lambda M: float(np.trace(M) / abs(np.trace(M))) if np.trace(M) else np.nan),
    "singular_only": ("These are singular values; they are never negative, and the score is always "
                      "1.",
                      lambda M: 1.0),
    "positive_share": ("This is the share of positive eigenvalues; their sizes count, and their "
                       "signs.",
                       lambda M: float(np.mean(np.linalg.eigvals(M).real > 1e-12))),
})


@ways.mistake("symmetric", "M is not symmetric: eigvalsh reads one half of it only.")
def copying_score(M):
    eigenvalues = np.linalg.eigvalsh(M)
    return float(eigenvalues.sum() / np.abs(eigenvalues).sum())


@ways.mistake("symmetric_part", "The eigenvalues of M are asked for, not those of its symmetric "
              "part.")
def copying_score(M):
    eigenvalues = np.linalg.eigvalsh((M + M.T) / 2)
    return float(eigenvalues.sum() / np.abs(eigenvalues).sum())


@ways.mistake("real_parts", "The moduli of complex eigenvalues count below, not only their real "
              "parts.")
def copying_score(M):
    real = np.linalg.eigvals(M).real
    total = np.abs(real).sum()
    return float(real.sum() / total) if total > 1e-12 else 0.0


@ways.mistake("real_parts_unguarded", "The moduli of complex eigenvalues count below, not only "
              "their real parts: for a quarter turn those are zero.")
def copying_score(M):
    real = np.linalg.eigvals(M).real
    with np.errstate(all="ignore"):
        return float(real.sum() / np.abs(real).sum())


@ways.mistake("modulus_of_sum", "The sum keeps its sign: take the real part, not the modulus.")
def copying_score(M):
    eigenvalues = np.linalg.eigvals(M)
    return float(abs(eigenvalues.sum()) / np.abs(eigenvalues).sum())


@ways.mistake("diagonal", "The diagonal holds no eigenvalues unless M is triangular.")
def copying_score(M):
    total = np.abs(np.diagonal(M)).sum()
    return float(np.trace(M) / total) if total else 0.0


@ways.variant("the trace above")
def copying_score(M):
    return np.trace(M) / np.sum(np.abs(np.linalg.eig(M)[0]))


@ways.mistake("constant_below", "A small constant was added to the denominator; it changes the "
              "score of matrices of small numbers.")
def copying_score(M):
    eigenvalues = np.linalg.eigvals(M)
    return float(eigenvalues.sum().real / (np.abs(eigenvalues).sum() + 1e-6))


@ways.mistake("smaller_constant_below", "A small constant was added to the denominator; it changes "
              "the score of matrices of small numbers.")
def copying_score(M):
    eigenvalues = np.linalg.eigvals(M)
    return float(eigenvalues.sum().real / (np.abs(eigenvalues).sum() + 1e-8))


@ways.mistake("signs", "This counts the signs of the eigenvalues; their sizes count as well.")
def copying_score(M):
    return float(np.mean(np.sign(np.round(np.linalg.eigvals(M).real, 12))))


@ways.variant("whole stream of the first layer, then differences")
def virtual_paths(X, WU, first, second):
    n, vocabulary = X.shape[1], len(WU)
    ones = np.zeros((len(first), vocabulary, n))
    virtual = np.zeros((len(first), len(second), vocabulary, n))
    for i, (P1, M1) in enumerate(first):
        part = np.einsum("de,es,ts->dt", M1, X, P1)
        ones[i] = WU @ part
        for j, (P2, M2) in enumerate(second):
            virtual[i, j] = (WU @ M2) @ (part @ P2.T)
    return WU @ X, ones, np.array([(WU @ M2) @ (X @ P2.T) for P2, M2 in second]), virtual


@ways.variant("virtual heads: products of patterns and of circuits, in lists")
def virtual_paths(X, WU, first, second):
    return (WU @ X, [WU @ M @ X @ P.T for P, M in first], [WU @ M @ X @ P.T for P, M in second],
            [[WU @ (N @ M) @ X @ (Q @ P).T for Q, N in second] for P, M in first])
