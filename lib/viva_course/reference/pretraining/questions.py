"""Questions with their answers, as ids."""

import torch

PAD, MASK = "\u25a1", "\u2047"


def qa_example(question, answer, T, vocab):
    """x: question MASK answer MASK PAD ..., y: the next character, PAD before the answer.

    returns two int64 tensors (T,); raises ValueError where question and answer do not fit
    """
    text = question + MASK + answer + MASK
    if len(text) > T:
        raise ValueError(f"{len(text)} characters do not fit into {T}")
    text += PAD * (T + 1 - len(text))
    ids = torch.tensor(vocab.encode(text))  # (T + 1,)
    y = ids[1:].clone()
    y[: len(question)] = 0
    return ids[:-1].clone(), y
