"""Exam of `bptt`."""

import numpy as np

from viva.cases.recurrent_models.backward import problem
from viva_course.reference import recurrent_models as reference
from viva_course.rubric import Exercise

backward = Exercise(
    "bptt", forbidden=("torch.autograd.grad", "torch.Tensor.backward"),
    expects="(dW, dU, db, G): gradients of L summed over the steps, and G[t - 1] = dL/dh_t",
    survivors={"bptt: for t in range(T): -> for t in range(T - 1):":
               "no gradient needs the last state itself"},
)

backward.values(2.5, "G holds dL/dh_1 .. dL/dh_T, each from the one after it.",
                only=("state_gradients",), name="G")
backward.values(2.5, "dW is a sum over the steps.", only=("weight_gradient",), name="dW")
backward.values(1.5, "dU is a sum over the steps.", only=("input_gradient",), name="dU")
backward.values(1, "db is a sum over the steps.", only=("bias_gradient",), name="db")
backward.values(1.5, "One unit and two steps, and a single step, can be done by hand.",
                only=("by_hand", "one_step"), name="by hand")


@backward.item(1.5, "The gradients must predict what a small change of W, U and b does to the "
               "loss, for forty steps, too.")
def directional_derivatives(exam, bptt):
    for T in (2, 40):
        W, U, b, X, h0, c = problem(exam.rng, 3, 2, T, 0.6)
        found = bptt(W, U, b, X, h0, c)
        exam.same(found[3][-1], c)
        for place, shape in enumerate((W.shape, U.shape, b.shape)):
            change = exam.rng.normal(size=shape)

            def loss(eps, place=place, change=change, given=(W, U, b), X=X, h0=h0, c=c):
                moved = [a + eps * change if i == place else a for i, a in enumerate(given)]
                return c @ reference.rnn_preact(*moved, X, h0, np.tanh)[-1]

            slope = (loss(1e-5) - loss(-1e-5)) / 2e-5
            scale = 1 + np.abs(found[place]).max()
            exam.same(float((found[place] * change).sum()), slope, rtol=1e-5, atol=1e-6 * scale)


@backward.item(0.5, "Without a step there is nothing to differentiate: ValueError.")
def no_step(exam, bptt):
    given = problem(exam.rng, T=1)
    exam.same(bptt(*given)[3], given[-1][None])
    exam.raises(ValueError, bptt, *problem(exam.rng, T=0))


backward.unmodified(1, "Nothing may be written into the arguments.")


def gradients(W, U, b, X, h0, last, back=None, outer=None):
    """bptt with one part replaced: back(t, states, g), outer(G, before, states)."""
    if len(X) == 0:
        raise ValueError
    states = np.vstack([h0, reference.rnn_preact(W, U, b, X, h0, np.tanh)])
    before, T = np.tanh(states[:-1]), len(X)
    G = np.zeros((T, len(b)))
    G[-1] = last
    for t in range(T - 1, 0, -1):
        G[t - 1] = (back or (lambda t, s, g: (1 - np.tanh(s[t]) ** 2) * (W.T @ g)))(t, states, G[t])
    if outer:
        return outer(G, before, states)
    return G.T @ before, G.T @ X, G.sum(axis=0), G


@backward.mistake("last_only", "Only the last step counts here: W, U and b are used at every "
                  "step, so their gradients are sums over all steps.")
def bptt(W, U, b, X, h0, dL_dhT):
    return gradients(W, U, b, X, h0, dL_dhT, outer=lambda G, before, states: (
        np.outer(G[-1], before[-1]), np.outer(G[-1], X[-1]), G[-1].copy(), G))


@backward.mistake("W_not_T", "Going back, the gradient is multiplied by the transpose of W.")
def bptt(W, U, b, X, h0, dL_dhT):
    return gradients(W, U, b, X, h0, dL_dhT,
                     back=lambda t, s, g: (1 - np.tanh(s[t]) ** 2) * (W @ g))


@backward.mistake("deriv_pre", "The slope is taken at tanh(h) instead of h: 1 - tanh(h)^2 needs "
                  "one tanh, not two.")
def bptt(W, U, b, X, h0, dL_dhT):
    return gradients(W, U, b, X, h0, dL_dhT,
                     back=lambda t, s, g: (1 - np.tanh(np.tanh(s[t])) ** 2) * (W.T @ g))


@backward.mistake("wrong_h", "W multiplies tanh(h_{t-1}), the state before the step: dW pairs "
                  "dL/dh_t with it, not with h_t.")
