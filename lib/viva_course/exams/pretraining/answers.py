"""Exam of exact_match, constant_baseline and prior_guess_accuracy."""

import collections

import numpy as np
import torch

from viva.cases.pretraining.answers import five_hundred
from viva.kits.pretraining.world import PLACES
from viva_course.reference import pretraining as reference
from viva_course.rubric import Exercise, unmodified

judge = Exercise(
    "exact_match",
    expects={
        "exact_match": "the share of predictions that equal the answer, letter by letter",
        "constant_baseline": "the share of answers that equal the constant",
        "prior_guess_accuracy": "the chance that two independent draws of an answer agree",
    },
    survivors={
        "exact_match: return sum((p == g for p, g in zip(predictions, gold))) / len(gold) -> "
        "return sum((p == g for p, g in zip(gold, predictions))) / len(gold)":
            "equality has no order",
    },
)

judge.values(1.5, "The share of equal pairs, letter by letter.",
             only=("three_of_four", "exchanged", "letter_by_letter"), name="exact match")
judge.values(1, "Unequal numbers of predictions and answers raise ValueError.",
             only=("three_of_four", "unequal"), name="unequal lengths")
judge.values(1, "The share of the constant among the answers.",
             only=("always_london", "always_oslo", "rarely_london"), name="baseline")
judge.values(2, "The chance of a guess drawn from the answers' own frequencies.",
             only=("guessing", "two_places"), name="prior")


@judge.item(2, "Any answers, any constant, any number of them.")
def other_data(exam, exact_match, constant_baseline, prior_guess_accuracy):
    gold = five_hundred(exam.rng)
    for n in (1, 7, 200):
        some = [PLACES[i] for i in exam.rng.integers(0, 6, n)]
        guess = [PLACES[i] for i in exam.rng.integers(0, 6, n)]
        exam.same(exact_match(guess, some), sum(a == b for a, b in zip(guess, some)) / n)
        exam.same(constant_baseline(some, PLACES[3]), some.count(PLACES[3]) / n)
        exam.same(prior_guess_accuracy(some),
                  sum(some.count(each) ** 2 for each in set(some)) / n**2)
    exam.same(constant_baseline(gold), 0.05)
    exam.same(constant_baseline(gold, const="Atlantis"), 0.0)
    exam.raises(ValueError, exact_match, gold[:-1], gold)


@judge.item(0.5, "The lists must stay as they were.")
def arguments_unchanged(exam, *candidates):
    unmodified(exam, *candidates)
    given = {case.name: answer.value for case, answer in exam.sitting(candidates)}
    exam.true(not np.array_equal(given["three_of_four"], given["exchanged"]),
              "no case is right yet")  # three quarters and 0: a constant has one of them right


@judge.mistake("case_insensitive", "An answer in another case, or with blanks around it, is not "
               "the same answer.")
def exact_match(predictions, gold):
    return reference.exact_match([p.strip().lower() for p in predictions],
                                 [g.strip().lower() for g in gold])


judge.mistakes_of(exact_match={
    "ignores_case": (
        "An answer in another case is not the same answer.",
        lambda predictions, gold: reference.exact_match([p.lower() for p in predictions],
                                                        [g.lower() for g in gold])),
    "strips": (
        "The prediction must equal the answer to the letter: blanks or words around it make "
        "another answer.",
        lambda predictions, gold: reference.exact_match([p.strip() for p in predictions], gold)),
    "zip_short": (
        "zip ends with the shorter list: missing predictions go unnoticed.",
        lambda predictions, gold: sum(p == g for p, g in zip(predictions, gold)) / len(gold)),
    "counts": ("A share is asked for, not a number of answers.",
               lambda predictions, gold: reference.exact_match(predictions, gold) * len(gold)),
    "percent": ("A share between 0 and 1 is asked for, not a percentage.",
                lambda predictions, gold: 100 * reference.exact_match(predictions, gold)),
})
judge.mistakes_of(constant_baseline={
    "baseline_counts": ("A share is asked for, not a number of answers.",
                        lambda gold, const="London": gold.count(const)),
    "baseline_percent": ("A share between 0 and 1 is asked for, not a percentage.",
                         lambda gold, const="London": 100 * gold.count(const) / len(gold)),
    "london_hardcoded": ("The constant is an argument; here it is always London.",
                         lambda gold, const="London": gold.count("London") / len(gold)),
    "most_frequent": (
        "The constant is given; this takes the most frequent answer.",
        lambda gold, const="London": max(collections.Counter(gold).values()) / len(gold)),
})
judge.mistakes_of(prior_guess_accuracy={
    "prior_percent": ("A share between 0 and 1 is asked for, not a percentage.",
                      lambda gold: 100 * reference.prior_guess_accuracy(gold)),
    "most_frequent_prior": ("This always guesses the most frequent answer; a guess is drawn with "
                            "the answers' frequencies.",
                            lambda gold: max(collections.Counter(gold).values()) / len(gold)),
    "uniform_prior": ("This guesses all places alike; a guess is drawn with the answers' "
                      "frequencies.",
                      lambda gold: 1 / len(set(gold))),
    "unsquared": (
        "The frequencies themselves add up to 1: a right guess needs the same place twice.",
        lambda gold: float(sum(c / len(gold) for c in collections.Counter(gold).values()))),
    "squared_counts": (
        "Square the frequencies, not the counts.",
        lambda gold: sum(c**2 for c in collections.Counter(gold).values()) / len(gold)),
})


@judge.mistake("contains", "The prediction must equal the answer to the letter: blanks or words "
               "around it make another answer.")
def exact_match(predictions, gold):
    reference.exact_match(predictions, gold)
    return sum(g in p for p, g in zip(predictions, gold)) / len(gold)


@judge.mistake("as_sets", "Predictions are compared place by place with the answers; their order "
               "matters.")
def exact_match(predictions, gold):
    reference.exact_match(predictions, gold)
    return sum(p in gold for p in predictions) / len(gold)


@judge.mistake("without_itself", "The guess is drawn from the frequencies, not from the other "
               "answers.")
def prior_guess_accuracy(gold):
    n = len(gold)
    return sum(c * (c - 1) for c in collections.Counter(gold).values()) / max(n * (n - 1), 1)


@judge.mistake("sorted_in_place", "The answers are sorted in the caller's own list.")
def prior_guess_accuracy(gold):
    expected = reference.prior_guess_accuracy(gold)
    gold.sort()
    return expected


@judge.variant("numpy-like mean")
def exact_match(predictions, gold):
    if len(predictions) != len(gold):
        raise ValueError
    hits = [1.0 if p == g else 0.0 for p, g in zip(predictions, gold)]
    return float(torch.tensor(hits, dtype=torch.float64).mean())


@judge.variant("all pairs")
def prior_guess_accuracy(gold):
    return sum(a == b for a in gold for b in gold) / len(gold) ** 2
