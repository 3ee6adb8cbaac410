"""Wrong solutions of width_scaling, written from its text alone."""

import numpy as np
import torch

from advice import wrong


@wrong("all_entries", "axis|along|every|whole")
def rms(x, axis=-1):
    return np.sqrt(np.mean(np.asarray(x) ** 2))


@wrong("mean_of_sizes", "square|absolute")
def rms(x, axis=-1):
    return np.mean(np.abs(x), axis=axis)


@wrong("keeps_the_axis", "axis|keep|shape")
def rms(x, axis=-1):
    return np.sqrt(np.mean(np.square(x), axis=axis, keepdims=True))


@wrong("inverse_ratio", "inverse|upside|on top|ratio|other way")
def rms_operator_norm(A):
    return np.linalg.norm(A, 2) * np.sqrt(A.shape[0] / A.shape[1])


@wrong("per_entry", "entries|singular|Frobenius|spectral")
def rms_operator_norm(A):
    return np.linalg.norm(A) / np.sqrt(A.shape[0])


@wrong("on_a_vector_of_ones", "one|vector|largest|spectral|singular")
def rms_operator_norm(A):
    return np.sqrt(np.mean((A @ np.ones(A.shape[1])) ** 2))


@wrong("start_not_normalised", "length|normal|start|steps")
def power_norm(A, v, steps=100):
    for _ in range(steps):
        v = A.T @ (A @ v)
        if not np.linalg.norm(v):
            return 0.0
        v = v / np.linalg.norm(v)
    return np.linalg.norm(A @ v)


@wrong("largest_entry", "length|norm|entry")
def power_norm(A, v, steps=100):
    v = v / np.abs(v).max()
    for _ in range(steps):
        v = A.T @ (A @ v)
        if not np.abs(v).max():
            return 0.0
        v = v / np.abs(v).max()
    return np.linalg.norm(A @ v)


@wrong("length_of_the_last_product", "A v|square|root|estimate|singular")
def power_norm(A, v, steps=100):
    v, length = v / np.linalg.norm(v), 0.0
    for _ in range(steps + 1):
        v = A.T @ (A @ v)
        length = np.linalg.norm(v)
        if not length:
            return 0.0
        v = v / length
    return length


@wrong("gram_matrix", "A\\^T A|A.T @ A|form|brackets|memory", announced=True)
def power_norm(A, v, steps=100):
    gram, v = A.T @ A, v / np.linalg.norm(v)
    for _ in range(steps):
        v = gram @ v
        if not np.linalg.norm(v):
            return 0.0
        v = v / np.linalg.norm(v)
    return np.linalg.norm(A @ v)


@wrong("spectral_norm_is_the_rate", "RMS|shape|sizes|ratio|root")
def spectral_step(D, lr):
    norm = np.linalg.norm(D, 2)
    return lr * D / norm if norm else np.zeros_like(D)


@wrong("divides_by_zero", "zero|nan")
def spectral_step(D, lr):
    with np.errstate(all="ignore"):
        return lr * D / np.linalg.norm(D, 2) * np.sqrt(D.shape[0] / D.shape[1])


@wrong("input_not_squared", "square|x_rms")
def dense_rms2(d_in, w_std, x_rms=1.0):
    return d_in * w_std**2 * x_rms


@wrong("sum_of_both_roots", "max|larger|sum|both")
def mup_init_std(d_in, d_out):
    return np.sqrt(d_out / d_in) / (np.sqrt(d_in) + np.sqrt(d_out))


@wrong("narrowing_only", "widen|narrow|case|smaller|square")
def mup_init_std(d_in, d_out):
    return np.sqrt(d_out) / d_in


@wrong("ordered_pairs_once", "pairs|twice|d\\(d|terms|two")
def sign_update_rms2(d_in, eta=1.0):
    return eta**2 * (d_in + d_in * (d_in - 1) / 2 * 2 / np.pi)


@wrong("mean_of_sizes_rooted", "2 / pi|square of|product")
def sign_update_rms2(d_in, eta=1.0):
    return eta**2 * (d_in + d_in * (d_in - 1) * np.sqrt(2 / np.pi))


@wrong("rate_by_the_root", "root|square|1/d|fan")
def sign_lr(d_in, base=1.0):
    return base / np.sqrt(d_in)


@wrong("frobenius_of_muon", "Frobenius|singular|norm|muon")
def unit_scale_lr(kind, d_in, d_out):
    if kind == "sign":
        return 1 / np.sqrt(d_in)
    if kind == "muon":
        return np.sqrt(d_out / min(d_in, d_out))
    raise ValueError(kind)


@wrong("typical_signs", "random|agree|every|worst|rank")
def unit_scale_lr(kind, d_in, d_out):
    if kind == "sign":
        return np.sqrt(d_out) / (np.sqrt(d_in) + np.sqrt(d_out))
    if kind == "muon":
        return np.sqrt(d_out)
    raise ValueError(kind)


