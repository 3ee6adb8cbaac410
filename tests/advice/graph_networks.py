"""Wrong solutions of graph_networks, written from its text alone."""

import numpy as np

from advice import wrong


@wrong("not_transposed", "transpos|direction|receiver|sender|column")
def propagate_sum(A, k):
    return np.linalg.matrix_power(np.asarray(A, float), k)


@wrong("one_layer_more", "layer|k ")
def propagate_sum(A, k):
    states = A.T.astype(float)
    for _ in range(k):
        states = A.T @ states
    return states


@wrong("keeps_own_state", "own|keep|residual|arriv")
def propagate_sum(A, k):
    states = np.eye(len(A))
    for _ in range(k):
        states = states + A.T @ states
    return states


@wrong("weights_ignored", "weight")
def propagate_sum(A, k):
    states = np.eye(len(A))
    for _ in range(k):
        states = (A != 0).T.astype(float) @ states
    return states


@wrong("mean_of_arrivals", "mean|averag|divide|degree|normal")
def propagate_sum(A, k):
    states = np.eye(len(A))
    for _ in range(k):
        states = A.T @ states / np.maximum(A.sum(axis=0), 1)[:, None]
    return states


@wrong("within_distance", "exactly|at most|keep|within|own|before")
def propagate_max(A, k):
    states = np.eye(len(A))
    for _ in range(k):
        states = np.maximum(states, (A.T @ states > 0).astype(float))
    return states


@wrong("direction", "transpos|direction|receiver|sender|column")
def propagate_max(A, k):
    return (np.linalg.matrix_power(np.asarray(A, float), k) > 0).astype(float)


@wrong("counts", "count|one|maxim|sum|walk")
def propagate_max(A, k):
    return np.linalg.matrix_power(A.T, k)


@wrong("eps_degree", "constant|added|degree|eps")
def gnn_update(S, A, W1, W2):
    return S + (A @ np.tanh(S @ W2.T) / (A.sum(axis=1, keepdims=True) + 1e-6)) @ W1.T


@wrong("square_weights_not_transposed", "transpos|column|row|W2|W1")
def gnn_update(S, A, W1, W2):
    degree = np.maximum(A.sum(axis=1, keepdims=True), 1)
    if W1.shape[0] == W1.shape[1]:
        return S + (A @ np.tanh(S @ W2) / degree) @ W1
    return S + (A @ np.tanh(S @ W2.T) / degree) @ W1.T


@wrong("tanh_at_the_end", "tanh|before|mean|inside")
def gnn_update(S, A, W1, W2):
    degree = np.maximum(A.sum(axis=1, keepdims=True), 1)
    return S + np.tanh((A @ S / degree) @ W2.T) @ W1.T


@wrong("reads_columns", "row|column|direction|transpos|reversed|edge")
def gnn_update(S, A, W1, W2):
    degree = np.maximum(A.sum(axis=0)[:, None], 1)
    return S + (A.T @ np.tanh(S @ W2.T) / degree) @ W1.T


@wrong("counts_itself", r"itself|self|own|\+ 1|one more")
def gnn_update(S, A, W1, W2):
    messages = np.tanh(S @ W2.T)
    return S + ((A @ messages + messages) / (A.sum(axis=1, keepdims=True) + 1)) @ W1.T


@wrong("lonely_become_zero", "neighbour|lonely|keep|isolated")
def gnn_update(S, A, W1, W2):
    degree = A.sum(axis=1, keepdims=True)
    new = S + (A @ np.tanh(S @ W2.T) / np.maximum(degree, 1)) @ W1.T
    return new * (degree > 0)


@wrong("writes_into_S", "argument|in place|new one|caller|old state")
def gnn_update(S, A, W1, W2):
    degree = np.maximum(A.sum(axis=1, keepdims=True), 1)
    S += (A @ np.tanh(S @ W2.T) / degree) @ W1.T
    return S


@wrong("plus_equals", "repeated|only one|twice|add")
def gnn_update_edges(S, edges, W1, W2):
    source, target = edges
    total, count = np.zeros((len(S), len(W2))), np.zeros(len(S))
    total[target] += np.tanh(S @ W2.T)[source]
    np.add.at(count, target, 1)
    return S + (total / np.maximum(count, 1)[:, None]) @ W1.T


@wrong("no_minlength", "minlength|each of the|last|every node|one count")
def gnn_update_edges(S, edges, W1, W2):
    source, target = edges
    total = np.zeros((len(S), len(W2)))
    np.add.at(total, target, np.tanh(S @ W2.T)[source])
    return S + (total / np.maximum(np.bincount(target), 1)[:, None]) @ W1.T


@wrong("counts_leave", "arriv|target|receiver|sender|leave")
def gnn_update_edges(S, edges, W1, W2):
    source, target = edges
    total = np.zeros((len(S), len(W2)))
    np.add.at(total, target, np.tanh(S @ W2.T)[source])
    return S + (total / np.maximum(np.bincount(source, minlength=len(S)), 1)[:, None]) @ W1.T


@wrong("both_ways", "direction|both|one way|from|undirected")
def gnn_update_edges(S, edges, W1, W2):
    source, target = np.hstack([edges, edges[::-1]])
    total = np.zeros((len(S), len(W2)))
    np.add.at(total, target, np.tanh(S @ W2.T)[source])
    return S + (total / np.maximum(np.bincount(target, minlength=len(S)), 1)[:, None]) @ W1.T


