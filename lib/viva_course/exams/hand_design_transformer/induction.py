"""design_induction."""
import numpy as np

from viva.kits.hand_design_transformer.heads import one_hot
from viva_course.reference import hand_design_transformer as reference
from viva_course.rubric import Exercise

from .common import design

induction = Exercise(
    "design_induction", expects="the average of the tokens that followed earlier occurrences",
    survivors={
        "design_induction: gap = np.log(L / tol) -> gap = L / tol": "sharper than needed: as right",
        ("design_induction: layer1 = (place, gap * np.sqrt(L) * place @ wanted, Z[:, :n],"
         " np.eye(L))"
         " -> layer1 = (place, gap * L * place @ wanted, Z[:, :n], np.eye(L))"):
            "sharper than needed: as right",
        ("design_induction: layer2 = (slot, gap * np.sqrt(n) * token, token)"
         " -> layer2 = (slot, gap * n * token, token)"): "sharper than needed: as right",
    },
)

induction.values(2, "After BOS A B C A comes B.")

# Each layer spends its own tolerance, and an inexact slot of layer 1 makes the shares of layer 2
# unequal by gap * tol: a straightforward design is within 5 tol.
ALLOWANCE = 5


@induction.item(3, "Wherever a token occurred before, its average successor.")
def random_sequences(exam, design_induction):
    for n, L, count in ((4, 8, 120), (6, 12, 80)):
        layer1, layer2 = layers(exam, design_induction(n, L), n)
        width = len(layer1[0]) - layer1[3].shape[1]
        sequences = [(width - 1, *exam.rng.integers(n - 1, size=L - 1)) for _ in range(count)]
        X = one_hot(sequences, width)                                       # (B, L, width)
        out = reference.induction_output(X, layer1, layer2)[..., :n - 1]
        same = np.tril(X @ X.swapaxes(-1, -2), k=-1)                        # (B, L, L)
        seen = same.sum(-1)
        followed = same[..., :-1] @ X[:, 1:, :n - 1]                        # (B, L, n - 1)
        error = np.abs(out - followed / np.maximum(seen, 1)[..., None]).max(-1)[seen > 0].max()
        exam.true(error <= ALLOWANCE * 1e-3, f"an output is off by {error:.2g}",
                  kind="measured")


def layers(exam, made, n):
    """Both layers as float arrays; BOS may be counted among the n tokens or come on top."""
    exam.true(isinstance(made, tuple | list) and len(made) == 2, "return (layer1, layer2)")
    first, second = ([np.asarray(m, dtype=float) for m in layer if m is not None] for layer in made)
    exam.true(len(first) == 4 and len(second) == 3, "layer1 has four matrices, layer2 three")
    width = len(first[0]) - first[3].shape[1]
    exam.true(width in (n, n + 1), "layer 1 must read one-hot tokens and positions")
    exam.true(second[2].shape[-1] <= width, "the output is wider than a token")
    return design(exam, first, width, True), design(exam, second, width + first[2].shape[1])


def two_layers(n, L, offset=1, gap=9.0, swap=False, match_self=False, slot_value=False):
    """The two layers with parts exchanged, for the mistakes below."""
    eye, blank = np.eye(n), np.zeros((n, n))
    c = np.sqrt(gap * np.sqrt(n))
    current, previous = np.vstack([c * eye, blank]), np.vstack([blank, c * eye])
    keys, queries = (current, previous) if swap else (previous, current)
    value = np.vstack([blank, eye] if slot_value else [eye, blank])
    layer2 = current if match_self else keys, queries, value
    return reference.design_shift(n, L, offset, 1e-5), layer2


# Both give the token itself, wherever it occurred before: one sentence must be true of both.
ITSELF = ("This gives the token itself. The key is the previous token, the slot of layer 1; the "
          "value is the token that stands there, not its slot.")


@induction.mistake("slot_as_value", ITSELF)
def design_induction(n_tokens, max_len, tol=1e-3):
    return two_layers(n_tokens, max_len, slot_value=True)


