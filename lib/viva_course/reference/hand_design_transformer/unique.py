"""A head that uses content and position."""
import numpy as np

from .common import token_part


def design_unique(n_tokens, max_len, gap=10.0):
    r"""Content and position: +1 for a token that occurs once, -1 for one that has a double.

    $s_{ij} = 2G[tok_i = tok_j] - 4G[i = j] + G[j = CLS]$ for tokens i, values +1 for CLS and
    -1 for tokens. A double beats CLS, CLS beats all others, the position excludes the token
    itself. Tokens are one-hot in n + 1 dimensions, the last one is CLS, at position 0.
    The table has max_len + 1 rows, so that max_len tokens fit behind CLS.
    Returns Km, Qm (n+1+L, n+1+L), Vm (n+1+L, 1) and pos (L, L), L = max_len + 1.
    """
    n, L = n_tokens + 1, max_len + 1
    Km = np.eye(n + L)
    Qm = np.diag(np.concatenate([np.full(n, 2 * gap), np.full(L, -4 * gap)]))
    Qm[:n_tokens, n_tokens] = gap            # every token likes the key of CLS a little
    Vm = token_part(-np.ones((n, 1)), L)
    Vm[n_tokens] = 1
    return Km, Qm * np.sqrt(n + L), Vm, np.eye(L)
