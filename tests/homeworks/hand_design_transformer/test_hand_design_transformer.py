"""The reference of hand_design_transformer against torch, scipy and brute force."""
import itertools

import matplotlib.pyplot as plt
import numpy as np
import pytest
import scipy.special
import torch
from torch.nn import functional as F

from exam_checks import check_exercise, check_public
from viva.kits.hand_design_transformer.drawing import (
    compare_heads,
    differences,
    draw_head,
    head_parts,
)
from viva.kits.hand_design_transformer.heads import (
    LearnableHead,
    all_sequences,
    apply_head,
    head_matrices,
    learning_curve,
    letters,
    one_hot,
    tokens,
)
from viva.kits.hand_design_transformer.learning import distance, learned_like
from viva.kits.hand_design_transformer.texts import verses, words
from viva_course.reference import hand_design_transformer as reference
from viva_course.rubric import exercises

EXERCISES = exercises("hand_design_transformer")
EXACT = dict(rtol=1e-9, atol=1e-10)          # float64: only the order of summation differs


def normal(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape)


def matrices(seed, d, d_qk=3, d_v=2):
    return normal(seed, d, d_qk), normal(seed + 1, d, d_qk), normal(seed + 2, d, d_v)


def loop_head(X, Km, Qm, Vm, pos=None, causal=False):
    """The formula, one query at a time."""
    Z = X if pos is None else np.hstack([X, pos[:len(X)]])
    rows = []
    for i, z in enumerate(Z):
        seen = Z[:i + 1] if causal else Z
        scores = np.array([(z @ Qm) @ (other @ Km) for other in seen]) / Km.shape[1] ** .5
        weights = np.exp(scores) / np.exp(scores).sum()
        rows.append(sum(w * (other @ Vm) for w, other in zip(weights, seen, strict=True)))
    return np.array(rows)


# softmax ----------------------------------------------------------------------------------

@pytest.mark.parametrize("axis", [0, 1, 2, -1])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_softmax_agrees_with_scipy_and_torch(axis, dtype):
    x = (5 * normal(0, 2, 3, 4)).astype(dtype)
    got = reference.stable_softmax(x, axis)
    assert got.dtype == dtype
    eps = np.finfo(dtype).eps
    np.testing.assert_allclose(got, scipy.special.softmax(x, axis), rtol=40 * eps)
    np.testing.assert_allclose(got, torch.softmax(torch.tensor(x), axis), rtol=40 * eps)


def test_softmax_worked_numbers_and_limits():
    softmax = reference.stable_softmax
    np.testing.assert_allclose(softmax([1, 2, 3]), [0.09003057, 0.24472847, 0.66524096], atol=1e-8)
    np.testing.assert_array_equal(softmax([1e4, -1e4]), [1, 0])
    np.testing.assert_array_equal(softmax([-np.inf, 0, 0]), [0, .5, .5])
    np.testing.assert_array_equal(softmax(np.full((2, 3), -np.inf)), np.zeros((2, 3)))
    assert softmax(np.array([1, 2])).dtype == np.float64


# the head ---------------------------------------------------------------------------------

@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("positions", [False, True])
def test_head_agrees_with_torch_and_with_a_loop(causal, positions):
    X, pos = normal(1, 2, 3, 5, 4), normal(2, 7, 2) if positions else None
    K, Q, V = matrices(3, 6 if positions else 4)
    got, weights = reference.attention_head(X, K, Q, V, pos, causal, return_weights=True)
    np.testing.assert_allclose(got, apply_head(X, K, Q, V, pos, causal), **EXACT)
    np.testing.assert_allclose(got[1, 2], loop_head(X[1, 2], K, Q, V, pos, causal), **EXACT)
    assert weights.shape == (2, 3, 5, 5)
    np.testing.assert_allclose(weights.sum(-1), 1, rtol=1e-12)


def test_head_keeps_float32_and_agrees_with_torch_in_it():
    X, K, Q, V = (a.astype(np.float32) for a in (normal(1, 5, 4), *matrices(3, 4)))
    got = reference.attention_head(X, K, Q, V)
    assert got.dtype == np.float32
    oracle = F.scaled_dot_product_attention(*(torch.tensor(X @ M) for M in (Q, K, V)))
    np.testing.assert_allclose(got, oracle, rtol=1e-4, atol=1e-5)      # 40 roundings of 6e-8


