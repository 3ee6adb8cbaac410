"""What the sections about the other designs state."""

import numpy as np

from viva.kits.hand_design_transformer.heads import apply_head, letters, one_hot
from viva.kits.hand_design_transformer.learning import learned_like
from viva_course.claiming import above, below, claim, holds, literature, near


@claim(seeds=1)
def histogram_by_hand(notebook, seed):
    out = apply_head(one_hot("ABCC", 3), *notebook.design_histogram(3))
    return holds(np.allclose(out, [0.25, 0.25, 0.5]))


def attention(notebook, text, n, head):
    return notebook.attention_head(one_hot(text, n), *head, return_weights=True)[1]


@claim(title="Attention by position: every row looks at place 0", seeds=1)
def every_row_looks_at_place_0(notebook, seed):
    return above(attention(notebook, "CAC", 3, notebook.design_first(3, 6))[:, 0].min(), 0.99)


@claim(title="Trained to copy the first token without positions: a histogram")
def without_positions_a_histogram(notebook, seed):
    examples = [(X, np.repeat(X[:, :1], X.shape[1], axis=1)) for X in notebook.every_sequence(4)]
    blind, error = learned_like(notebook.design_histogram(3), examples, [seed], steps=40)
    mean = np.mean([2 / 9 * (1 - 1 / T) for T in (1, 2, 3, 4)])
    apart = max(np.abs(apply_head(X, *blind) - X.mean(axis=1, keepdims=True)).max()
                for X, _ in examples)
    return near(error, 0.1065, within=1e-3), near(mean, 0.1065, within=1e-4), below(apart, 0.05)


@literature("Clark and others (2019), arXiv:1906.04341", place="sections 3.1 and 3.2")
def heads_of_bert():
    """Heads of BERT's 144 that attend to the next or previous token, and many to [SEP]."""


@claim(seeds=1)
def shift_by_hand(notebook, seed):
    shifted = [letters(apply_head(one_hot("ABCC", 3), *notebook.design_shift(3, 4, offset)))
               for offset in (1, 2)]
    return holds(shifted == ["AABC", "AAAB"])


@claim(title="Offset 1: the diagonal, moved down", seeds=1)
def diagonal_moved_down(notebook, seed):
    weights = attention(notebook, "ABCC", 3, notebook.design_shift(3, 4))
    return above(np.diag(weights, k=-1).min(), 0.99), above(weights[0, 0], 0.99)


@literature("Xiao and others (2023), arXiv:2309.17453", place="abstract and section 3.1")
def attention_sinks():
    """Strong attention to initial tokens, even if they are not semantically important."""


@claim(title="CLS C A C: a token looks at its double, or else at CLS", seeds=1)
def double_or_else_cls(notebook, seed):
    weights = attention(notebook, "DCAC", 4, notebook.design_unique(3, 6))
    return above(min(weights[1, 3], weights[3, 1], weights[2, 0]), 0.9)


@claim(seeds=1)
def signs_by_hand(notebook, seed):
    wanted = {"ABCC": "++--", "CAC": "-+-", "BBC": "--+"}
    head = notebook.design_unique(3, 6)
    found = {text: "".join("+" if s > 0 else "-" for s in
                           apply_head(one_hot("D" + text, 4), *head)[1:, 0]) for text in wanted}
    return holds(found == wanted)


@claim(seeds=1)
def gauge_by_hand(notebook, seed):
    Qm, Km, R = np.array([[1.0], [2]]), np.array([[3.0], [1]]), np.array([[2.0]])
    new_Km, new_Qm = notebook.gauge_transform(Km, Qm, R)
    return holds(np.allclose(notebook.qk_ov(Km, Qm, Qm)[0], [[3, 1], [6, 2]])), holds(
        np.allclose(new_Qm, [[2], [4]]) and np.allclose(new_Km, [[1.5], [0.5]]))