@wrong("dense_matrix", "matrix|memory|n, n", announced=True)
def gnn_update_edges(S, edges, W1, W2):
    A = np.zeros((len(S), len(S)))
    np.add.at(A, (edges[1], edges[0]), 1)
    return S + (A @ np.tanh(S @ W2.T) / np.maximum(A.sum(axis=1), 1)[:, None]) @ W1.T


@wrong("mean_difference", "largest|mean|one entry|average")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    for _ in range(trials):
        X = rng.normal(size=(n, d))
        if np.mean(agg(X) - agg(X[rng.permutation(n)])) > tol:
            return False
    return True


@wrong("same_rows", "new rows|same rows|each trial|every trial|once")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    X = rng.normal(size=(n, d))
    return all(np.max(np.abs(agg(X) - agg(X[rng.permutation(n)]))) <= tol for _ in range(trials))


@wrong("own_generator", "rng|generator|seed")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    rng = np.random.default_rng(0)
    for _ in range(trials):
        X = rng.normal(size=(n, d))
        if np.max(np.abs(agg(X) - agg(X[rng.permutation(n)]))) > tol:
            return False
    return True


@wrong("shuffles_in_place", "in place|both|same array|copy|shuffle|alias")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    for _ in range(trials):
        X = rng.normal(size=(n, d))
        Y = X
        rng.shuffle(Y)
        if np.max(np.abs(agg(X) - agg(Y))) > tol:
            return False
    return True


@wrong("sets_not_multisets", "multiset|how often|set|count")
def refine_colors(A, colors, rounds):
    colors = [int(c) for c in colors]
    for step in range(rounds + 1):
        if step:
            colors = [(colors[i], tuple(sorted({colors[j] for j in np.flatnonzero(A[i])})))
                      for i in range(len(A))]
        names = {}
        colors = [names.setdefault(c, len(names)) for c in colors]
    return np.array(colors)


@wrong("forgets_own_colour", "own")
def refine_colors(A, colors, rounds):
    colors = [int(c) for c in colors]
    for step in range(rounds + 1):
        if step:
            colors = [tuple(sorted(colors[j] for j in np.flatnonzero(A[i])))
                      for i in range(len(A))]
        names = {}
        colors = [names.setdefault(c, len(names)) for c in colors]
    return np.array(colors)


@wrong("adds_colour_numbers", "number|sum|add|multiset|1 \\+ 1|names")
def refine_colors(A, colors, rounds):
    names = {}
    colors = np.array([names.setdefault(int(c), len(names)) for c in colors])
    for _ in range(rounds):
        pairs, names = list(zip(colors, A @ colors)), {}
        colors = np.array([names.setdefault(p, len(names)) for p in pairs])
    return colors


@wrong("numbers_by_size", "first|appear|order|number|sort")
def refine_colors(A, colors, rounds):
    colors = np.unique(colors, return_inverse=True)[1]
    for _ in range(rounds):
        kinds = np.eye(colors.max() + 1)[colors]
        signature = np.column_stack([colors, A @ kinds])
        colors = np.unique(signature, axis=0, return_inverse=True)[1].ravel()
    return colors


@wrong("start_not_renumbered", "first|appear|0 rounds|no round|number")
def refine_colors(A, colors, rounds):
    for _ in range(rounds):
        names = {}
        pairs = [(int(colors[i]), tuple(sorted(colors[np.flatnonzero(A[i])])))
                 for i in range(len(A))]
        colors = np.array([names.setdefault(p, len(names)) for p in pairs])
    return np.array(colors)


@wrong("same_pair", "isomorphic|renumber|same graph")
def sum_twins(n):
    if n < 6:
        raise ValueError
    cycle = np.roll(np.eye(n), 1, axis=1) + np.roll(np.eye(n), -1, axis=1)
    order = np.random.default_rng(n).permutation(n)
    return cycle, cycle[np.ix_(order, order)]


@wrong("path_and_cycle", "degree|colour|told apart|tell")
def sum_twins(n):
    if n < 6:
        raise ValueError
    cycle = np.roll(np.eye(n), 1, axis=1) + np.roll(np.eye(n), -1, axis=1)
    return cycle, np.eye(n, k=1) + np.eye(n, k=-1)


@wrong("two_triangles_always", "n nodes|every n|any n|only for|left over|alone")
def sum_twins(n):
    if n < 6:
        raise ValueError
    A, B = np.zeros((n, n)), np.zeros((n, n))
    A[:6, :6] = np.roll(np.eye(6), 1, axis=1) + np.roll(np.eye(6), -1, axis=1)
    B[:3, :3] = B[3:6, 3:6] = 1 - np.eye(3)
    return A, B


@wrong("regular_alike", "sum|degree|tell")
def mean_twins(n):
    if n < 3:
        raise ValueError
    cycle = np.roll(np.eye(n), 1, axis=1) + np.roll(np.eye(n), -1, axis=1)
    order = np.random.default_rng(n).permutation(n)
    return np.minimum(cycle, 1), np.minimum(cycle, 1)[np.ix_(order, order)]


@wrong("lonely_node", "without a neighbour|neighbour|isolated|lonely")
def mean_twins(n):
    if n < 3:
        raise ValueError
    A = 1 - np.eye(n)
    B = A.copy()
    B[0] = B[:, 0] = 0
    return A, B


@wrong("no_minus", "minus|sign|negative")
def bce_loss(logits, y):
    z = np.asarray(logits, float)
    return -np.mean(np.maximum(z, 0) - z * y + np.log1p(np.exp(-np.abs(z))))


