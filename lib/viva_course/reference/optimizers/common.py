"""One set of formulas for numpy and torch: what the two libraries spell differently."""
import numpy as np
import torch


def as_array(x):
    """`x` as an array of floats: tensors and float arrays unchanged, all else as float64."""
    if isinstance(x, torch.Tensor):
        return x
    x = np.asarray(x)
    return x if x.dtype.kind == "f" else x.astype(np.float64)


def sign(x):
    """Entrywise sign of an ndarray or a tensor, with sign(0) = 0."""
    return torch.sign(x) if isinstance(x, torch.Tensor) else np.sign(x)


def frobenius(G):
    """Frobenius norm of each matrix: (..., m, n) -> (..., 1, 1), safe from under- and overflow."""
    if isinstance(G, torch.Tensor):
        largest = G.detach().abs().amax(dim=(-2, -1), keepdim=True)  # (..., 1, 1)
        largest = torch.where(largest > 0, largest, torch.ones_like(largest))
    else:
        largest = np.abs(G).max(axis=(-2, -1), keepdims=True)  # (..., 1, 1)
        largest = np.where(largest > 0, largest, np.ones_like(largest))
    return largest * ((G / largest) ** 2).sum(axis=(-2, -1), keepdims=True) ** 0.5


def svd(G):
    """Thin singular value decomposition U, s, V^T of each matrix."""
    if isinstance(G, torch.Tensor):
        return torch.linalg.svd(G, full_matrices=False)
    return np.linalg.svd(G, full_matrices=False)


def precision(x):
    """Machine epsilon of the array's dtype."""
    return (torch.finfo if isinstance(x, torch.Tensor) else np.finfo)(x.dtype).eps


def as_matrix(G):
    G = as_array(G)
    if G.ndim < 2:
        raise ValueError(f"needs a matrix, got shape {tuple(G.shape)}")
    return G


def iterate(X, steps, a, b, c):
    """X <- a X + (b A + c A^2) X with A = X X^T: singular values s -> a s + b s^3 + c s^5."""
    tall = X.shape[-2] > X.shape[-1]
    X = X.swapaxes(-1, -2) if tall else X  # (..., small, large)
    for _ in range(steps):
        A = X @ X.swapaxes(-1, -2)  # (..., small, small)
        X = a * X + ((b * A + c * (A @ A)) if c else b * A) @ X
    return X.swapaxes(-1, -2) if tall else X
