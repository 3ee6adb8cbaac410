"""Attention by position: design_first and design_shift."""
import numpy as np

from viva.kits.hand_design_transformer.heads import all_sequences, one_hot
from viva_course.reference import hand_design_transformer as reference
from viva_course.rubric import Exercise

from .common import SLACK, copies, design, random_sequences

first = Exercise(
    "design_first", expects="every row is the first token of the sequence, within tol",
    survivors={
        ("design_first: Km = np.log(max_len / tol) * np.eye(d)[:, [n_tokens]]"
         " -> Km = max_len / tol * np.eye(d)[:, [n_tokens]]"):
            "sharper than needed: as right",
    },
)


def first_token(X):
    return np.broadcast_to(X[..., :1, :], X.shape)


first.values(3, "ABCC must give AAAA.")


@first.item(3, "All sequences up to length 4, and longer ones.")
def every_short_sequence(exam, design_first):
    for tol in (1e-3, 1e-8):
        head = design(exam, design_first(3, 4, tol=tol), 3, positions=True)
        copies(exam, head, all_sequences(3, 4), 3, first_token, tol)
    head = design(exam, design_first(5, 15), 5, positions=True)
    copies(exam, head, random_sequences(exam.rng, 5, 15, 20), 5, first_token, 1e-3)


@first.item(1, "A table of max_len rows, and matrices that fit tokens and positions.")
def shapes(exam, design_first):
    for n, L in ((3, 7), (2, 5)):
        head = design(exam, design_first(n, L), n, positions=True)
        exam.true(len(head[3]) == L, f"pos has {len(head[3])} rows instead of max_len")
        exam.true(head[2].shape[1] == n, f"values have {head[2].shape[1]} entries, not n_tokens")
        copies(exam, head, [tuple(range(n)), (1,) * L], n, first_token, 1e-3)


@first.item(2, "Every query puts its weight on position 0, whatever stands.")
def by_position_only(exam, design_first):
    for n, L, tol in ((4, 6, 1e-3), (3, 11, 1e-5)):
        head = design(exam, design_first(n, L, tol), n, positions=True)
        mixed = [(a,) + (b,) * (L - 1) for a in range(n) for b in range(n)]
        for sequence in [*mixed, *random_sequences(exam.rng, n, L, 10)]:
            _, weights = reference.attention_head(one_hot(sequence, n), *head, return_weights=True)
            lowest = weights[:, 0].min()
            exam.true(lowest >= 1 - SLACK * tol,
                      f"a query gives position 0 only the weight {lowest:.6g}")


def by_position(n, L, keys, queries=None):
    """A head with keys (n + L, 1) given, queries 1 for every token: what the mistakes vary."""
    if queries is None:
        queries = np.vstack([np.ones((n, 1)), np.zeros((L, 1))])
    return keys, queries, np.eye(n + L, n), np.eye(L)


def key_at(n, L, position, gap):
    keys = np.zeros((n + L, 1))
    keys[n + position] = gap
    return keys


@first.mistake("copies_second", "Rows are counted from 0: the key belongs to position 0.")
def design_first(n_tokens, max_len, tol=1e-3):
    gap = reference.min_score_gap(max_len, tol)
    return by_position(n_tokens, max_len, key_at(n_tokens, max_len, 1, gap))


@first.mistake("copies_last", "The key belongs to the first row of the table, not to the last.")
def design_first(n_tokens, max_len, tol=1e-3):
    gap = reference.min_score_gap(max_len, tol)
    return by_position(n_tokens, max_len, key_at(n_tokens, max_len, max_len - 1, gap))


@first.mistake("query_only_A", "Every token must ask for position 0, not only A.")
def design_first(n_tokens, max_len, tol=1e-3):
    keys = key_at(n_tokens, max_len, 0, reference.min_score_gap(max_len, tol))
    return by_position(n_tokens, max_len, keys, np.eye(n_tokens + max_len, 1))


@first.mistake("query_only_pos0", "Every row must ask for position 0, not only the first.")
def design_first(n_tokens, max_len, tol=1e-3):
    keys = key_at(n_tokens, max_len, 0, reference.min_score_gap(max_len, tol))
    return by_position(n_tokens, max_len, keys, key_at(n_tokens, max_len, 0, 1.0))


@first.mistake("soft", "The gap is too small: T - 1 others share what is left.")
def design_first(n_tokens, max_len, tol=1e-3):
    gap = reference.min_score_gap(max_len, tol) / 2
    return by_position(n_tokens, max_len, key_at(n_tokens, max_len, 0, gap))