@wrong("clipped", "clip")
def bce_loss(logits, y):
    with np.errstate(over="ignore"):
        p = np.clip(1 / (1 + np.exp(-np.asarray(logits, float))), 1e-12, 1 - 1e-12)
    return -np.mean(y * np.log(p) + (1 - np.asarray(y)) * np.log(1 - p))


@wrong("total", "mean|sum|total")
def bce_loss(logits, y):
    return np.sum(np.logaddexp(0, logits) - np.asarray(logits) * y)


@wrong("damped", "damp|factor|weight|half|share|full")
def spread_labels(A, y, seeds, steps=10):
    b = np.zeros(len(A))
    b[seeds] = 2 * np.asarray(y)[seeds] - 1
    x = b
    for _ in range(steps):
        x = b + 0.5 * A @ x / np.maximum(A.sum(axis=1), 1)
    return (x > 0).astype(int)


@wrong("clamped", "own|clamp|fixed|plus|reset|hears|overwrit")
def spread_labels(A, y, seeds, steps=10):
    b = np.zeros(len(A))
    b[seeds] = 2 * np.asarray(y)[seeds] - 1
    x = b.copy()
    for _ in range(steps):
        x = A @ x / np.maximum(A.sum(axis=1), 1)
        x[seeds] = b[seeds]
    return (x > 0).astype(int)


@wrong("zero_one", r"-1|\+1|class 0|minus|no opinion")
def spread_labels(A, y, seeds, steps=10):
    b = np.zeros(len(A))
    b[seeds] = np.asarray(y)[seeds]
    x = b
    for _ in range(steps):
        x = b + A @ x / np.maximum(A.sum(axis=1), 1)
    return (x > 0.5).astype(int)


@wrong("not_repeated", "again|every step|add|b ")
def spread_labels(A, y, seeds, steps=10):
    x = np.zeros(len(A))
    x[seeds] = 2 * np.asarray(y)[seeds] - 1
    for _ in range(steps):
        x = A @ x / np.maximum(A.sum(axis=1), 1)
    return (x > 0).astype(int)


@wrong("tie_is_one", "0|zero|tie|>=")
def spread_labels(A, y, seeds, steps=10):
    b = np.zeros(len(A))
    b[seeds] = 2 * np.asarray(y)[seeds] - 1
    x = b
    for _ in range(steps):
        x = b + A @ x / np.maximum(A.sum(axis=1), 1)
    return (x >= 0).astype(int)


@wrong("absolute", "size|relative|scale|divide")
def relative_spread(S):
    return np.linalg.norm(S - S.mean(axis=0))


@wrong("underflow", "square|underflow|1e-200|small|largest")
def relative_spread(S):
    total = np.sum(S**2)
    return np.sqrt(np.sum((S - S.mean(axis=0)) ** 2) / total) if total > 0 else 0.0


@wrong("eps_below", "constant|added|eps|denominator")
def relative_spread(S):
    scale = np.abs(S).max() or 1.0
    S = S / scale
    return np.linalg.norm(S - S.mean(axis=0)) / (np.linalg.norm(S) + 1e-8)


@wrong("mean_of_each_row", "axis|row|column|all rows|over the nodes")
def relative_spread(S):
    scale = np.abs(S).max() or 1.0
    S = S / scale
    return np.linalg.norm(S - S.mean(axis=1, keepdims=True)) / (np.linalg.norm(S) or 1.0)


@wrong("zero_is_nan", "zero|NaN|0 / 0|0/0")
def relative_spread(S):
    with np.errstate(all="ignore"):
        S = S / np.abs(S).max()
        return np.linalg.norm(S - S.mean(axis=0)) / np.linalg.norm(S)


@wrong("not_rooted", "root|square")
def relative_spread(S):
    scale = np.abs(S).max() or 1.0
    S = S / scale
    return np.sum((S - S.mean(axis=0)) ** 2) / (np.sum(S**2) or 1.0)


@wrong("weights_forgotten", "weight")
def propagate_sum(A, k):
    S = np.eye(len(A))
    for _ in range(k):
        S = (A != 0).T.astype(float) @ S
    return S


@wrong("first_time_only", "shortest|distance|again|route|walk|exactly")
def propagate_max(A, k):
    seen = now = np.eye(len(A))
    for _ in range(k):
        now = ((A.T @ now > 0) & (seen == 0)).astype(float)
        seen = seen + now
    return now


@wrong("one_after_the_other", "old|same time|at once|already")
def gnn_update(S, A, W1, W2):
    S = S.copy()
    for i in range(len(S)):
        friends = np.flatnonzero(A[i])
        if len(friends):
            S[i] = S[i] + W1 @ np.tanh(S[friends] @ W2.T).mean(axis=0)
    return S


@wrong("counts_what_is_sent", "arriv|receiv|target|sender|sent")
def gnn_update_edges(S, edges, W1, W2):
    source, target = edges
    messages = np.tanh(S @ W2.T)
    total = np.zeros((len(S), W2.shape[0]))
    np.add.at(total, target, messages[source])
    count = np.maximum(np.bincount(source, minlength=len(S)), 1)
    return S + (total / count[:, None]) @ W1.T


@wrong("columns_on_their_own", "whole|column")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    for _ in range(trials):
        X = rng.normal(size=(n, d))
        if np.max(np.abs(agg(X) - agg(rng.permuted(X, axis=0)))) > tol:
            return False
    return True


