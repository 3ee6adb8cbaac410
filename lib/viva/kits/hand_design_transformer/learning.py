"""Heads that are learned to be compared with a design, and how far two arrays are apart."""
import numpy as np
import torch

from viva.kits.hand_design_transformer.heads import LearnableHead, head_matrices

SOLVED = 1e-4        # mean squared error at which no other start is tried


def learned_like(design, examples, seeds=(0, 1, 2, 3), steps=150):
    """Matrices of a learned head of the same sizes as `design`, and its mean squared error.

    design    (Km, Qm, Vm) or (Km, Qm, Vm, pos)
    examples  pairs of X (N, T, n) and the wanted output (N, T', d_v); with T' < T these are the
              last rows, and what comes out of the others does not matter
    seeds     of the random starts: they are tried one after the other, and the best one counts
    steps     of L-BFGS, on all examples at once
    """
    pairs = [[torch.tensor(array, dtype=torch.float32) for array in pair] for pair in examples]
    best = None
    for seed in seeds:
        head = _head_like(design, seed)
        error = _fitted(head, pairs, steps)
        if best is None or error < best[1]:
            best = head_matrices(head), error
        if error < SOLVED:
            break
    return best


def _head_like(design, seed):
    """A LearnableHead with random matrices of the sizes of `design`."""
    Km, _, Vm, *pos = (np.asarray(matrix) for matrix in design)
    rows, wide = pos[0].shape if pos else (0, 0)
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        return LearnableHead(len(Km) - wide, Km.shape[1], Vm.shape[1], wide or None, rows)


def _fitted(head, pairs, steps):
    """Minimise the mean squared error of `head`, and return it."""
    optimizer = torch.optim.LBFGS(head.parameters(), max_iter=steps, tolerance_change=0,
                                  line_search_fn="strong_wolfe")

    def error():
        optimizer.zero_grad()
        squares = [((head(X)[:, -wanted.shape[1]:] - wanted) ** 2).mean() for X, wanted in pairs]
        mean = torch.stack(squares).mean()
        mean.backward()
        return mean

    optimizer.step(error)
    return error().item()


def distance(a, b):
    """Largest difference of two arrays, relative to the largest |entry| of both, at least 0.001.

    NaN if their shapes differ.
    """
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape:
        return np.nan
    return float(np.abs(a - b).max() / max(np.abs(a).max(), np.abs(b).max(), 1e-3))
