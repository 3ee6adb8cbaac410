"""Reading answers off a model."""

import torch


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
