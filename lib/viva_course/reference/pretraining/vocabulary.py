"""From characters to numbers."""

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