@wrong("without_the_constant", "\\bc\\b|constant")
def unit_scale_lr(kind, d_in, d_out):
    if kind == "sign":
        return 1 / d_in
    if kind == "muon":
        return np.sqrt(d_out / d_in)
    raise ValueError(kind)


def _start(d_in, d_out):
    return min(1.0, np.sqrt(d_out / d_in)) / np.sqrt(d_in)


@wrong("no_proxy_in_the_start", "proxy")
def mup_table(dims, proxy, lr):
    if len(dims) != len(proxy) or len(dims) < 2:
        raise ValueError("sizes")
    return [(_start(a, b), lr * p / a) for a, b, p in zip(dims, dims[1:], proxy)]


@wrong("same_rate_everywhere", "rate|fan-in")
def mup_table(dims, proxy, lr):
    if len(dims) != len(proxy) or len(dims) < 2:
        raise ValueError("sizes")
    return [(_start(a, b) / _start(p, q) / np.sqrt(p), lr)
            for a, b, p, q in zip(dims, dims[1:], proxy, proxy[1:])]


@wrong("fan_out", "fan-in|input|output")
def mup_table(dims, proxy, lr):
    if len(dims) != len(proxy) or len(dims) < 2:
        raise ValueError("sizes")
    return [(_start(a, b) / _start(p, q) / np.sqrt(p), lr * q / b)
            for a, b, p, q in zip(dims, dims[1:], proxy, proxy[1:])]


@wrong("one_size_accepted", "two sizes|fewer|one size|ValueError")
def mup_table(dims, proxy, lr):
    if len(dims) != len(proxy):
        raise ValueError("sizes")
    return [(_start(a, b) / _start(p, q) / np.sqrt(p), lr * p / a)
            for a, b, p, q in zip(dims, dims[1:], proxy, proxy[1:])]


def _forward(weights, x):
    hs = [x]
    for number, W in enumerate(weights):
        z = hs[-1] @ W.T
        hs.append(np.maximum(z, 0) if number < len(weights) - 1 else z)
    return hs


def _gradients(weights, hs, targets, mask=True):
    d, found = hs[-1] - targets, []
    for number in range(len(weights) - 1, -1, -1):
        found.append(d.T @ hs[number])
        d = d @ weights[number]
        if mask and number:
            d = d * (hs[number] > 0)
    return found[::-1]


def _checked(weights, rates, x, targets, steps, change=None, size=None, **how):
    if len(weights) != len(rates):
        raise ValueError("a rate for every layer")
    start, weights = _forward(weights, x), [W.copy() for W in weights]
    for _ in range(steps):
        found = _gradients(weights, _forward(weights, x), targets, **how)
        weights = [W - rate * (change or np.sign)(G)
                   for W, rate, G in zip(weights, rates, found)]
    size = size or (lambda a: np.sqrt(np.mean(a**2)))
    return np.array([size(b - a) for a, b in zip(start[1:], _forward(weights, x)[1:])])


@wrong("formula_without_a_network", "")
def coord_check(weights, rates, x, targets, steps=3):
    return np.array([0.8 * steps * rate * W.shape[1] for W, rate in zip(weights, rates)])


@wrong("uphill", "uphill|downhill|minus|sign|descent")
def coord_check(weights, rates, x, targets, steps=3):
    return _checked(weights, [-rate for rate in rates], x, targets, steps)


@wrong("no_mask", "mask|backward|ReLU")
def coord_check(weights, rates, x, targets, steps=3):
    return _checked(weights, rates, x, targets, steps, mask=False)


@wrong("gradient_not_its_sign", "sign")
def coord_check(weights, rates, x, targets, steps=3):
    return _checked(weights, rates, x, targets, steps, change=lambda G: G)


@wrong("length_instead_of_rms", "mean|rms|length")
def coord_check(weights, rates, x, targets, steps=3):
    return _checked(weights, rates, x, targets, steps, size=np.linalg.norm)


@wrong("one_rate", "rate")
def coord_check(weights, rates, x, targets, steps=3):
    return _checked(weights, [rates[0]] * len(weights), x, targets, steps)


@wrong("layers_one_after_another", "at once|same weights|one after|turn")
def coord_check(weights, rates, x, targets, steps=3):
    start, weights = _forward(weights, x), [W.copy() for W in weights]
    if len(weights) != len(rates):
        raise ValueError("a rate for every layer")
    for _ in range(steps):
        for number in range(len(weights)):
            found = _gradients(weights, _forward(weights, x), targets)[number]
            weights[number] = weights[number] - rates[number] * np.sign(found)
    return np.array([np.sqrt(np.mean((b - a) ** 2))
                     for a, b in zip(start[1:], _forward(weights, x)[1:])])


