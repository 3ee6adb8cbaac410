"""Exam of `rnn_preact` and `rnn_postact`."""

import numpy as np

from viva.cases.recurrent_models.states import network, relu
from viva_course.reference import recurrent_models as reference
from viva_course.rubric import Exercise

states = Exercise(
    "rnn_preact",
    expects={
        "rnn_preact": "row t is h_t = W sigma(h_{t-1}) + U x_t + b, for t = 1 .. T",
        "rnn_postact": "row t is g_t = sigma(W g_{t-1} + U x_t + b), for t = 1 .. T",
    },
)

states.values(2, "h_t = W sigma(h_{t-1}) + U x_t + b, the T states after h_0.",
              only=("scalar_pre", "five_pre", "relu_pre"), name="pre-activation")
states.values(2, "g_t = sigma(W g_{t-1} + U x_t + b), the T states after g_0.",
              only=("scalar_post", "five_post", "relu_post", "rank_one_post"),
              name="post-activation")


@states.item(1.5, "From g_0 = sigma(h_0) on, g_t = sigma(h_t) at every step, also where W has no "
             "inverse.")
def one_network(exam, rnn_preact, rnn_postact):
    W, U, b, X, h0 = network(exam.rng, 4, 3, 7)
    rank_one = np.outer(exam.rng.normal(size=4), exam.rng.normal(size=4))
    for matrix in (W, rank_one, np.zeros((4, 4))):
        for sigma in (np.tanh, relu):
            h = reference.rnn_preact(matrix, U, b, X, h0, sigma)
            exam.same(rnn_preact(matrix, U, b, X, h0, sigma), h)
            exam.same(rnn_postact(matrix, U, b, X, sigma(h0), sigma), sigma(h))


@states.item(1, "X without rows gives an array without rows, (0, n).")
def no_step(exam, rnn_preact, rnn_postact):
    for rnn in (rnn_preact, rnn_postact):
        W, U, b, X, start = network(exam.rng, 4, 3, 1)
        exam.true(np.shape(rnn(W, U, b, X, start, np.tanh)) == (1, 4), "one step: one row")
        exam.same(rnn(W, U, b, X[:0], start, np.tanh), np.empty((0, 4)))


states.unmodified(0.5, "Nothing may be written into the arguments.")


def rows(found, n):
    return np.array(found).reshape(-1, n)


def stepped(X, state, n, step):
    """The states of step(t, state, x)."""
    found = []
    for t, x in enumerate(X):
        state = step(t, state, x)
        found.append(state)
    return rows(found, n)


@states.mistake("no_sigma_on_g0", "The first step uses h_0 without sigma; every step, the first "
                "one too, applies sigma to the state before it.")
def rnn_preact(W, U, b, X, h0, sigma):
    found, memory = [], h0
    for x in X:
        found.append(W @ memory + U @ x + b)
        memory = sigma(found[-1])
    return rows(found, len(b))


@states.mistake("bias_inside_sigma", "The bias is added after W sigma(h), not inside sigma.")
def rnn_preact(W, U, b, X, h0, sigma):
    found, h = [], h0
    for x in X:
        h = W @ sigma(h + b) + U @ x
        found.append(h)
    return rows(found, len(b))


