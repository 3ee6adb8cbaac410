"""Run a student's matrices through the reference head, on many sequences at once."""
from itertools import groupby

import numpy as np

from viva.kits.hand_design_transformer.heads import one_hot
from viva_course.reference.hand_design_transformer import attention_head

SLACK = 1.001        # a design may use its tolerance up to rounding, and the worst sequence does


def design(exam, made, width, positions=False):
    """The matrices a design returned as float arrays: Km, Qm, Vm (, pos), after a look at shapes.

    width  the width of a token; with positions the matrices have that of the table more rows
    """
    count = 4 if positions else 3
    exam.true(isinstance(made, tuple | list) and len(made) == count, f"return {count} matrices")
    made = [np.asarray(matrix, dtype=float) for matrix in made]
    exam.true(all(m.ndim == 2 and m.size for m in made), "every matrix must have two axes")
    exam.true(all(np.isfinite(m).all() for m in made), "a matrix has entries that are not finite")
    rows = width + (made[3].shape[1] if positions else 0)
    exam.true(all(len(m) == rows for m in made[:3]),
              "Km, Qm and Vm need a row for each token and for each positional coordinate")
    exam.true(made[0].shape == made[1].shape, "Km and Qm must have the same shape")
    return made


def batches(sequences, n_tokens):
    """One-hot arrays (B, T, n), one for each length among the sequences."""
    for _, group in groupby(sorted(sequences, key=len), key=len):
        yield one_hot(list(group), n_tokens)


def worst_error(head, sequences, n_tokens, wanted, causal=False):
    """Largest |output - wanted(X)| over all sequences; infinite where the head cannot run."""
    worst = 0.0
    for X in batches(sequences, n_tokens):                                  # (B, T, n)
        if len(head) == 4 and len(head[3]) < X.shape[1]:
            return np.inf
        out, expected = attention_head(X, *head, causal=causal), wanted(X)
        if out.shape != expected.shape:
            return np.inf
        worst = max(worst, np.nan_to_num(np.abs(out - expected), nan=np.inf).max())
    return worst


def copies(exam, head, sequences, n_tokens, wanted, tol, causal=False):
    """Every output must be what is wanted, within the tolerance of the design."""
    error = worst_error(head, sequences, n_tokens, wanted, causal)
    exam.true(error <= SLACK * tol, f"an output is off by {error:.2g}, tolerance {tol:g}",
              kind="measured")


def largest_score(head, sequences, n_tokens):
    """Largest |score| after the division by sqrt(d_qk)."""
    worst = 0.0
    for X in batches(sequences, n_tokens):
        if len(head) == 4:
            table = head[3][:X.shape[1]]
            X = np.concatenate([X, np.broadcast_to(table, (len(X), *table.shape))], axis=-1)
        scores = (X @ head[1]) @ (X @ head[0]).swapaxes(-1, -2) / np.sqrt(head[0].shape[1])
        worst = max(worst, np.abs(scores).max())
    return worst


def random_sequences(rng, n_tokens, max_len, count):
    """`count` random sequences of random lengths 1..max_len, and one of each extreme length."""
    lengths = [1, max_len, *rng.integers(1, max_len + 1, count - 2)]
    return [tuple(rng.integers(n_tokens, size=T)) for T in lengths]