def bptt(W, U, b, X, h0, dL_dhT):
    return gradients(W, U, b, X, h0, dL_dhT, outer=lambda G, before, states: (
        G.T @ np.tanh(states[1:]), G.T @ X, G.sum(axis=0), G))


@backward.mistake("slope_of_later", "From h_t back to h_{t-1} the slope of tanh is taken at "
                  "h_{t-1}, not at h_t.")
def bptt(W, U, b, X, h0, dL_dhT):
    return gradients(W, U, b, X, h0, dL_dhT,
                     back=lambda t, s, g: (1 - np.tanh(s[t + 1]) ** 2) * (W.T @ g))


@backward.mistake("slope_before_W", "The slope of h_{t-1} is applied after W^T, not before it.")
def bptt(W, U, b, X, h0, dL_dhT):
    return gradients(W, U, b, X, h0, dL_dhT,
                     back=lambda t, s, g: W.T @ ((1 - np.tanh(s[t]) ** 2) * g))


@backward.mistake("skip_nl", "The slope of tanh is missing on the way back.")
def bptt(W, U, b, X, h0, dL_dhT):
    return gradients(W, U, b, X, h0, dL_dhT, back=lambda t, s, g: W.T @ g)


@backward.mistake("slope_once_more", "G holds the gradients of h_t itself, and W, U and b enter "
                  "h_t without any bend: no slope stands between them.")
def bptt(W, U, b, X, h0, dL_dhT):
    def outer(G, before, states):
        D = G * (1 - np.tanh(states[1:]) ** 2)
        return D.T @ before, D.T @ X, D.sum(axis=0), G
    return gradients(W, U, b, X, h0, dL_dhT, outer=outer)


@backward.mistake("inputs_one_late", "The step to h_t reads x_t: dU pairs dL/dh_t with x_t, not "
                  "with the input before it.")
def bptt(W, U, b, X, h0, dL_dhT):
    return gradients(W, U, b, X, h0, dL_dhT, outer=lambda G, before, states: (
        G.T @ before, G[1:].T @ X[:-1], G.sum(axis=0), G))


@backward.mistake("one_step_further", "G[t - 1] is dL/dh_t: its last row is the gradient that was "
                  "given. Here every row has gone one step too far back.")
def bptt(W, U, b, X, h0, dL_dhT):
    def outer(G, before, states):
        G = (1 - np.tanh(states[:-1]) ** 2) * (G @ W)
        return G.T @ before, G.T @ X, G.sum(axis=0), G
    return gradients(W, U, b, X, h0, dL_dhT, outer=outer)


@backward.mistake("slope_on_the_given", "The gradient that is given is that of h_T itself: no "
                  "slope stands between them, and it is the last row of G as it is.")
def bptt(W, U, b, X, h0, dL_dhT):
    if len(X) == 0:
        raise ValueError
    last = reference.rnn_preact(W, U, b, X, h0, np.tanh)[-1]
    return reference.bptt(W, U, b, X, h0, (1 - np.tanh(last) ** 2) * dL_dhT)


@backward.mistake("reversed", "The rows of G stand newest first: row 0 belongs to h_1.")
def bptt(W, U, b, X, h0, dL_dhT):
    dW, dU, db, G = reference.bptt(W, U, b, X, h0, dL_dhT)
    return dW, dU, db, G[::-1].copy()


@backward.mistake("outer_T", "dW is transposed: row i belongs to the output h_t[i].")
def bptt(W, U, b, X, h0, dL_dhT):
    dW, dU, db, G = reference.bptt(W, U, b, X, h0, dL_dhT)
    return dW.T.copy(), dU, db, G


@backward.mistake("dU_transposed", "dU has the shape of U: (n, d).")
def bptt(W, U, b, X, h0, dL_dhT):
    dW, dU, db, G = reference.bptt(W, U, b, X, h0, dL_dhT)
    return dW, dU.T.copy(), db, G


@backward.mistake("h_without_tanh", "W multiplies tanh(h_{t-1}), not h_{t-1}.")
def bptt(W, U, b, X, h0, dL_dhT):
    return gradients(W, U, b, X, h0, dL_dhT, outer=lambda G, before, states: (
        G.T @ states[:-1], G.T @ X, G.sum(axis=0), G))


