"""Two layers that complete a pattern."""
import numpy as np

from .content import min_score_gap
from .head import attention_head
from .position import design_shift


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
