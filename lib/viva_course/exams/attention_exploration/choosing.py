"""Exam of `hard_attention` and `soft_attention`: what gradients a choice lets through."""

import torch
from torch.nn import functional as F

from viva.cases.attention_exploration.choosing import gradients, tensors
from viva_course.reference import attention_exploration as reference
from viva_course.rubric import Exercise

choice = Exercise(
    "hard_attention",
    expects={
        "hard_attention": "the value (e,) whose key has the largest dot product with q; "
                          "the first one if several are largest",
        "soft_attention": "the values averaged with the weights softmax(K q / temp), (e,)",
    },
    survivors={
        "soft_attention: weights = torch.softmax(K @ q / temp, dim=0) -> "
        "weights = torch.softmax(K @ q / temp, dim=-1)": "there is only one axis",
    },
)

choice.values(1.5, "The value of the key that scores highest must be returned.", name="hard values",
              only=("four_keys", "as_many_values_as_features", "long_and_short_keys",
                    "rescaled_query"))
choice.values(0.5, "Of several best keys the first counts.", only=("ties",), name="ties")
choice.values(1.5, "The values must be averaged with softmax(K q / temp).", name="soft values",
              only=("four_keys_blended", "temperatures"))
choice.values(1, "A temperature near 0 chooses, a huge one averages; nothing overflows.",
              only=("cold_and_hot",), name="limits")
choice.values(0.5, "float32 tensors give a float32 tensor.", only=("single_precision",),
              name="single precision")


@choice.item(1, "The gradient of the hard output is exactly zero for q and K, and goes to one "
             "row of V.")
def no_gradient_for_q_and_K(exam, hard_attention, soft_attention):
    for n, d, m in ((5, 3, 2), (8, 4, 3)):
        q, K, V = tensors(exam.rng, n, d, m)
        g = torch.tensor(exam.rng.normal(size=m))
        exam.same(gradients(hard_attention, q, K, V, g),
                  gradients(reference.hard_attention, q, K, V, g))


@choice.item(1, "Gradients of the soft output reach q, K and V.")
def gradients_of_the_blend(exam, hard_attention, soft_attention):
    for temp in (0.6, 3.0):
        q, K, V = tensors(exam.rng, 6, 4, 2)
        g = torch.tensor(exam.rng.normal(size=2))
        exam.same(gradients(soft_attention, q, K, V, g, temp),
                  gradients(reference.soft_attention, q, K, V, g, temp))


@choice.item(0.5, "A small change of q and K does not change the hard output.")
def nothing_moves(exam, hard_attention, soft_attention):
    for _ in range(5):
        q, K, V = tensors(exam.rng, 6, 3, 2)
        scores = torch.sort(K @ q).values
        small = 1e-4 * float(scores[-1] - scores[-2])
        near, moved = (x + small * torch.tensor(exam.rng.normal(size=x.shape)) for x in (q, K))
        expected = reference.hard_attention(q, K, V)
        exam.same(hard_attention(near, moved, V), expected)


choice.unmodified(0.5, "q, K and V must stay as they were.")


def _choose(scores, V):
    return V[torch.argmax(scores)]


