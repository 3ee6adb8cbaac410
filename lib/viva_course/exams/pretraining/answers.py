"""Exams of exact_match, constant_baseline, prior_guess_accuracy, and of greedy_decode."""

import collections

import numpy as np
import torch

from viva.cases.pretraining.answers import five_hundred, model_of
from viva.kits.pretraining.world import PLACES
from viva_course.reference import pretraining as reference
from viva_course.rubric import Exercise, unmodified

judge = Exercise(
    "exact_match", points=8,
    reference=(reference.exact_match, reference.constant_baseline, reference.prior_guess_accuracy),
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


@judge.item("other data", 2, "Any answers, any constant, any number of them.")
def _(exam, exact_match, constant_baseline, prior_guess_accuracy):
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


@judge.item("arguments unchanged", 0.5, "The lists must stay as they were.")
def _(exam, *candidates):
    unmodified(exam, *candidates)
    given = {case.name: answer.value for case, answer in exam.sitting(candidates)}
    exam.true(not np.array_equal(given["three_of_four"], given["exchanged"]),
              "no case is right yet")  # three quarters and 0: a constant has one of them right


@judge.mistake("case_insensitive", "An answer in another case, or with blanks around it, is not "
               "the same answer.")
def exact_match(predictions, gold):
    return reference.exact_match([p.strip().lower() for p in predictions],
                                 [g.strip().lower() for g in gold])


@judge.mistake("strips", "The prediction must equal the answer to the letter: blanks or words "
               "around it make another answer.")
def exact_match(predictions, gold):
    return reference.exact_match([p.strip() for p in predictions], gold)


@judge.mistake("zip_short", "zip ends with the shorter list: missing predictions go unnoticed.")
def exact_match(predictions, gold):
    return sum(p == g for p, g in zip(predictions, gold)) / len(gold)


@judge.mistake("counts", "A share is asked for, not a number of answers.")
def exact_match(predictions, gold):
    return reference.exact_match(predictions, gold) * len(gold)


@judge.mistake("percent", "A share between 0 and 1 is asked for, not a percentage.")
def exact_match(predictions, gold):
    return 100 * reference.exact_match(predictions, gold)


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


@judge.mistake("baseline_counts", "A share is asked for, not a number of answers.")
def constant_baseline(gold, const="London"):
    return gold.count(const)


@judge.mistake("london_hardcoded", "The constant is an argument; here it is always London.")
def constant_baseline(gold, const="London"):
    return gold.count("London") / len(gold)


@judge.mistake("most_frequent", "The constant is given; this takes the most frequent answer.")
def constant_baseline(gold, const="London"):
    return max(collections.Counter(gold).values()) / len(gold)


@judge.mistake("most_frequent_prior", "This always guesses the most frequent answer; a guess is "
               "drawn with the answers' frequencies.")
def prior_guess_accuracy(gold):
    return max(collections.Counter(gold).values()) / len(gold)


@judge.mistake("uniform_prior", "This guesses all places alike; a guess is drawn with the answers' "
               "frequencies.")
def prior_guess_accuracy(gold):
    return 1 / len(set(gold))


@judge.mistake("without_itself", "The guess is drawn from the frequencies, not from the other "
               "answers.")
def prior_guess_accuracy(gold):
    n = len(gold)
    return sum(c * (c - 1) for c in collections.Counter(gold).values()) / max(n * (n - 1), 1)


@judge.mistake("unsquared", "The frequencies themselves add up to 1: a right guess needs the same "
               "place twice.")
def prior_guess_accuracy(gold):
    return float(sum(c / len(gold) for c in collections.Counter(gold).values()))


@judge.mistake("squared_counts", "Square the frequencies, not the counts.")
def prior_guess_accuracy(gold):
    return sum(c**2 for c in collections.Counter(gold).values()) / len(gold)


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


# ---- greedy_decode

decode = Exercise(
    "greedy_decode", points=8, reference=(reference.greedy_decode,),
    expects="a list of the new ids, without the prompt and the stop symbol",
    survivors={
        "greedy_decode: best = int(logits[0, -1].argmax()) -> "
        "best = int(logits[-1, -1].argmax())": "a batch of one: its first and its last",
    },
)

decode.values(3, "The likeliest token, again and again, until the stop symbol or max_new.")


@decode.item("feeds back", 2, "Each call of the model contains the prompt and all tokens so far.")
def _(exam, greedy_decode):
    prompt = [int(i) for i in exam.rng.integers(2, 8, 4)]
    rule = lambda ids: (3 * sum(ids) + len(ids)) % 7 + 2  # depends on everything it is given
    model, seen = model_of(rule)
    ids = list(prompt)
    for _ in range(6):
        ids.append(rule(ids))
    exam.same([int(i) for i in greedy_decode(model, prompt, 6, 1, 30)], ids[4:])
    exam.true(seen[:6] == [ids[: 4 + i] for i in range(6)], "the model was given something else")


@decode.item("limits", 1.5, "At most max_new tokens; the model never sees more than the last "
             "`block` ids.")
def _(exam, greedy_decode):
    for limit in (0, 1, 5):
        model, _ = model_of(lambda ids: (ids[-1] + 3) % 6 + 2)
        expected = reference.greedy_decode(model, [2, 4], limit, 1, 40)
        exam.same(greedy_decode(model, [2, 4], limit, 1, 40), expected)
    model, seen = model_of(lambda ids: (ids[-1] + 1) % 6 + 2)
    found = [int(i) for i in greedy_decode(model, [2, 3, 4], 9, 1, 5)]
    exam.true(max(map(len, seen)) <= 5, f"the model was given {max(map(len, seen))} ids, block 5")
    ids = [2, 3, 4, *found]
    exam.true(len(found) >= 2 and all(
        given == ids[max(0, 3 + i - 5) : 3 + i] for i, given in enumerate(seen[: len(found)])),
        "the model must be given the last `block` ids")


@decode.item("prompt unchanged, stop at once", 1.5, "The prompt stays as it was; an immediate stop "
             "gives an empty list; the same call gives the same answer.")
def _(exam, greedy_decode):
    model, _ = model_of(lambda ids: {3: 5, 5: 2}.get(ids[-1], 7))
    prompt = [6, 3]
    exam.same([greedy_decode(model, prompt, 8, 7, 20) for _ in range(2)], [[5, 2], [5, 2]])
    exam.same(greedy_decode(model, [4], 8, 7, 20), [])
    unmodified(exam, greedy_decode)


def _decoder(pick=None, feed=True, stop=True, crop=True, limit=0, keep=False, prompt=False):
    """greedy_decode with one thing changed."""

    def greedy_decode(model, prompt_ids, max_new, stop_id, block):
        ids, new = list(prompt_ids), []
        for _ in range(max_new + limit):
            given = (ids if feed else list(prompt_ids))
            logits, _ = model(torch.tensor([given[-block:] if crop else given]))
            best = int(logits[0, -1].argmax()) if pick is None else pick(logits)
            if best == stop_id and stop:
                new += [best] * keep
                break
            ids.append(best)
            new.append(best)
        return list(prompt_ids) * prompt + new

    return greedy_decode


decode.mistake("noblock", "The model is given more than `block` ids.")(_decoder(crop=False))
decode.mistake("nostop", "It does not end at the stop symbol.")(_decoder(stop=False))
decode.mistake("nofeed", "The model sees only the prompt: feed its own tokens back.")(
    _decoder(feed=False))
decode.mistake("withprompt", "Only the new tokens are asked for, without the prompt.")(
    _decoder(prompt=True))
decode.mistake("with_stop", "The stop symbol is no part of the answer.")(_decoder(keep=True))
decode.mistake("one_too_many", "At most max_new tokens; here it is one more.")(_decoder(limit=1))
decode.mistake("first_position", "The prediction stands at the last position, not at the first.")(
    _decoder(lambda logits: int(logits[0, 0].argmax())))
decode.mistake("second_best", "Take the likeliest token; this is the least likely.")(
    _decoder(lambda logits: int(logits[0, -1].argmin())))


@decode.mistake("mutates", "The tokens are appended to the caller's own prompt: work on a copy.")
def greedy_decode(model, prompt_ids, max_new, stop_id, block):
    new = reference.greedy_decode(model, prompt_ids, max_new, stop_id, block)
    prompt_ids.extend(new)
    return new


@decode.mistake("stop_is_1", "The stop symbol is an argument; here it is always 1.")
def greedy_decode(model, prompt_ids, max_new, stop_id, block):
    return reference.greedy_decode(model, prompt_ids, max_new, 1, block)


@decode.mistake("sampled", "The likeliest token is taken; here it is drawn.")
def greedy_decode(model, prompt_ids, max_new, stop_id, block):
    rng = torch.Generator().manual_seed(0)
    pick = lambda logits: int(torch.multinomial(logits[0, -1].softmax(-1), 1, generator=rng))
    return _decoder(pick)(model, prompt_ids, max_new, stop_id, block)


@decode.mistake("first_ids", "A long text is cut at the wrong end: the last `block` ids count.")
def greedy_decode(model, prompt_ids, max_new, stop_id, block):
    return reference.greedy_decode(lambda idx: model(idx), prompt_ids, max_new, stop_id, 10**6) \
        if len(prompt_ids) + max_new <= block else \
        _first_ids(model, prompt_ids, max_new, stop_id, block)


def _first_ids(model, prompt_ids, max_new, stop_id, block):
    ids = list(prompt_ids)
    while len(ids) < len(prompt_ids) + max_new:
        best = int(model(torch.tensor([ids[:block]]))[0][0, -1].argmax())
        if best == stop_id:
            break
        ids.append(best)
    return ids[len(prompt_ids):]


@decode.mistake("only_last", "The model is given only the newest token; it needs all of them.")
def greedy_decode(model, prompt_ids, max_new, stop_id, block):
    new, last = [], list(prompt_ids)
    for _ in range(max_new):
        best = int(model(torch.tensor([last[-block:]]))[0][0, -1].argmax())
        if best == stop_id:
            break
        new.append(best)
        last = [best]
    return new


@decode.variant("tensors that grow")
def greedy_decode(model, prompt_ids, max_new, stop_id, block):
    idx, out = torch.tensor(prompt_ids)[None], []
    for _ in range(max_new):
        logits = model(idx[:, -block:])[0]
        best = logits[:, -1].argmax(dim=-1, keepdim=True)
        if best.item() == stop_id:
            return out
        out.append(best.item())
        idx = torch.cat([idx, best], dim=1)
    return out


@decode.variant("ends where the block is full")
def greedy_decode(model, prompt_ids, max_new, stop_id, block):
    out = []
    while len(out) < max_new and len(prompt_ids) + len(out) <= block:
        logits, _ = model(torch.tensor([list(prompt_ids) + out]))
        best = int(torch.argmax(logits[0, -1]))
        if best == stop_id:
            break
        out.append(best)
    return out
