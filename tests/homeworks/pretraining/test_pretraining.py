"""The reference of `pretraining` against independent ways to the same numbers."""

import math
import random

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from viva.cases.pretraining import forward
from viva.kits.pretraining import MASK, PAD
from viva_course.reference import pretraining as reference


def test_vocabulary_of_the_text():
    vocab = reference.CharVocab(["cab", "banana"])
    assert vocab.itos == [PAD, MASK, "a", "b", "c", "n"] and len(vocab) == 6
    assert vocab.encode("ban") == [3, 2, 5] and vocab.decode([3, 2, 5]) == "ban"
    with pytest.raises(KeyError):
        vocab.encode("x")


def test_spans_of_the_text():
    found = {reference.span_corrupt("abcd", 16, random.Random(seed)) for seed in range(200)}
    assert found == {f"a{MASK}cd{MASK}b", f"ab{MASK}d{MASK}c", f"a{MASK}d{MASK}bc"}


@pytest.mark.parametrize("length, block", [(4, 16), (11, 20), (300, 128)])
def test_a_corrupted_document_holds_each_character_once(length, block):
    doc = "".join(map(chr, range(0x4E00, 0x4E00 + length)))
    for seed in range(300):
        text = reference.span_corrupt(doc, block, random.Random(seed))
        prefix, suffix, span = text.split(MASK)
        assert prefix and suffix and span and doc.startswith(prefix + span + suffix)
        assert 4 <= len(text) - 2 <= min(length, int(block * 7 / 8)) and len(text) <= block + 1


def test_the_span_is_a_quarter_on_average():
    rng, shares = random.Random(0), []
    for _ in range(4000):
        prefix, suffix, span = reference.span_corrupt("x" * 400, 400, rng).split(MASK)
        shares.append(len(span) / len(prefix + suffix + span))
    assert np.mean(shares) == pytest.approx(0.25, abs=0.015)


def test_question_of_the_text():
    vocab = reference.CharVocab(["abc"])
    x, y = reference.qa_example("ab", "c", 7, vocab)
    assert vocab.decode(x.tolist()) == f"ab{MASK}c{MASK}{PAD}{PAD}"
    assert vocab.decode(y.tolist()) == f"{PAD}{PAD}c{MASK}{PAD}{PAD}{PAD}"
    assert x.dtype == y.dtype == torch.int64
    with pytest.raises(ValueError):
        reference.qa_example("ab", "c", 4, vocab)


@pytest.mark.parametrize("d, h, T", [(6, 2, 5), (8, 8, 1), (12, 3, 9)])
def test_attention_is_torchs(d, h, T):
    torch.manual_seed(0)
    layer, x = reference.CausalSelfAttention(d, h).double(), torch.randn(2, T, d).double()
    q, k, v = (p(x).unflatten(-1, (h, -1)).transpose(1, 2) for p in (layer.q, layer.k, layer.v))
    heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    torch.testing.assert_close(layer(x), layer.o(heads.transpose(1, 2).flatten(2)),
                               rtol=0, atol=1e-10)
    with pytest.raises(ValueError):
        reference.CausalSelfAttention(d, d + 1)


@pytest.mark.parametrize("V, block, d, h, n", [(50, 40, 32, 4, 2), (23, 10, 24, 3, 3)])
def test_number_of_parameters_and_first_loss(V, block, d, h, n):
    torch.manual_seed(0)
    model = reference.GPT(V, block, d, h, n)
    count = sum(p.numel() for p in model.parameters())
    assert count == V * d * 2 + block * d + n * (12 * d * d + 13 * d) + 2 * d
    idx = torch.randint(1, V, (8, block))
    _, loss = model(idx, idx.flip(1))
    assert loss.item() == pytest.approx(math.log(V), rel=0.05)
    with pytest.raises(ValueError):
        model(torch.ones(1, block + 1, dtype=torch.int64))


def test_padding_and_future_do_not_count():
    torch.manual_seed(0)
    model = reference.GPT(12, 9).double()
    idx, targets = torch.randint(1, 12, (2, 7)), torch.randint(1, 12, (2, 7))
    targets[:, 2:5] = 0
    logits, loss = model(idx, targets)
    asked = targets != 0
    torch.testing.assert_close(loss, F.cross_entropy(logits[asked], targets[asked]))
    idx[:, 5] = 12 - idx[:, 5]
    torch.testing.assert_close(model(idx)[0][:, :5], logits[:, :5], rtol=0, atol=0)


