"""Documents with a span moved to their end."""

MASK = "\u2047"


def span_corrupt(doc, block_size, rng):
    """prefix MASK suffix MASK span, from a random beginning of the document.

    doc str of at least 4 characters; block_size int; rng random.Random
    returns str
    """
    L = min(len(doc), rng.randint(4, int(block_size * 7 / 8)))
    m = min(max(round(rng.uniform(0, 0.5) * L), 1), L - 2)
    s = rng.randint(1, L - m - 1)
    return doc[:s] + MASK + doc[s + m : L] + MASK + doc[s : s + m]
