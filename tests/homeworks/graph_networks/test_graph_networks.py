"""The reference of `graph_networks` against independent ways to the same numbers."""

import itertools

import numpy as np
import pytest
import torch

from viva.cases.graph_networks import twins
from viva.kits.graph_networks import karate_club, path_graph, sbm, train_networks, training
from viva_course.reference import graph_networks as reference

SEEDS = range(5)


def random_graph(rng, n, p=0.4):
    return (rng.uniform(size=(n, n)) < p).astype(float)


@pytest.mark.parametrize("seed", SEEDS)
def test_sums_count_walks_one_by_one(seed):
    rng = np.random.default_rng(seed)
    n, k = 4, int(rng.integers(0, 5))
    A = random_graph(rng, n) * rng.uniform(0.5, 2, (n, n))
    found = reference.propagate_sum(A, k)
    for i, j in itertools.product(range(n), repeat=2):
        inner = itertools.product(range(n), repeat=max(k - 1, 0))
        routes = [(i, *middle, j) for middle in inner] if k else ([(i,)] if i == j else [])
        weight = sum(np.prod([A[a, b] for a, b in itertools.pairwise(route)]) for route in routes)
        assert found[j, i] == pytest.approx(weight, rel=1e-12)


def test_numbers_of_the_text():
    assert reference.propagate_sum(path_graph(3), 2)[0].tolist() == [1, 0, 1]
    assert reference.propagate_sum(path_graph(4), 3)[0].tolist() == [0, 2, 0, 1]
    assert np.diag(reference.propagate_sum(1 - np.eye(3), 3)).tolist() == [2, 2, 2]
    assert reference.propagate_max(path_graph(3), 2)[0].tolist() == [1, 0, 1]
    S, A = np.array([[1.0], [0.0], [np.log(2)]]), np.array([[0, 1.0, 1], [0, 0, 0], [0, 0, 0]])
    new = reference.gnn_update(S, A, np.array([[2.0]]), np.array([[1.0]]))
    assert new.ravel() == pytest.approx([1.6, 0, np.log(2)])
    assert reference.bce_loss(np.log([3.0]), np.ones(1)) == pytest.approx(np.log(4 / 3))


