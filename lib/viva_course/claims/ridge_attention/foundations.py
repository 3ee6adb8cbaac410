"""What sections 1 to 5 state."""

import functools

import numpy as np

from viva_course.claiming import above, below, between, cause, claim, holds, near, ratio


def _means(notebook, seed):
    x = (20 + np.random.default_rng(seed).normal(size=10_000)).astype(np.float16)
    with np.errstate(over="ignore"):
        return notebook.half_precision(x)


@claim(seeds=1)
def means_by_hand(notebook, seed):
    state = notebook.RunningMean()
    return tuple(near(state.update(np.array([x]))[0], mean, within=1e-9)
                 for x, mean in ((2.0, 2), (4.0, 3), (9.0, 5)))


@claim(seeds=1)
def gaps_of_half_precision(notebook, seed):
    gaps = [float(np.spacing(np.float16(x))) for x in (20, 20_000, 40_000)]
    return tuple(near(gap, stated, within=1e-9 * stated)
                 for gap, stated in zip(gaps, (2 * 0.0078125, 16, 32), strict=True))


@claim(title="In half precision the sum goes astray and overflows; the update survives")
def sum_overflows(notebook, seed):
    sums, updates = _means(notebook, seed)
    lost = int(np.argmax(np.isinf(sums)))
    falls, rises = sums[1500] - sums[820], sums[lost - 1] - sums[1700]
    return (between(lost, 1700, 10_000), below(falls, -1), below(-rises, -1),
            below(np.abs(updates - 20).max(), 3), below(abs(updates[-1] - 20), 0.5))


@claim()
def update_stands_still(notebook, seed):
    _, updates = _means(notebook, seed)
    return near(np.ptp(updates[5000:]), 0, within=0.008)


@claim(seeds=1)
def regression_by_hand(notebook, seed):
    K, V = np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([[3.0], [5.0]])
    G, H = notebook.ridge_stats(K, V, 2.0)
    W = notebook.ridge_weights(K, V, 2.0).ravel()
    one = notebook.ridge_weights(np.array([[2.0]]), np.array([[5.0]]), 1.0)[0, 0]
    return (holds(G.tolist() == [[3, 2], [2, 7]] and H.ravel().tolist() == [3, 11]),
            near(17 * W[0], -1, within=1e-9), near(17 * W[1], 27, within=1e-9),
            near(one, 2, within=1e-9))


def _line(notebook, queries):
    return notebook.body_mass(np.array(queries))


@claim(seeds=1)
def lam_of_a_hundred(notebook, seed):
    Q, K, V = _line(notebook, [3.0])
    one, ten, hundred = ((Q @ notebook.ridge_weights(K, V, lam)).item() for lam in (1, 10, 100))
    return below((one - ten) / one, 0.03), above((one - hundred) / one, 0.15)


@claim(title="Averages level off; ridge attention extrapolates", seeds=1)
def averages_level_off(notebook, seed):
    Q, K, V = _line(notebook, np.linspace(-4, 6, 41))
    found = [notebook.softmax_attention(Q, K, V, beta) for beta in (0.3, 1, 5)]
    found.append(notebook.gaussian_attention(Q, K, V, 5))
    blunt, *steep = (abs(each[-1] - each[-2]).item() / 0.25 for each in found)
    return (below(np.max(found), V.max()), above(np.min(found) - V.min(), 0),
            below(max(steep), 0.12), above(blunt, 0.15),
            above((Q[-1] @ notebook.ridge_weights(K, V, 1)).item(), 3))


@cause(control="the same scores without what the length of a key adds", seeds=1)
def long_keys_attract(notebook, seed):
    Q, K, V = _line(notebook, [0.6])
    similar = V[np.abs(K[:, 0] - 0.6) < 0.15]
    line = (Q @ notebook.ridge_weights(K, V, 1)).item()
    dot, gauss = (layer(Q, K, V, 5).item()
                  for layer in (notebook.softmax_attention, notebook.gaussian_attention))
    return (min(near(dot, 1.6, within=0.05), near(similar.mean(), 0.59, within=0.005),
                holds(len(similar) == 26)),
            min(near(gauss, 0.35, within=0.01), near(gauss - line, 0, within=0.02)))