@wrong("invalid_changes_dropped", "drop|ValueError|refuse|positive")
def coord_exponent(widths, changes):
    kept = [(w, c) for w, c in zip(widths, changes) if np.isfinite(c) and c > 0]
    if len({w for w, _ in kept}) < 2:
        raise ValueError("two widths")
    return np.polyfit(np.log([w for w, _ in kept]), np.log([c for _, c in kept]), 1)[0]


@wrong("ends_only", "all|first and|last|least")
def coord_exponent(widths, changes):
    if len(set(widths)) < 2 or not np.all(np.isfinite(changes)) or np.min(changes) <= 0:
        raise ValueError("no line")
    return np.log(changes[-1] / changes[0]) / np.log(widths[-1] / widths[0])


@wrong("tolerance_ignored", "tol")
def coord_verdict(widths, changes, tol=0.2):
    if len(set(widths)) < 2 or not np.all(np.isfinite(changes)) or np.min(changes) <= 0:
        raise ValueError("no line")
    slope = np.polyfit(np.log(widths), np.log(changes), 1)[0]
    return "explodes" if slope > 0.2 else "vanishes" if slope < -0.2 else "stable"


def _slopes(widths, changes):
    if len(set(widths)) < 2 or not np.all(np.isfinite(changes)) or np.min(changes) <= 0:
        raise ValueError("no line")
    return [np.polyfit(np.log(widths), np.log(column), 1)[0] for column in np.transpose(changes)]


@wrong("largest_exponent", "first|largest|steepest|below")
def wrong_layer(widths, changes, tol=0.2):
    slopes = _slopes(widths, changes)
    worst = int(np.argmax(np.abs(slopes)))
    return worst if abs(slopes[worst]) > tol else None


@wrong("last_unstable", "first|last|below")
def wrong_layer(widths, changes, tol=0.2):
    found = [number for number, slope in enumerate(_slopes(widths, changes)) if abs(slope) > tol]
    return found[-1] if found else None


@wrong("only_explosions", "vanish|negative|absolute")
def wrong_layer(widths, changes, tol=0.2):
    found = [number for number, slope in enumerate(_slopes(widths, changes)) if slope > tol]
    return found[0] if found else None


@wrong("counts_from_one", "zero|counted|number|one")
def wrong_layer(widths, changes, tol=0.2):
    found = [number for number, slope in enumerate(_slopes(widths, changes), 1)
             if abs(slope) > tol]
    return found[0] if found else None


def _vertex(rates, losses, at, log=np.log, back=np.exp):
    u, three = log(np.array(rates[at - 1:at + 2])), losses[at - 1:at + 2]
    a, b, _ = np.polyfit(u, three, 2)
    return back(-b / (2 * a))


@wrong("plain_rates", "logarithm")
def best_rate(rates, losses):
    losses = np.where(np.isfinite(losses), losses, np.inf)
    at = int(np.argmin(losses))
    if at in (0, len(losses) - 1) or not np.isfinite(losses[at]):
        raise ValueError("not inside")
    if not np.isfinite(losses[at - 1:at + 2]).all():
        return rates[at]
    return _vertex(rates, losses, at, np.asarray, lambda u: u)


@wrong("diverged_runs_dropped", "neighbour|drop|throw")
def best_rate(rates, losses):
    kept = np.isfinite(losses)
    rates, losses = np.array(rates, float)[kept], np.array(losses, float)[kept]
    at = int(np.argmin(losses)) if len(losses) else 0
    if at in (0, len(losses) - 1):
        raise ValueError("not inside")
    return _vertex(rates, losses, at)


@wrong("last_of_equal_losses", "first|equal")
def best_rate(rates, losses):
    losses = np.where(np.isfinite(losses), losses, np.inf)
    at = len(losses) - 1 - int(np.argmin(losses[::-1]))
    if at in (0, len(losses) - 1) or not np.isfinite(losses[at]):
        raise ValueError("not inside")
    if not np.isfinite(losses[at - 1:at + 2]).all():
        return rates[at]
    return _vertex(rates, losses, at)


@wrong("whole_valley", "three|neighbour|all")
def best_rate(rates, losses):
    losses = np.array(losses, float)
    at = int(np.argmin(np.where(np.isfinite(losses), losses, np.inf)))
    if at in (0, len(losses) - 1) or not np.isfinite(losses[at]):
        raise ValueError("not inside")
    if not np.isfinite(losses[at - 1:at + 2]).all():
        return rates[at]
    kept = np.isfinite(losses)
    a, b, _ = np.polyfit(np.log(rates)[kept], losses[kept], 2)
    return np.exp(-b / (2 * a))


@wrong("straight_line", "log|power law")
def predict_rate(widths, best, width):
    if len(set(widths)) < 2:
        raise ValueError("two widths")
    return np.polyval(np.polyfit(widths, best, 1), width)