def test_yardsticks_of_the_text():
    gold = ["London"] * 25 + [f"place {i}" for i in range(95) for _ in range(5)]
    assert reference.constant_baseline(gold) == 0.05
    assert reference.prior_guess_accuracy(gold) == pytest.approx(0.012, rel=1e-12)
    assert reference.prior_guess_accuracy(["Ulm"] * 3 + ["Rome"]) == pytest.approx(0.625)
    assert reference.exact_match(["a", "b"], ["a", "B"]) == 0.5
    with pytest.raises(ValueError):
        reference.exact_match(["a"], ["a", "b"])


def test_decoding_follows_a_trained_model():
    """A model that has learned to count goes on counting, and stops."""
    torch.manual_seed(0)
    x = torch.tensor([[2, 3, 4, 5, 6]])
    y = torch.tensor([[3, 4, 5, 6, 1]])
    model = reference.GPT(8, 8)
    optimizer = torch.optim.AdamW(model.parameters(), 1e-2)
    losses = reference.train_gpt(model, optimizer, lambda t: (x, y), 1e-2, 60)
    assert losses[-1] < 0.05 < losses[0]
    assert reference.greedy_decode(model, [2, 3], 10, 1, 8) == [4, 5, 6]
    assert reference.greedy_decode(model, [2, 3], 2, 1, 8) == [4, 5]


def test_the_rate_is_torchs_cosine():
    weight = torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.SGD([weight], 0.3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 10)
    rates = []
    for _ in range(10):
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        schedule.step()
    weight, path = torch.nn.Parameter(torch.zeros(1, dtype=torch.float64)), []

    def model(x, y):
        path.append(weight.item())
        return None, weight.sum()

    reference.train_gpt(model, torch.optim.SGD([weight], 1.0), lambda t: (None, None), 0.3, 10)
    assert -np.diff([*path, weight.item()]) == pytest.approx(rates, rel=1e-6)


def test_namesakes_of_the_text_and_the_mean_over_many_shuffles():
    people = [("Ada Berg", "Rome"), ("Bo Kim", "Ulm"), ("Eva Roux", "Oslo"), ("Finn Cruz", "Lima")]
    known = [("Ada Holm", "Ulm"), ("Hugo Kim", "Pisa"), ("Eva Sato", "Oslo")]
    answers = ["Ulm", "Pisa", "Oslo", "Pisa"]
    assert reference.namesake_errors(answers, people, known) == pytest.approx((2 / 3, 1 / 3))
    asked, homes = [0, 1, 3], {0: {"Ulm"}, 1: {"Pisa"}, 3: set()}
    rng, shares = np.random.default_rng(0), []
    for _ in range(4000):
        dealt = rng.permutation(["Ulm", "Pisa", "Pisa"])
        shares.append(np.mean([a in homes[i] for i, a in zip(asked, dealt, strict=True)]))
    assert np.mean(shares) == pytest.approx(1 / 3, abs=0.02)
    with pytest.raises(ValueError):
        reference.namesake_errors([place for _, place in people], people, known)


@pytest.mark.parametrize("h, n", [(1, 1), (2, 1), (4, 2)])
def test_the_network_written_out_is_the_reference(h, n):
    """What GPT is judged by agrees with torch's own attention, and notices each planted change."""
    assert forward.formula(reference.GPT, h, n, np.random.default_rng(0)) == forward.RIGHT


def test_no_change_of_the_formula_goes_by_another_name():
    rng = np.random.default_rng(1)
    model = reference.GPT(forward.V, forward.BLOCK, d=forward.D, h=2, n=2).double()
    found, idx = forward.planted(model, rng), rng.integers(1, forward.V, (2, 6))
    parts = next(forward.readings(found, 2, 2, usual=True))
    right = forward.logits_of(parts, idx, 2)
    for name, change in forward.CHANGES.items():
        if name != "two heads, whatever h is":
            gap = np.abs(forward.logits_of(parts, idx, 2, **change) - right).max()
            assert gap > 1e-2 * np.abs(right).max(), name
