"""Exam of `multi_head_attention`: a layer of several heads with matrices of their own."""

import torch
from torch.nn import functional as F

from viva.cases.attention_exploration.layers import draw, gradients_of, layer, rotations
from viva_course.reference import attention_exploration as reference
from viva_course.rubric import Exercise, then

several = Exercise(
    "multi_head_attention",
    expects="(out (B, T, D), weights (B, heads, T, T)): every head attends with its own block of "
            "columns, W_O joins them",
)

several.values(3, "Every head has its own columns of W_Q, W_K and W_V; W_O joins the heads.",
               only=("two_tokens", "one_head", "three_heads", "square_matrices"), name="heads")
several.values(1, "Token t reads tokens up to t, itself included; nothing overflows.",
               only=("no_looking_ahead", "large_scores", "the_future_scores_higher"), name="causal")
several.values(1.5, "turns[t] multiplies query and key of position t, and nothing else.",
               only=("turned",), name="turns")
several.values(0.5, "float32 tensors give float32 tensors.", only=("float32_tensors",),
               name="single precision")


@several.item(1, "The layer is the sum of its heads, each through its own rows of W_O.")
def sum_of_heads(exam, multi_head_attention):
    heads, d, e = 3, 4, 2
    x, (W_Q, W_K, W_V, W_O, _) = draw(exam.rng, 2, 6, 5), layer(exam.rng, 5, heads, d, e)
    turns = rotations(exam.rng, 6, d)
    singles = [reference.multi_head_attention(
        x, W_Q[:, h * d : (h + 1) * d], W_K[:, h * d : (h + 1) * d], W_V[:, h * e : (h + 1) * e],
        W_O[h * e : (h + 1) * e], 1, turns) for h in range(heads)]
    out, weights = multi_head_attention(x, W_Q, W_K, W_V, W_O, heads, turns)
    exam.same(out, sum(each for each, _ in singles))
    exam.same(weights, torch.cat([each for _, each in singles], dim=1))


@several.item(1, "Gradients reach x and all four matrices.")
def gradients(exam, multi_head_attention):
    for B, T, D, heads in ((1, 5, 4, 2), (3, 4, 6, 3)):
        x, (*matrices, _) = draw(exam.rng, B, T, D), layer(exam.rng, D, heads, 2, 3)
        g = draw(exam.rng, B, T, D)
        expected = gradients_of(reference.multi_head_attention, x, matrices, heads, g)
        exam.same(gradients_of(multi_head_attention, x, matrices, heads, g), expected)


@several.item(0.5, "Columns that cannot be divided among the heads raise ValueError.")
def not_divisible(exam, multi_head_attention):
    x, given = draw(exam.rng, 2, 3, 4), layer(exam.rng, 4, 2, 3, 3)
    expected = reference.multi_head_attention(x, *given)
    exam.same(multi_head_attention(x, *given), expected)  # one that always raises earns nothing
    exam.raises(ValueError, multi_head_attention, x, *given[:4], 5)
    wide = draw(exam.rng, 4, 8), draw(exam.rng, 4, 8)
    exam.raises(ValueError, multi_head_attention, x, *wide, *given[2:4], 4)


several.unmodified(0.5, "x, the matrices and turns must stay as they were.")


def _split(y, heads):
    return y.unflatten(-1, (heads, -1)).transpose(1, 2)  # (B, heads, T, d)


def _merge(y):
    return y.transpose(1, 2).flatten(2)  # (B, T, heads e)


def _turn(y, turns):
    return y if turns is None else torch.einsum("bhtd,tde->bhte", y, turns)


def _hide(scores):
    future = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    return scores.masked_fill(future, -torch.inf)


def _layer(split=_split, merge=_merge, turn=lambda q, k, v, R: (_turn(q, R), _turn(k, R), v),
           scale=lambda q, width: q.shape[-1] ** 0.5,
           weigh=lambda scores: _hide(scores).softmax(dim=-1)):
    """The layer with one of its parts exchanged."""
    def multi_head_attention(x, W_Q, W_K, W_V, W_O, heads, turns=None):
        if W_Q.shape[1] % heads or W_V.shape[1] % heads:
            raise ValueError
        q, k, v = turn(*(split(x @ W, heads) for W in (W_Q, W_K, W_V)), turns)
        weights = weigh(q @ k.mT / scale(q, W_Q.shape[1]))
        return merge(weights @ v) @ W_O, weights

    return multi_head_attention


