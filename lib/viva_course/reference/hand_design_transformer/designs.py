"""Heads written down by hand.

Tokens are one-hot rows. A design meets its tolerance by a score gap: the wanted position
scores `gap` more than every other one, after the division by sqrt(d_qk).
"""
import numpy as np

from .attention import attention_head, min_score_gap


def design_identity(n_tokens, max_len, tol=1e-3):
    r"""Attention by content: the output is the input, $K_m = Q_m = cI$, $V_m = I$.

    $c^2/\sqrt n = g(\text{max\_len}, tol)$. Equal tokens share the attention, which does no
    harm because they have equal values.
    Returns Km, Qm, Vm, each (n, n); every output entry is within `tol` of the input.
    """
    eye = np.eye(n_tokens)
    sharp = np.sqrt(min_score_gap(max_len, tol) * np.sqrt(n_tokens)) * eye
    return sharp, sharp.copy(), eye


def design_histogram(n_tokens):
    """Uniform attention: every output row holds the token frequencies, keys 0, $V_m = I$.

    Returns Km, Qm (n, 1) and Vm (n, n).
    """
    return np.zeros((n_tokens, 1)), np.zeros((n_tokens, 1)), np.eye(n_tokens)


def design_first(n_tokens, max_len, tol=1e-3):
    """Attention by position: every output row is the first token, $d_{qk} = 1$.

    The key is the gap at position 0 and 0 elsewhere; the query is 1 for every token.
    Returns Km, Qm (n + L, 1), Vm (n + L, n) and pos (L, L), L = max_len.
    """
    Km = np.zeros((n_tokens + max_len, 1))
    Km[n_tokens] = min_score_gap(max_len, tol)
    Qm = _token_part(np.ones((n_tokens, 1)), max_len)
    return Km, Qm, _token_part(np.eye(n_tokens), max_len), np.eye(max_len)


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
    return Km, Qm, _token_part(np.eye(n_tokens), max_len), np.eye(max_len)


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
    Vm = _token_part(-np.ones((n, 1)), L)
    Vm[n_tokens] = 1
    return Km, Qm * np.sqrt(n + L), Vm, np.eye(L)


def design_induction(n_tokens, max_len, tol=1e-3):
    """Two causal layers that continue a pattern: ... A B ... A -> B.

    Layer 1 copies the previous token. Layer 2 reads [X, output of layer 1]: its query is the
    token, its key the previous token, its value the token. Where the token occurred before,
    the output is the average of the tokens that followed. The vocabulary contains BOS as its
    last token, which stands at position 0 only.
    Returns (Km, Qm, Vm, pos) of layer 1 and (Km, Qm, Vm) of layer 2, (2n, n) each; every
    entry of the output is within `tol`.
    """
    gap = min_score_gap(max_len, tol / 2)
    # Layer 2 multiplies the error of layer 1 by its gap, which makes shares unequal.
    previous = design_shift(n_tokens, max_len, 1, tol / (4 * max(gap, 1)))
    eye, blank = np.eye(n_tokens), np.zeros((n_tokens, n_tokens))
    # A previous-token slot may miss a little of its 1: a slightly larger gap makes up for it.
    sharp = np.sqrt((gap + tol) * np.sqrt(n_tokens))
    layer2 = np.vstack([blank, sharp * eye]), np.vstack([sharp * eye, blank])
    return previous, (*layer2, np.vstack([eye, blank]))


def induction_output(X, layer1, layer2):
    """Run both layers of `design_induction` on X (..., T, n): output (..., T, n)."""
    before = attention_head(X, *layer1, causal=True)                        # (..., T, n)
    return attention_head(np.concatenate([X, before], axis=-1), *layer2, causal=True)


def _token_part(rows, d_pos):
    """`rows` for the token coordinates and zeros for `d_pos` positional ones."""
    return np.vstack([rows, np.zeros((d_pos, rows.shape[1]))])