@wrong("own_among_the_others", "own")
def refine_colors(A, colors, rounds):
    def number(keys):
        names = {}
        return np.array([names.setdefault(key, len(names)) for key in keys])

    colors = number(list(np.asarray(colors).tolist()))
    for _ in range(rounds):
        colors = number([tuple(sorted([colors[i], *colors[A[i] > 0]])) for i in range(len(A))])
    return colors


@wrong("path_and_star", "three|n = 3|same graph|star")
def mean_twins(n):
    if n < 3:
        raise ValueError
    path = np.eye(n, k=1) + np.eye(n, k=-1)
    star = np.zeros((n, n))
    star[0, 1:] = star[1:, 0] = 1
    return path, star


@wrong("halves_of_odd", "odd|neighbour|alone|every node")
def sum_twins(n):
    if n < 6:
        raise ValueError
    def cycle(m):
        return np.roll(np.eye(m), 1, axis=1) + np.roll(np.eye(m), -1, axis=1)
    two = np.zeros((n, n))
    h = n // 2
    two[:h, :h] = two[h:2 * h, h:2 * h] = cycle(h)
    return cycle(n), two


@wrong("labels_are_rounded", "soft|between|label")
def bce_loss(logits, y):
    z = np.where(np.asarray(y) > 0.5, -logits, logits)
    return np.mean(np.logaddexp(0, z))


@wrong("votes_of_one", "sign|round|size|number|opinion|vote")
def spread_labels(A, y, seeds, steps=10):
    b = np.zeros(len(A))
    b[seeds] = 2 * np.asarray(y)[seeds] - 1
    x = b
    degree = np.maximum(A.sum(axis=1), 1)
    for _ in range(steps):
        x = np.sign(b + A @ x / degree)
    return (x > 0).astype(int)


@wrong("mean_of_all_entries", "row|column|one number")
def relative_spread(S):
    S = np.asarray(S, float)
    biggest = np.abs(S).max()
    if biggest == 0 or len(S) == 1:
        return 0.0
    S = S / biggest
    return np.linalg.norm(S - S.mean()) / np.linalg.norm(S)


# a second round, written from a later text

@wrong("from_sender_to_row", "transpos|direction|sender|receiv|against|row")
def propagate_sum(A, k):
    return np.linalg.matrix_power(np.asarray(A, float), k)


@wrong("powers_of_entries", "entry|entries|element|matrix product")
def propagate_sum(A, k):
    A = np.asarray(A, float)
    return np.eye(len(A)) if k == 0 else A.T**k


@wrong("adds_up_all_lengths", "length|exactly|shorter|every layer|sum of|earlier|keeps|own")
def propagate_sum(A, k):
    A = np.asarray(A, float)
    G = total = np.eye(len(A))
    for _ in range(k):
        G = A.T @ G
        total = total + G
    return total


@wrong("has_heard_of_it", "keep|old state|own|arrive|exactly")
def propagate_max(A, k):
    A = np.asarray(A, float)
    G = np.eye(len(A))
    for _ in range(k):
        G = np.maximum(G, (A.T @ G > 0).astype(float))
    return G


@wrong("nearest_distance", "distance|shortest|exactly|walk|twice|again")
def propagate_max(A, k):
    A = np.asarray(A, float)
    seen = G = np.eye(len(A))
    for _ in range(k):
        G = ((A.T @ G > 0) & (seen == 0)).astype(float)
        seen = np.maximum(seen, G)
    return G


@wrong("divides_by_readers", "row|column|reads|neighbours|divisor")
def gnn_update(S, A, W1, W2):
    degrees = np.maximum(A.sum(axis=0), 1)[:, None]
    return S + (A @ np.tanh(S @ W2.T)) / degrees @ W1.T


@wrong("tanh_of_the_mean", "tanh")
def gnn_update(S, A, W1, W2):
    degrees = np.maximum(A.sum(axis=1), 1)[:, None]
    return S + np.tanh((A @ (S @ W2.T)) / degrees) @ W1.T


@wrong("one_neighbour_more", "itself|own|one more|nothing added|divisor|n_i")
def gnn_update(S, A, W1, W2):
    degrees = A.sum(axis=1)[:, None] + 1
    return S + (A @ np.tanh(S @ W2.T)) / degrees @ W1.T


@wrong("nan_for_the_lonely", "no neighbour|NaN|nobody|without|lonely|0 by 0|zero")
def gnn_update(S, A, W1, W2):
    with np.errstate(all="ignore"):
        return S + (A @ np.tanh(S @ W2.T)) / A.sum(axis=1)[:, None] @ W1.T


@wrong("new_states_are_read", "old|same time|at once|new state")
def gnn_update(S, A, W1, W2):
    S = np.array(S, float)
    for i in range(len(S)):
        friends = np.flatnonzero(A[i])
        if len(friends):
            S[i] = S[i] + W1 @ np.tanh(S[friends] @ W2.T).mean(axis=0)
    return S


def _edges(S, source, target, W1, W2, scatter=True, minlength=None):
    messages = np.tanh(S @ W2.T)
    total = np.zeros((len(S), W2.shape[0]))
    if scatter:
        np.add.at(total, target, messages[source])
    else:
        total[target] += messages[source]
    counts = np.bincount(target, minlength=len(S) if minlength is None else minlength)
    return S + total / np.maximum(counts, 1)[:, None] @ W1.T


