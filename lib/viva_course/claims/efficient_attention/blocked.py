"""What section 11 states about the softmax in blocks."""

import numpy as np

from viva_course.claiming import above, below, claim, literature, ratio


@literature("Dao et al. (2022), arXiv:2205.14135", place="abstract")
def flash_faster():
    """3 times speedup on GPT-2 (sequences of 1K), against existing baselines."""


@claim()
def settles_late(notebook, seed):
    return tuple(above(notebook.while_reading(beta, side=24, seed=seed)[-2].max(), bound)
                 for beta, bound in ((1, 0.003), (32, 0.05)))


@claim(variants=("blocked_attention",))
def blocked_is_exact(notebook, seed):
    X, V, _ = notebook.photograph_tokens(16, seed=seed)
    Q = notebook.sharpened(X, 32.0)
    out = notebook.blocked_attention(Q, *notebook.in_blocks(Q, V))[0]
    return below(np.abs(out - notebook.softmax_attention(Q, Q, V)).max(), 1e-12)


@ratio(stated=4)
def blocked_memory(notebook, seed):
    X, V, _ = notebook.photograph_tokens(40, seed=seed)
    plain = notebook.cost(notebook.softmax_attention, X, X, V, repeats=1)[1]
    return plain / notebook.cost(
        lambda: notebook.blocked_attention(X, *notebook.in_blocks(X, V)), repeats=1)[1]
