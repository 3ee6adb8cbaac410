"""Two heads that look at positions."""
import numpy as np

from .common import token_part
from .content import min_score_gap


def design_first(n_tokens, max_len, tol=1e-3):
    """Attention by position: every output row is the first token, $d_{qk} = 1$.

    The key is the gap at position 0 and 0 elsewhere; the query is 1 for every token.
    Returns Km, Qm (n + L, 1), Vm (n + L, n) and pos (L, L), L = max_len.
    """
    Km = np.zeros((n_tokens + max_len, 1))
    Km[n_tokens] = min_score_gap(max_len, tol)
    Qm = token_part(np.ones((n_tokens, 1)), max_len)
    return Km, Qm, token_part(np.eye(n_tokens), max_len), np.eye(max_len)


def design_shift(n_tokens, max_len, offset=1, tol=1e-3):
    r"""Row i copies the token $\max(i - \text{offset}, 0)$, $d_{qk} = L$.

    Keys are positions, queries the position wanted: $K_m = [0; cI]$, $Q_m = [0; cS]$ with
    $S_{i, \max(i-offset, 0)} = 1$ and $c^2/\sqrt L = g$. It never looks ahead, so it works
    with a causal mask too.
    Returns Km, Qm (n + L, L), Vm (n + L, n) and pos (L, L), L = max_len.
    """
    rows = np.arange(max_len)
    wanted = np.zeros((max_len, max_len))
    wanted[rows, np.maximum(rows - offset, 0)] = 1
    sharp = np.sqrt(min_score_gap(max_len, tol) * np.sqrt(max_len))
    blank = np.zeros((n_tokens, max_len))
    Km = np.vstack([blank, sharp * np.eye(max_len)])
    Qm = np.vstack([blank, sharp * wanted])
    return Km, Qm, token_part(np.eye(n_tokens), max_len), np.eye(max_len)
