"""Training of message passing networks on one graph, many starts at once.

The layer is that of the homework (states plus, or only, W1 times the mean message), with its
derivative by the chain rule. So a training costs the same whoever wrote the student's own layer,
and however slowly that runs.
"""

import numpy as np

STATES, WEIGHTS = 4, 4  # numbers per node, and per message
ROUNDS, RATE = 100, 0.05  # of Adam


def starts(nodes: int, seeds, gain: float):
    """First states (b, n, 4) and weights W1 (b, 4, 4), W2 (b, 4, 4), readout (b, 4), one per seed.

    W1 and W2 are `gain` times random orthogonal matrices: gain 1 keeps the length of a state.
    """
    drawn = []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        states = rng.normal(size=(nodes, STATES))
        first, second = (gain * np.linalg.qr(rng.normal(size=(STATES, WEIGHTS)))[0]
                         for _ in range(2))
        drawn.append((states, first, second, 0.5 * rng.normal(size=STATES)))
    return [np.array(each) for each in zip(*drawn, strict=True)]


def train_networks(A, y, known, layers: int, seeds, *, gain=1.0, penalty=0.0, residual=False,
                   centre=False, rescale=False):
    """Train networks of some layers with shared weights to tell the labels of the known nodes.

    A (n, n) of zeros and ones, every node with a neighbour; y (n,) of zeros and ones
    known: the nodes whose labels are used
    seeds: one network for each
    gain: size of the first weights; penalty: times the sum of their squares, added to the loss
    residual: whether a layer keeps the old state; centre: whether it subtracts the mean over the
    nodes; rescale: whether it divides by the root mean square of all states
    Returns a list with (start (n, 4), W1 (4, 4), W2 (4, 4), readout (4,)) for each seed.
    """
    first, *weights = starts(len(A), seeds, gain)
    P, known = A / A.sum(axis=1, keepdims=True), np.asarray(known)
    mean, square = ([np.zeros_like(each) for each in weights] for _ in range(2))
    for step in range(1, ROUNDS + 1):
        slopes = _slopes(P, y, known, layers, first, weights, residual, centre, rescale)
        for i, slope in enumerate(slopes):
            slope = slope + 2 * penalty * weights[i]
            mean[i] = 0.9 * mean[i] + 0.1 * slope
            square[i] = 0.99 * square[i] + 0.01 * slope**2
            move = mean[i] / (1 - 0.9**step) / (np.sqrt(square[i] / (1 - 0.99**step)) + 1e-9)
            weights[i] = weights[i] - RATE * move
    return list(zip(first, *weights, strict=True))


def _slopes(P, y, known, layers, S, weights, residual, centre, rescale):
    """Derivatives of the mean cross-entropy of the known nodes by W1, W2 and the readout."""
    W1, W2, readout = weights
    tape = []
    for _ in range(layers):
        messages = np.tanh(S @ W2.swapaxes(1, 2))
        heard = P @ messages
        new = heard @ W1.swapaxes(1, 2) + (S if residual else 0)
        if centre:
            new = new - new.mean(axis=1, keepdims=True)
        size = np.sqrt((new**2).mean(axis=(1, 2), keepdims=True)) if rescale else 1.0
        tape.append((S, messages, heard, new / size, size))
        S = new / size
    logits = np.einsum("bnd,bd->bn", S, readout)
    by_logit = np.zeros_like(logits)
    by_logit[:, known] = (1 / (1 + np.exp(-logits[:, known])) - y[known]) / len(known)
    by_readout = np.einsum("bn,bnd->bd", by_logit, S)
    back = by_logit[:, :, None] * readout[:, None, :]
    by_W1, by_W2 = np.zeros_like(W1), np.zeros_like(W2)
    for before, messages, heard, after, size in reversed(tape):
        if rescale:
            back = (back - after * (back * after).mean(axis=(1, 2), keepdims=True)) / size
        if centre:
            back = back - back.mean(axis=1, keepdims=True)
        by_W1 += back.swapaxes(1, 2) @ heard
        inside = (P.T @ (back @ W1)) * (1 - messages**2)
        by_W2 += inside.swapaxes(1, 2) @ before
        back = inside @ W2 + (back if residual else 0)
    return by_W1, by_W2, by_readout