@wrong("minus_infinity_is_low", "infin|finite|diverg")
def transfer_regret(losses, tuned=0):
    losses = np.where(np.isnan(losses), np.inf, losses)
    if np.isinf(losses).all(axis=1).any():
        raise ValueError("diverged")
    return losses[:, np.argmin(losses[tuned])] - losses.min(axis=1)


@wrong("relative", "minus|difference|relative|divid")
def transfer_regret(losses, tuned=0):
    losses = np.where(np.isfinite(losses), losses, np.inf)
    if np.isinf(losses).all(axis=1).any():
        raise ValueError("diverged")
    best = losses.min(axis=1)
    return (losses[:, np.argmin(losses[tuned])] - best) / best


@wrong("lowest_of_all", "tuned|row")
def transfer_regret(losses, tuned=0):
    losses = np.where(np.isfinite(losses), losses, np.inf)
    if np.isinf(losses).all(axis=1).any():
        raise ValueError("diverged")
    chosen = np.unravel_index(np.argmin(losses), losses.shape)[1]
    return losses[:, chosen] - losses.min(axis=1)


# More, written by a second reader from the released text alone.

@wrong("root_of_the_sum", "mean|number|divide|length")
def rms(x, axis=-1):
    return np.sqrt(np.sum(np.asarray(x) ** 2, axis=axis)) / np.asarray(x).shape[axis]


@wrong("largest_row", "singular|spectral|largest|row")
def rms_operator_norm(A):
    return float(np.abs(A).sum(axis=1).max())


@wrong("short_is_zero", "constant|zero")
def power_norm(A, v, steps=100):
    v = v / np.linalg.norm(v)
    for _ in range(steps):
        w = A @ v
        w = w / np.linalg.norm(w) if np.linalg.norm(w) else w
        u = A.T @ w
        n = np.linalg.norm(u)
        if n < 1e-12:
            return 0.0
        v = u / n
    return float(np.linalg.norm(A @ v))


@wrong("rms_of_the_entries", "spectral|norm|entries|singular")
def spectral_step(D, lr):
    size = np.sqrt(np.mean(D**2))
    return lr * D / size if size else np.zeros_like(D)


@wrong("root_of_the_mean_fan", "larger|max|narrow|two cases")
def mup_init_std(d_in, d_out):
    return 1 / np.sqrt(max(d_in, d_out))


@wrong("adds_the_diagonal_twice", "pairs|equal|different|diagonal|d_in")
def sign_update_rms2(d_in, eta=1.0):
    return eta**2 * (d_in + 2 / np.pi * d_in**2)


@wrong("rate_over_the_root", "proportion|power|root|fan-in|1/d_in")
def sign_lr(d_in, base=1.0):
    return base / np.sqrt(d_in)


@wrong("muon_without_the_ratio", "muon|d_out|ratio|root")
def unit_scale_lr(kind, d_in, d_out):
    if kind == "sign":
        return d_in**-0.5
    if kind == "muon":
        return d_in**0.5
    raise ValueError(kind)


@wrong("rates_by_the_proxys_input", "fan-in|layer|own")
def mup_table(dims, proxy, lr):
    if len(dims) != len(proxy) or len(dims) < 2:
        raise ValueError("sizes")

    def std(a, b):
        return min(1.0, np.sqrt(b / a)) / np.sqrt(a)

    return [(p**-0.5 * std(a, b) / std(p, q), lr * proxy[1] / dims[1])
            for a, b, p, q in zip(dims, dims[1:], proxy, proxy[1:])]


@wrong("deviation_not_scaled_from_the_proxy", "proxy|ratio|classical|factor")
def mup_table(dims, proxy, lr):
    if len(dims) != len(proxy) or len(dims) < 2:
        raise ValueError("sizes")
    return [(min(1.0, np.sqrt(b / a)) / np.sqrt(a), lr * p / a)
            for a, b, p in zip(dims, dims[1:], proxy)]


@wrong("change_before_the_relu", "relu|after")
def coord_check(weights, rates, x, targets, steps=3):
    return _check(weights, rates, x, targets, steps, before=True)


@wrong("last_step_only", "first step|before|all steps|last")
def coord_check(weights, rates, x, targets, steps=3):
    return _check(weights, rates, x, targets, steps, last=True)


@wrong("relu_on_the_output_too", "last|output|relu")
def coord_check(weights, rates, x, targets, steps=3):
    return _check(weights, rates, x, targets, steps, all_relu=True)


