"""From the embedding to the logits, path by path, in an attention-only model of two layers."""

import numpy as np


def virtual_paths(X, WU, first, second):
    """(direct, ones, twos, virtual): the logits, (vocabulary, n), of all paths; their sum is the
    model's.

    X (d_model, n): the embedded tokens; WU (vocabulary, d_model)
    first, second: the heads of both layers, each (P (n, n), M (d_model, d_model)), pattern and OV
    returns direct (V, n), ones (H1, V, n), twos (H2, V, n) and virtual (H1, H2, V, n), where
        virtual[i, j] goes through head i of the first layer and then head j of the second
    """
    written = [M @ X @ P.T for P, M in first]
    through = np.array([[WU @ M @ part @ P.T for P, M in second] for part in [X, *written]])
    return WU @ X, np.array([WU @ part for part in written]), through[0], through[1:]


def copying_score(M):
    """Re(sum of eigenvalues) / sum of their moduli: 1 if all are positive, -1 if all negative."""
    eigenvalues = np.linalg.eigvals(M)
    return float(eigenvalues.sum().real / np.abs(eigenvalues).sum())
