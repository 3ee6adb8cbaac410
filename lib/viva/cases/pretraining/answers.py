"""Cases of exact_match, constant_baseline, prior_guess_accuracy and greedy_decode."""

import torch

from viva.case import case, outcome
from viva.kits.pretraining.world import PLACES


def five_hundred(rng):
    """500 answers: London 25 times, 95 other places 5 times each."""
    gold = ["London"] * 25 + [place for place in PLACES[1:] for _ in range(5)]
    return [gold[i] for i in rng.permutation(500)]


# ---- exact_match, constant_baseline, prior_guess_accuracy

@case("exact_match")
def three_of_four(rng, exact_match):
    """three of four answers are right"""
    return exact_match(["Ulm", "Pisa", "Oslo", "Rome"], ["Ulm", "Pisa", "Oslo", "Lima"])


@case("exact_match")
def exchanged(rng, exact_match):
    """the right places for the wrong people: 0"""
    return exact_match(["Ulm", "Pisa", "Oslo"], ["Oslo", "Ulm", "Pisa"])


@case("exact_match")
def letter_by_letter(rng, exact_match):
    """other case, or a blank at the end: not the same"""
    gold = ["Ulm"] * 5
    return exact_match(["Ulm", "ulm", "Ulm ", "ULM", "U lm"], gold)


@case("exact_match")
def unequal(rng, exact_match):
    """three predictions for four answers, and four for three: ValueError"""
    four = ["Ulm", "Pisa", "Oslo", "Rome"]
    return [outcome(exact_match, four[:3], four), outcome(exact_match, four, four[:3])]


@case("exact_match")
def always_london(rng, constant_baseline):
    """500 answers, 25 of them London: 0.05"""
    return constant_baseline(five_hundred(rng))


@case("exact_match")
def always_oslo(rng, constant_baseline):
    """another constant: 5 of 500"""
    return constant_baseline(five_hundred(rng), const="Oslo")


@case("exact_match")
def rarely_london(rng, constant_baseline):
    """one of four answers is London, two are Ulm: 0.25, and 0.5 for Ulm"""
    gold = ["Ulm", "London", "Ulm", "Rome"]
    return [constant_baseline(gold), constant_baseline(gold, "Ulm")]


@case("exact_match")
def guessing(rng, prior_guess_accuracy):
    """25 of 500 London, 95 places 5 times each: 0.012"""
    return prior_guess_accuracy(five_hundred(rng))


@case("exact_match")
def two_places(rng, prior_guess_accuracy):
    """two places, three to one"""
    return prior_guess_accuracy(["Ulm", "Rome", "Ulm", "Ulm"])


# ---- greedy_decode

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
    """block = 4, a prompt of three: the model never sees more than the last four ids"""
    model, seen = model_of(lambda ids: (ids[-1] + 1) % 7 + 2)
    prompt = [2, 3, 4]
    found = [int(i) for i in greedy_decode(model, prompt, 5, 1, 4)]
    ids = prompt + found
    windows = [ids[max(0, 3 + i - 4) : 3 + i] for i in range(len(found))]
    return [max(map(len, seen)), all(a == b for a, b in zip(seen, windows, strict=False))]