def _check(weights, rates, x, targets, steps, before=False, last=False, all_relu=False):
    if len(weights) != len(rates):
        raise ValueError("rates")
    ws = [torch.tensor(np.asarray(w, float), requires_grad=True) for w in weights]
    x, t = torch.tensor(np.asarray(x, float)), torch.tensor(np.asarray(targets, float))

    def run():
        outs, h = [], x
        for i, w in enumerate(ws):
            pre = h @ w.T
            h = torch.relu(pre) if i + 1 < len(ws) or all_relu else pre
            outs.append(pre if before else h)
        return outs, h

    first = [o.detach().clone() for o in run()[0]]
    for _ in range(steps):
        if last:
            first = [o.detach().clone() for o in run()[0]]
        loss = ((run()[1] - t) ** 2).sum()
        grads = torch.autograd.grad(loss, ws)
        with torch.no_grad():
            for w, g, r in zip(ws, grads, rates):
                w -= r * torch.sign(g)
    with torch.no_grad():
        return np.array([float(((a - b) ** 2).mean().sqrt()) for a, b in zip(run()[0], first)])


@wrong("slope_of_the_ratios", "least squares|line|all measurements")
def coord_exponent(widths, changes):
    w, c = np.asarray(widths, float), np.asarray(changes, float)
    if len(set(w)) < 2 or not np.all(np.isfinite(c)) or (c <= 0).any():
        raise ValueError("no")
    return float(np.mean(np.diff(np.log(c)) / np.diff(np.log(w))))


@wrong("largest_exponent_blamed", "first|earlier|front|behind")
def wrong_layer(widths, changes, tol=0.2):
    found = [coord(widths, c) for c in np.asarray(changes, float).T]
    worst = int(np.argmax(np.abs(found)))
    return worst if abs(found[worst]) > tol else None


def coord(widths, changes):
    w, c = np.asarray(widths, float), np.asarray(changes, float)
    if len(set(w)) < 2 or not np.all(np.isfinite(c)) or (c <= 0).any():
        raise ValueError("no")
    return float(np.polyfit(np.log(w), np.log(c), 1)[0])


@wrong("parabola_in_the_rate", "logarithm")
def best_rate(rates, losses):
    r, v = np.asarray(rates, float), np.array(losses, float)
    v[~np.isfinite(v)] = np.inf
    i = int(np.argmin(v))
    if not np.isfinite(v[i]) or i in (0, len(v) - 1):
        raise ValueError("end")
    if not np.isfinite(v[i - 1:i + 2]).all():
        return float(r[i])
    a, b, _ = np.polyfit(r[i - 1:i + 2], v[i - 1:i + 2], 2)
    return float(-b / 2 / a)


@wrong("parabola_through_all_points", "three|neighbours")
def best_rate(rates, losses):
    r, v = np.log(np.asarray(rates, float)), np.array(losses, float)
    v[~np.isfinite(v)] = np.inf
    i = int(np.argmin(v))
    if not np.isfinite(v[i]) or i in (0, len(v) - 1):
        raise ValueError("end")
    if not np.isfinite(v[i - 1:i + 2]).all():
        return float(np.exp(r[i]))
    good = np.isfinite(v)
    a, b, _ = np.polyfit(r[good], v[good], 2)
    return float(np.exp(-b / 2 / a))


@wrong("line_through_the_last_two", "all|least squares")
def predict_rate(widths, best, width):
    w, b = np.log(np.asarray(widths, float)), np.log(np.asarray(best, float))
    if len(set(w)) < 2:
        raise ValueError("widths")
    slope = (b[-1] - b[-2]) / (w[-1] - w[-2])
    return float(np.exp(b[-1] + slope * (np.log(width) - w[-1])))


@wrong("regret_against_the_tuned_row", "same width|own")
def transfer_regret(losses, tuned=0):
    found = np.where(np.isfinite(losses), losses, np.inf)
    if np.isinf(found.min(axis=1)).any():
        raise ValueError("diverged")
    return found[:, found[tuned].argmin()] - found[tuned].min()


# A third reader's, written before a look at cases, exam or catalogue.


@wrong("deviation", "mean|deviation|std|subtract|zero")
def rms(x, axis=-1):
    return np.std(x, axis=axis)


@wrong("whole_array", "axis")
def rms(x, axis=-1):
    return np.sqrt(np.mean(np.square(x)))


@wrong("frobenius", "frobenius|largest singular|all singular")
def rms_operator_norm(A):
    return np.linalg.norm(A) * np.sqrt(A.shape[1] / A.shape[0])


@wrong("average_gain", "largest|maximum|most|average|typical")
def rms_operator_norm(A):
    return np.sqrt(np.mean(np.square(A))) * A.shape[1]


@wrong("root_of_the_normaliser", "A v|length|last|square|root|estimate|factor|division")
def power_norm(A, v, steps=100):
    v = v / np.linalg.norm(v)
    size = np.linalg.norm(A @ v) ** 2
    for _ in range(steps):
        w = A.T @ (A @ v)
        size = np.linalg.norm(w)
        if size == 0:
            return 0.0
        v = w / size
    return float(np.sqrt(size))


@wrong("start_changed_in_place", "argument|caller")
def power_norm(A, v, steps=100):
    v /= np.linalg.norm(v)
    for _ in range(steps):
        w = A.T @ (A @ v)
        size = np.linalg.norm(w)
        if size == 0:
            return 0.0
        v = w / size
    return float(np.linalg.norm(A @ v))