def test_head_refuses_a_sequence_longer_than_its_table():
    with pytest.raises(ValueError, match="5 tokens.* 4 rows"):
        reference.attention_head(normal(1, 5, 4), *matrices(3, 6), pos=normal(2, 4, 2))


def test_score_gap_worked_numbers():
    gap = reference.min_score_gap
    worked = {(2, 1e-3): 6.90675, (4, 1e-3): 8.00537, (6, 1e-3): 8.51619, (7, 1e-8): 20.2124}
    for (T, tol), expected in worked.items():
        assert gap(T, tol) == pytest.approx(expected, rel=1e-5)
        others = scipy.special.softmax([gap(T, tol)] + [0] * (T - 1))[1:].sum()
        assert others == pytest.approx(tol, rel=1e-6)
    assert np.sqrt(gap(6, 1e-3) * 3 ** .5) == pytest.approx(3.84064, rel=1e-5)
    assert np.sqrt(gap(6, 1e-8) * 3 ** .5) == pytest.approx(5.89009, rel=1e-5)
    assert gap(1, 1e-3) == gap(2, .5) == gap(2, .9) == 0
    for T, tol in [(0, .1), (3, 0), (3, 1), (3, -1)]:
        with pytest.raises(ValueError):
            gap(T, tol)


# the designs ------------------------------------------------------------------------------

@pytest.mark.parametrize("n, L, tol", [(3, 4, 1e-3), (3, 4, 1e-8), (2, 6, 1e-5), (5, 2, .1)])
def test_designs_by_content_and_by_position_on_every_sequence(n, L, tol):
    identity, first = reference.design_identity(n, L, tol), reference.design_first(n, L, tol)
    for sequence in all_sequences(n, L):
        X = one_hot(sequence, n)
        assert np.abs(apply_head(X, *identity) - X).max() <= 1.001 * tol
        assert np.abs(apply_head(X, *first) - X[:1]).max() <= 1.001 * tol


@pytest.mark.parametrize("offset", range(5))
@pytest.mark.parametrize("causal", [False, True])
def test_shift_on_every_sequence(offset, causal):
    design = reference.design_shift(2, 5, offset, 1e-4)
    for sequence in all_sequences(2, 5):
        X = one_hot(sequence, 2)
        wanted = X[[max(i - offset, 0) for i in range(len(X))]]
        assert np.abs(apply_head(X, *design, causal=causal) - wanted).max() <= 1.001e-4


def test_histogram_counts():
    for sequence in all_sequences(3, 5):
        X = one_hot(sequence, 3)
        frequencies = np.bincount(sequence, minlength=3) / len(sequence)
        out = apply_head(X, *reference.design_histogram(3))
        np.testing.assert_allclose(out, np.tile(frequencies, (len(X), 1)), atol=1e-12)


def test_unique_on_every_sequence_and_its_worked_numbers():
    design = reference.design_unique(3, 4)
    for sequence in all_sequences(3, 4):
        out = apply_head(one_hot((3, *sequence), 4), *design)[1:, 0]
        assert [sequence.count(t) == 1 for t in sequence] == list(out > .9)
        assert (np.abs(out) > .9).all()
    assert design[0].shape[1] == 9
    worked = {"ABCC": [0.999728, 0.999728, -0.999909, -0.999909],
              "CAC": [-0.999909, 0.999818, -0.999909]}
    for text, expected in worked.items():
        out = apply_head(one_hot([3, *tokens(text)], 4), *design)[1:, 0]
        np.testing.assert_allclose(out, expected, atol=1e-6)


@pytest.mark.parametrize("tol", [1e-2, 1e-3, 1e-6])
def test_induction_averages_what_followed(tol):
    layer1, layer2 = reference.design_induction(4, 6, tol)
    for rest in itertools.product(range(3), repeat=5):
        sequence = (3, *rest)
        out = reference.induction_output(one_hot(sequence, 4), layer1, layer2)
        for i, token in enumerate(sequence):
            after = [sequence[j + 1] for j in range(i) if sequence[j] == token]
            if after:
                mean = one_hot(after, 4).mean(0)
                assert np.abs(out[i] - mean).max() <= tol


def test_letters_is_the_inverse_of_one_hot():
    assert letters(one_hot("ABCC", 3)) == "ABCC"
    assert len(list(all_sequences(3, 4))) == 120


# circuits ---------------------------------------------------------------------------------

