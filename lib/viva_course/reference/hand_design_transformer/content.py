"""How sharp scores must be, and two heads that look at content.

Tokens are one-hot rows. A design meets its tolerance by a score gap: the wanted position
scores `gap` more than every other one, after the division by sqrt(d_qk).
"""
import numpy as np


def min_score_gap(T, tol):
    r"""Smallest score gap $g = \max(0, \ln((T-1)(1-tol)/tol))$ that isolates one of T tokens.

    A target with score g against T - 1 competitors with score 0 keeps at least the mass
    1 - tol. The gap is meant after the division by $\sqrt{d_{qk}}$.
    T    number of tokens, at least 1
    tol  mass the competitors may have together, between 0 and 1
    """
    if T < 1 or not 0 < tol < 1:
        raise ValueError(f"need T >= 1 and 0 < tol < 1, got T={T}, tol={tol}")
    if T == 1:
        return 0.0
    return max(0.0, float(np.log(T - 1) + np.log1p(-tol) - np.log(tol)))


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
