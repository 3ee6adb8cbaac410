"""From tokens to logits, path by path, in an attention-only model of one layer."""

import numpy as np

from viva_course.reference.adaptation_and_circuits.heads import multihead_additive


def logit_paths(tokens, WE, WU, heads, WO):
    """[direct, head 1, ..., head H], each (vocabulary, n); their sum is the model's logits.

    tokens (n,): integers; WE (d_model, vocabulary), WU (vocabulary, d_model); causal heads
    """
    X = WE[:, np.asarray(tokens)]  # (d_model, n)
    return [WU @ X, *(WU @ part for part in multihead_additive(X, heads, WO, causal=True))]


def copying_score(M):
    """Re(sum of eigenvalues) / sum of their moduli: 1 if all are positive, -1 if all negative."""
    eigenvalues = np.linalg.eigvals(M)
    return float(eigenvalues.sum().real / np.abs(eigenvalues).sum())