@wrong("sizes_upside_down", "upside down")
def spectral_step(D, lr):
    size = np.linalg.norm(D, 2)
    return np.zeros_like(D) if size == 0 else lr * D / size * np.sqrt(D.shape[1] / D.shape[0])


@wrong("first_power_of_x", "square|x_rms|power|rms")
def dense_rms2(d_in, w_std, x_rms=1.0):
    return d_in * w_std**2 * x_rms


@wrong("both_terms", "larger|sum|both|alone|max")
def mup_init_std(d_in, d_out):
    return np.sqrt(d_out / d_in) / (np.sqrt(d_in) + np.sqrt(d_out))


@wrong("narrow_everywhere", "widen|larger|max|case|square|d_out >|narrow")
def mup_init_std(d_in, d_out):
    return np.sqrt(d_out) / d_in


@wrong("half_the_pairs", "pair|order|twice|count")
def sign_update_rms2(d_in, eta=1.0):
    return eta**2 * (d_in + d_in * (d_in - 1) / np.pi)


@wrong("rate_for_the_square", "root|rms|square|power")
def sign_lr(d_in, base=1.0):
    return base / d_in**2


@wrong("muon_without_c", "c|constant")
def unit_scale_lr(kind, d_in, d_out):
    if kind == "sign":
        return 1 / np.sqrt(d_in)
    if kind == "muon":
        return np.sqrt(d_out / d_in)
    raise ValueError(kind)


@wrong("random_signs", "align|agree|random|all signs|one singular")
def unit_scale_lr(kind, d_in, d_out):
    if kind == "sign":
        return np.sqrt(d_out) / (np.sqrt(d_in) + np.sqrt(d_out))
    if kind == "muon":
        return np.sqrt(d_out)
    raise ValueError(kind)


def _rows(dims, proxy, lr, std, rate):
    if len(dims) != len(proxy) or len(dims) < 2:
        raise ValueError("sizes")
    return [(std(i, a, b, p, r), rate(i, a, b, p, r))
            for i, (a, b, p, r) in enumerate(zip(dims, dims[1:], proxy, proxy[1:]))]


def _spectral(a, b):
    return min(1.0, np.sqrt(b / a)) / np.sqrt(a)


@wrong("by_place", "shape|size|narrow|widen|place|last|position|kind")
def mup_table(dims, proxy, lr):
    last = len(dims) - 2
    return _rows(dims, proxy, lr,
                 lambda i, a, b, p, r: a**-0.5 if i < last else p**-0.5 * p / a,
                 lambda i, a, b, p, r: lr * p / a)


@wrong("input_left_alone", "input|first")
def mup_table(dims, proxy, lr):
    return _rows(dims, proxy, lr,
                 lambda i, a, b, p, r: p**-0.5 * (_spectral(a, b) / _spectral(p, r) if i else 1),
                 lambda i, a, b, p, r: lr * (p / a if i else 1))


@wrong("starts_of_exercise_3", "proxy|ratio|factor|classical")
def mup_table(dims, proxy, lr):
    return _rows(dims, proxy, lr, lambda i, a, b, p, r: _spectral(a, b),
                 lambda i, a, b, p, r: lr * p / a)


@wrong("output_keeps_its_rate", "output|last")
def mup_table(dims, proxy, lr):
    last = len(dims) - 2
    return _rows(dims, proxy, lr, lambda i, a, b, p, r: p**-0.5 * _spectral(a, b) / _spectral(p, r),
                 lambda i, a, b, p, r: lr * (p / a if i < last else 1))


def _moved(weights, rates, x, targets, steps=3, relu_last=False, each=False, pathwise=False,
           mean_first=False):
    if len(weights) != len(rates):
        raise ValueError("rates")
    weights = [np.array(w, float) for w in weights]
    L = len(weights)

    def run():
        h, pres, outs = x, [], [x]
        for i, w in enumerate(weights):
            pre = h @ w.T
            h = np.maximum(pre, 0) if i < L - 1 or relu_last else pre
            pres.append(pre)
            outs.append(h)
        return pres, outs

    outs0 = run()[1]
    total = np.zeros(L)
    for _ in range(steps):
        pres, outs = run()
        err = outs[-1] - targets
        grads = [None] * L
        for i in reversed(range(L)):
            if i < L - 1 or relu_last:
                err = err * (pres[i] > 0)
            if each:
                grads[i] = np.mean([np.sign(np.outer(e, o)) for e, o in zip(err, outs[i])], axis=0)
            else:
                grads[i] = err.T @ outs[i]
            err = err @ weights[i]
        for w, r, g in zip(weights, rates, grads):
            w -= r * (g if each else np.sign(g))
        if pathwise:
            _, now = run()
            total += [np.sqrt(np.mean((a - b) ** 2)) for a, b in zip(now[1:], outs[1:])]
    if pathwise:
        return total
    pairs = zip(run()[1][1:], outs0[1:])
    if mean_first:
        return np.array([np.mean(np.sqrt(np.mean((a - b) ** 2, axis=1))) for a, b in pairs])
    return np.array([np.sqrt(np.mean((a - b) ** 2)) for a, b in pairs])


