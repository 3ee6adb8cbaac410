"""What the cases of the designs share: sequences, and what every correct design shows.

A design is asked for what its head does, never for its matrices: any correct design agrees.
"""
import numpy as np

DEMOS = "ABCC", "CAC", "BBC"


def close(out, wanted, tol=1e-3):
    """What every correct design shows: the output to two digits, and an error within tol."""
    error = np.abs(out - wanted).max() if out.shape == wanted.shape else np.inf
    return {"output": np.round(out, 2), "largest error": in_words(error, tol)}


def in_words(error, tol):
    """An error as a word, the same for all designs that are about as soft as each other."""
    if error <= 1.001 * tol:
        return f"within {tol:g}"
    if not error < 0.005:                                 # the two digits show it
        return "0.005 or more"
    power = round(np.log10(error / tol))
    return f"about {tol * 10.0**power:g}" if power else f"a little more than {tol:g}"


def random_text(rng, length):
    """A random sequence of the letters A, B, C that contains at least two of them."""
    numbers = rng.integers(3, size=length)
    numbers[-1] = (numbers[0] + 1) % 3
    return "".join("ABC"[i] for i in numbers)


def moderate(Z, Km, Qm, *_):
    """Whether no score between rows of Z (N, d) is so large that its exponential overflows."""
    scores = (Z @ Qm) @ (Z @ Km).T / np.sqrt(np.shape(Km)[1])               # (N, N)
    return bool(np.abs(scores).max() < 700)


def weights(X, Km, Qm, Vm, pos=None):
    """Attention (T, T) of a design on X (T, n)."""
    Z = X if pos is None else np.hstack([X, pos[:len(X)]])
    scores = (Z @ Qm) @ (Z @ Km).T / np.sqrt(np.shape(Km)[1])
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def sizes(head, table=True):
    """The sizes that every correct design has: width of a token and of a value, positions."""
    Km, Qm, Vm, *pos = (np.asarray(matrix) for matrix in head)
    wide = pos[0].shape[1] if pos else 0
    known = {"width of a token": [len(M) - wide for M in (Km, Qm, Vm)], "values": Vm.shape[1]}
    return known | ({"positions": len(pos[0])} if pos and table else {})