@pytest.mark.parametrize("k", range(6))
def test_maxima_say_whether_a_walk_exists(k):
    rng = np.random.default_rng(k)
    A = random_graph(rng, 7, 0.2)
    assert (reference.propagate_max(A, k) == (reference.propagate_sum(A, k) > 0)).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_both_updates_agree_with_torch(seed):
    rng = np.random.default_rng(seed)
    n, d, h = 9, 3, 5
    A = random_graph(rng, n, 0.2)
    S, W1, W2 = rng.normal(size=(n, d)), rng.normal(size=(d, h)), rng.normal(size=(h, d))
    messages = torch.tanh(torch.tensor(S) @ torch.tensor(W2).T)
    target, source = (torch.tensor(each) for each in np.nonzero(A))
    total = torch.zeros(n, h, dtype=torch.float64).index_add(0, target, messages[source])
    count = torch.bincount(target, minlength=n).clamp(min=1)
    expected = (torch.tensor(S) + total / count[:, None] @ torch.tensor(W1).T).numpy()
    np.testing.assert_allclose(reference.gnn_update(S, A, W1, W2), expected, rtol=1e-12)
    edges = torch.stack([source, target]).numpy()
    np.testing.assert_allclose(reference.gnn_update_edges(S, edges, W1, W2), expected, rtol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_update_is_equivariant(seed):
    rng = np.random.default_rng(seed)
    A, order = random_graph(rng, 8), rng.permutation(8)
    S, W1, W2 = rng.normal(size=(8, 4)), rng.normal(size=(4, 3)), rng.normal(size=(3, 4))
    renamed = reference.gnn_update(S[order], A[np.ix_(order, order)], W1, W2)
    np.testing.assert_allclose(renamed, reference.gnn_update(S, A, W1, W2)[order], rtol=1e-12)


AGGREGATIONS = {
    "sum": lambda X: X.sum(axis=0), "spread": lambda X: X.std(axis=0),
    "sorted": lambda X: np.sort(X, axis=0), "product of norms": lambda X: (X**2).sum(axis=1).prod(),
    "first": lambda X: X[0], "differences": lambda X: np.diff(X, axis=0).sum(axis=0),
    "weighted": lambda X: np.arange(len(X)) @ X,
    "round table": lambda X: (X * np.roll(X, 1, axis=0)).sum(),
}


@pytest.mark.parametrize("name", AGGREGATIONS)
def test_the_test_of_symmetry_agrees_with_all_orders_of_five_rows(name):
    agg, X = AGGREGATIONS[name], np.random.default_rng(0).normal(size=(5, 3))
    orders = itertools.permutations(range(5))
    expected = max(np.abs(agg(X) - agg(X[list(order)])).max() for order in orders) <= 1e-9
    assert reference.is_permutation_invariant(agg, 3, np.random.default_rng(1)) == expected


@pytest.mark.parametrize("seed", SEEDS)
def test_cross_entropy_is_torchs(seed):
    rng = np.random.default_rng(seed)
    z, y = rng.normal(0, 300, 20), rng.uniform(size=20)
    expected = torch.nn.functional.binary_cross_entropy_with_logits(*map(torch.tensor, (z, y)))
    assert reference.bce_loss(z, y) == pytest.approx(expected.item(), rel=1e-12)


def test_labels_spread_as_a_geometric_series():
    A, y = sbm(60, 0.3, 0.03, 7)
    b = np.zeros(60)
    b[[0, 40]] = -1, 1
    P = A / A.sum(axis=1, keepdims=True)
    x = sum(np.linalg.matrix_power(P, t) @ b for t in range(11))
    assert (reference.spread_labels(A, y, np.array([0, 40])) == (x > 0)).all()


def test_labels_spread_as_well_as_the_curriculum_says():
    """Mean accuracy over 20 graphs, n = 100, p = 0.2, q = 0.02, four labels: 0.9755."""
    rates = []
    for seed in range(20):
        A, y = sbm(100, 0.2, 0.02, seed)
        rates.append((reference.spread_labels(A, y, np.array([0, 1, 50, 51])) == y).mean())
    assert np.mean(rates) == pytest.approx(0.9755, abs=0.015)


def test_the_club_is_zacharys():
    A, y = karate_club()
    assert A.shape == (34, 34) and (A == A.T).all() and A.sum() == 2 * 78
    assert y.sum() == 17 and (y[0], y[33]) == (0, 1)
    networkx = pytest.importorskip("networkx")
    graph = networkx.karate_club_graph()
    assert (networkx.to_numpy_array(graph, weight=None) == A).all()
    assert [graph.nodes[i]["club"] == "Officer" for i in range(34)] == y.astype(bool).tolist()


def test_two_labels_place_all_members_but_the_one_before_his_black_belt():
    A, y = karate_club()
    wrong = np.flatnonzero(reference.spread_labels(A, y, np.array([0, 33])) != y)
    assert wrong.tolist() == [8]


KINDS = [{}, {"residual": True}, {"rescale": True}, {"rescale": True, "centre": True},
         {"rescale": True, "centre": True, "residual": True}]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "+".join(kind) or "plain")
def test_the_derivatives_of_training_are_torchs(kind):
    A, y = karate_club()
    known, layers = np.array([0, 1, 32, 33]), 3
    first, *weights = training.starts(34, range(2), 0.9)
    kinds = {"residual": False, "centre": False, "rescale": False} | kind
    P = A / A.sum(axis=1, keepdims=True)
    found = training._slopes(P, y, known, layers, first, weights, **kinds)
    W1, W2, readout = (torch.tensor(each, requires_grad=True) for each in weights)
    S = torch.tensor(first)
    for _ in range(layers):
        new = torch.tensor(P) @ torch.tanh(S @ W2.mT) @ W1.mT + (S if kinds["residual"] else 0)
        new = new - new.mean(1, keepdim=True) if kinds["centre"] else new
        S = new / (new**2).mean((1, 2), keepdim=True).sqrt() if kinds["rescale"] else new
    logits = (S @ readout[:, :, None])[:, known, 0]
    labels = torch.tensor(y[known], dtype=torch.float64).expand(2, -1)
    loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, labels, reduction="none")
    loss.mean(1).sum().backward()
    for slope, tensor in zip(found, (W1, W2, readout), strict=True):
        np.testing.assert_allclose(slope, tensor.grad.numpy(), rtol=1e-9, atol=1e-12)