@induction.mistake("match_self", ITSELF)
def design_induction(n_tokens, max_len, tol=1e-3):
    return two_layers(n_tokens, max_len, match_self=True)


def exchanged(n, L, tol, offset=1, swap=False):
    """The straightforward design, whose first row asks for nothing, with parts exchanged."""
    gap = np.log(L / tol)
    layer1 = np.eye(n + L, L, k=-n), gap * np.sqrt(L) * np.eye(n + L, L, k=-n - offset), \
        np.eye(n + L, n), np.eye(L)
    token, slot = np.eye(2 * n, n), np.eye(2 * n, n, k=-n)
    keys, queries = (token, slot) if swap else (slot, token)
    return layer1, (keys, gap * np.sqrt(n) * queries, token)


def slots_only(n, L, tol):
    """The second layer compares slots with slots."""
    _, (slot, _, token) = exchanged(n, L, tol)
    first = reference.design_shift(n, L, 1, tol)
    return first, (slot, np.log(L / tol) * np.sqrt(n) * slot, token)


induction.mistakes_of(design_induction={
    "swap": ("Query and key are exchanged: ask with the token, not its predecessor.",
             lambda n_tokens, max_len, tol=1e-3: two_layers(n_tokens, max_len, swap=True)),
    "slot_asks_slot": (
        "This compares notes with notes and finds the row itself: ask with the token, and offer "
        "the note.",
        lambda n_tokens, max_len, tol=1e-3: slots_only(n_tokens, max_len, tol)),
    "shift2": ("Layer 1 reads two steps back; the previous token is one step back.",
               lambda n_tokens, max_len, tol=1e-3: two_layers(n_tokens, max_len, offset=2)),
    "swap_plain": ("Query and key are exchanged: ask with the token, not its predecessor.",
                   lambda n_tokens, max_len, tol=1e-3: exchanged(n_tokens, max_len, tol, 1, True)),
    "shift2_plain": ("Layer 1 reads two steps back; the previous token is one step back.",
                     lambda n_tokens, max_len, tol=1e-3: exchanged(n_tokens, max_len, tol, 2)),
    "shift2_sharp": ("Layer 1 reads two steps back; the previous token is one step back.",
                     lambda n_tokens, max_len, tol=1e-3: (
                         reference.design_shift(n_tokens, max_len, 2, tol / 4),
                         reference.design_induction(n_tokens, max_len, tol)[1])),
    "soft": ("The gap of layer 2 is too small for max_len tokens.",
             lambda n_tokens, max_len, tol=1e-3: two_layers(n_tokens, max_len, gap=3)),
    "second_root_forgotten": (
        "The second layer is too soft: its gap is meant after the division by the root of its own "
        "d_qk.",
        lambda n_tokens, max_len, tol=1e-3: (
            reference.design_shift(n_tokens, max_len, 1, tol),
            two_layers(n_tokens, max_len, gap=(
                reference.min_score_gap(max_len, tol) / np.sqrt(n_tokens)))[1])),
    "ignores_tol": (
        "The argument tol is not used: a small one needs a larger gap.",
        lambda n_tokens, max_len, tol=1e-3: reference.design_induction(n_tokens, max_len)),
    "unscaled": ("The gap is meant after the division by sqrt(d_qk).",
                 lambda n_tokens, max_len, tol=1e-3: (
                     two_layers(n_tokens, max_len, gap=9 / np.sqrt(n_tokens)))),
})


@induction.variant("straightforward: the gap for tol in both layers")
def design_induction(n_tokens, max_len, tol=1e-3):
    gap = reference.min_score_gap(max_len, tol)
    _, layer2 = two_layers(n_tokens, max_len, gap=gap)
    return reference.design_shift(n_tokens, max_len, 1, tol), layer2


@induction.variant("BOS on top of n_tokens, a query that is twice as sharp")
def design_induction(n_tokens, max_len, tol=1e-3):
    layer1, (Km, Qm, Vm) = reference.design_induction(n_tokens + 1, max_len, tol)
    return list(layer1), [Km, 1.5 * Qm, Vm]