states.mistakes_of(rnn_preact={
    "WT": ("W is transposed: a state is a column here, and W stands on its left.",
           lambda W, U, b, X, h0, sigma: reference.rnn_preact(W.T, U, b, X, h0, sigma)),
    "includes_h0": ("The rows are h_1 .. h_T: h_0 is given and is not returned.",
                    lambda W, U, b, X, h0, sigma: (
                        np.vstack([h0, reference.rnn_preact(W, U, b, X, h0, sigma)])[: len(X)])),
    "h0_even_without_inputs": (
        "The rows are h_1 .. h_T: h_0 is given and is not returned.",
        lambda W, U, b, X, h0, sigma: (
            np.vstack([h0, reference.rnn_preact(W, U, b, X, h0, sigma)])[: max(len(X), 1)])),
    "one_too_many": (
        "T rows, one for each x_t: h_0 is not one of them.",
        lambda W, U, b, X, h0, sigma: np.vstack([h0, reference.rnn_preact(W, U, b, X, h0, sigma)])),
    "last_only": ("Return all T states, not the last one alone.",
                  lambda W, U, b, X, h0, sigma: (
                      np.vstack([h0, reference.rnn_preact(W, U, b, X, h0, sigma)])[-1])),
    "pre_is_post": ("This is the post-activation form: here sigma acts on the old state, before W.",
                    lambda W, U, b, X, h0, sigma: reference.rnn_postact(W, U, b, X, h0, sigma)),
    "always_tanh": ("Use the sigma that is given, not always tanh.",
                    lambda W, U, b, X, h0, sigma: reference.rnn_preact(W, U, b, X, h0, np.tanh)),
    "no_bias": ("The bias is missing.",
                lambda W, U, b, X, h0, sigma: reference.rnn_preact(W, U, 0 * b, X, h0, sigma)),
    "forgets_the_state": (
        "The state must be carried on: every step here starts from h_0 again.",
        lambda W, U, b, X, h0, sigma: rows([W @ sigma(h0) + U @ x + b for x in X], len(b))),
    "bias_once": ("The bias enters at every step, not at the first one alone.",
                  lambda W, U, b, X, h0, sigma: stepped(
                      X, h0, len(b), lambda t, h, x: W @ sigma(h) + U @ x + (b if t == 0 else 0))),
    "sigma_of_x": ("sigma bends the old state only; the input and the bias are added as they are.",
                   lambda W, U, b, X, h0, sigma: stepped(
                       X, h0, len(b), lambda t, h, x: W @ sigma(h) + U @ sigma(x) + b)),
    "empty_list": (
        "Without an input the result is an empty array of n columns: (0, n), not (0,).",
        lambda W, U, b, X, h0, sigma: np.array(list(reference.rnn_preact(W, U, b, X, h0, sigma)))),
})
states.mistakes_of(rnn_postact={
    "WT_post": ("W is transposed: a state is a column here, and W stands on its left.",
                lambda W, U, b, X, g0, sigma: reference.rnn_postact(W.T, U, b, X, g0, sigma)),
    "includes_g0": ("The rows are g_1 .. g_T: g_0 is given and is not returned.",
                    lambda W, U, b, X, g0, sigma: (
                        np.vstack([g0, reference.rnn_postact(W, U, b, X, g0, sigma)])[: len(X)])),
    "post_is_pre": ("This is the pre-activation form: here sigma acts last, on the whole sum.",
                    lambda W, U, b, X, g0, sigma: reference.rnn_preact(W, U, b, X, g0, sigma)),
    "always_tanh_post": (
        "Use the sigma that is given, not always tanh.",
        lambda W, U, b, X, g0, sigma: reference.rnn_postact(W, U, b, X, g0, np.tanh)),
    "bias_once_post": ("The bias enters at every step, not at the first one alone.",
                       lambda W, U, b, X, g0, sigma: stepped(
                           X, g0, len(b),
                           lambda t, g, x: sigma(W @ g + U @ x + (b if t == 0 else 0)))),
    "other_form_bent": (
        "This runs the other form from g_0 and bends its states: g_0 has been through sigma "
        "already, and goes through it once more.",
        lambda W, U, b, X, g0, sigma: sigma(reference.rnn_preact(W, U, b, X, g0, sigma))),
    "empty_list_post": (
        "Without an input the result is an empty array of n columns: (0, n), not (0,).",
        lambda W, U, b, X, g0, sigma: np.array(list(reference.rnn_postact(W, U, b, X, g0, sigma)))),
})


@states.mistake("uses_pinv", "W may have no inverse: g_t follows from g_{t-1} without undoing W.")
def rnn_postact(W, U, b, X, g0, sigma):
    found, h = [], W @ g0
    undo = np.linalg.pinv(W)
    for x in X:
        h = W @ sigma(W @ (undo @ h) + U @ x + b)
        found.append(undo @ h)
    return rows(found, len(b))


@states.mistake("sigma_twice", "g_{t-1} has been through sigma already: apply sigma once per step.")
def rnn_postact(W, U, b, X, g0, sigma):
    found, g = [], g0
    for x in X:
        g = sigma(W @ sigma(g) + U @ x + b)
        found.append(g)
    return rows(found, len(b))


@states.mistake("sigma_on_memory_only", "sigma acts on the whole sum, the input and the bias "
                "included.")
def rnn_postact(W, U, b, X, g0, sigma):
    found, g = [], g0
    for x in X:
        g = sigma(W @ g) + U @ x + b
        found.append(g)
    return rows(found, len(b))


@states.mistake("sigma_on_the_input", "sigma bends the old state only; the input and the bias are "
                "added as they are.")
def rnn_preact(W, U, b, X, h0, sigma):
    found, h = [], h0
    for x in X:
        h = W @ sigma(h) + sigma(U @ x) + b
        found.append(h)
    return rows(found, len(b))


@states.mistake("bias_after_sigma", "sigma acts on the whole sum: the bias is added before it.")
def rnn_postact(W, U, b, X, g0, sigma):
    found, g = [], g0
    for x in X:
        g = sigma(W @ g + U @ x) + b
        found.append(g)
    return rows(found, len(b))


@states.mistake("in_place", "h0 belongs to the caller: make a new array for the state.")
def rnn_preact(W, U, b, X, h0, sigma):
    found = np.empty((len(X), len(b)))
    for t, x in enumerate(X):
        h0[:] = W @ sigma(h0) + U @ x + b
        found[t] = h0
    return found


@states.mistake("one_array", "All rows are the same array, changed again and again: store a copy "
                "of each state.")
def rnn_preact(W, U, b, X, h0, sigma):
    found, h = [], h0.copy()
    for x in X:
        h[:] = W @ sigma(h) + U @ x + b
        found.append(h)
    return rows(found, len(b))


@states.variant("inputs first, then a loop of lists")
def rnn_preact(W, U, b, X, h0, sigma):
    drive, found = X @ U.T + b, []
    for v in drive:
        h0 = sigma(h0) @ W.T + v
        found.append(h0)
    return np.stack(found) if found else np.zeros((0, W.shape[0]))


@states.variant("through the other form")
def rnn_postact(W, U, b, X, g0, sigma):
    drive = np.einsum("nd,td->tn", U, X) + b
    out = np.zeros(drive.shape)
    for t in range(len(drive)):
        before = g0 if t == 0 else out[t - 1]
        out[t] = sigma(np.einsum("ij,j->i", W, before) + drive[t])
    return out