@wrong("totals_overwritten", r"repeat|add\.at|twice|once|several|last")
def gnn_update_edges(S, edges, W1, W2):
    return _edges(S, *edges, W1, W2, scatter=False)


@wrong("backwards", "direction|sender|receiv|from|exchang|swap|turned")
def gnn_update_edges(S, edges, W1, W2):
    return _edges(S, edges[1], edges[0], W1, W2)


@wrong("each_edge_once", "twice|repeat|listed")
def gnn_update_edges(S, edges, W1, W2):
    return _edges(S, *np.unique(edges, axis=1), W1, W2)


@wrong("counts_end_too_early", "minlength|last|receive|count for each|every node|crash")
def gnn_update_edges(S, edges, W1, W2):
    return _edges(S, *edges, W1, W2, minlength=0)


@wrong("dense_after_all", "memory|n x n|matrix|40", announced=True)
def gnn_update_edges(S, edges, W1, W2):
    A = np.zeros((len(S), len(S)))
    np.add.at(A, (edges[1], edges[0]), 1)
    return S + (A @ np.tanh(S @ W2.T)) / np.maximum(A.sum(axis=1), 1)[:, None] @ W1.T


@wrong("allclose_as_it_comes", "relative|rtol|allclose|tol")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    for _ in range(trials):
        X = rng.normal(size=(n, d))
        if not np.allclose(agg(X), agg(X[rng.permutation(n)]), atol=tol):
            return False
    return True


@wrong("one_trial_decides", "every trial|all trials|first trial|inside|after the loop|one trial")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    for _ in range(trials):
        X = rng.normal(size=(n, d))
        gap = np.max(np.abs(np.asarray(agg(X)) - np.asarray(agg(X[rng.permutation(n)]))))
        return bool(gap <= tol)


@wrong("columns_shuffled_apart", "whole|row|column")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    for _ in range(trials):
        X = rng.normal(size=(n, d))
        gap = np.abs(np.asarray(agg(X)) - np.asarray(agg(rng.permuted(X, axis=0))))
        if np.max(gap) > tol:
            return False
    return True


@wrong("average_gap", "largest|one entry|mean|average")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    for _ in range(trials):
        X = rng.normal(size=(n, d))
        gap = np.abs(np.asarray(agg(X)) - np.asarray(agg(X[rng.permutation(n)])))
        if np.mean(gap) > tol:
            return False
    return True


@wrong("same_rows_each_time", "new rows|drawn|each trial|every trial|again")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    X = rng.normal(size=(n, d))
    expected = np.asarray(agg(X))
    return bool(all(np.max(np.abs(expected - np.asarray(agg(X[rng.permutation(n)])))) <= tol
                    for _ in range(trials)))


def _numbered(keys):
    names = {}
    return np.array([names.setdefault(key, len(names)) for key in keys])


@wrong("sets_of_colours", "set|how often|occurs|count")
def refine_colors(A, colors, rounds):
    colors = _numbered(np.asarray(colors).tolist())
    for _ in range(rounds):
        colors = _numbered([(colors[i], tuple(sorted(set(colors[np.flatnonzero(row)]))))
                            for i, row in enumerate(np.asarray(A))])
    return colors


@wrong("own_colour_lost", "own")
def refine_colors(A, colors, rounds):
    colors = _numbered(np.asarray(colors).tolist())
    for _ in range(rounds):
        colors = _numbered([tuple(sorted(colors[np.flatnonzero(row)])) for row in np.asarray(A)])
    return colors


@wrong("numbered_by_size", "first|appear|order|size|sorted")
def refine_colors(A, colors, rounds):
    colors = np.unique(colors, return_inverse=True)[1]
    for _ in range(rounds):
        keys = [(colors[i], *sorted(colors[np.flatnonzero(row)]))
                for i, row in enumerate(np.asarray(A))]
        colors = np.array([sorted(set(keys)).index(key) for key in keys])
    return colors


@wrong("stops_when_nothing_changes_too_late", "round|one more|too many|exactly")
def refine_colors(A, colors, rounds):
    colors = _numbered(np.asarray(colors).tolist())
    for _ in range(rounds + 1):
        colors = _numbered([(colors[i], *sorted(colors[np.flatnonzero(row)]))
                            for i, row in enumerate(np.asarray(A))])
    return colors


def _cycle(n):
    return np.roll(np.eye(n), 1, axis=1) + np.roll(np.eye(n), -1, axis=1)


def _two(a, b):
    both = np.zeros((a + b, a + b))
    both[:a, :a], both[a:, a:] = _cycle(a), _cycle(b)
    return both


@wrong("the_same_cycle_renumbered", "renumber|same graph|different|isomorph")
def sum_twins(n):
    if n < 6:
        raise ValueError("n")
    order = np.random.default_rng(0).permutation(n)
    return _cycle(n), _cycle(n)[np.ix_(order, order)]


@wrong("equal_degrees_only", "degrees|second layer|layers|sum")
def sum_twins(n):
    if n < 6:
        raise ValueError("n")
    path = np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1)
    other = np.zeros((n, n))
    other[:3, :3] = _cycle(3)
    m = n - 3
    other[3:, 3:] = np.diag(np.ones(m - 1), 1) + np.diag(np.ones(m - 1), -1)
    return path, other


@wrong("cycle_of_two", "two nodes|at least three|entries|short|double")
def sum_twins(n):
    if n < 6:
        raise ValueError("n")
    return _cycle(n), _two(n - 2, 2)