choice.mistakes_of(hard_attention={
    "argmin": ("This chooses the key with the smallest dot product.",
               lambda q, K, V: _choose(-(K @ q), V)),
    "argmax_of_values": ("Scores are dot products of q with the keys, not the values.",
                         lambda q, K, V: _choose(V @ q, V)),
    "detached": ("The chosen value must stay in the graph: its gradient is one.",
                 lambda q, K, V: reference.hard_attention(q, K, V).detach().clone()),
    "cosine": ("The dot product counts, long keys included: do not normalise.",
               lambda q, K, V: _choose(K @ q / K.norm(dim=-1), V)),
    "distance": ("The largest dot product is asked for, not the nearest key.",
                 lambda q, K, V: _choose(-(K - q).norm(dim=-1), V)),
    "absolute": ("A large negative score is a bad match: do not take absolute values.",
                 lambda q, K, V: _choose((K @ q).abs(), V)),
    "returns_key": ("This is the key that won; its value is asked for.",
                    lambda q, K, V: _choose(K @ q, K)),
    "returns_index": ("This is the number of the key; its value is asked for.",
                      lambda q, K, V: torch.argmax(K @ q)),
})
choice.mistakes_of(soft_attention={
    "temp_multiplies": ("A high temperature must flatten the weights: divide by it.",
                        lambda q, K, V, temp=1.0: reference.soft_attention(q, K, V, 1 / temp)),
    "softmax_dim_values": (
        "The weights already sum to one: no further division by n.",
        lambda q, K, V, temp=1.0: reference.soft_attention(q, K, V, temp) / len(K)),
    "temp_ignored": ("temp has no effect.",
                     lambda q, K, V, temp=1.0: reference.soft_attention(q, K, V)),
    "temp_on_weights": ("The temperature divides the scores, before the softmax.",
                        lambda q, K, V, temp=1.0: torch.softmax(K @ q, dim=-1) / temp @ V),
    "sqrt_d_too": (
        "The temperature is the only divisor here; sqrt(d) comes later.",
        lambda q, K, V, temp=1.0: reference.soft_attention(q, K, V, temp * len(q) ** 0.5)),
    "detached_weights": (
        "The weights are cut out of the graph: q and K get nothing.",
        lambda q, K, V, temp=1.0: torch.softmax(K @ q / temp, dim=-1).detach() @ V),
    "double": ("Keep the dtype: float32 in, float32 out.",
               lambda q, K, V, temp=1.0: (
                   reference.soft_attention(q.double(), K.double(), V.double(), temp))),
    "blends_keys": ("The average is of the values, not of the keys.",
                    lambda q, K, V, temp=1.0: reference.soft_attention(q, K, K, temp)),
})


@choice.mistake("last_tie", "Where several keys are best, the first one counts.")
def hard_attention(q, K, V):
    scores = K @ q
    return V[torch.nonzero(scores == scores.max())[-1, 0]]


@choice.mistake("mean_of_ties", "Where several keys are best, one value is returned, the first; "
                "not their mean.")
def hard_attention(q, K, V):
    scores = K @ q
    return V[scores == scores.max()].mean(dim=0)


@choice.mistake("straight_through", "A straight-through trick lets gradients pass where the choice "
                "has none; return the chosen row itself.")
def hard_attention(q, K, V):
    blend = torch.softmax(K @ q, dim=-1) @ V
    return blend + (reference.hard_attention(q, K, V) - blend).detach()


@choice.mistake("straight_through_weights", "A straight-through trick lets gradients pass where "
                "the choice has none; return the chosen row itself.")
def hard_attention(q, K, V):
    soft = torch.softmax(K @ q, dim=-1)
    hard = F.one_hot(torch.argmax(soft), len(K)).to(V.dtype)
    return (hard + soft - soft.detach()) @ V


@choice.mistake("zeroed_scores", "K or q is changed in place; the caller still needs it.")
def hard_attention(q, K, V):
    out = reference.hard_attention(q, K, V)
    if not K.requires_grad:
        K *= q
    return out


@choice.mistake("overflow", "exp of a large score overflows: shift the scores by their maximum.")
def soft_attention(q, K, V, temp=1.0):
    weights = torch.exp(K @ q / temp)
    return weights / weights.sum() @ V


@choice.mistake("clipped", "Clipping the scores makes the large ones equal: subtract the largest "
                "from all of them instead.")
def soft_attention(q, K, V, temp=1.0):
    weights = torch.exp((K @ q / temp).clamp(max=80))
    return weights / weights.sum() @ V


@choice.mistake("linear_weights", "Weights are proportional to exp(score / temp), not to scores.")
def soft_attention(q, K, V, temp=1.0):
    scores = K @ q / temp
    return scores / scores.sum() @ V


@choice.variant("one-hot weights")
def hard_attention(q, K, V):
    return F.one_hot(torch.argmax(K @ q), len(K)).to(V.dtype) @ V


@choice.variant("loop")
def hard_attention(q, K, V):
    best = 0
    for i in range(1, len(K)):
        if torch.dot(K[i], q) > torch.dot(K[best], q):
            best = i
    return V[best]


@choice.variant("by hand")
def soft_attention(q, K, V, temp=1.0):
    scores = torch.einsum("nd,d->n", K, q) / temp
    weights = (scores - scores.max()).exp()
    return torch.einsum("n,nm->m", weights, V) / weights.sum()
