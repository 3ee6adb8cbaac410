"""attention_head."""
import numpy as np

from viva.cases.hand_design_transformer.head import loud_end, quiet, random_head, very_quiet
from viva_course.reference import hand_design_transformer as reference
from viva_course.rubric import Exercise

attention = Exercise(
    "attention_head", expects="each row a weighted average of the values, one row per query",
    forbidden=("torch.nn.functional.scaled_dot_product_attention", "torch.nn.MultiheadAttention",
               *(f"viva.kits.hand_design_transformer.heads.{name}"
                 for name in ("apply_head", "attend", "LearnableHead"))),
)

attention.values(4, "Output and weights must follow the formula, with and without positions.")


@attention.item(2, "Any leading batch axes, with and without positions.")
def batch_axes(exam, attention_head):
    for positions in (False, True):
        X, *matrices = random_head(exam.rng, positions)
        X = exam.rng.normal(size=(2, 3, *X.shape))
        expected = np.stack([[reference.attention_head(x, *matrices) for x in row] for row in X])
        exam.same(attention_head(X, *matrices), expected)


@attention.item(2, "With causal=True row i is full attention on the first i + 1 tokens.",
                name="causal")
def ask_causal(exam, attention_head):
    for positions in (False, True):
        X, *matrices = random_head(exam.rng, positions)
        T = len(X)
        got, weights = attention_head(X, *matrices, causal=True, return_weights=True)
        prefixes = [reference.attention_head(X[:i + 1], *matrices)[-1] for i in range(T)]
        exam.same(got, np.stack(prefixes))
        exam.same(weights, reference.attention_head(X, *matrices, True, True)[1])
        batch = exam.rng.normal(size=(3, *X.shape))
        batch[1:, :-1] = batch[0, :-1]                   # three futures of the same past
        got = attention_head(batch, *matrices, causal=True)
        exam.same(got, reference.attention_head(batch, *matrices, causal=True))
    for above in (1e3, 1e5, 1e12):                             # whatever a masked score is
        head = loud_end(exam.rng, above)
        got, weights = attention_head(*head, causal=True, return_weights=True)
        expected = reference.attention_head(*head, causal=True, return_weights=True)
        # a shift by 1e5 costs five of sixteen digits
        exam.same((got, weights), expected, rtol=1e-8, atol=1e-9)
    for head in (quiet(exam.rng), very_quiet(exam.rng)):  # however small the visible ones are
        exam.same(attention_head(*head, causal=True), reference.attention_head(*head, causal=True),
                  rtol=1e-7, atol=1e-8)


@attention.item(1, "Without positions, permuted tokens give permuted outputs.")
def permutation(exam, attention_head):
    X, *matrices = random_head(exam.rng, False)
    X = exam.rng.normal(size=(7, X.shape[1]))
    order = np.roll(exam.rng.permutation(7), 1)
    out = attention_head(X, *matrices)
    exam.same(attention_head(X[order], *matrices), out[order])
    exam.true(not np.array_equal(out, X), "the tokens come back as they are")
    spread = np.abs(out - out.mean(0)).max()
    exam.true(spread > 1e-6, "every token gets the same output")


@attention.item(1, "Scores are divided by the square root of d_qk.")
def score_scale(exam, attention_head):
    X, Km, Qm, Vm, _ = random_head(exam.rng, False)
    d_qk = Km.shape[1]
    for extra in (1, 7):                     # columns of zeros change the scale and nothing else
        wide = [np.hstack([M, np.zeros((len(M), extra))]) for M in (Km, Qm)]
        scaled = Qm * np.sqrt(d_qk / (d_qk + extra))
        exam.same(attention_head(X, *wide, Vm), reference.attention_head(X, Km, scaled, Vm))


@attention.item(1, "Scores of 100,000 must give finite outputs.")
def large_scores(exam, attention_head):
    X, Km, Qm, Vm, _ = random_head(exam.rng, False)
    for size in (1e5, -1e5):
        matrices = Km, size * Qm, Vm
        # rounding of a score of 1e6 is 1e-10: seen where two scores nearly tie
        exam.same(attention_head(X, *matrices), reference.attention_head(X, *matrices),
                  rtol=1e-7, atol=1e-7)


@attention.item(.5, "A sequence longer than the positional table is an error.")
def table_too_short(exam, attention_head):
    X, Km, Qm, Vm, pos = random_head(exam.rng, True)
    out = attention_head(X, Km, Qm, Vm, pos[:len(X)])        # just long enough
    exam.true(out.shape == (len(X), Vm.shape[1]), "a table of T rows is long enough")
    other = attention_head(X, Km, Qm, Vm, 1 - pos[:len(X)])
    exam.true(np.abs(out - other).max() > 1e-6, "another table gives the same output")
    exam.raises(ValueError, attention_head, X, Km, Qm, Vm, pos[:len(X) - 1])


attention.unmodified(.5, "The function must not write into its arguments.")


def joined(X, pos):
    """Z = [X, pos[:T]] for any leading axes of X."""
    return np.concatenate([X, np.broadcast_to(pos, (*X.shape[:-1], pos.shape[1]))], axis=-1)