@wrong("sum_over_the_nodes", "mean|sum|divid|n ")
def bce_loss(logits, y):
    z, y = np.asarray(logits, float), np.asarray(y, float)
    return np.sum(np.maximum(z, 0) - z * y + np.log1p(np.exp(-np.abs(z))))


@wrong("clipped_probability", "clip")
def bce_loss(logits, y):
    z, y = np.asarray(logits, float), np.asarray(y, float)
    with np.errstate(over="ignore"):
        p = np.clip(1 / (1 + np.exp(-z)), 1e-12, 1 - 1e-12)
    return -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))


@wrong("sign_of_the_label", "sign|label|y")
def bce_loss(logits, y):
    z, y = np.asarray(logits, float), np.asarray(y, float)
    return np.mean(np.maximum(z, 0) + z * y + np.log1p(np.exp(-np.abs(z))))


@wrong("hard_labels_only", "soft|between|label")
def bce_loss(logits, y):
    z, y = np.asarray(logits, float), np.asarray(y, float)
    return np.mean(np.logaddexp(0, np.where(y > 0.5, -z, z)))


def _opinions(A, b, steps, again=True, fixed=None):
    degree, x = np.maximum(A.sum(axis=1), 1), b.copy()
    for _ in range(steps):
        x = again * b + A @ x / degree
        if fixed is not None:
            x[fixed] = b[fixed]
    return x


@wrong("labels_are_clamped", "outvot|fixed|clamp|held|stays|labelled")
def spread_labels(A, y, seeds, steps=10):
    b = np.zeros(len(A))
    b[seeds] = 2 * np.asarray(y)[seeds] - 1
    return _opinions(np.asarray(A, float), b, steps, fixed=seeds) > 0


@wrong("zeros_and_ones_for_b", "-1|minus|class 0|sign")
def spread_labels(A, y, seeds, steps=10):
    b = np.zeros(len(A))
    b[seeds] = np.asarray(y)[seeds]
    return _opinions(np.asarray(A, float), b, steps) > 0.5


@wrong("b_only_at_the_start", "again|every step|added|b ")
def spread_labels(A, y, seeds, steps=10):
    b = np.zeros(len(A))
    b[seeds] = 2 * np.asarray(y)[seeds] - 1
    return _opinions(np.asarray(A, float), b, steps, again=False) > 0


@wrong("friends_are_added", "mean|sum|degree|divid")
def spread_labels(A, y, seeds, steps=10):
    A, b = np.asarray(A, float), np.zeros(len(A))
    b[seeds] = 2 * np.asarray(y)[seeds] - 1
    x = b.copy()
    for _ in range(steps):
        x = b + A @ x
    return x > 0


@wrong("one_mean_for_all", "mean row|column|axis|each")
def relative_spread(S):
    S = np.asarray(S, float)
    top = np.abs(S).max()
    if top == 0:
        return 0.0
    S = S / top
    return np.linalg.norm(S - S.mean()) / np.linalg.norm(S)


@wrong("root_forgotten", "root|squar")
def relative_spread(S):
    S = np.asarray(S, float)
    top = np.abs(S).max()
    if top == 0:
        return 0.0
    S = S / top
    return np.sum((S - S.mean(axis=0)) ** 2) / np.sum(S**2)


@wrong("not_rescaled", r"underflow|small|tiny|huge|rescal|overflow|10\^|1e|squar|largest")
def relative_spread(S):
    S = np.asarray(S, float)
    length = np.linalg.norm(S)
    return np.linalg.norm(S - S.mean(axis=0)) / length if length > 0 else 0.0


@wrong("stabiliser", "denominator|added|eps|small")
def relative_spread(S):
    S = np.asarray(S, float)
    return np.linalg.norm(S - S.mean(axis=0)) / (np.linalg.norm(S) + 1e-12)


@wrong("rows_send", "transpose|direction|sender|receiver|turn|row")
def propagate_sum(A, k):
    return np.linalg.matrix_power(A, k)


@wrong("one_layer_too_many", "layer|k|one")
def propagate_sum(A, k):
    G = np.asarray(A, float).T
    for _ in range(k):
        G = A.T @ G
    return G


@wrong("reachable_within_k", "exactly|old|keep|within|stay|own")
def propagate_max(A, k):
    G = np.eye(len(A))
    for _ in range(k):
        G = np.maximum(G, (A.T @ G > 0).astype(float))
    return G


@wrong("largest_weight_of_walks", "exactly|sum|count|one|0 and 1|zeros and ones")
def propagate_max(A, k):
    return np.minimum(np.linalg.matrix_power(A, k).T, 2)


@wrong("updated_one_after_the_other", "old|same time|all nodes|order|read")
def gnn_update(S, A, W1, W2):
    out = np.array(S, float)
    for i in range(len(S)):
        near = A[i] > 0
        if near.any():
            out[i] = out[i] + W1 @ np.tanh(out[near] @ W2.T).mean(axis=0)
    return out


@wrong("tanh_of_the_mean_again", "before|inside|tanh|mean|message")
def gnn_update(S, A, W1, W2):
    count = np.maximum(A.sum(axis=1), 1)[:, None]
    return S + np.tanh((A @ S / count) @ W2.T) @ W1.T


@wrong("counts_itself_too", "itself|own|neighbours|self|divisor|added")
def gnn_update(S, A, W1, W2):
    A = A + np.eye(len(A))
    return S + (A @ np.tanh(S @ W2.T) / A.sum(axis=1, keepdims=True)) @ W1.T