def test_a_network_is_the_same_alone_and_among_others():
    A, y = karate_club()
    alone = train_networks(A, y, [0, 33], 2, [4], rescale=True)[0]
    among = train_networks(A, y, [0, 33], 2, [3, 4, 5], rescale=True)[1]
    for one, other in zip(alone, among, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)


def refined_by_hand(A, colors):
    """The final groups: nodes are split until equal ones read equally many of every group."""
    groups = [frozenset(np.flatnonzero(colors == each).tolist()) for each in np.unique(colors)]
    while True:
        def reads(node, groups=groups):
            return tuple(sum(A[node, j] for j in group) for group in groups)

        split = [frozenset(i for i in group if reads(i) == kind) for group in groups
                 for kind in {reads(i) for i in group}]
        if len(split) == len(groups):
            return set(groups)
        groups = split


@pytest.mark.parametrize("seed", SEEDS)
def test_settled_colours_are_the_coarsest_fair_groups(seed):
    rng = np.random.default_rng(seed)
    A, colors = random_graph(rng, 12, 0.12), rng.integers(0, 2, 12)
    found = reference.refine_colors(A, colors, 12)
    groups = {frozenset(np.flatnonzero(found == each).tolist()) for each in np.unique(found)}
    assert groups == refined_by_hand(A, colors)
    assert found.tolist() == reference.refine_colors(A, found, 5).tolist()
    assert [found.tolist().index(each) for each in range(found.max() + 1)] == sorted(
        found.tolist().index(each) for each in range(found.max() + 1))


def graphs(n):
    """All undirected graphs of n nodes in which each has a neighbour."""
    pairs = list(itertools.combinations(range(n), 2))
    for chosen in itertools.product((0, 1), repeat=len(pairs)):
        A = np.zeros((n, n))
        for (i, j), edge in zip(pairs, chosen, strict=True):
            A[i, j] = A[j, i] = edge
        if A.any(axis=1).all():
            yield A


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_below_six_nodes_no_two_graphs_fool_sums(n):
    kinds = {}
    for A in graphs(n):
        colours = np.bincount(reference.refine_colors(A, np.zeros(n, int), n), minlength=n)
        states = np.ones(n)
        for _ in range(n):
            states = np.cos(states + A @ np.sin(2 * states + 0.7) / n)
        kinds.setdefault((tuple(sorted(colours)), tuple(np.sort(states).round(8))), []).append(A)
    for alike in kinds.values():
        assert all(twins.isomorphic(alike[0], other) for other in alike[1:])


@pytest.mark.parametrize("n", range(6, 12))
def test_the_twins_of_the_reference_are_twins(n):
    found = twins.about(reference.mean_twins(n), n, mean=True)
    assert found == "means do not, sums tell them apart"
    A, B = reference.sum_twins(n)
    assert twins.about((A, B), n, mean=False) == "two different graphs, sums do not"
    both = np.block([[A, np.zeros((n, n))], [np.zeros((n, n)), B]])
    assert not reference.refine_colors(both, np.zeros(2 * n, int), 2 * n).any()
    assert not twins.isomorphic(A, B)
    order = np.random.default_rng(n).permutation(n)
    assert twins.isomorphic(A, A[np.ix_(order, order)])


def test_relative_spread_is_that_of_exact_numbers():
    rng = np.random.default_rng(0)
    S = rng.normal(size=(6, 4)) + 0.3
    away = sum(np.var(S, axis=0)) * 6
    expected = float(np.sqrt(away / np.sum(S**2)))
    for factor in (1.0, -7.0, 1e-290, 1e290):
        assert reference.relative_spread(factor * S) == pytest.approx(expected, rel=1e-12)
    assert reference.relative_spread(np.zeros((2, 2))) == 0
