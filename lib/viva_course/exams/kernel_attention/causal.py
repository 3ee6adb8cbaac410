"""Exam of causal_linear_attention."""

import numpy as np

from viva_course.exams.kernel_attention.common import TIGHT
from viva_course.reference import kernel_attention as reference
from viva_course.rubric import Exercise

causal = Exercise(
    "causal_linear_attention", expects="row i averages the values 0 .. i, its own included",
    survivors={
        "causal_linear_attention: S = np.zeros((*V.shape[:-2], phiK.shape[-1], V.shape[-1])) -> "
        "S = np.zeros((*V.shape[:-3], phiK.shape[-1], V.shape[-1]))":
            "zeros without a batch axis take it on at the first addition",
        "causal_linear_attention: Z = np.zeros((*V.shape[:-2], phiK.shape[-1])) -> "
        "Z = np.zeros((*V.shape[:-3], phiK.shape[-1]))":
            "zeros without a batch axis take it on at the first addition",
        "causal_linear_attention: out = np.zeros(V.shape) -> out = np.ones(V.shape)":
            "every entry is written before it is returned",
    },
)

causal.values(2.5, "The output must be masked attention with phi(q) . phi(k).",
              only=("seven_tokens",))
causal.values(1, "The first row is V[0]; the last row sees every token.",
              only=("first_and_last_row",), name="first and last row")


def _inputs(rng, *shape, C=4, M=3):
    phiQ, phiK = rng.uniform(0.1, 1, (*shape, C)), rng.uniform(0.1, 1, (*shape, C))
    return phiQ, phiK, rng.normal(size=(*shape, M))


@causal.item(1.5, "Tokens after i never change row i; token i does.")
def the_future_is_unseen(exam, causal_linear_attention):
    tokens = _inputs(exam.rng, 9)
    i = int(exam.rng.integers(2, 7))
    before = causal_linear_attention(*tokens)
    changed = [x.copy() for x in tokens]
    for x, new in zip(changed, _inputs(exam.rng, 9)):
        x[i:] = new[i:]
    after = causal_linear_attention(*changed)
    exam.true(np.shape(after) == np.shape(before) == tokens[2].shape, "one row for each token")
    exam.same(after[:i], before[:i], **TIGHT)
    moved = np.abs(np.asarray(after) - before)[i:].max(axis=-1)
    exam.true(np.all(moved > 1e-9), "a row does not notice its own token")
    exam.true(np.all(np.isfinite(after)), "not finite")


@causal.item(1.5, "Leading axes are batches; no state leaks between sequences.")
def batch_axes(exam, causal_linear_attention):
    for batch in ((3,), (2, 2)):
        tokens = _inputs(exam.rng, *batch, 6)
        expected = reference.causal_linear_attention(*tokens)
        exam.same(causal_linear_attention(*tokens), expected, **TIGHT)


@causal.item(1.5, "Carry one C x M state; store none of the earlier ones.")
def never_N_x_C_x_M(exam, causal_linear_attention):
    # N C M numbers are 157 MB in the first, N^2 numbers 288 MB in the second
    for N, C, M in ((300, 256, 256), (6000, 4, 3)):
        tokens = _inputs(exam.rng, N, C=C, M=M)
        found = exam.within(40, causal_linear_attention, *tokens)
        exam.same(found, reference.causal_linear_attention(*tokens), **TIGHT)


@causal.item(0.5, "Arrays of integers have real averages too.")
def integers(exam, causal_linear_attention):
    tokens = [exam.rng.integers(1, 6, (5, n)) for n in (3, 3, 2)]
    exam.same(causal_linear_attention(*tokens), reference.causal_linear_attention(*tokens), **TIGHT)


causal.unmodified(0.5, "Nothing may be written into the arguments.")


def _running(phiQ, phiK, V, own=True, order=1, total=lambda q, Z, last: q * Z):
    """Row by row with a state, as a student would; `own`: whether row i sees its own token."""
    S, Z, rows, last = 0.0, 0.0, [], phiK.sum(axis=-2)
    for i in range(V.shape[-2])[::order]:
        before = S, Z
        S, Z = S + phiK[..., i, :, None] * V[..., i, None, :], Z + phiK[..., i, :]
        q, (top, bottom) = phiQ[..., i, :], (S, Z) if own else before
        with np.errstate(all="ignore"):
            rows.append(np.einsum("...c,...cm->...m", q, top + np.zeros_like(S))
                        / np.sum(total(q, bottom, last), axis=-1, keepdims=True))
    return np.stack(rows[::order], axis=-2)


def _masked(phiQ, phiK, V):
    weights = np.tril(phiQ @ phiK.swapaxes(-1, -2))
    return weights @ V / weights.sum(axis=-1, keepdims=True)