first.mistakes_of(design_first={
    "unscaled": ("The gap is meant after the division by sqrt(d_qk).",
                 lambda n_tokens, max_len, tol=1e-3: by_position(n_tokens, max_len, key_at(
                     n_tokens, max_len, 0,
                     reference.min_score_gap(max_len, tol) / np.sqrt(max_len)))),
    "one_too_few": ("The gap is one for max_len - 1 tokens: in the longest sequence it is a little "
                    "too small.",
                    lambda n_tokens, max_len, tol=1e-3: by_position(n_tokens, max_len, key_at(
                        n_tokens, max_len, 0, reference.min_score_gap(max_len - 1, tol)))),
    "ignores_tol": ("The argument tol is not used: a small one needs a larger gap.",
                    lambda n_tokens, max_len, tol=1e-3: reference.design_first(n_tokens, max_len)),
    "L4": ("The table needs max_len rows, not 4.",
           lambda n_tokens, max_len, tol=1e-3: reference.design_first(n_tokens, 4, tol)),
    "long_table": (
        "The table must have exactly max_len rows.",
        lambda n_tokens, max_len, tol=1e-3: reference.design_first(n_tokens, max_len + 3, tol)),
})


@first.mistake("first_letter", "The key belongs to the position, not to the token A.")
def design_first(n_tokens, max_len, tol=1e-3):
    keys = np.zeros((n_tokens + max_len, 1))
    keys[0] = reference.min_score_gap(max_len, tol)
    return by_position(n_tokens, max_len, keys)


@first.mistake("content_has_a_say", "A score depends on the token that offers: then some sequences "
               "get less than the gap. The rows of Km that belong to tokens must be equal.")
def design_first(n_tokens, max_len, tol=1e-3):
    keys = key_at(n_tokens, max_len, 0, reference.min_score_gap(max_len, tol))
    keys[n_tokens - 1] = 0.5
    return by_position(n_tokens, max_len, keys)


@first.mistake("content_of_A_has_a_say", "A score depends on the token that offers: then some "
               "sequences get less than the gap. The rows of Km that belong to tokens must be "
               "equal.")
def design_first(n_tokens, max_len, tol=1e-3):
    keys = key_at(n_tokens, max_len, 0, reference.min_score_gap(max_len, tol))
    keys[0] = 1.0
    return by_position(n_tokens, max_len, keys)


@first.mistake("V_with_position", "The value is the token alone, without its position.")
def design_first(n_tokens, max_len, tol=1e-3):
    Km, Qm, _, pos = reference.design_first(n_tokens, max_len, tol)
    return Km, Qm, np.eye(n_tokens + max_len), pos


@first.variant("query from the position")
def design_first(n_tokens, max_len, tol=1e-3):
    Km, _, Vm, pos = reference.design_first(n_tokens, max_len, tol)
    return Km, np.vstack([np.zeros((n_tokens, 1)), np.ones((max_len, 1))]), Vm, pos


@first.variant("one positional coordinate, wide queries")
def design_first(n_tokens, max_len, tol=1e-3):
    pos = np.eye(max_len, 1)
    Km = np.zeros((n_tokens + 1, 4))
    Km[-1] = reference.min_score_gap(max_len, tol) / 4
    Qm = np.full((n_tokens + 1, 4), 2.0)
    return Km, Qm, np.eye(n_tokens + 1, n_tokens), pos


shift = Exercise(
    "design_shift", expects="row i is the token `offset` places before, row 0 at the start",
    survivors={
        "design_shift: gap = np.log(max_len / tol) -> gap = max_len / tol":
            "sharper than needed: as right",
        ("design_shift: return (place, gap * np.sqrt(max_len) * place @ S, token, np.eye(max_len))"
         " -> return (place, gap * max_len * place @ S, token, np.eye(max_len))"):
            "sharper than needed: as right",
    },
)

shift.values(2.5, "ABCC shifted by one must give AABC.")


def shifted(offset):
    return lambda X: X[..., np.maximum(np.arange(X.shape[-2]) - offset, 0), :]


def shifts(exam, design_shift, sizes, causal):
    for n, L, offset, tol in sizes:
        head = design(exam, design_shift(n, L, offset, tol), n, positions=True)
        sequences = [tuple(np.arange(T) % n) for T in range(1, L + 1)]
        sequences += random_sequences(exam.rng, n, L, 20)
        copies(exam, head, sequences, n, shifted(offset), tol, causal)


@shift.item(3, "Every length up to max_len and every offset from 0 to 3.")
def lengths_and_offsets(exam, design_shift):
    sizes = [(3, 7, 0, 1e-3), (4, 9, 1, 1e-3), (5, 6, 2, 1e-6), (3, 8, 3, 1e-3), (4, 3, 3, 1e-3)]
    shifts(exam, design_shift, sizes, causal=False)
    head = design(exam, design_shift(4, 5), 4, positions=True)         # offset 1 by default
    copies(exam, head, random_sequences(exam.rng, 4, 5, 9), 4, shifted(1), 1e-3)