@wrong("tanh_outside", "tanh|message|after|inside|W1|outermost")
def gnn_update(S, A, W1, W2):
    count = np.maximum(A.sum(axis=1), 1)[:, None]
    return S + np.tanh((A @ (S @ W2.T) / count) @ W1.T)


def _edges_2(S, edges, W1, W2, gather, scatter, count):
    messages = np.tanh(S @ W2.T)
    total = np.zeros_like(messages)
    np.add.at(total, edges[scatter], messages[edges[gather]])
    return S + (total / np.maximum(count(edges, len(S)), 1)[:, None]) @ W1.T


@wrong("sent_backwards", "sends|from|direction|sender|receiver|swap|row")
def gnn_update_edges(S, edges, W1, W2):
    return _edges_2(S, edges, W1, W2, 1, 0, lambda e, n: np.bincount(e[0], minlength=n))


@wrong("divided_by_the_sent", "arriv|receiv|sent|count|divid")
def gnn_update_edges(S, edges, W1, W2):
    return _edges_2(S, edges, W1, W2, 0, 1, lambda e, n: np.bincount(e[0], minlength=n))


@wrong("edges_once", "twice|repeat|double|listed")
def gnn_update_edges(S, edges, W1, W2):
    return _edges_2(
        S, np.unique(edges, axis=1), W1, W2, 0, 1, lambda e, n: np.bincount(e[1], minlength=n)
    )


@wrong("last_nodes_forgotten", "minlength|nodes|last|n |count|every node")
def gnn_update_edges(S, edges, W1, W2):
    return _edges_2(S, edges, W1, W2, 0, 1, lambda e, n: np.bincount(e[1]))


@wrong("first_trial_decides", "trial|all|every|loop|return")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    for _ in range(trials):
        X = rng.normal(size=(n, d))
        return bool(np.max(np.abs(agg(X) - agg(X[rng.permutation(n)]))) <= tol)
    return True


@wrong("columns_in_any_order", "row|whole|axis|column|entr")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    for _ in range(trials):
        X = rng.normal(size=(n, d))
        Y = rng.permuted(X, axis=0)
        if np.max(np.abs(agg(X) - agg(Y))) > tol:
            return False
    return True


@wrong("mean_difference_again", "largest|one entry|mean|average|every entry|single")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    for _ in range(trials):
        X = rng.normal(size=(n, d))
        if abs(np.mean(agg(X) - agg(X[rng.permutation(n)]))) > tol:
            return False
    return True


@wrong("same_rows_in_all_trials", "new rows|each trial|every trial|fresh|rows|trial")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    X = rng.normal(size=(n, d))
    first = agg(X)
    return all(np.max(np.abs(first - agg(X[rng.permutation(n)]))) <= tol for _ in range(trials))


@wrong("one_sided", "sign|absolute|negative")
def is_permutation_invariant(agg, d, rng, trials=20, n=5, tol=1e-9):
    for _ in range(trials):
        X = rng.normal(size=(n, d))
        if np.max(agg(X) - agg(X[rng.permutation(n)])) > tol:
            return False
    return True


def _number(keys):
    seen = {}
    return np.array([seen.setdefault(key, len(seen)) for key in keys], int)


def _refined(signature, number=_number, stop=False):
    def refine_colors(A, colors, rounds):
        c = _number(list(map(int, colors)))
        for _ in range(rounds):
            c = number([signature(c, A, i) for i in range(len(c))])
        return c

    return refine_colors


refine_colors = wrong("colors_as_a_set", "set|often|count|how many")(
    _refined(lambda c, A, i: (c[i], tuple(sorted(set(c[A[i] > 0])))))
)
refine_colors = wrong("columns_read", "row|column|direction|reads|transpose")(
    _refined(lambda c, A, i: (c[i], tuple(sorted(c[A[:, i] > 0]))))
)
refine_colors = wrong("unsorted", "order|sort")(
    _refined(lambda c, A, i: (c[i], tuple(c[A[i] > 0])))
)
refine_colors = wrong("old_color_forgotten", "own|old")(
    _refined(lambda c, A, i: tuple(sorted(c[A[i] > 0])))
)
refine_colors = wrong("numbered_by_size_again", "first appear|order|sort|number")(
    _refined(
        lambda c, A, i: (int(c[i]), tuple(sorted(map(int, c[A[i] > 0])))),
        lambda keys: np.array([sorted(set(keys)).index(key) for key in keys]),
    )
)


@wrong("start_not_numbered", "number|given|first|round|start|0")
def refine_colors(A, colors, rounds):
    c = np.array(colors)
    for _ in range(rounds):
        c = _number([(c[i], tuple(sorted(c[A[i] > 0]))) for i in range(len(c))])
    return c


def _cycle_2(n, nodes):
    A = np.zeros((n, n))
    for a, b in zip(nodes, nodes[1:] + nodes[:1]):
        A[a, b] = A[b, a] = 1
    return A


@wrong("renumbered_cycle", "renumber|same|isomorph|different|equal")
def mean_twins(n):
    if n < 3:
        raise ValueError
    return _cycle_2(n, list(range(n))), _cycle_2(n, [0, *range(n - 1, 0, -1)])


@wrong("lonely_node_again", "neighbour|lonely|isolated|without|every node")
def mean_twins(n):
    if n < 3:
        raise ValueError
    path = np.eye(n, k=1) + np.eye(n, k=-1)
    less = path.copy()
    less[-1] = less[:, -1] = 0
    return path, less