def _once_masked(scores):
    weights = scores.softmax(dim=-1)
    return weights.tril()


def _strictly(scores):
    future = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(0)
    return scores.masked_fill(future, -torch.inf).softmax(dim=-1).nan_to_num()


def _lowered(scores):
    return (scores - 1e4 * torch.ones(scores.shape[-2:]).triu(1)).softmax(dim=-1)


LOWERED = "A finite score can still win where those of the past are lower: use -infinity."

several.mistakes_of(multi_head_attention={
    "mask_1e4": (LOWERED, _layer(weigh=lambda scores: torch.where(
        _hide(scores).isinf(), -1e4, scores).softmax(dim=-1))),
    "penalty_1e4": (LOWERED, _layer(weigh=_lowered)),
    "scale_of_all_heads": ("Divide by the root of d, the width of one head, not of all together.",
                           _layer(scale=lambda q, width: width**0.5)),
    "no_scale": ("The scores are divided by the root of d, the width of one head.",
                 _layer(scale=lambda q, width: 1.0)),
    "scale_by_d": ("The scores are divided by the root of d, not by d.",
                   _layer(scale=lambda q, width: q.shape[-1])),
    "sees_the_future": ("Every token reads all tokens; those after it must have weight 0.",
                        _layer(weigh=lambda scores: scores.softmax(dim=-1))),
    "only_the_future": ("The mask is turned round: a token reads those after it.",
                        _layer(weigh=lambda scores: _hide(scores.mT).mT.softmax(dim=-1))),
    "not_itself": ("A token reads itself, too: the mask also hides the diagonal.",
                   _layer(weigh=_strictly)),
    "masked_after": ("Masked after the softmax, the weights no longer sum to one: mask the "
                     "scores.", _layer(weigh=_once_masked)),
    "masked_by_zero": ("A masked score of 0 still has weight, exp(0) is 1: use -infinity.",
                       _layer(weigh=lambda scores: scores.tril().softmax(dim=-1))),
    "softmax_over_queries": ("The softmax runs over the tokens that are read, the last axis.",
                             _layer(weigh=lambda scores: _hide(scores).softmax(dim=-2))),
    "overflow": ("exp of a large score overflows: shift each row by its maximum, or use softmax.",
                 _layer(weigh=lambda scores: (
                     _hide(scores).exp() / _hide(scores).exp().sum(dim=-1, keepdim=True)))),
    "interleaved_heads": ("Head h owns neighbouring columns, a block; this deals them out in turn.",
                          _layer(split=lambda y, heads: (
                              y.unflatten(-1, (-1, heads)).permute(0, 3, 1, 2)))),
    "reshaped": ("A reshape from (B, T, heads d) to (B, heads, T, d) mixes tokens and heads: split "
                 "the last axis, then exchange two axes.",
                 _layer(split=lambda y, heads: y.reshape(len(y), heads, y.shape[1], -1))),
    "not_put_back": ("The axes of heads and tokens must be exchanged back before the heads are "
                     "joined.", _layer(merge=lambda y: y.reshape(len(y), y.shape[2], -1))),
    "joined_in_turn": ("The heads are joined block by block; this deals their coordinates out in "
                       "turn.", _layer(merge=lambda y: y.permute(0, 2, 3, 1).flatten(2))),
    "shared_keys": ("Every head has keys of its own; here all use those of the first head.",
                    _layer(turn=lambda q, k, v, R: (
                        _turn(q, R), _turn(k[:, :1].expand_as(k), R), v))),
    "turns_values": ("turns is for queries and keys; the values stay as they are.",
                     _layer(turn=lambda q, k, v, R: (_turn(q, R), _turn(k, R), _turn(v, R)))),
    "turns_only_queries": ("Keys are turned as well as queries.",
                           _layer(turn=lambda q, k, v, R: (_turn(q, R), k, v))),
    "turns_transposed": ("Each row is multiplied by turns[t] from the right; this turns it the "
                         "other way.", _layer(turn=lambda q, k, v, R: (
                             q, k, v) if R is None else (_turn(q, R.mT), _turn(k, R.mT), v))),
    "turns_ignored": ("turns has no effect.", _layer(turn=lambda q, k, v, R: (q, k, v))),
    "mean_of_weights": ("The weights of every head are asked for, not their mean.",
                        then(_layer(), lambda out, weights: (out, weights.mean(dim=1)))),
    "only_out": ("The weights are asked for as well.", then(_layer(), lambda out, weights: out)),
    "no_gradient": ("The result is cut out of the graph: nothing can be trained.",
                    then(_layer(), lambda out, weights: (out.detach(), weights.detach()))),
    "double": ("Keep the dtype: float32 in, float32 out.",
               then(_layer(), lambda out, weights: (out.double(), weights.double()))),
})


