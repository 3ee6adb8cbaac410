"""Cases of greedy_decode."""

import numbers

import torch

from viva.case import case


class Scripted:
    """A model that continues by rule(ids), and remembers what it was given."""

    def __init__(self, rule, V=12):
        self.rule, self.V, self.seen = rule, V, []

    def __call__(self, idx, targets=None):
        if not isinstance(idx, torch.Tensor) or idx.dtype != torch.int64:
            raise TypeError("the model takes an int64 tensor (1, t)")
        ids = idx[0].tolist()
        self.seen.append(ids)
        logits = torch.zeros(1, len(ids), self.V)
        logits[0, :, 9] = 1.0  # what an earlier place says
        logits[0, -1] = torch.linspace(0, -1, self.V)  # a second choice: token 0
        logits[0, -1, self.rule(ids)] = 0.5
        return logits, None


def model_of(rule):
    """The scripted model as a plain function, and the list of what it was given."""
    script = Scripted(rule)
    return lambda idx, targets=None: script(idx, targets), script.seen


@case("greedy_decode")
def four_five_stop(rng, greedy_decode):
    """a model that says 4, 5, then the stop symbol 1: [4, 5]"""
    model, _ = model_of(lambda ids: {3: 4, 4: 5}.get(ids[-1], 1))
    return greedy_decode(model, [7, 3], 10, 1, 20)


@case("greedy_decode")
def fed_back(rng, greedy_decode):
    """what the model is given, call by call"""
    model, seen = model_of(lambda ids: {3: 4, 4: 5}.get(ids[-1], 1))
    greedy_decode(model, [7, 3], 10, 1, 20)
    return seen


@case("greedy_decode")
def at_most(rng, greedy_decode):
    """a model that never stops: max_new = 3, and max_new = 0"""
    model, _ = model_of(lambda ids: (sum(ids) + len(ids)) % 7 + 2)
    return [greedy_decode(model, [2, 5, 3], limit, 1, 20) for limit in (3, 0)]


@case("greedy_decode")
def at_once(rng, greedy_decode):
    """a model that stops at once: []"""
    model, _ = model_of(lambda ids: 1)
    return greedy_decode(model, [3], 5, 1, 20)


@case("greedy_decode")
def other_stop(rng, greedy_decode):
    """the stop symbol is 6, and 1 is a token like others"""
    model, _ = model_of(lambda ids: {3: 1, 1: 8, 8: 6}.get(ids[-1], 0))
    return greedy_decode(model, [3], 9, 6, 20)


@case("greedy_decode")
def small_block(rng, greedy_decode):
    """block = 4, a prompt of three: the model sees the last four ids at most, and goes on"""
    model, seen = model_of(lambda ids: (ids[-1] + 1) % 7 + 2)
    found = [int(i) for i in greedy_decode(model, [2, 3, 4], 5, 1, 4)]
    return {"the model was given": seen[: len(found)], "new ids": found}


@case("greedy_decode")
def stop_in_the_prompt(rng, greedy_decode):
    """the prompt [7, 1, 3] holds the stop symbol 1 itself, as every question does"""
    model, _ = model_of(lambda ids: {3: 4, 4: 5}.get(ids[-1], 1))
    return greedy_decode(model, [7, 1, 3], 10, 1, 20)


@case("greedy_decode")
def plain_ids(rng, greedy_decode):
    """whether the new ids are Python integers, one by one: yes"""
    model, _ = model_of(lambda ids: {3: 4, 4: 5}.get(ids[-1], 1))
    return [isinstance(i, numbers.Integral) for i in greedy_decode(model, [7, 3], 10, 1, 20)]