causal.mistakes_of(causal_linear_attention={
    "exclusive_prefix": ("Absorb token i before answering for it: S_i includes i.",
                         lambda phiQ, phiK, V: _running(phiQ, phiK, V, own=False)),
    "no_normaliser": ("The division by phi(q_i) . Z_i is missing.",
                      lambda phiQ, phiK, V: (
                          _running(phiQ, phiK, V, total=lambda q, Z, last: np.ones(1)))),
    "non_causal": ("Row i must not see the tokens after i.",
                   lambda phiQ, phiK, V: reference.linear_attention(phiQ, phiK, V)),
    "anticausal": ("Sums run from the first token to i, not from i to the last.",
                   lambda phiQ, phiK, V: _running(phiQ, phiK, V, order=-1)),
    "normaliser_full": ("Z is a running sum as well: stop it at i.",
                        lambda phiQ, phiK, V: (
                            _running(phiQ, phiK, V, total=lambda q, Z, last: q * last))),
    "running_query": (
        "The query of row i is used as it is, not summed up.",
        lambda phiQ, phiK, V: reference.causal_linear_attention(np.cumsum(phiQ, axis=-2), phiK, V)),
    "integer_array": (
        "An array made like V keeps its dtype and cuts off the fraction.",
        lambda phiQ, phiK, V: reference.causal_linear_attention(phiQ, phiK, V).astype(V.dtype)),
})


@causal.mistake("normaliser_behind", "S holds token i already and Z does not: absorb it into both "
                "before you answer.")
def causal_linear_attention(phiQ, phiK, V):
    weights = phiQ @ phiK.swapaxes(-1, -2)
    with np.errstate(all="ignore"):
        return np.tril(weights) @ V / np.tril(weights, -1).sum(axis=-1, keepdims=True)


@causal.mistake("materialised_cumsum", "The numbers are right, but all N states at once, as cumsum "
                "makes them, take N x C x M numbers: carry one state.")
def causal_linear_attention(phiQ, phiK, V):
    S = np.cumsum(phiK[..., :, None] * V[..., None, :], axis=-3)
    total = (phiQ * np.cumsum(phiK, axis=-2)).sum(axis=-1, keepdims=True)
    return (phiQ[..., None, :] @ S)[..., 0, :] / total


@causal.mistake("quadratic", "The numbers are right, but the masked matrix is an array of N x N.")
def causal_linear_attention(phiQ, phiK, V):
    return _masked(phiQ, phiK, V)


@causal.mistake("state_leak", "Start every sequence of a batch with S = 0 and Z = 0.")
def causal_linear_attention(phiQ, phiK, V):
    flat = [x.reshape(-1, x.shape[-1]) for x in (phiQ, phiK, V)]
    return reference.causal_linear_attention(*flat).reshape(V.shape)


@causal.mistake("one_sequence", "Leading axes are batches: loop over the second to last axis.")
def causal_linear_attention(phiQ, phiK, V):
    S, Z, out = np.zeros((phiK.shape[1], V.shape[1])), np.zeros(phiK.shape[1]), []
    for q, k, v in zip(phiQ, phiK, V):
        S, Z = S + np.outer(k, v), Z + k
        out.append(q @ S / (q @ Z))
    return np.array(out)


@causal.mistake("in_place", "Sum into new arrays: phiK belongs to the caller.")
def causal_linear_attention(phiQ, phiK, V):
    out = reference.causal_linear_attention(phiQ, phiK, V)
    np.cumsum(phiK, axis=-2, out=phiK)
    return out


@causal.variant("loop over tokens")
def causal_linear_attention(phiQ, phiK, V):
    phiQ, phiK, V = (np.asarray(x, dtype=float) for x in (phiQ, phiK, V))
    S = np.zeros((*phiK.shape[:-2], phiK.shape[-1], V.shape[-1]))
    Z, out = np.zeros((*phiK.shape[:-2], phiK.shape[-1])), np.empty_like(V)
    for i in range(V.shape[-2]):
        S += phiK[..., i, :, None] * V[..., i, None, :]
        Z += phiK[..., i, :]
        total = (phiQ[..., i, :] * Z).sum(axis=-1, keepdims=True)
        out[..., i, :] = (phiQ[..., i, None, :] @ S)[..., 0, :] / total
    return out


@causal.variant("a state, and rows appended and stacked")
def causal_linear_attention(phiQ, phiK, V):
    S, Z, rows = 0, 0, []
    for i in range(V.shape[-2]):
        q, k, v = phiQ[..., i, :], phiK[..., i, :], V[..., i, :]
        S = S + k[..., :, None] * v[..., None, :]
        Z = Z + k
        rows.append(np.einsum("...c,...cm->...m", q, S) / np.sum(q * Z, axis=-1, keepdims=True))
    return np.stack(rows, axis=-2)


@causal.variant("a state with the normaliser as a column")
def causal_linear_attention(phiQ, phiK, V):
    V1 = np.concatenate([V, np.ones((*V.shape[:-1], 1))], axis=-1)
    state, rows = 0.0, []
    for i in range(V.shape[-2]):
        state = state + np.einsum("...c,...m->...cm", phiK[..., i, :], V1[..., i, :])
        both = np.einsum("...c,...cm->...m", phiQ[..., i, :], state)
        rows.append(both[..., :-1] / both[..., -1:])
    return np.stack(rows, axis=-2)