def test_circuits_and_gauge():
    K, Q, V = matrices(5, 6)
    X, R = normal(8, 4, 6), normal(9, 3, 3)
    QK, OV = reference.qk_ov(K, Q, V)
    np.testing.assert_allclose(X @ QK @ X.T, (X @ Q) @ (X @ K).T, **EXACT)
    assert np.linalg.matrix_rank(QK) == 3
    assert not np.shares_memory(OV, V)
    K2, Q2 = reference.gauge_transform(K, Q, R)
    np.testing.assert_allclose(K2, K @ torch.linalg.inv(torch.tensor(R)).numpy().T, **EXACT)
    np.testing.assert_allclose(apply_head(X, K2, Q2, V), apply_head(X, K, Q, V), **EXACT)


# the learned head -------------------------------------------------------------------------

@pytest.mark.parametrize("pos_dim", [None, 2])
def test_torch_head_is_the_numpy_head(pos_dim):
    torch.manual_seed(0)
    head = reference.TorchHead(4, 3, 2, pos_dim, 7).double()
    for shape in [(5, 4), (3, 5, 4)]:
        X = normal(1, *shape)
        oracle = apply_head(X, *head.matrices())
        np.testing.assert_allclose(head(torch.tensor(X)).detach(), oracle, **EXACT)
    x = torch.tensor(normal(2, 2, 3, 4), requires_grad=True)
    assert torch.autograd.gradcheck(head, x)


@pytest.mark.parametrize("seed", [0, 5])
@pytest.mark.parametrize("task", ["identity", "first"])
def test_training_finds_the_attention_of_the_hand_design(task, seed):
    state = torch.random.get_rng_state()
    head, loss = reference.train_head(task, seed=seed)
    assert torch.equal(state, torch.random.get_rng_state())
    assert loss < 1e-3
    design = reference.design_identity(3, 4) if task == "identity" else reference.design_first(3, 4)
    for sequence in all_sequences(3, 4):
        X = one_hot(sequence, 3)
        out, learned = reference.attention_head(X, *head.matrices(), return_weights=True)
        _, by_hand = reference.attention_head(X, *design, return_weights=True)
        assert np.abs(learned - by_hand).max() < .05
        assert np.abs(out - (X if task == "identity" else X[:1])).max() < .05


def test_training_is_deterministic_and_knows_its_tasks():
    (a, loss), (b, again), (c, _) = (reference.train_head("first", 20, seed=s) for s in (1, 1, 2))
    assert loss == again
    assert all(torch.equal(p, q) for p, q in zip(a.parameters(), b.parameters(), strict=True))
    assert not torch.equal(a.Km.weight, c.Km.weight)
    with pytest.raises(ValueError, match="last"):
        reference.train_head("last")


# the exam ---------------------------------------------------------------------------------

NAMES = ["stable_softmax", "attention_head", "TorchHead", "min_score_gap", "design_identity",
         "design_histogram", "design_first", "design_shift", "design_unique", "qk_ov",
         "train_head", "design_induction"]


@pytest.mark.parametrize("name", NAMES)
def test_exam(name):
    # training takes a while for every candidate: one secret here
    check_exercise(EXERCISES[name])
    check_public(EXERCISES[name])


def test_exam_has_every_exercise_and_90_points():
    assert list(EXERCISES) == NAMES
    assert sum(exercise.points for exercise in EXERCISES.values()) == 90


# the pictures -----------------------------------------------------------------------------

def test_pictures_show_the_head_itself():
    design = reference.design_first(3, 5)
    out, weights = reference.attention_head(one_hot("CAB", 3), *design, return_weights=True)
    parts = head_parts("CAB", *design)
    np.testing.assert_allclose(parts["attention"][0], weights, **EXACT)
    np.testing.assert_allclose(parts["output"][0], out, **EXACT)


def test_comparison_says_what_agrees():
    same = reference.design_identity(3, 4)
    K2, Q2 = reference.gauge_transform(*same[:2], np.eye(3) + np.tri(3))
    figure = compare_heads("ABBC", same, (K2, Q2, same[2]))
    below = {axes.get_title(): axes.get_xlabel() for axes in figure.axes}
    assert "same within" in below["attention, learned"]
    assert "same within" in below["Qm Kmᵀ, learned"]
    assert "differs by" in below["Qm, learned"] and "differs by" in below["keys K, learned"]
    plt.close(figure)