@claim(seeds=1)
def rank_one_by_hand(notebook, seed):
    found = notebook.sherman_morrison(np.eye(2), np.array([1.0, 0.0]), np.array([1.0, 2.0]))
    return near(np.abs(found - [[0.5, -1], [0, 1]]).max(), 0, within=1e-9)


@claim(seeds=1)
def one_pair_by_hand(notebook, seed):
    state = notebook.RidgeAttentionState(2, 1, 1.0)
    before = state.query(np.array([3.0, 4.0]))[0]
    state.update(np.array([3.0, 4.0]), np.array([26.0]))
    return (near(before, 0, within=1e-9),
            near(state.query(np.array([3.0, 4.0]))[0], 25, within=1e-9))


def _recall(notebook, n, seed):
    rng = np.random.default_rng(seed)
    runs = [notebook.recall_errors(n, rng) for _ in range(5)]
    return {name: np.mean([run[name] for run in runs]) for name in runs[0]}


@claim()
def linear_echoes(notebook, seed):
    return tuple(near(_recall(notebook, n, seed)["linear"] / np.sqrt(n / 32), 1, within=0.3)
                 for n in (8, 32, 128))


@claim(title="Ridge attention recalls as many pairs as it has features, and no more")
def ridge_recalls_d_pairs(notebook, seed):
    few, many = (_recall(notebook, n, seed)["ridge, λ = 0.001"] for n in (20, 48))
    return below(few, 0.02), above(many, 0.3)


@claim()
def sharp_softmax_recalls(notebook, seed):
    return below(_recall(notebook, 128, seed)["softmax, sharpness 15"], 0.1)


@claim(seeds=1)
def counts_of_operations(notebook, seed):
    n, d = 1000, 64
    batch = 3 * n * d**2 + d**3 / 3 + d**3
    anew, updates = n * (d**3 / 3 + d**3 + 3 * d**2), n * 5 * d**2
    return (near(batch / 1e6, 13, within=0.5), near(anew / 1e6, 360, within=5),
            near(updates / 1e6, 21, within=0.7), below(updates / batch, 2))


@claim(seeds=1)
def extremes_of_the_layer(notebook, seed):
    rng = np.random.default_rng(seed)
    K, V = np.linalg.qr(rng.normal(size=(4, 4)))[0], rng.normal(size=(4, 2))
    large = 1e8 * notebook.ridge_attention(K, K, V, 1e8)
    last = notebook.ridge_attention(K, K, V, 0.5, causal=True)[-1]
    half = notebook.ridge_attention(K, K, V, 0.5)
    return (below(np.abs(large - V).max(), 1e-5), below(np.abs(half - V / 1.5).max(), 1e-9),
            below(np.abs(last - half[-1]).max(), 1e-9))


@functools.cache
def _times(notebook, d):
    Q, K, V = np.random.default_rng(0).normal(size=(3, 200, d)) / np.sqrt(d)
    slow, anew = notebook.timed(notebook.resolve, Q, K, V, 1.0)
    fast, updates = notebook.timed(notebook.ridge_attention, Q, K, V, 1.0, True)
    return anew / updates, np.abs(slow - fast).max()


@ratio(stated=3)
def updates_are_faster(notebook, seed):
    return _times(notebook, 256)[0]


@claim(title="Same answers (to {}), other costs", seeds=1)
def same_answers(notebook, seed):
    return below(_times(notebook, 64)[1], 1e-10)


@claim(seeds=1)
def factor_in_operations(notebook, seed):
    factor = (256 * 4 / 3 + 3) / 5
    return near(factor, 69, within=0.5), between(_times(notebook, 256)[0], 1, factor)