def first_rows(X, pos):
    if len(pos) < X.shape[-2]:
        raise ValueError("the table is too short")
    return joined(X, pos[:X.shape[-2]])


def masked(scores, see):
    return reference.stable_softmax(np.where(see, scores, -np.inf))


def shares(weights):
    with np.errstate(all="ignore"):
        return weights / weights.sum(axis=-1, keepdims=True)


def kept(weights):
    return weights / np.maximum(weights.sum(axis=-1, keepdims=True), 1e-300)


def mistaken(slug, hint, scale=lambda X, Km, Vm: Km.shape[1] ** .5, soft=reference.stable_softmax,
             join=first_rows, mask=masked, scores=lambda Q, K: Q @ K.swapaxes(-1, -2)):
    """Catalogue a head that is right but for the parts given."""
    def attention_head(X, Km, Qm, Vm, pos=None, causal=False, return_weights=False):
        Z = X if pos is None else join(X, pos)
        s = scores(Z @ Qm, Z @ Km) / scale(X, Km, Vm)
        weights = mask(s, np.tri(X.shape[-2], dtype=bool)) if causal else soft(s)
        out = weights @ (Z @ Vm)
        return (out, weights) if return_weights else out

    attention.mistake(slug, hint)(attention_head)


SCALE = "Scores are divided by the square root of d_qk, the width of queries and keys"
mistaken("scale_d", f"{SCALE}, not by d_qk itself.", scale=lambda X, Km, Vm: Km.shape[1])
mistaken("scale_din", f"{SCALE}, not of the input.", scale=lambda X, Km, Vm: len(Km) ** .5)
mistaken("scale_token", f"{SCALE}, not of the token.", scale=lambda X, Km, Vm: X.shape[-1] ** .5)
mistaken("scale_dv", f"{SCALE}, not of the values.", scale=lambda X, Km, Vm: Vm.shape[1] ** .5)
mistaken("scale_T", f"{SCALE}, not by the number of tokens.",
         scale=lambda X, Km, Vm: X.shape[-2] ** .5)
mistaken("no_scale", f"{SCALE}; here nothing divides them.", scale=lambda X, Km, Vm: 1)
mistaken("softmax_over_queries", "Each query spreads one unit of weight over the keys: "
         "normalise along the last axis.", soft=lambda s: reference.stable_softmax(s, -2),
         mask=lambda s, see: reference.stable_softmax(np.where(see, s, -np.inf), -2))
mistaken("KQ_transposed", "Rows belong to queries: the scores are Q K^T.",
         scores=lambda Q, K: K @ Q.swapaxes(-1, -2))
mistaken("pos_added", "The positional code is concatenated to the token, not added.",
         join=lambda X, pos: X + pos[:X.shape[-2]])
mistaken("pos_in_front", "The token comes first, then its positional code: Z = [X, pos].",
         join=lambda X, pos: np.roll(first_rows(X, pos), pos.shape[1], axis=-1))
mistaken("pos_last_rows", "Position i is row i of the table, counted from the top.",
         join=lambda X, pos: first_rows(X, pos[-X.shape[-2]:]))
mistaken("pos_wraps", "A sequence longer than the table must raise ValueError.",
         join=lambda X, pos: joined(X, pos[np.arange(X.shape[-2]) % len(pos)]))
mistaken("pos_unbatched", "The table has no batch axes: repeat it over those of X.",
         join=lambda X, pos: np.concatenate([X, pos[:X.shape[-2]]], axis=-1))
mistaken("mask_strict", "Row i may see itself: the mask keeps the columns j <= i.",
         mask=lambda s, see: masked(s, np.tri(len(see), k=-1, dtype=bool)))
mistaken("mask_upper", "The mask is upside down: row i sees the columns j <= i.",
         mask=lambda s, see: masked(s, see.T))
mistaken("mask_zero", "A masked score must be -inf; a score of 0 still gets weight.",
         mask=lambda s, see: reference.stable_softmax(np.where(see, s, 0)))
mistaken("mask_after_softmax", "Mask the scores before softmax, or the rows do not sum to one.",
         mask=lambda s, see: np.where(see, reference.stable_softmax(s), 0))
# Both are 0 / 0 in the same rows: one sentence must be true of both.
LATE_MASK = ("The mask comes too late: where the future outscores the past by far, all visible "
             "weights are 0. Mask the scores first, then take their maximum, then exponentiate.")
mistaken("mask_renormalised", LATE_MASK,
         mask=lambda s, see: shares(np.where(see, reference.stable_softmax(s), 0)))
mistaken("max_of_the_future", LATE_MASK,
         mask=lambda s, see: shares(np.where(see, np.exp(s - s.max(-1, keepdims=True)), 0)))
mistaken("mask_too_weak", "A masked score must be -inf: subtracting some thousands is not enough "
         "where the future scores 100,000 more.",
         mask=lambda s, see: reference.stable_softmax(s - 1e4 * ~see))
