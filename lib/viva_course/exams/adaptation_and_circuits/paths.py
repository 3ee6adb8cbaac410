"""Exam of `logit_paths` and `copying_score`."""

import numpy as np

from viva.cases.adaptation_and_circuits.paths import in_a_row, model
from viva_course.reference import adaptation_and_circuits as reference
from viva_course.rubric import Exercise, unmodified

ways = Exercise(
    "logit_paths", points=12, reference=(reference.logit_paths, reference.copying_score),
    expects={
        "logit_paths": "[direct path, head 1, ..., head H], each (vocabulary, n); together they "
                       "are the logits",
        "copying_score": "a number from -1 to 1: the sum of the eigenvalues over the sum of their "
                         "moduli",
    },
)

ways.values(3, "The direct path and a path for each head.", only=("two_heads", "no_heads"),
            name="paths")
ways.values(1.5, "All paths together are the logits; large scores do not overflow.", name="total",
            only=("total", "large_scores"))
ways.values(1.5, "1 for positive eigenvalues, -1 for negative ones, 0 for a quarter turn.",
            only=("extremes",), name="extremes")
ways.values(1.5, "Mixed and complex eigenvalues.", only=("mixed",), name="mixed eigenvalues")


@ways.item("bigrams", 1.5, "The direct path of a token depends on that token only.")
def _(exam, logit_paths, copying_score):
    WE, WU, heads, WO = model(exam.rng, 6, 4, (2, 1))
    tokens = exam.rng.integers(0, 6, 7)
    paths = in_a_row(logit_paths(tokens, WE, WU, heads, WO))
    exam.true(len(paths) == 3, f"{len(paths)} paths of two heads")
    exam.same(paths[0], (WU @ WE)[:, tokens])


@ways.item("only the past", 1.5, "The path of a head at token t depends on the tokens up to t.")
def _(exam, logit_paths, copying_score):
    weights = model(exam.rng, 6, 4, (2, 3))
    tokens = exam.rng.integers(0, 6, 8)
    other = np.concatenate([tokens[:5], (tokens[5:] + 1) % 6])
    one, two = (in_a_row(logit_paths(each, *weights)) for each in (tokens, other))
    expected = reference.logit_paths(tokens, *weights)
    for h in (1, 2):
        exam.same(one[h], expected[h])
        exam.same(two[h][:, :5], expected[h][:, :5])


@ways.item("from -1 to 1", 1, "The score lies between -1 and 1, whatever the size of the matrix.")
def _(exam, logit_paths, copying_score):
    for _ in range(10):
        M = exam.rng.normal(size=(6, 6)) * 10 ** exam.rng.uniform(-2, 2)
        score = copying_score(M)
        exam.true(bool(np.isrealobj(score)), "the score is complex")
        exam.same(score, reference.copying_score(M), rtol=1e-7, atol=1e-8)
        exam.same(copying_score(-3 * M), -float(score), rtol=1e-7, atol=1e-8)


ways.item("arguments unchanged", 0.5, "The tokens and the weights must stay as they were.")(
    unmodified)


def _wrong(slug, hint, change):
    def logit_paths(tokens, WE, WU, heads, WO):
        return change(np.asarray(tokens), WE, WU, heads, WO)

    ways.mistake(slug, hint)(logit_paths)


def _heads(X, heads, WO, causal=True):
    return reference.multihead_additive(X, heads, WO, causal)


_wrong("no_direct", "The direct path, embedding to unembedding, is missing.",
       lambda tokens, WE, WU, heads, WO: reference.logit_paths(tokens, WE, WU, heads, WO)[1:]
       or [0 * WU @ WE[:, tokens]])
_wrong("not_causal", "The heads are causal: no token reads a later one.",
       lambda tokens, WE, WU, heads, WO: [WU @ WE[:, tokens], *(
           WU @ part for part in _heads(WE[:, tokens], heads, WO, False))])
_wrong("direct_in_heads", "The stream is counted in every head; it is the direct path only.",
       lambda tokens, WE, WU, heads, WO: [WU @ WE[:, tokens], *(
           WU @ (WE[:, tokens] + part) for part in _heads(WE[:, tokens], heads, WO))])
_wrong("heads_in_direct", "The first path is the direct one alone; this one holds the heads, too.",
       lambda tokens, WE, WU, heads, WO: [
           sum(reference.logit_paths(tokens, WE, WU, heads, WO)),
           *reference.logit_paths(tokens, WE, WU, heads, WO)[1:]])
_wrong("summed_heads", "One path for each head is asked for, not their sum.",
       lambda tokens, WE, WU, heads, WO: [WU @ WE[:, tokens], sum(
           reference.logit_paths(tokens, WE, WU, heads, WO)[1:], 0 * WU @ WE[:, tokens])])
_wrong("transposed_logits", "Logits are (vocabulary, n): columns are tokens.",
       lambda tokens, WE, WU, heads, WO: [
           path.T for path in reference.logit_paths(tokens, WE, WU, heads, WO)])