@wrong("relu_on_the_outputs", "last|output|relu")
def coord_check(weights, rates, x, targets, steps=3):
    return _moved(weights, rates, x, targets, steps, relu_last=True)


@wrong("path_length", "before the first|sum|each step|steps")
def coord_check(weights, rates, x, targets, steps=3):
    return _moved(weights, rates, x, targets, steps, pathwise=True)


@wrong("signs_of_examples", "all examples|each example|together|sum")
def coord_check(weights, rates, x, targets, steps=3):
    return _moved(weights, rates, x, targets, steps, each=True)


@wrong("mean_of_rms", "mean|average|examples|all entries")
def coord_check(weights, rates, x, targets, steps=3):
    return _moved(weights, rates, x, targets, steps, mean_first=True)


def _fitted(widths, changes):
    widths, changes = np.asarray(widths, float), np.asarray(changes, float)
    if len(set(widths)) < 2 or not (np.isfinite(changes).all() and (changes > 0).all()):
        raise ValueError("no slope")
    return float(np.polyfit(np.log(widths), np.log(changes), 1)[0])


@wrong("log_of_changes_only", "log")
def coord_exponent(widths, changes):
    _fitted(widths, changes)
    return float(np.polyfit(np.asarray(widths, float), np.log(changes), 1)[0])


@wrong("leaves_out_bad_measurements", "refuse|ValueError|left out|leave|not positive|finite")
def coord_exponent(widths, changes):
    widths, changes = np.asarray(widths, float), np.asarray(changes, float)
    good = np.isfinite(changes) & (changes > 0)
    return _fitted(widths[good], changes[good])


@wrong("last_layer_first", "first|last|earli|front|behind|later")
def wrong_layer(widths, changes, tol=0.2):
    slopes = [_fitted(widths, c) for c in np.asarray(changes, float).T]
    bad = [i for i, s in enumerate(slopes) if abs(s) > tol]
    return bad[-1] if bad else None


@wrong("worst_layer", "first|largest|worst|behind|steepest")
def wrong_layer(widths, changes, tol=0.2):
    slopes = np.abs([_fitted(widths, c) for c in np.asarray(changes, float).T])
    return int(slopes.argmax()) if slopes.max() > tol else None


@wrong("stops_at_the_first_wrong_layer", "whichever|every|all|later|refuse")
def wrong_layer(widths, changes, tol=0.2):
    for i, c in enumerate(np.asarray(changes, float).T):
        if abs(_fitted(widths, c)) > tol:
            return i
    return None


@wrong("even_grid", "even|spac|distance|grid")
def best_rate(rates, losses):
    r, l = np.log(np.asarray(rates, float)), np.asarray(losses, float)
    l = np.where(np.isfinite(l), l, np.inf)
    i = int(l.argmin())
    if not np.isfinite(l[i]) or i in (0, len(l) - 1):
        raise ValueError("end")
    a, b, c = l[i - 1:i + 2]
    if not np.isfinite(a + c) or a - 2 * b + c == 0:
        return float(np.exp(r[i]))
    shift = 0.5 * (a - c) / (a - 2 * b + c)
    return float(np.exp(r[i] + shift * (r[i + 1] - r[i])))


@wrong("parabola_through_all", "three|neighbour|all")
def best_rate(rates, losses):
    r, l = np.log(np.asarray(rates, float)), np.asarray(losses, float)
    good = np.isfinite(l)
    l2 = np.where(good, l, np.inf)
    i = int(l2.argmin())
    if not good.any() or i in (0, len(l) - 1):
        raise ValueError("end")
    if not good[i - 1:i + 2].all():
        return float(np.exp(r[i]))
    a, b, _ = np.polyfit(r[good], l[good], 2)
    return float(np.exp(-b / (2 * a)))


@wrong("last_two_widths", "all|last|two|every")
def predict_rate(widths, best, width):
    w, b = np.log(np.asarray(widths, float)), np.log(np.asarray(best, float))
    if len(set(widths)) < 2:
        raise ValueError("widths")
    return float(np.exp(b[-1] + (b[-1] - b[-2]) / (w[-1] - w[-2]) * (np.log(width) - w[-1])))


@wrong("relative_regret", "divid|relative|minus|difference|percent")
def transfer_regret(losses, tuned=0):
    l = np.where(np.isfinite(losses), losses, np.inf)
    best = l.min(axis=1)
    if not np.isfinite(best).all():
        raise ValueError("diverged")
    return (l[:, l[tuned].argmin()] - best) / best


