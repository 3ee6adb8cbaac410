"""Reading answers off a model, and judging them."""

from collections import Counter

import torch


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


def greedy_decode(model, prompt_ids, max_new, stop_id, block):
    """The likeliest next token, again and again: until stop_id, or max_new tokens.

    model(idx (1, t) int64) -> (logits (1, t, V), anything); it sees the last `block` ids
    returns the list of new ids, without prompt and stop_id
    """
    ids = list(prompt_ids)
    with torch.no_grad():
        while len(ids) < len(prompt_ids) + max_new:
            logits, _ = model(torch.tensor([ids[-block:]]))
            best = int(logits[0, -1].argmax())
            if best == stop_id:
                break
            ids.append(best)
    return ids[len(prompt_ids):]