@several.mistake("no_W_O", "The heads are joined, and not yet multiplied by W_O.")
def multi_head_attention(x, W_Q, W_K, W_V, W_O, heads, turns=None):
    blank = torch.eye(len(W_O), dtype=W_O.dtype)
    return reference.multi_head_attention(x, W_Q, W_K, W_V, blank, heads, turns)


@several.mistake("W_O_per_head", "W_O is one matrix for the joined heads; here every head goes "
                 "through its first rows.")
def multi_head_attention(x, W_Q, W_K, W_V, W_O, heads, turns=None):
    first = W_O[: len(W_O) // heads].repeat(heads, 1)
    return reference.multi_head_attention(x, W_Q, W_K, W_V, first, heads, turns)


@several.mistake("rest_is_dropped", "Columns that do not fit into the heads are dropped silently: "
                 "raise ValueError.")
def multi_head_attention(x, W_Q, W_K, W_V, W_O, heads, turns=None):
    d, e = W_Q.shape[1] // heads * heads, W_V.shape[1] // heads * heads
    return reference.multi_head_attention(
        x, W_Q[:, :d], W_K[:, :d], W_V[:, :e], W_O[:e], heads, turns)


@several.mistake("values_not_refused", "The columns of W_V must be divisible by the number of "
                 "heads, too.")
def multi_head_attention(x, W_Q, W_K, W_V, W_O, heads, turns=None):
    e = W_V.shape[1]
    if W_Q.shape[1] % heads == 0:
        e = e // heads * heads
    return reference.multi_head_attention(x, W_Q, W_K, W_V[:, :e], W_O[:e], heads, turns)


@several.mistake("in_place", "W_Q belongs to the caller: scale the queries, not the matrix.")
def multi_head_attention(x, W_Q, W_K, W_V, W_O, heads, turns=None):
    found = reference.multi_head_attention(x, W_Q, W_K, W_V, W_O, heads, turns)
    if not W_Q.requires_grad:
        W_Q /= 2
    return found


@several.variant("one head after the other")
def multi_head_attention(x, W_Q, W_K, W_V, W_O, heads, turns=None):
    width, size = W_Q.shape[1], W_V.shape[1]
    if width % heads != 0 or size % heads != 0:
        raise ValueError("heads")
    d, e, T = width // heads, size // heads, x.shape[1]
    outs, maps = [], []
    for h in range(heads):
        q, k = (x @ W[:, h * d : (h + 1) * d] for W in (W_Q, W_K))
        if turns is not None:
            q, k = (torch.stack([each[:, t] @ turns[t] for t in range(T)], dim=1)
                    for each in (q, k))
        scores = torch.einsum("btd,bsd->bts", q, k) / d**0.5
        scores = scores + torch.full((T, T), -torch.inf, dtype=x.dtype).triu(1)
        maps.append(torch.softmax(scores, dim=-1))
        outs.append(maps[-1] @ x @ W_V[:, h * e : (h + 1) * e])
    return torch.cat(outs, dim=-1) @ W_O, torch.stack(maps, dim=1)


@several.variant("torch's attention")
def multi_head_attention(x, W_Q, W_K, W_V, W_O, heads, turns=None):
    if W_Q.shape[1] % heads or W_V.shape[1] % heads:
        raise ValueError("heads")
    q, k, v = (_split(x @ W, heads) for W in (W_Q, W_K, W_V))
    q, k = _turn(q, turns), _turn(k, turns)
    out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    return _merge(out) @ W_O, _hide(q @ k.mT / q.shape[-1] ** 0.5).softmax(dim=-1)