@backward.mistake("mean_over_steps", "The steps' contributions are added, not averaged.")
def bptt(W, U, b, X, h0, dL_dhT):
    dW, dU, db, G = reference.bptt(W, U, b, X, h0, dL_dhT)
    return dW / len(X), dU / len(X), db / len(X), G


@backward.mistake("first_step_skipped", "The first step, from h_0 to h_1, uses W, U and b as well.")
def bptt(W, U, b, X, h0, dL_dhT):
    return gradients(W, U, b, X, h0, dL_dhT, outer=lambda G, before, states: (
        G[1:].T @ before[1:], G[1:].T @ X[1:], G[1:].sum(axis=0), G))


@backward.mistake("h0_is_zero", "The recurrence starts from the given h0, not from zero.")
def bptt(W, U, b, X, h0, dL_dhT):
    return reference.bptt(W, U, b, X, 0 * h0, dL_dhT)


@backward.mistake("loss_of_every_state", "The loss depends on h_T alone: nothing is added at the "
                  "other steps.")
def bptt(W, U, b, X, h0, dL_dhT):
    return gradients(W, U, b, X, h0, dL_dhT, back=lambda t, s, g: (
        dL_dhT + (1 - np.tanh(s[t]) ** 2) * (W.T @ g)))


@backward.mistake("with_h0", "G has T rows, for h_1 .. h_T: the gradient of h_0 is not asked for.")
def bptt(W, U, b, X, h0, dL_dhT):
    dW, dU, db, G = reference.bptt(W, U, b, X, h0, dL_dhT)
    return dW, dU, db, np.vstack([(1 - np.tanh(h0) ** 2) * (W.T @ G[0]), G])


@backward.mistake("post_activation", "These are the gradients of h_t = tanh(W h_{t-1} + U x_t + "
                  "b); here tanh acts before W.")
def bptt(W, U, b, X, h0, dL_dhT):
    if len(X) == 0:
        raise ValueError
    states = np.vstack([h0, reference.rnn_postact(W, U, b, X, h0, np.tanh)])
    G, d = np.zeros((len(X), len(b))), np.zeros((len(X), len(b)))
    G[-1] = dL_dhT
    for t in range(len(X) - 1, -1, -1):
        d[t] = (1 - states[t + 1] ** 2) * G[t]
        if t:
            G[t - 1] = W.T @ d[t]
    return d.T @ states[:-1], d.T @ X, d.sum(axis=0), G


@backward.mistake("empty_zeros", "Without a step there is no h_T to differentiate: ValueError.")
def bptt(W, U, b, X, h0, dL_dhT):
    if len(X):
        return reference.bptt(W, U, b, X, h0, dL_dhT)
    return np.zeros_like(W), np.zeros_like(U), np.zeros_like(b), np.zeros((0, len(b)))


@backward.mistake("in_place", "dL_dhT belongs to the caller: `g *= ...` changes it.")
def bptt(W, U, b, X, h0, dL_dhT):
    found = reference.bptt(W, U, b, X, h0, dL_dhT)
    dL_dhT *= 1 - np.tanh(h0) ** 2
    return found


@backward.variant("outer products, one step at a time")
def bptt(W, U, b, X, h0, dL_dhT):
    T = len(X)
    if T < 1:
        raise ValueError("T")
    h = [h0]
    for t in range(T):
        h.append(W.dot(np.tanh(h[t])) + U.dot(X[t]) + b)
    dW, dU, db, G, g = np.zeros(W.shape), np.zeros(U.shape), np.zeros(b.shape), [], dL_dhT
    for t in reversed(range(T)):
        G.insert(0, g)
        dW, dU, db = dW + np.outer(g, np.tanh(h[t])), dU + np.outer(g, X[t]), db + g
        g = (W.T @ g) / np.cosh(h[t]) ** 2
    return [dW, dU, db, np.array(G)]


@backward.variant("a product of Jacobians for every state")
def bptt(W, U, b, X, h0, dL_dhT):
    if X.shape[0] == 0:
        raise ValueError("no step")
    h = np.vstack([h0, reference.rnn_preact(W, U, b, X, h0, np.tanh)])
    G = np.array([dL_dhT @ reference.jacobian_product(W, h[t:-1], lambda z: 1 - np.tanh(z) ** 2)
                  for t in range(1, len(h))])
    dW, dU = np.einsum("ti,tj->ij", G, np.tanh(h[:-1])), np.einsum("ti,tj->ij", G, X)
    return dW, dU, np.einsum("ti->i", G), G
