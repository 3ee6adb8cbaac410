"""From texts to numbers: a vocabulary, corrupted documents, questions with answers."""

import torch

PAD, MASK = "\u25a1", "\u2047"


class CharVocab:
    """Characters and their numbers: PAD 0, MASK 1, then all others that occur, sorted.

    itos list of characters, stoi dict from characters to ids; an unknown one raises KeyError
    """

    def __init__(self, texts):
        self.itos = [PAD, MASK, *sorted(set("".join(texts)) - {PAD, MASK})]
        self.stoi = {character: i for i, character in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def encode(self, text):
        return [self.stoi[character] for character in text]

    def decode(self, ids):
        return "".join(self.itos[i] for i in ids)


def span_corrupt(doc, block_size, rng):
    """prefix MASK suffix MASK span, from a random beginning of the document.

    doc str of at least 4 characters; block_size int; rng random.Random
    returns str
    """
    L = min(len(doc), rng.randint(4, int(block_size * 7 / 8)))
    m = min(max(round(rng.uniform(0, 0.5) * L), 1), L - 2)
    s = rng.randint(1, L - m - 1)
    return doc[:s] + MASK + doc[s + m : L] + MASK + doc[s : s + m]


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