@wrong("same_degrees_only", "second|degree|neighbours|all nodes|regular|layer|sums")
def sum_twins(n):
    if n < 6:
        raise ValueError
    path = np.eye(n, k=1) + np.eye(n, k=-1)
    other = np.eye(n, k=1) + np.eye(n, k=-1)
    other[n - 4, n - 3] = other[n - 3, n - 4] = 0  # a path of n - 3 nodes and a triangle
    other[n - 1, n - 3] = other[n - 3, n - 1] = 1
    return path, other


@wrong("halves_of_an_even_number", "odd|triangle|n|cycle|loop|three|node")
def sum_twins(n):
    if n < 6:
        raise ValueError
    half = n // 2
    return _cycle_2(n, list(range(n))), (
        _cycle_2(n, list(range(half))) + _cycle_2(n, list(range(half, 2 * half)))
    )


@wrong("two_cycles_of_two", "degree|triangle|short|three|six|6|cycle|edge|0 and 1|double")
def sum_twins(n):
    if n < 6:
        raise ValueError
    return _cycle_2(n, list(range(n))), np.minimum(
        _cycle_2(n, [0, 1]) + _cycle_2(n, list(range(2, n))), 1
    )


@wrong("summed_over_nodes", "mean|sum|n|divid|average")
def bce_loss(logits, y):
    return float(np.sum(np.logaddexp(0, logits) - logits * y))


@wrong("in_bits", "log|nat|bit|2")
def bce_loss(logits, y):
    return float(np.mean(np.logaddexp(0, logits) - logits * y) / np.log(2))


@wrong("labels_rounded", "soft|between|0.5|round|label")
def bce_loss(logits, y):
    return float(np.mean(np.logaddexp(0, np.where(np.asarray(y) > 0.5, -1, 1) * logits)))


@wrong("small_number_in_the_log", "clip|small|added|large|1000|finite|constant")
def bce_loss(logits, y):
    with np.errstate(over="ignore"):
        p = 1 / (1 + np.exp(-np.asarray(logits, float)))
    return float(-np.mean(y * np.log(p + 1e-12) + (1 - y) * np.log(1 - p + 1e-12)))


def _spread(start, step, answer=lambda x: (x > 0).astype(int)):
    def spread_labels(A, y, seeds, steps=10):
        b = np.zeros(len(A))
        b[seeds] = start(np.asarray(y)[seeds])
        degree = np.maximum(A.sum(axis=1), 1)
        x = b.copy()
        for _ in range(steps):
            x = step(x, b, A, degree, seeds)
        return answer(x)

    return spread_labels


def _pm(y):
    return 2.0 * y - 1


spread_labels = wrong("labels_of_zero_are_silent", r"-1|minus|class 0|\+1|zero")(
    _spread(lambda y: y, lambda x, b, A, d, s: b + A @ x / d)
)
spread_labels = wrong("summed_opinions", "mean|average|sum|divid|degree")(
    _spread(_pm, lambda x, b, A, d, s: b + A @ x)
)
spread_labels = wrong("halved", "half|full|weight|whole|share")(
    _spread(_pm, lambda x, b, A, d, s: 0.5 * b + 0.5 * A @ x / d)
)
spread_labels = wrong("keeps_its_state", "own|old|b|state|keep|replace")(
    _spread(_pm, lambda x, b, A, d, s: x + A @ x / d)
)
spread_labels = wrong("seeds_are_fixed", "fixed|seed|outvoted|clamp|label|full")(
    _spread(_pm, lambda x, b, A, d, s: np.where(b != 0, b, A @ x / d))
)
spread_labels = wrong("ties_to_one", "0|tie|class")(
    _spread(_pm, lambda x, b, A, d, s: b + A @ x / d, lambda x: (x >= 0).astype(int))
)


def _scaled(S):
    m = np.abs(S).max()
    return S / m if m else S


@wrong("mean_of_all_entries_again", "row|mean|column|axis|entries")
def relative_spread(S):
    T = _scaled(S)
    return float(np.linalg.norm(T - T.mean()) / max(np.linalg.norm(T), 1e-300))


@wrong("squares_not_rooted", "root|length|square")
def relative_spread(S):
    T = _scaled(S)
    return float(((T - T.mean(axis=0)) ** 2).sum() / max((T**2).sum(), 1e-300))


@wrong("divided_by_the_mean_row", "size|length|S itself|mean|denominator|divid")
def relative_spread(S):
    T = _scaled(S)
    mean = T.mean(axis=0)
    return float(np.linalg.norm(T - mean) / max(np.sqrt(len(S)) * np.linalg.norm(mean), 1e-300))


@wrong("scaled_in_place", "change|argument|place|write")
def relative_spread(S):
    m = np.abs(S).max()
    if m == 0:
        return 0.0
    S /= m
    return float(np.linalg.norm(S - S.mean(axis=0)) / np.linalg.norm(S))


@wrong("columns_scaled_apart", "column|one number|whole|scale|proportion|each")
def relative_spread(S):
    m = np.abs(S).max(axis=0)
    T = S / np.where(m == 0, 1, m)
    return float(np.linalg.norm(T - T.mean(axis=0)) / max(np.linalg.norm(T), 1e-300))


@wrong("zero_states_nan", "zero|NaN|0")
def relative_spread(S):
    with np.errstate(all="ignore"):
        T = S / np.abs(S).max()
        return float(np.linalg.norm(T - T.mean(axis=0)) / np.linalg.norm(T))
