"""Cases of exact_match, constant_baseline and prior_guess_accuracy."""

from viva.case import case, outcome
from viva.kits.pretraining.world import PLACES


def five_hundred(rng):
    """500 answers: London 25 times, 95 other places 5 times each."""
    gold = ["London"] * 25 + [place for place in PLACES[1:] for _ in range(5)]
    return [gold[i] for i in rng.permutation(500)]


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