def test_comparison_measures_by_the_entries():
    """All scores of a histogram by hand are 0, so small ones are others, as in `differences`."""
    K, Q, V = np.zeros((3, 3)), np.zeros((3, 3)), np.eye(3)
    figure = compare_heads("ABBC", (K, Q, V), (K + .1, Q + .1, V))
    below = {axes.get_title(): axes.get_xlabel() for axes in figure.axes}
    assert below["scaled scores, learned"] == "differs by 0.02"
    assert "same within" in below["attention, learned"]
    plt.close(figure)


def test_differences_forget_what_softmax_forgets():
    K, Q, V, pos = reference.design_first(3, 4)
    moved = K + 1.0                          # every key has 1 more, so every row of scores has too
    found = differences("ABBC", (K, Q, V, pos), (moved, Q, V, pos))
    assert found["scaled scores"] > .1 and found["Km"] > .1
    assert found["scores, rows centred"] < 1e-9 and found["attention"] < 1e-9
    assert np.isnan(differences("AB", (K, Q, V, pos), (np.hstack([K, K]), np.hstack([Q, Q]),
                                                       V, pos))["Km"])


def test_a_drawing_names_its_tokens():
    figure = draw_head("DCAC", *reference.design_unique(3, 5), names=["A", "B", "C", "CLS"])
    attention = next(axes for axes in figure.axes if axes.get_title() == "attention")
    assert [label.get_text() for label in attention.get_yticklabels()] == ["CLS", "C", "A", "C"]
    plt.close(figure)


def test_a_head_learned_like_a_design_does_what_the_design_does():
    design = reference.design_shift(3, 3)
    batches = [one_hot(list(itertools.product(range(3), repeat=T)), 3) for T in (1, 2, 3)]
    examples = [(X, np.concatenate([X[:, :1], X[:, :-1]], axis=1)) for X in batches]
    state = torch.random.get_rng_state()
    learned, error = learned_like(design, examples, steps=80)
    assert torch.equal(state, torch.random.get_rng_state())
    assert [np.shape(m) for m in learned] == [np.shape(m) for m in design]
    assert error < 1e-4
    np.testing.assert_allclose(apply_head(examples[-1][0], *learned), examples[-1][1], atol=.1)


def test_without_positions_the_first_token_becomes_the_histogram():
    """What the notebook says about the head that is trained blindly, and its error."""
    batches = [one_hot(list(itertools.product(range(3), repeat=T)), 3) for T in range(1, 5)]
    examples = [(X, np.repeat(X[:, :1], X.shape[1], axis=1)) for X in batches]
    blind, error = learned_like(reference.design_histogram(3), examples, [0], steps=40)
    assert error == pytest.approx(np.mean([2 / 9 * (1 - 1 / T) for T in (1, 2, 3, 4)]), abs=1e-5)
    for X in batches:
        frequencies = np.repeat(X.mean(1, keepdims=True), X.shape[1], axis=1)
        assert distance(frequencies, apply_head(X, *blind)) < .02


def test_texts_are_words():
    rhyme, story = words("rhyme"), words("story")
    assert rhyme[:7] == "this is the house that jack built".split() and len(story) == 951
    assert len(verses()) == 11 and sum(verses()) == len(rhyme)
    assert "waistcoat-pocket" in story and "they'll" in story


def test_a_learnable_head_is_the_torch_head():
    """The head that the kit lends to train_head computes what the exercise TorchHead asks for."""
    torch.manual_seed(0)
    head = LearnableHead(4, 3, 2, pos_dim=2, max_seq_len=7).double()
    X = torch.tensor(normal(1, 3, 5, 4))
    oracle = reference.attention_head(X.numpy(), *head_matrices(head))
    np.testing.assert_allclose(head(X).detach(), oracle, **EXACT)
    other = reference.TorchHead(4, 3, 2, 2, 7).double()
    np.testing.assert_array_equal(head_matrices(other)[0], other.matrices()[0])
    assert len(head_matrices(LearnableHead(4, 3, 2))) == 3


@pytest.mark.parametrize("task", ["identity", "first"])
def test_a_learning_curve_ends_with_the_loss_of_the_last_batch(task):
    head, errors = learning_curve(reference.train_head, task, steps=6, lr=.1, seed=3)
    again, loss = reference.train_head(task, steps=6, lr=.1, seed=3)
    assert len(errors) == 6 and errors[-1] == pytest.approx(loss, rel=1e-5)
    for ours, theirs in zip(head_matrices(head), head_matrices(again), strict=True):
        np.testing.assert_array_equal(ours, theirs)
