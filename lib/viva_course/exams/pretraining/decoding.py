"""Exam of greedy_decode."""

import numbers

import torch

from viva.cases.pretraining.decoding import model_of
from viva_course.reference import pretraining as reference
from viva_course.rubric import Exercise, unmodified

decode = Exercise(
    "greedy_decode", expects="a list of the new ids, without the prompt and the stop symbol",
    survivors={
        "greedy_decode: best = int(logits[0, -1].argmax()) -> "
        "best = int(logits[-1, -1].argmax())": "a batch of one: its first and its last",
    },
)

decode.values(3, "The likeliest token, again and again, until the stop symbol or max_new.")


@decode.item(2, "Each call of the model contains the prompt and all tokens so far.")
def feeds_back(exam, greedy_decode):
    prompt = [int(i) for i in exam.rng.integers(2, 8, 4)]
    rule = lambda ids: (3 * sum(ids) + len(ids)) % 7 + 2  # depends on everything it is given
    model, seen = model_of(rule)
    ids = list(prompt)
    for _ in range(6):
        ids.append(rule(ids))
    exam.same([int(i) for i in greedy_decode(model, prompt, 6, 1, 30)], ids[4:])
    exam.true(seen[:6] == [ids[: 4 + i] for i in range(6)], "the model was given something else")


@decode.item(1.5, "At most max_new tokens; the model never sees more than the last `block` ids.")
def limits(exam, greedy_decode):
    for limit in (0, 1, 5):
        model, _ = model_of(lambda ids: (ids[-1] + 3) % 6 + 2)
        expected = reference.greedy_decode(model, [2, 4], limit, 1, 40)
        exam.same(greedy_decode(model, [2, 4], limit, 1, 40), expected)
    model, seen = model_of(lambda ids: (ids[-1] + 1) % 6 + 2)
    found = [int(i) for i in greedy_decode(model, [2, 3, 4], 9, 1, 5)]
    exam.true(len(found) == 9, "a full block is no reason to end")
    exam.true(max(map(len, seen)) <= 5, f"the model was given {max(map(len, seen))} ids, block 5")
    ids = [2, 3, 4, *found]
    exam.true(len(found) >= 2 and all(
        given == ids[max(0, 3 + i - 5) : 3 + i] for i, given in enumerate(seen[: len(found)])),
        "the model must be given the last `block` ids")


@decode.item(1.5, "The prompt stays as it was; an immediate stop gives an empty list; the same "
             "call gives the same answer.", name="prompt unchanged, stop at once")
def prompt_unchanged_stop_at_once(exam, greedy_decode):
    model, _ = model_of(lambda ids: {3: 5, 5: 2}.get(ids[-1], 7))
    prompt = [6, 3]
    exam.same([greedy_decode(model, prompt, 8, 7, 20) for _ in range(2)], [[5, 2], [5, 2]])
    exam.same(greedy_decode(model, [4], 8, 7, 20), [])
    exam.same(greedy_decode(model, [7, 6, 3], 8, 7, 20), [5, 2])  # a stop symbol in the prompt
    exam.true(all(isinstance(i, numbers.Integral) for i in greedy_decode(model, [3], 8, 7, 20)),
              "the ids must be Python integers")
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


@decode.mistake("stops_when_full", "It ends when the block is full; the model then sees the last "
                "`block` ids, and goes on.")
def greedy_decode(model, prompt_ids, max_new, stop_id, block):
    room = max(block - len(prompt_ids), 0)
    return reference.greedy_decode(model, prompt_ids, min(max_new, room), stop_id, block)


@decode.mistake("stops_behind_full", "It ends when the block is full; the model then sees the last "
                "`block` ids, and goes on.")
def greedy_decode(model, prompt_ids, max_new, stop_id, block):
    room = max(block - len(prompt_ids) + 1, 0)
    return reference.greedy_decode(model, prompt_ids, min(max_new, room), stop_id, block)


@decode.mistake("tensors", "The ids must be Python integers; here they are tensors.")
def greedy_decode(model, prompt_ids, max_new, stop_id, block):
    return [torch.tensor(i) for i in
            reference.greedy_decode(model, prompt_ids, max_new, stop_id, block)]


@decode.mistake("stop_in_prompt", "The stop symbol ends the answer only where the model says it; "
                "here one in the prompt counts, too.")
def greedy_decode(model, prompt_ids, max_new, stop_id, block):
    if stop_id in prompt_ids:
        return []
    return reference.greedy_decode(model, prompt_ids, max_new, stop_id, block)
