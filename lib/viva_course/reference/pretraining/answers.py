"""Judging answers."""

from collections import Counter


def exact_match(predictions, gold):
    """The share of predictions that equal the answer, character by character."""
    if len(predictions) != len(gold):
        raise ValueError(f"{len(predictions)} predictions for {len(gold)} answers")
    return sum(p == g for p, g in zip(predictions, gold, strict=True)) / len(gold)


def constant_baseline(gold, const="London"):
    """The accuracy of always answering `const`."""
    return sum(g == const for g in gold) / len(gold)


def prior_guess_accuracy(gold):
    """The expected accuracy of a guess drawn from the answers' own frequencies: sum of f_p^2."""
    return sum((count / len(gold)) ** 2 for count in Counter(gold).values())