@wrong("only_nan_diverges", "infin|without any finite")
def transfer_regret(losses, tuned=0):
    l = np.where(np.isnan(losses), np.inf, losses)
    best = l.min(axis=1)
    if np.isinf(best).all():
        raise ValueError("diverged")
    return l[:, l[tuned].argmin()] - best


@wrong("best_of_the_tuned_width", "same width")
def transfer_regret(losses, tuned=0):
    l = np.where(np.isfinite(losses), losses, np.inf)
    best = l.min(axis=1)
    if not np.isfinite(best).all():
        raise ValueError("diverged")
    return l[:, l[tuned].argmin()] - best[tuned]


@wrong("early_stop_when_converged", "steps")
def power_norm(A, v, steps=100):
    v = v / np.linalg.norm(v)
    old = 0.0
    for _ in range(steps):
        v = A.T @ (A @ v)
        n = np.linalg.norm(v)
        if n == 0:
            return 0.0
        v = v / n
        new = np.linalg.norm(A @ v)
        if abs(new - old) < 1e-3 * new:
            break
        old = new
    return np.linalg.norm(A @ v)


@wrong("clips_only_large", "whatever the size|longer")
def spectral_step(D, lr):
    s = np.linalg.norm(D, 2) * np.sqrt(D.shape[1] / D.shape[0])
    if s == 0:
        return np.zeros_like(D)
    return D * min(1.0, lr / s)


@wrong("exactly_one", "power")
def sign_lr(d_in, base=1.0):
    return base / np.sqrt(d_in + d_in * (d_in - 1) * 2 / np.pi)


@wrong("never_raises_the_rate", "smaller|rises")
def mup_table(dims, proxy, lr):
    if len(dims) != len(proxy) or len(dims) < 2:
        raise ValueError
    s = lambda a, b: np.sqrt(b / a) / np.sqrt(max(a, b))
    return [(1 / np.sqrt(pa) * s(a, b) / s(pa, pb), lr * min(1, pa / a))
            for a, b, pa, pb in zip(dims, dims[1:], proxy, proxy[1:])]


@wrong("gradient_only_at_the_start", "each step|start")
def coord_check(weights, rates, x, targets, steps=3):
    return _checked(weights, [steps * rate for rate in rates], x, targets, 1)


@wrong("tolerance_is_exclusive", "both sides|negative")
def coord_verdict(widths, changes, tol=0.2):
    b, = _slopes(widths, [[c] for c in changes])
    return "stable" if b <= tol and b >= 0 else "explodes" if b > tol else "vanishes"


@wrong("log_of_the_losses_too", "losses stay")
def best_rate(rates, losses):
    rates, losses = np.asarray(rates, float), np.asarray(losses, float)
    losses = np.where(np.isfinite(losses), losses, np.inf)
    k = int(np.argmin(losses))
    if k in (0, len(losses) - 1) or losses[k] == np.inf:
        raise ValueError
    if not np.isfinite(losses[k - 1:k + 2]).all():
        return rates[k]
    a, b, c = np.polyfit(np.log(rates[k - 1:k + 2]), np.log(losses[k - 1:k + 2] + 1e-12), 2)
    return np.exp(-b / (2 * a))


@wrong("minus_infinity_is_low", "infinity")
def best_rate(rates, losses):
    rates, losses = np.asarray(rates, float), np.asarray(losses, float)
    losses = np.where(np.isnan(losses), np.inf, losses)
    k = int(np.argmin(losses))
    if k in (0, len(losses) - 1) or not np.isfinite(losses[k]):
        raise ValueError
    if not np.isfinite(losses[k - 1:k + 2]).all():
        return rates[k]
    a, b, c = np.polyfit(np.log(rates[k - 1:k + 2]), losses[k - 1:k + 2], 2)
    return np.exp(-b / (2 * a))


@wrong("semilog", "widths")
def predict_rate(widths, best, width):
    if len(set(widths)) < 2:
        raise ValueError
    a, b = np.polyfit(np.asarray(widths, float), np.log(np.asarray(best, float)), 1)
    return np.exp(a * width + b)


@wrong("own_best_of_global", "own lowest")
def transfer_regret(losses, tuned=0):
    losses = np.where(np.isfinite(losses), losses, np.inf)
    if np.isinf(losses.min(axis=1)).any():
        raise ValueError
    return losses[:, losses[tuned].argmin()] - losses.min()


@wrong("last_of_equal_losses", "first|equal")
def transfer_regret(losses, tuned=0):
    losses = np.where(np.isfinite(losses), losses, np.inf)
    best = losses.min(axis=1)
    if np.isinf(best).any():
        raise ValueError("diverged")
    chosen = np.flatnonzero(losses[tuned] == best[tuned])[-1]
    return losses[:, chosen] - best