mistaken("mask_of_a_thousand", "A masked score must be -inf: subtracting a thousand is not enough "
         "where the future scores 1,000 more.",
         mask=lambda s, see: reference.stable_softmax(s - 1e3 * ~see))
mistaken("mask_finite", "A masked score must be -inf: -10,000 is more than the visible scores "
         "where those are near -100,000, and then the future gets all the weight.",
         mask=lambda s, see: reference.stable_softmax(np.where(see, s, -1e4)))
mistaken("mask_of_a_billion", "A masked score must be -inf: -1e9 is more than visible scores of "
         "-2e12, and then the future gets all the weight.",
         mask=lambda s, see: reference.stable_softmax(np.where(see, s, -1e9)))
mistaken("mask_minus_a_billion", "A masked score must be -inf: subtracting 1e9 is not enough where "
         "the future scores 1e12 more.",
         mask=lambda s, see: reference.stable_softmax(s - 1e9 * ~see))
mistaken("mask_renormalised_guarded", LATE_MASK,
         mask=lambda s, see: kept(np.where(see, reference.stable_softmax(s), 0)))
mistaken("mask_missing", "The argument causal is not used.",
         mask=lambda s, see: reference.stable_softmax(s))
mistaken("always_causal", "Without causal=True every row sees every column.",
         soft=lambda s: masked(s, np.tri(s.shape[-1], dtype=bool)))
mistaken("not_batched", ".T reverses all axes of a batch: swap the last two.",
         scores=lambda Q, K: Q @ K.T)


def naive_softmax(scores):
    with np.errstate(all="ignore"):
        return shares(np.exp(scores))


mistaken("naive_softmax", "exp overflows for large scores: use your stable softmax.",
         soft=naive_softmax,
         mask=lambda s, see: naive_softmax(np.where(see, s, -np.inf)))


@attention.mistake("full_table_refused", "A table of exactly T rows is long enough: refuse only a "
                   "shorter one.")
def attention_head(X, Km, Qm, Vm, pos=None, causal=False, return_weights=False):
    if pos is not None and len(pos) <= X.shape[-2]:
        raise ValueError("the table is too short")
    return reference.attention_head(X, Km, Qm, Vm, pos, causal, return_weights)


@attention.mistake("weights_transposed", "The weights have a row for each query.")
def attention_head(X, Km, Qm, Vm, pos=None, causal=False, return_weights=False):
    out, weights = reference.attention_head(X, Km, Qm, Vm, pos, causal, return_weights=True)
    return (out, weights.swapaxes(-1, -2)) if return_weights else out


@attention.mistake("scores_returned", "return_weights asks for the weights, not for the scores.")
def attention_head(X, Km, Qm, Vm, pos=None, causal=False, return_weights=False):
    out = reference.attention_head(X, Km, Qm, Vm, pos, causal)
    Z = X if pos is None else first_rows(X, pos)
    scores = (Z @ Qm) @ (Z @ Km).swapaxes(-1, -2) / np.sqrt(Km.shape[1])
    return (out, scores) if return_weights else out


@attention.mistake("in_place", "Km is divided in the caller's own array; divide the scores.")
def attention_head(X, Km, Qm, Vm, pos=None, causal=False, return_weights=False):
    answer = reference.attention_head(X, Km, Qm, Vm, pos, causal, return_weights)
    Km /= np.sqrt(Km.shape[1])
    return answer


@attention.variant("einsum, queries scaled first")
def attention_head(X, Km, Qm, Vm, pos=None, causal=False, return_weights=False):
    X = np.asarray(X, dtype=float)
    T = X.shape[-2]
    if pos is not None:
        if T > pos.shape[0]:
            raise ValueError("sequence longer than the table")
        X = np.concatenate([X, np.zeros((*X.shape[:-1], pos.shape[1])) + pos[:T]], axis=-1)
    Q, K = (np.einsum("...td,dk->...tk", X, M) for M in (Qm / Qm.shape[1] ** .5, Km))
    scores = np.einsum("...ik,...jk->...ij", Q, K)
    if causal:
        scores = scores + np.triu(np.full((T, T), -1e300), 1)
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    out = np.einsum("...ij,...jv->...iv", weights, X @ Vm)
    return (out, weights) if return_weights else out


@attention.variant("a loop over sequences and queries")
def attention_head(X, Km, Qm, Vm, pos=None, causal=False, return_weights=False):
    if X.ndim > 2:
        both = [attention_head(x, Km, Qm, Vm, pos, causal, True) for x in X]
        out, weights = (np.stack(part) for part in zip(*both))
    else:
        Z = X if pos is None else np.hstack([X, pos[:len(X)]])       # hstack raises ValueError
        weights = np.zeros((len(X), len(X)))
        for i, query in enumerate(Z @ Qm):
            end = i + 1 if causal else len(X)
            scores = (Z[:end] @ Km) @ query / np.sqrt(len(query))
            weights[i, :end] = np.exp(scores - scores.max())
            weights[i] /= weights[i].sum()
        out = weights @ (Z @ Vm)
    return (out, weights) if return_weights else out