@shift.item(1.5, "It never looks ahead, so a causal mask changes nothing.", name="causal")
def ask_causal(exam, design_shift):
    shifts(exam, design_shift, [(3, 6, 1, 1e-3), (4, 7, 2, 1e-3)], causal=True)


def moved(n, L, wanted, gap):
    """A head whose row i asks for the positions in row i of `wanted` (L, L)."""
    blank = np.zeros((n, L))
    return (np.vstack([blank, np.eye(L)]), np.vstack([blank, gap * np.sqrt(L) * wanted]),
            np.eye(n + L, n), np.eye(L))


def asks(L, offset):
    return np.eye(L)[np.clip(np.arange(L) - offset, 0, L - 1)]


@shift.mistake("looks_ahead", "This copies the next token: row i asks for i - offset.")
def design_shift(n_tokens, max_len, offset=1, tol=1e-3):
    gap = reference.min_score_gap(max_len, tol)
    return moved(n_tokens, max_len, asks(max_len, -offset), gap)


@shift.mistake("transposed", "The matrix S is transposed: row i has its 1 in column i - offset.")
def design_shift(n_tokens, max_len, offset=1, tol=1e-3):
    gap = reference.min_score_gap(max_len, tol)
    return moved(n_tokens, max_len, asks(max_len, offset).T, gap)


@shift.mistake("wraps", "The first rows have nothing before them: they copy token 0.")
def design_shift(n_tokens, max_len, offset=1, tol=1e-3):
    wanted = np.roll(np.eye(max_len), -offset, axis=1)
    return moved(n_tokens, max_len, wanted, reference.min_score_gap(max_len, tol))


@shift.mistake("no_clamp", "A row of zeros in S asks for nothing and averages all: ask for 0.")
def design_shift(n_tokens, max_len, offset=1, tol=1e-3):
    wanted = np.eye(max_len, k=-offset)
    return moved(n_tokens, max_len, wanted, reference.min_score_gap(max_len, tol))


@shift.mistake("copies_itself_at_start", "The first rows copy token 0, not themselves.")
def design_shift(n_tokens, max_len, offset=1, tol=1e-3):
    rows = np.arange(max_len)
    wanted = np.eye(max_len)[np.where(rows < offset, rows, rows - offset)]
    return moved(n_tokens, max_len, wanted, reference.min_score_gap(max_len, tol))


@shift.mistake("unscaled", "The gap is meant after the division by sqrt(d_qk).")
def design_shift(n_tokens, max_len, offset=1, tol=1e-3):
    gap = reference.min_score_gap(max_len, tol) / np.sqrt(max_len)
    return moved(n_tokens, max_len, asks(max_len, offset), gap)


@shift.mistake("root_of_tokens", "Scores are divided by the root of d_qk, the number of columns of "
               "Km; here that is not the number of tokens.")
def design_shift(n_tokens, max_len, offset=1, tol=1e-3):
    gap = reference.min_score_gap(max_len, tol) * np.sqrt(n_tokens / max_len)
    return moved(n_tokens, max_len, asks(max_len, offset), gap)


shift.mistakes_of(design_shift={
    "always_one": ("The argument offset is not used.",
                   lambda n_tokens, max_len, offset=1, tol=1e-3: (
                       reference.design_shift(n_tokens, max_len, 1, tol))),
    "ignores_tol": ("The argument tol is not used: a small one needs a larger gap.",
                    lambda n_tokens, max_len, offset=1, tol=1e-3: (
                        reference.design_shift(n_tokens, max_len, offset))),
})


@shift.variant("all sharpness in the query")
def design_shift(n_tokens, max_len, offset=1, tol=1e-3):
    gap = reference.min_score_gap(max_len, tol)
    return moved(n_tokens, max_len, asks(max_len, offset), gap)


@shift.variant("positions on a circle")
def design_shift(n_tokens, max_len, offset=1, tol=1e-3):
    angle = np.pi * np.arange(max_len) / max_len
    pos = np.column_stack([np.cos(angle), np.sin(angle), asks(max_len, offset) @ np.column_stack(
        [np.cos(angle), np.sin(angle)])])                                   # (L, 4)
    far = 1 - np.cos(np.pi / max_len)                    # what a neighbour misses of the 1
    gap = 1.01 * reference.min_score_gap(max_len, tol) * np.sqrt(2) / far
    Km = np.vstack([np.zeros((n_tokens, 2)), np.eye(4, 2)])
    Qm = np.vstack([np.zeros((n_tokens, 2)), gap * np.eye(4, 2, k=-2)])
    return Km, Qm, np.eye(n_tokens + 4, n_tokens), pos
