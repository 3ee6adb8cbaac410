"""The generators of `viva.case.generator`, for many seeds at once.

Nearly all of a generator's cost is numpy's SeedSequence: some thirty steps of 32-bit arithmetic,
for one seed at a time. Here they are taken for all seeds in arrays, with the same result
(numpy/random/bit_generator.pyx; tests/test_logs.py compares).
"""

import hashlib

import numpy as np
from numpy.random.bit_generator import ISeedSequence


class Seeded(ISeedSequence):
    """A seed sequence whose words are known already."""

    def __init__(self, words: np.ndarray):
        self.words = words  # (4,) of uint64

    def generate_state(self, n_words, dtype=np.uint64):
        return self.words


def generators(seeds: list[tuple[str, ...]]) -> list[np.random.Generator]:
    """`viva.case.generator(*words)` for each of these tuples of words."""
    digests = b"".join(hashlib.sha256("\x1f".join(words).encode()).digest()[:16] for words in seeds)
    entropy = np.frombuffer(digests, "<u4").reshape(-1, 4).T  # (4, n)
    return [np.random.Generator(np.random.PCG64(Seeded(words))) for words in _words(entropy)]


def _words(entropy: np.ndarray) -> np.ndarray:
    """SeedSequence(column).generate_state(4, uint64) of each column (4, n) of uint32: (n, 4)."""
    mixing, drawing = _steps(0x43B0D7E5, 0x931E8875), _steps(0x8B51F9DD, 0x58F38DED)
    pool = [_scrambled(word, mixing) for word in entropy]
    for i in range(4):
        for j in range(4):
            if i != j:
                pool[j] = pool[j] * 0xCA01F9DD - _scrambled(pool[i], mixing) * 0x4973F715
                pool[j] ^= pool[j] >> 16
    drawn = [_scrambled(pool[i % 4], drawing) for i in range(8)]
    return np.stack(drawn, axis=1).view(np.uint64)


def _scrambled(value: np.ndarray, steps) -> np.ndarray:
    before, after = next(steps)
    value = (value ^ before) * after
    return value ^ (value >> 16)


def _steps(constant: int, factor: int):
    while True:
        following = constant * factor % 2**32
        yield constant, following
        constant = following