_wrong("no_unembedding", "The paths end in logits: W_U comes last.",
       lambda tokens, WE, WU, heads, WO: [WE[:, tokens], *_heads(WE[:, tokens], heads, WO)])
_wrong("tied", "The unembedding is W_U; the transposed embedding is another matrix.",
       lambda tokens, WE, WU, heads, WO: reference.logit_paths(tokens, WE, WE.T, heads, WO))
_wrong("direct_last", "The direct path comes first.",
       lambda tokens, WE, WU, heads, WO: [
           *reference.logit_paths(tokens, WE, WU, heads, WO)[1:], WU @ WE[:, tokens]])
_wrong("one_after_the_other", "In one layer all heads read the same stream: the second does not "
       "see what the first has written.",
       lambda tokens, WE, WU, heads, WO: _in_turn(WE[:, tokens], WU, heads, WO))
_wrong("no_scale", "The scores of a head are divided by sqrt(d_head).",
       lambda tokens, WE, WU, heads, WO: reference.logit_paths(
           tokens, WE, WU, [(WQ * len(WQ) ** 0.5, WK, WV) for WQ, WK, WV in heads], WO))
_wrong("equal_slices", "Every head has its own columns of W_O, as many as it is wide.",
       lambda tokens, WE, WU, heads, WO: [WU @ WE[:, tokens], *(
           WU @ WO[:, : len(WV)] @ WV @ WE[:, tokens] @ reference.head_patterns(
               WE[:, tokens], WQ, WK, True).T for WQ, WK, WV in heads)])


def _one_head(X, head, WO, shift):
    WQ, WK, WV = head
    scores = (WQ @ X).T @ (WK @ X) / np.sqrt(len(WQ))
    scores = np.where(np.tri(X.shape[1], dtype=bool), scores, -np.inf)
    with np.errstate(all="ignore"):
        weights = np.exp(scores - shift(scores))
        return WO @ WV @ X @ (weights / weights.sum(axis=1, keepdims=True)).T


def _shifted(tokens, WE, WU, heads, WO, shift):
    X = WE[:, tokens]
    blocks = np.split(WO, np.cumsum([len(WV) for _, _, WV in heads]), axis=1)
    return [WU @ X, *(WU @ _one_head(X, head, block, shift)
                      for head, block in zip(heads, blocks, strict=False))]


_wrong("overflow", "exp of a large score overflows: shift each row by its maximum.",
       lambda *given: _shifted(*given, lambda scores: 0.0))
_wrong("one_shift", "One shift for all rows: rows with small scores underflow. Shift each row by "
       "its own maximum.", lambda *given: _shifted(*given, np.max))


def _in_turn(X, WU, heads, WO):
    paths, start = [WU @ X], 0
    for head in heads:
        block = WO[:, start : start + len(head[2])]
        start += len(head[2])
        part = reference.multihead_additive(X, [head], block, True)[0]
        X = X + part
        paths.append(WU @ part)
    return paths


@ways.mistake("in_place", "The weights belong to the caller: do not write into them.")
def logit_paths(tokens, WE, WU, heads, WO):
    paths = reference.logit_paths(tokens, WE, WU, heads, WO)
    WE *= 2
    return paths


@ways.mistake("complex", "The score is a real number: take the real part of the sum.")
def copying_score(M):
    eigenvalues = np.linalg.eigvals(M).astype(complex)
    return complex(eigenvalues.sum() / np.abs(eigenvalues).sum())


@ways.mistake("trace", "The sum of the eigenvalues must be divided by the sum of their moduli.")
def copying_score(M):
    return float(np.trace(M))


@ways.mistake("mean_eigenvalue", "Divide by the sum of the moduli, not by the number of "
              "eigenvalues.")
def copying_score(M):
    return float(np.trace(M) / len(M))


@ways.mistake("singular", "Singular values are never negative; the signs are in the eigenvalues.")
def copying_score(M):
    return float(np.trace(M) / np.linalg.svd(M, compute_uv=False).sum())


@ways.mistake("singular_only", "These are singular values; they are never negative, and the score "
              "is always 1.")
def copying_score(M):
    return 1.0


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


@ways.mistake("positive_share", "This is the share of positive eigenvalues; their sizes count, and "
              "their signs.")
def copying_score(M):
    return float(np.mean(np.linalg.eigvals(M).real > 1e-12))


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


@ways.variant("one-hot tokens and circuits")
def logit_paths(tokens, WE, WU, heads, WO):
    onehot = np.eye(WE.shape[1])[:, tokens]  # (vocabulary, n)
    paths, start = [WU @ WE @ onehot], 0
    for WQ, WK, WV in heads:
        A = reference.head_patterns(WE @ onehot, WQ, WK, True)
        block = WO[:, start : start + len(WV)]
        paths.append((WU @ block @ WV @ WE) @ onehot @ A.T)
        start += len(WV)
    return paths
