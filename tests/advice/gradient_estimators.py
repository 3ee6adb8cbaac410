"""Wrong solutions of gradient_estimators, written from its text alone."""

import numpy as np
import torch

from advice import wrong
from viva.kits.gradient_estimators import landscape, landscape_gradient, staircase
from viva_course.reference import gradient_estimators as reference


def softmax(logits):
    weights = np.exp(logits - np.max(logits))
    return weights / weights.sum()


@wrong("one_power_of_sigma", "sigma|power|variance|width")
def score_gaussian(x, mu, sigma):
    if sigma <= 0:
        raise ValueError
    return (x - mu) / sigma


@wrong("by_x_instead_of_mu", "sign|by mu|turned|opposite")
def score_gaussian(x, mu, sigma):
    if sigma <= 0:
        raise ValueError
    return (mu - x) / sigma**2


@wrong("value_of_the_log_density", "gradient|square|log density|per component|number")
def score_gaussian(x, mu, sigma):
    if sigma <= 0:
        raise ValueError
    return -((x - mu) ** 2) / (2 * sigma**2)


def score_terms(f, mu, sigma, n, rng, baseline):
    if sigma <= 0:
        raise ValueError
    x = mu + sigma * rng.standard_normal((n, len(mu)))
    return (f(x) - baseline)[:, None] * (x - mu) / sigma**2


@wrong("variance_of_a_term", "divide|over n|of the mean|of one term|n times")
def score_grad(f, mu, sigma, n, rng, baseline=0.0):
    terms = score_terms(f, mu, sigma, n, rng, baseline)
    return terms.mean(axis=0), terms.var(axis=0)


@wrong("standard_error", "variance|root|squared|standard")
def score_grad(f, mu, sigma, n, rng, baseline=0.0):
    terms = score_terms(f, mu, sigma, n, rng, baseline)
    return terms.mean(axis=0), terms.std(axis=0) / np.sqrt(n)


@wrong("sigma_as_variance", "standard deviation|variance|width|spread|sample")
def score_grad(f, mu, sigma, n, rng, baseline=0.0):
    if sigma <= 0:
        raise ValueError
    x = mu + np.sqrt(sigma) * rng.standard_normal((n, len(mu)))
    terms = (f(x) - baseline)[:, None] * (x - mu) / sigma**2
    return terms.mean(axis=0), terms.var(axis=0) / n


@wrong("own_mean_on_top", "nothing else|mean|only the|given baseline|subtract")
def score_grad(f, mu, sigma, n, rng, baseline=0.0):
    if sigma <= 0:
        raise ValueError
    x = mu + sigma * rng.standard_normal((n, len(mu)))
    values = f(x) - baseline
    terms = (values - values.mean())[:, None] * (x - mu) / sigma**2
    return terms.mean(axis=0), terms.var(axis=0) / n


@wrong("one_number_for_the_variance", "component|each|axis|shape|\\(k,\\)")
def score_grad(f, mu, sigma, n, rng, baseline=0.0):
    terms = score_terms(f, mu, sigma, n, rng, baseline)
    return terms.mean(axis=0), terms.var() / n


@wrong("score_inside", "sigma|score|divid|inner|chain|factor")
def reparam_grad(grad_f, mu, sigma, n, rng):
    if sigma < 0:
        raise ValueError
    terms = grad_f(mu + sigma * rng.standard_normal((n, len(mu)))) * sigma
    return terms.mean(axis=0), terms.var(axis=0) / n


@wrong("refuses_zero", "sigma = 0|zero|allowed|refus")
def reparam_grad(grad_f, mu, sigma, n, rng):
    if sigma <= 0:
        raise ValueError
    terms = grad_f(mu + sigma * rng.standard_normal((n, len(mu))))
    return terms.mean(axis=0), terms.var(axis=0) / n


@wrong("other_noise", "same|once|fresh|draw|independent|noise")
def reparam_grad_sigma(grad_f, mu, sigma, n, rng):
    if sigma < 0:
        raise ValueError
    x = mu + sigma * rng.standard_normal((n, len(mu)))
    terms = (grad_f(x) * rng.standard_normal((n, len(mu)))).sum(axis=1)
    return terms.mean(), terms.var() / n


@wrong("averaged_over_dimensions", "add|sum|averag|dimension|component")
def reparam_grad_sigma(grad_f, mu, sigma, n, rng):
    if sigma < 0:
        raise ValueError
    z = rng.standard_normal((n, len(mu)))
    terms = (grad_f(mu + sigma * z) * z).mean(axis=1)
    return terms.mean(), terms.var() / n


@wrong("variances_added", "covar|row|within a sample|first|before|sum|variance")
def reparam_grad_sigma(grad_f, mu, sigma, n, rng):
    if sigma < 0:
        raise ValueError
    z = rng.standard_normal((n, len(mu)))
    terms = grad_f(mu + sigma * z) * z
    return terms.mean(axis=0).sum(), terms.var(axis=0).sum() / n


@wrong("no_average_subtracted", "average|mean|everywhere|above|minus|every logit|lowers")
def exact_policy_gradient(logits, rewards):
    return softmax(logits) * rewards


@wrong("mean_of_the_rewards", "average|policy|mean|weigh|uniform|probabilit")
def exact_policy_gradient(logits, rewards):
    return softmax(logits) * (rewards - rewards.mean())


@wrong("likeliest_action", "sampl|likeliest|best|greedy|draw")
def reinforce(logits, reward_fn, n, rng, baseline=0.0):
    p = softmax(logits)
    actions = np.full(n, p.argmax())
    gains = reward_fn(actions) - baseline
    return (gains[:, None] * (np.eye(len(p))[actions] - p)).mean(axis=0)


@wrong("weighs_again", "again|twice|once more|already|weigh")
def reinforce(logits, reward_fn, n, rng, baseline=0.0):
    p = softmax(logits)
    actions = rng.choice(len(p), size=n, p=p)
    gains = (reward_fn(actions) - baseline) * p[actions]
    return (gains[:, None] * (np.eye(len(p))[actions] - p)).mean(axis=0)


@wrong("overflow", "overflow|large|maximum|1000|shift")
def reinforce(logits, reward_fn, n, rng, baseline=0.0):
    p = np.exp(logits) / np.exp(logits).sum()
    actions = rng.choice(len(p), size=n, p=p)
    gains = reward_fn(actions) - baseline
    return (gains[:, None] * (np.eye(len(p))[actions] - p)).mean(axis=0)


@wrong("hill_not_blurred", "parabola|2 sigma|2 s|constant|hill|quadratic")
def smoothed_exact(x, y, s):
    return (np.exp(-31.25 * s**2 / 2) * np.sin(2.5 * x - 5 * y)
            + np.exp(-80 * s**2 / 2) * np.cos(4 * x + 8 * y) - (x - 2) ** 2 - (y - 2) ** 2)


@wrong("frequencies_added", "squar|frequenc|damp")
def smoothed_exact(x, y, s):
    return (np.exp(-(7.5**2) * s**2 / 2) * np.sin(2.5 * x - 5 * y)
            + np.exp(-(12**2) * s**2 / 2) * np.cos(4 * x + 8 * y)
            - (x - 2) ** 2 - (y - 2) ** 2 - 2 * s**2)


@wrong("sign_of_the_second_wave", "sign|inner|-5|chain|y")
def smoothed_grad_exact(x, y, s):
    waves = np.exp(-31.25 * s**2 / 2) * np.cos(2.5 * x - 5 * y)
    ripples = np.exp(-80 * s**2 / 2) * np.sin(4 * x + 8 * y)
    return np.array([2.5 * waves - 4 * ripples - 2 * (x - 2),
                     5 * waves - 8 * ripples - 2 * (y - 2)])


def three_ways(x, y, s, n, rng, kind, delta, power=1, central=False, common=True):
    if s <= 0 or kind not in ("score", "reparam", "fd"):
        raise ValueError
    z = rng.standard_normal((2, n))
    u, v = x + s * z[0], y + s * z[1]
    if kind == "score":
        return (landscape(u, v) * z / s**power).mean(axis=1)
    if kind == "reparam":
        return np.array(landscape_gradient(u, v)).mean(axis=1)
    if central:
        ahead = np.array([landscape(u + delta / 2, v), landscape(u, v + delta / 2)])
        behind = np.array([landscape(u - delta / 2, v), landscape(u, v - delta / 2)])
        return (ahead - behind).mean(axis=1) / delta
    ahead = np.array([landscape(u + delta, v), landscape(u, v + delta)])
    if not common:
        z = rng.standard_normal((2, n))
    return (ahead - landscape(x + s * z[0], y + s * z[1])).mean(axis=1) / delta


@wrong("z_over_sigma_squared", "sigma|square|power|z /|width|s\\^2")
def smoothed_estimators(x, y, s, n, rng, kind, delta=0.25):
    return three_ways(x, y, s, n, rng, kind, delta, power=2)


@wrong("central_differences", "forward|central|both sides|half")
def smoothed_estimators(x, y, s, n, rng, kind, delta=0.25):
    return three_ways(x, y, s, n, rng, kind, delta, central=True)


@wrong("fresh_noise", "same|common|fresh|noise")
def smoothed_estimators(x, y, s, n, rng, kind, delta=0.25):
    return three_ways(x, y, s, n, rng, kind, delta, common=False)


def climb(kind, start, sigma, n, eta, steps, rng, **change):
    if kind not in ("plain", "score", "reparam", "fd"):
        raise ValueError
    path = [np.array(start, float)]
    for _ in range(steps):
        x, y = path[-1]
        if kind == "plain":
            uphill = np.array(landscape_gradient(x, y))
        else:
            uphill = three_ways(x, y, sigma, n, rng, kind, 0.25, **change)
        path.append(path[-1] + eta * uphill)
    return np.array(path)


@wrong("central_in_the_climb", "forward|central|both sides|half")
def ascend(kind, start, sigma, n, eta, steps, rng):
    return climb(kind, start, sigma, n, eta, steps, rng, central=True)


@wrong("one_cloud_for_all_steps", "fresh|every step|same noise|once|again")
def ascend(kind, start, sigma, n, eta, steps, rng):
    seed = int(rng.integers(2**32))
    path = [np.array(start, float)]
    for _ in range(steps):
        again = np.random.default_rng(seed)
        path.append(climb(kind, path[-1], sigma, n, eta, 1, again)[-1])
    if kind not in ("plain", "score", "reparam", "fd"):
        raise ValueError
    return np.array(path)


def stairs(start, sigma, n, eta, steps, rng, baseline, sign=-1.0, where="point", fresh=False):
    path = [np.array(start, float)]
    for _ in range(steps):
        x, y = path[-1]
        z = rng.standard_normal((2, n))
        heights = staircase(x + sigma * z[0], y + sigma * z[1])
        if baseline is not None and where == "point":
            heights = heights + sign * baseline(x, y)
        if baseline is not None and where == "samples":
            heights = heights - np.array([baseline(*each) for each in zip(
                x + sigma * z[0], y + sigma * z[1], strict=True)])
        if baseline is not None and where == "start":
            heights = heights - baseline(*start)
        if fresh:
            z = rng.standard_normal((2, n))
        path.append(path[-1] + eta * (heights * z / sigma).mean(axis=1))
    return np.array(path)


@wrong("heights_times_other_noise", "same|fresh|other noise|found")
def ascend_quantized(start, sigma, n, eta, steps, rng, baseline=None):
    return stairs(start, sigma, n, eta, steps, rng, baseline, fresh=True)


@wrong("baseline_at_the_samples", "sample|centre|point|noise|once")
def ascend_quantized(start, sigma, n, eta, steps, rng, baseline=None):
    return stairs(start, sigma, n, eta, steps, rng, baseline, where="samples")


@wrong("baseline_at_the_start", "start|centre|point|arrived|each step|every step|present")
def ascend_quantized(start, sigma, n, eta, steps, rng, baseline=None):
    return stairs(start, sigma, n, eta, steps, rng, baseline, where="start")


@wrong("plain_mean", "mean|weigh|far|squared|count more|length")
def best_baseline(point, sigma, n, rng):
    if sigma <= 0:
        raise ValueError
    z = rng.standard_normal((2, n))
    return float(staircase(point[0] + sigma * z[0], point[1] + sigma * z[1]).mean())


@wrong("weighed_by_the_length", "squar|length|weigh")
def best_baseline(point, sigma, n, rng):
    if sigma <= 0:
        raise ValueError
    z = rng.standard_normal((2, n))
    weights = np.sqrt((z**2).sum(axis=0))
    heights = staircase(point[0] + sigma * z[0], point[1] + sigma * z[1])
    return float(heights @ weights / weights.sum())


@wrong("not_divided_by_the_weights", "divid|twice|weights|average|normal|two components|2 times")
def best_baseline(point, sigma, n, rng):
    if sigma <= 0:
        raise ValueError
    z = rng.standard_normal((2, n))
    heights = staircase(point[0] + sigma * z[0], point[1] + sigma * z[1])
    return float((heights * (z**2).sum(axis=0)).mean())


def surrogate(logits, ask, rng, answers="drawn", baseline="others", weight="log", sign=-1.0,
              reduce="mean"):
    log_p = torch.log_softmax(logits, dim=1)
    noise = rng.gumbel(size=log_p.shape)
    seen = log_p.detach().numpy()
    taken = (seen + noise if answers == "drawn" else seen if answers == "greedy"
             else noise).argmax(axis=1)
    rewards = np.asarray(ask(taken), float)
    if baseline == "batch":
        rewards = rewards - rewards.mean()
    if baseline == "others" and len(rewards) > 1:
        rewards = rewards - (rewards.sum() - rewards) / (len(rewards) - 1)
    chosen = log_p[torch.arange(len(taken)), torch.tensor(taken)]
    chosen = chosen.exp() if weight == "probability" else chosen
    terms = sign * torch.tensor(rewards, dtype=log_p.dtype) * chosen
    return terms.mean() if reduce == "mean" else terms.sum()


@wrong("batch_mean", "own|other|batch|mean of|third")
def reward_loss(logits, ask, rng):
    return surrogate(logits, ask, rng, baseline="batch")


@wrong("no_baseline", "baseline|constant|subtract")
def reward_loss(logits, ask, rng):
    return surrogate(logits, ask, rng, baseline="none")


@wrong("ascends_the_loss", "sign|minus|minimis|descen|shrink")
def reward_loss(logits, ask, rng):
    return surrogate(logits, ask, rng, sign=1.0)


@wrong("likeliest_answer", "likeliest|greedy|draw|sampl|largest")
def reward_loss(logits, ask, rng):
    return surrogate(logits, ask, rng, answers="greedy")


@wrong("probability_not_logarithm", "logarithm|log p|log prob")
def reward_loss(logits, ask, rng):
    return surrogate(logits, ask, rng, weight="probability")


@wrong("summed_over_rows", "mean|sum|rows|batch")
def reward_loss(logits, ask, rng):
    return surrogate(logits, ask, rng, reduce="sum")


@wrong("torchs_own_randomness", "rng|generator|random|state|repeat")
def reward_loss(logits, ask, rng):
    policy = torch.distributions.Categorical(logits=logits)
    answers = policy.sample()
    rewards = np.asarray(ask(answers.numpy()), float)
    if len(rewards) > 1:
        rewards = rewards - (rewards.sum() - rewards) / (len(rewards) - 1)
    return -(torch.tensor(rewards, dtype=logits.dtype) * policy.log_prob(answers)).mean()


@wrong("asks_about_every_answer", "once|every answer|all answers|one answer|drawn")
def reward_loss(logits, ask, rng):
    p = torch.softmax(logits, dim=1)
    worth = np.array([ask(np.full(len(p), a)) for a in range(p.shape[1])]).T
    return -(p * torch.tensor(worth, dtype=p.dtype)).sum(dim=1).mean()


@wrong("reward_so_far", "past|before|backward|from each step|to go|so far|later")
def reward_to_go(rewards):
    return rewards.cumsum(axis=0)


@wrong("after_the_step", "own|itself|belongs|after|one step")
def reward_to_go(rewards):
    return rewards[::-1].cumsum(axis=0)[::-1] - rewards


@wrong("along_the_walks", "axis|time|first|walks")
def reward_to_go(rewards):
    return rewards[:, ::-1].cumsum(axis=1)[:, ::-1]


def to_go(rewards):
    return rewards[::-1].cumsum(axis=0)[::-1]


@wrong("mean_of_all_walks", "other|own|all walks|itself")
def walk_credit(rewards):
    return to_go(rewards) - to_go(rewards).mean(axis=1, keepdims=True)


@wrong("one_baseline_for_all_times", "time|each step|same time|every step|one number")
def walk_credit(rewards):
    found, walks = to_go(rewards), rewards.shape[1]
    if walks == 1:
        return found
    total = found[0]
    return found - (total.sum() - total) / (walks - 1)


@wrong("other_rewards_not_to_go", "to go|reward of the step|still|mean reward|step alone")
def walk_credit(rewards):
    walks = rewards.shape[1]
    if walks == 1:
        return to_go(rewards)
    return to_go(rewards) - (rewards.sum(axis=1, keepdims=True) - rewards) / (walks - 1)


def row_softmax(logits):
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


@wrong("plus_equals", "repeat|twice|several|once|add.at|visit")
def walk_gradient(logits, states, actions, credit):
    p, out = row_softmax(logits), np.zeros(logits.shape)
    out[states, actions] += credit
    np.add.at(out, states, -credit[..., None] * p[states])
    return out / states.shape[1]


@wrong("without_minus_p", "minus|p |second part|all actions|probabilit|add up")
def walk_gradient(logits, states, actions, credit):
    out = np.zeros(logits.shape)
    np.add.at(out, (states, actions), credit)
    return out / states.shape[1]


@wrong("mean_over_steps_too", "sum|steps|mean|divid|T ")
def walk_gradient(logits, states, actions, credit):
    p, out = row_softmax(logits), np.zeros(logits.shape)
    np.add.at(out, (states, actions), credit)
    np.add.at(out, states, -credit[..., None] * p[states])
    return out / states.size


@wrong("softmax_down_the_columns", "row|axis|column|state")
def walk_gradient(logits, states, actions, credit):
    p, out = row_softmax(logits.T).T, np.zeros(logits.shape)
    np.add.at(out, (states, actions), credit)
    np.add.at(out, states, -credit[..., None] * p[states])
    return out / states.shape[1]


# More, written by a second reader from the released text alone.

@wrong("standard_error_instead_of_variance", "square root|standard error|variance")
def score_grad(f, mu, sigma, n, rng, baseline=0.0):
    if sigma <= 0:
        raise ValueError("sigma")
    x = mu + sigma * rng.standard_normal((n, len(mu)))
    terms = (f(x) - baseline)[:, None] * (x - mu) / sigma**2
    return terms.mean(axis=0), terms.std(axis=0) / np.sqrt(n)


@wrong("baseline_from_the_terms", "baseline|values of f|subtract")
def score_grad(f, mu, sigma, n, rng, baseline=0.0):
    if sigma <= 0:
        raise ValueError("sigma")
    x = mu + sigma * rng.standard_normal((n, len(mu)))
    terms = f(x)[:, None] * (x - mu) / sigma**2 - baseline
    return terms.mean(axis=0), terms.var(axis=0) / n


@wrong("fresh_noise_for_the_inner_derivative", "inner derivative|same noise")
def reparam_grad_sigma(grad_f, mu, sigma, n, rng):
    if sigma < 0:
        raise ValueError("sigma")
    x = mu + sigma * rng.standard_normal((n, len(mu)))
    terms = (grad_f(x) * rng.standard_normal((n, len(mu)))).sum(axis=1)
    return terms.mean(), terms.var() / n


@wrong("zero_sigma_refused", "sigma = 0|zero|allowed")
def reparam_grad(grad_f, mu, sigma, n, rng):
    if sigma <= 0:
        raise ValueError("sigma")
    terms = grad_f(mu + sigma * rng.standard_normal((n, len(mu))))
    return terms.mean(axis=0), terms.var(axis=0) / n


@wrong("baseline_after_the_mean", "baseline|reward")
def reinforce(logits, reward_fn, n, rng, baseline=0.0):
    p = np.exp(logits - logits.max())
    p /= p.sum()
    a = rng.choice(len(p), size=n, p=p)
    score = np.eye(len(p))[a] - p
    return (reward_fn(a)[:, None] * score).mean(axis=0) - baseline


@wrong("one_minus_p_of_the_action_only", "all|other|every action|indicator|part")
def reinforce(logits, reward_fn, n, rng, baseline=0.0):
    p = np.exp(logits - logits.max())
    p /= p.sum()
    a = rng.choice(len(p), size=n, p=p)
    grad = np.zeros(len(p))
    np.add.at(grad, a, (reward_fn(a) - baseline) * (1 - p[a]))
    return grad / n


@wrong("squared_sum_of_frequencies", "squared|frequenc|31.25|length")
def smoothed_exact(x, y, s):
    return (np.sin(2.5 * x - 5 * y) * np.exp(-((2.5 - 5) ** 2) * s**2 / 2)
            + np.cos(4 * x + 8 * y) * np.exp(-((4 + 8) ** 2) * s**2 / 2)
            - (x - 2) ** 2 - (y - 2) ** 2 - 2 * s**2)


@wrong("second_difference_from_the_moved_point", "same|both|difference|forward|along")
def smoothed_estimators(x, y, s, n, rng, kind, delta=0.25):
    if s <= 0:
        raise ValueError("s")
    z = rng.standard_normal((2, n))
    px, py = x + s * z[0], y + s * z[1]
    if kind == "score":
        return (landscape(px, py) * z / s).mean(axis=1)
    if kind == "reparam":
        return np.mean(landscape_gradient(px, py), axis=1)
    if kind == "fd":
        gx = (landscape(px + delta, py) - landscape(px, py)) / delta
        gy = (landscape(px + delta, py + delta) - landscape(px + delta, py)) / delta
        return np.array([gx.mean(), gy.mean()])
    raise ValueError(kind)


@wrong("noise_of_the_path_drawn_once", "fresh|once|same noise|every step", announced=False)
def ascend(kind, start, sigma, n, eta, steps, rng):
    if kind not in ("plain", "score", "reparam", "fd"):
        raise ValueError(kind)
    path = [np.array(start, float)]
    if kind != "plain":
        z = rng.standard_normal((2, n))
    for _ in range(steps):
        x, y = path[-1]
        if kind == "plain":
            g = np.array(landscape_gradient(x, y))
        else:
            px, py = x + sigma * z[0], y + sigma * z[1]
            if kind == "score":
                g = (landscape(px, py) * z / sigma).mean(axis=1)
            elif kind == "reparam":
                g = np.mean(landscape_gradient(px, py), axis=1)
            else:
                g = np.array([(landscape(px + 0.25, py) - landscape(px, py)).mean(),
                              (landscape(px, py + 0.25) - landscape(px, py)).mean()]) / 0.25
        path.append(path[-1] + eta * g)
    return np.array(path)


@wrong("baseline_asked_at_the_start_only", "every step|each step|once in|point")
def ascend_quantized(start, sigma, n, eta, steps, rng, baseline=None):
    path = [np.array(start, float)]
    b = 0.0 if baseline is None else baseline(*start)
    for _ in range(steps):
        z = rng.standard_normal((2, n))
        x, y = path[-1]
        q = staircase(x + sigma * z[0], y + sigma * z[1]) - b
        path.append(path[-1] + eta * (q * z / sigma).mean(axis=1))
    return np.array(path)


@wrong("weighed_by_length_not_square", "squared|square|weigh")
def best_baseline(point, sigma, n, rng):
    if sigma <= 0:
        raise ValueError("sigma")
    z = rng.standard_normal((2, n))
    q = staircase(point[0] + sigma * z[0], point[1] + sigma * z[1])
    w = np.sqrt((z**2).sum(axis=0))
    return float((w * q).sum() / w.sum())


def _others(r):
    n = len(r)
    return r - (r.sum() - r) / (n - 1) if n > 1 else r


@wrong("torch_draws_the_answers", "rng|generator")
def reward_loss(logits, ask, rng):
    log_p = torch.log_softmax(logits, dim=1)
    answers = torch.distributions.Categorical(logits=logits.detach()).sample()
    r = torch.tensor(_others(np.asarray(ask(answers.numpy()), float)))
    return -(r * log_p[torch.arange(len(r)), answers]).mean()


@wrong("one_gumbel_row_for_all", "row|dim|axis|draw")
def reward_loss(logits, ask, rng):
    log_p = torch.log_softmax(logits, dim=1)
    noise = rng.gumbel(size=logits.shape[1])
    answers = (log_p.detach().numpy() + noise).argmax(axis=1)
    r = torch.tensor(_others(np.asarray(ask(answers), float)))
    return -(r * log_p[torch.arange(len(r)), torch.tensor(answers)]).mean()


@wrong("median_of_the_batch", "own reward|other|unbiased|bias|baseline")
def reward_loss(logits, ask, rng):
    log_p = torch.log_softmax(logits, dim=1)
    answers = (log_p.detach().numpy() + rng.gumbel(size=logits.shape)).argmax(axis=1)
    r = np.asarray(ask(answers), float)
    r = torch.tensor(r - np.median(r) if len(r) > 1 else r)
    return -(r * log_p[torch.arange(len(r)), torch.tensor(answers)]).mean()


@wrong("strictly_later_rewards", "own|belongs|includ|itself|later")
def reward_to_go(rewards):
    return np.cumsum(rewards[::-1], axis=0)[::-1] - rewards


@wrong("others_divided_by_all", "E - 1|other|one less|divid")
def walk_credit(rewards):
    go = np.cumsum(rewards[::-1], axis=0)[::-1]
    if rewards.shape[1] == 1:
        return go.copy()
    return go - (go.sum(axis=1, keepdims=True) - go) / rewards.shape[1]


@wrong("mean_over_the_steps_too", "mean over|steps|sum", )
def walk_gradient(logits, states, actions, credit):
    p = np.exp(logits - logits.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    grad = np.zeros(logits.shape)
    np.add.at(grad, (states, actions), credit)
    np.add.at(grad, states, -credit[..., None] * p[states])
    return grad / states.size


# ---- by a third reader

@wrong("half_of_the_exponent", "half|2|factor")
def score_gaussian(x, mu, sigma):
    if sigma <= 0:
        raise ValueError("sigma")
    return (x - mu) / (2 * sigma**2)


@wrong("spread_of_the_samples", "divided by|variance|n")
def reparam_grad(grad_f, mu, sigma, n, rng):
    if sigma < 0:
        raise ValueError("sigma")
    slopes = grad_f(mu + sigma * rng.standard_normal((n, len(mu))))
    return slopes.mean(axis=0), slopes.std(axis=0) / np.sqrt(n)


@wrong("asks_for_every_action", "not drawn|drawn|taken|every action|all actions")
def reinforce(logits, reward_fn, n, rng, baseline=0.0):
    p = np.exp(logits - np.max(logits))
    p = p / p.sum()
    table = reward_fn(np.arange(len(p)))
    actions = rng.choice(len(p), size=n, p=p)
    return ((table[actions] - baseline)[:, None] * (np.eye(len(p))[actions] - p)).mean(axis=0)


@wrong("noise_anew_on_the_other_side", "same noise|common|fresh")
def smoothed_estimators(x, y, s, n, rng, kind, delta=0.25):
    if s <= 0 or kind not in ("score", "reparam", "fd"):
        raise ValueError(kind)

    def cloud(x, y):
        z = rng.standard_normal((2, n))
        return x + s * z[0], y + s * z[1], z

    if kind == "score":
        u, v, z = cloud(x, y)
        return (landscape(u, v) * z / s).mean(axis=1)
    if kind == "reparam":
        return np.array(landscape_gradient(*cloud(x, y)[:2])).mean(axis=1)
    here = landscape(*cloud(x, y)[:2]).mean()
    return np.array([landscape(*cloud(x + delta, y)[:2]).mean() - here,
                     landscape(*cloud(x, y + delta)[:2]).mean() - here]) / delta


@wrong("delta_written_in", "delta")
def smoothed_estimators(x, y, s, n, rng, kind, delta=0.25):
    if s <= 0 or kind not in ("score", "reparam", "fd"):
        raise ValueError(kind)
    z = rng.standard_normal((2, n))
    u, v = x + s * z[0], y + s * z[1]
    if kind == "score":
        return (landscape(u, v) * z / s).mean(axis=1)
    if kind == "reparam":
        return np.array(landscape_gradient(u, v)).mean(axis=1)
    here = landscape(u, v)
    return np.array([(landscape(u + 0.25, v) - here).mean(),
                     (landscape(u, v + 0.25) - here).mean()]) / 0.25


@wrong("the_same_array_again", "same array|changes|copy|in place|append")
def ascend(kind, start, sigma, n, eta, steps, rng):
    if kind not in ("plain", "score", "reparam", "fd"):
        raise ValueError(kind)
    point = np.array(start, dtype=float)
    path = [point]
    for _ in range(steps):
        z = rng.standard_normal((2, n)) if kind != "plain" else np.zeros((2, 1))
        u, v = point[0] + sigma * z[0], point[1] + sigma * z[1]
        if kind == "score":
            g = (landscape(u, v) * z / sigma).mean(axis=1)
        elif kind == "fd":
            here = landscape(u, v)
            g = np.array([(landscape(u + 0.25, v) - here).mean(),
                          (landscape(u, v + 0.25) - here).mean()]) / 0.25
        else:
            g = np.array(landscape_gradient(u, v)).mean(axis=1)
        point += eta * g
        path.append(point)
    return np.array(path)


@wrong("steps_of_one_length", "length|eta|normalis|unit")
def ascend(kind, start, sigma, n, eta, steps, rng):
    if kind not in ("plain", "score", "reparam", "fd"):
        raise ValueError(kind)
    path = [np.array(start, dtype=float)]
    for _ in range(steps):
        point = path[-1]
        z = rng.standard_normal((2, n)) if kind != "plain" else np.zeros((2, 1))
        u, v = point[0] + sigma * z[0], point[1] + sigma * z[1]
        if kind == "score":
            g = (landscape(u, v) * z / sigma).mean(axis=1)
        elif kind == "fd":
            here = landscape(u, v)
            g = np.array([(landscape(u + 0.25, v) - here).mean(),
                          (landscape(u, v + 0.25) - here).mean()]) / 0.25
        else:
            g = np.array(landscape_gradient(u, v)).mean(axis=1)
        path.append(point + eta * g / np.linalg.norm(g))
    return np.array(path)


@wrong("torchs_own_dice", "rng|generator|random")
def reward_loss(logits, ask, rng):
    log_p = torch.log_softmax(logits, dim=1)
    answers = torch.distributions.Categorical(logits=logits.detach()).sample()
    rewards = torch.as_tensor(np.asarray(ask(answers.numpy()), dtype=float), dtype=logits.dtype)
    N = len(rewards)
    if N > 1:
        rewards = (rewards - rewards.mean()) * N / (N - 1)
    return -(rewards * log_p[torch.arange(N), answers]).mean()


@wrong("scaled_by_the_spread", "spread|deviation|divid|standardi|scale")
def reward_loss(logits, ask, rng):
    log_p = torch.log_softmax(logits, dim=1)
    answers = (log_p.detach().numpy() + rng.gumbel(size=tuple(logits.shape))).argmax(axis=1)
    rewards = np.asarray(ask(answers), dtype=float)
    if len(rewards) > 1:
        rewards = (rewards - rewards.mean()) / (rewards.std() + 1e-8)
    weights = torch.as_tensor(rewards, dtype=logits.dtype)
    return -(weights * log_p[torch.arange(len(answers)), torch.as_tensor(answers)]).mean()


@wrong("mean_over_time", "time|axis|other walks|walks")
def walk_credit(rewards):
    to_go = np.asarray(rewards, dtype=float)[::-1].cumsum(axis=0)[::-1]
    if to_go.shape[1] == 1:
        return to_go
    return to_go - to_go.mean(axis=0)


@wrong("less_the_mean_of_its_heights", "baseline|subtract|nothing")
def ascend(kind, start, sigma, n, eta, steps, rng):
    if kind not in ("plain", "score", "reparam", "fd"):
        raise ValueError(kind)
    path = [np.array(start, dtype=float)]
    for _ in range(steps):
        z = rng.standard_normal((2, n))
        u, v = path[-1][:, None] + sigma * z
        here = landscape(u, v)
        if kind == "plain":
            g = np.array(landscape_gradient(*path[-1]))
        elif kind == "score":
            g = ((here - here.mean()) * z / sigma).mean(axis=1)
        elif kind == "reparam":
            g = np.array(landscape_gradient(u, v)).mean(axis=1)
        else:
            g = np.array([(landscape(u + 0.25, v) - here).mean(),
                          (landscape(u, v + 0.25) - here).mean()]) / 0.25
        path.append(path[-1] + eta * g)
    return np.array(path)


def _softmax(l):
    e = np.exp(l - l.max())
    return e / e.sum()


@wrong("sigma_not_squared", "sigma|width|power|square")
def score_gaussian(x, mu, sigma):
    if sigma <= 0:
        raise ValueError("sigma")
    return (x - mu) / sigma


def _terms(f, mu, sigma, n, rng, baseline):
    if sigma <= 0:
        raise ValueError("sigma")
    z = rng.standard_normal((n, len(mu)))
    return f(mu + sigma * z), z / sigma


@wrong("variance_of_one_term", "n|mean")
def score_grad(f, mu, sigma, n, rng, baseline=0.0):
    values, score = _terms(f, mu, sigma, n, rng, baseline)
    terms = (values - baseline)[:, None] * score
    return terms.mean(axis=0), terms.var(axis=0)


@wrong("mean_subtracted_besides", "baseline|mean|subtract")
def score_grad(f, mu, sigma, n, rng, baseline=0.0):
    values, score = _terms(f, mu, sigma, n, rng, baseline)
    terms = (values - baseline - (values - baseline).mean())[:, None] * score
    return terms.mean(axis=0), terms.var(axis=0) / n


@wrong("one_number_for_all_coordinates", "noise|coordinate|component|own|independent|dimension")
def score_grad(f, mu, sigma, n, rng, baseline=0.0):
    if sigma <= 0:
        raise ValueError("sigma")
    z = rng.standard_normal((n, 1)) * np.ones(len(mu))
    terms = (f(mu + sigma * z) - baseline)[:, None] * z / sigma
    return terms.mean(axis=0), terms.var(axis=0) / n


@wrong("second_sample_for_the_score", "same|fresh|again|noise|sample")
def score_grad(f, mu, sigma, n, rng, baseline=0.0):
    values, _ = _terms(f, mu, sigma, n, rng, baseline)
    _, score = _terms(f, mu, sigma, n, rng, baseline)
    terms = (values - baseline)[:, None] * score
    return terms.mean(axis=0), terms.var(axis=0) / n


@wrong("unbiased_variance_of_one", "n = 1|one sample|single|variance")
def reparam_grad(grad_f, mu, sigma, n, rng):
    if sigma < 0:
        raise ValueError("sigma")
    terms = grad_f(mu + sigma * rng.standard_normal((n, len(mu))))
    return terms.mean(axis=0), terms.var(axis=0, ddof=1) / n


@wrong("zero_width_refused", "0|zero")
def reparam_grad(grad_f, mu, sigma, n, rng):
    if sigma <= 0:
        raise ValueError("sigma")
    terms = grad_f(mu + sigma * rng.standard_normal((n, len(mu))))
    return terms.mean(axis=0), terms.var(axis=0) / n


@wrong("averaged_over_coordinates", "sum|add|k|average")
def reparam_grad_sigma(grad_f, mu, sigma, n, rng):
    if sigma < 0:
        raise ValueError("sigma")
    z = rng.standard_normal((n, len(mu)))
    terms = (grad_f(mu + sigma * z) * z).mean(axis=1)
    return terms.mean(), terms.var() / n


@wrong("point_instead_of_noise", "noise|z|inner|move")
def reparam_grad_sigma(grad_f, mu, sigma, n, rng):
    if sigma < 0:
        raise ValueError("sigma")
    x = mu + sigma * rng.standard_normal((n, len(mu)))
    terms = (grad_f(x) * x).sum(axis=1)
    return terms.mean(), terms.var() / n


@wrong("plain_mean_of_rewards", "mean|probab|weigh|average|policy")
def exact_policy_gradient(logits, rewards):
    p = _softmax(logits)
    return p * (rewards - rewards.mean())


@wrong("diagonal_only", "diagonal|other|one|part|1 - p|every")
def exact_policy_gradient(logits, rewards):
    p = _softmax(logits)
    return p * (1 - p) * rewards


@wrong("overflows", "overflow|large|1000|shift|NaN|largest")
def reinforce(logits, reward_fn, n, rng, baseline=0.0):
    with np.errstate(all="ignore"):
        p = np.exp(logits) / np.exp(logits).sum()
    actions = (rng.random((n, 1)) > np.cumsum(p)).sum(axis=1).clip(0, len(p) - 1)
    return ((reward_fn(actions) - baseline)[:, None] * (np.eye(len(p))[actions] - p)).mean(axis=0)


@wrong("baseline_forgotten", "baseline")
def reinforce(logits, reward_fn, n, rng, baseline=0.0):
    p = _softmax(logits)
    actions = rng.choice(len(p), size=n, p=p)
    return (reward_fn(actions)[:, None] * (np.eye(len(p))[actions] - p)).mean(axis=0)


@wrong("batch_mean_subtracted", "baseline|mean|subtract|bias|own")
def reinforce(logits, reward_fn, n, rng, baseline=0.0):
    p = _softmax(logits)
    actions = rng.choice(len(p), size=n, p=p)
    gains = reward_fn(actions) - baseline
    return ((gains - gains.mean())[:, None] * (np.eye(len(p))[actions] - p)).mean(axis=0)


@wrong("one_parabola_blurred", "parabola|two|2|both|constant")
def smoothed_exact(x, y, s):
    return (
        np.exp(-31.25 * s**2 / 2) * np.sin(2.5 * x - 5 * y)
        + np.exp(-40 * s**2) * np.cos(4 * x + 8 * y)
        - (x - 2) ** 2
        - (y - 2) ** 2
        - s**2
    )


@wrong("damped_by_the_length", "squared|damp|frequenc|exponent|half|2")
def smoothed_exact(x, y, s):
    return (
        np.exp(-31.25 * s**2) * np.sin(2.5 * x - 5 * y)
        + np.exp(-80 * s**2) * np.cos(4 * x + 8 * y)
        - (x - 2) ** 2
        - (y - 2) ** 2
        - 2 * s**2
    )


@wrong("inner_derivative_sign", "sign|inner|y|minus|derivative")
def smoothed_grad_exact(x, y, s):
    a, b = np.exp(-31.25 * s**2 / 2), np.exp(-40 * s**2)
    return np.array(
        [
            2.5 * a * np.cos(2.5 * x - 5 * y) - 4 * b * np.sin(4 * x + 8 * y) - 2 * (x - 2),
            5 * a * np.cos(2.5 * x - 5 * y) - 8 * b * np.sin(4 * x + 8 * y) - 2 * (y - 2),
        ]
    )


def _estimator(fd):
    def smoothed_estimators(x, y, s, n, rng, kind, delta=0.25):
        if s <= 0 or kind not in ("score", "reparam", "fd"):
            raise ValueError(kind)
        z = s * rng.standard_normal((2, n))
        a, b = x + z[0], y + z[1]
        if kind == "score":
            return (landscape(a, b) * z).mean(axis=1) / s**2
        if kind == "reparam":
            return np.array(landscape_gradient(a, b)).mean(axis=1)
        return fd(a, b, delta, lambda: s * rng.standard_normal(n), x, y)

    return smoothed_estimators


smoothed_estimators = wrong("central_difference", "forward|central|side|half")(
    _estimator(
        lambda a, b, d, draw, x, y: (
            np.array(
                [
                    (landscape(a + d, b) - landscape(a - d, b)).mean(),
                    (landscape(a, b + d) - landscape(a, b - d)).mean(),
                ]
            )
            / (2 * d)
        )
    )
)
smoothed_estimators = wrong("fresh_noise_again", "same|common|fresh|noise")(
    _estimator(
        lambda a, b, d, draw, x, y: (
            np.array(
                [
                    (landscape(x + d + draw(), y + draw()) - landscape(a, b)).mean(),
                    (landscape(x + draw(), y + d + draw()) - landscape(a, b)).mean(),
                ]
            )
            / d
        )
    )
)
smoothed_estimators = wrong("second_difference_from_the_first", "here|same|point|x|along|forward")(
    _estimator(
        lambda a, b, d, draw, x, y: (
            np.array(
                [
                    (landscape(a + d, b) - landscape(a, b)).mean(),
                    (landscape(a + d, b + d) - landscape(a + d, b)).mean(),
                ]
            )
            / d
        )
    )
)


@wrong("noise_of_one_width", "width|s|noise")
def smoothed_estimators(x, y, s, n, rng, kind, delta=0.25):
    if s <= 0 or kind not in ("score", "reparam", "fd"):
        raise ValueError(kind)
    z = rng.standard_normal((2, n))
    a, b = x + z[0], y + z[1]
    if kind == "score":
        return (landscape(a, b) * z).mean(axis=1) / s
    if kind == "reparam":
        return np.array(landscape_gradient(a, b)).mean(axis=1)
    f = landscape(a, b)
    return (
        np.array([(landscape(a + delta, b) - f).mean(), (landscape(a, b + delta) - f).mean()])
        / delta
    )


def _climb(noise):
    def ascend(kind, start, sigma, n, eta, steps, rng):
        if kind not in ("plain", "score", "reparam", "fd"):
            raise ValueError(kind)
        path, draw = [np.array(start, float)], noise(rng, n)
        for _ in range(steps):
            x, y = path[-1]
            z = draw()
            a, b = x + sigma * z[0], y + sigma * z[1]
            f = landscape(a, b)
            g = (
                np.array(landscape_gradient(x, y))
                if kind == "plain"
                else (f * z).mean(axis=1) / sigma
                if kind == "score"
                else np.array(landscape_gradient(a, b)).mean(axis=1)
                if kind == "reparam"
                else np.array(
                    [(landscape(a + 0.25, b) - f).mean(), (landscape(a, b + 0.25) - f).mean()]
                )
                / 0.25
            )
            path.append(path[-1] + eta * g)
        return np.array(path)

    return ascend


def _once(rng, n):
    z = rng.standard_normal((2, n))
    return lambda: z


ascend = wrong("same_noise_at_every_step", "fresh|noise|every step")(_climb(_once))
ascend = wrong("generator_made_anew", "rng|generator|seed|same|random|fresh")(
    _climb(lambda rng, n: lambda: np.random.default_rng(0).standard_normal((2, n)))
)


@wrong("whole_number_start", "whole|integer|float")
def ascend(kind, start, sigma, n, eta, steps, rng):
    if kind not in ("plain", "score", "reparam", "fd"):
        raise ValueError(kind)
    path = np.empty((steps + 1, 2), dtype=np.asarray(start).dtype)
    path[0] = start
    for t in range(steps):
        x, y = path[t]
        z = rng.standard_normal((2, n)) if kind != "plain" else np.zeros((2, 1))
        a, b = x + sigma * z[0], y + sigma * z[1]
        f = landscape(a, b)
        g = (
            np.array(landscape_gradient(x, y))
            if kind == "plain"
            else (f * z).mean(axis=1) / sigma
            if kind == "score"
            else np.array(landscape_gradient(a, b)).mean(axis=1)
            if kind == "reparam"
            else np.array(
                [(landscape(a + 0.25, b) - f).mean(), (landscape(a, b + 0.25) - f).mean()]
            )
            / 0.25
        )
        path[t + 1] = path[t] + eta * g
    return path


def _stairs(subtract):
    def ascend_quantized(start, sigma, n, eta, steps, rng, baseline=None):
        path = [np.array(start, float)]
        for _ in range(steps):
            x, y = path[-1]
            z = rng.standard_normal((2, n))
            a, b = x + sigma * z[0], y + sigma * z[1]
            q = staircase(a, b)
            if baseline is not None:
                q = q - subtract(baseline, start, a, b, x, y)
            path.append(path[-1] + eta * (q * z).mean(axis=1) / sigma)
        return np.array(path)

    return ascend_quantized


ascend_quantized = wrong("baseline_of_the_start", "point|step|start|centre|once")(
    _stairs(lambda f, start, a, b, x, y: f(start[0], start[1]))
)
ascend_quantized = wrong("baseline_at_the_samples_again", "centre|sample|point|once|noise")(
    _stairs(lambda f, start, a, b, x, y: np.array([f(*each) for each in zip(a, b)]))
)
ascend_quantized = wrong("baseline_with_a_point", "two|coordinate|x, y|argument")(
    _stairs(lambda f, start, a, b, x, y: f(np.array([x, y])))
)


def _weighed(weight):
    def best_baseline(point, sigma, n, rng):
        if sigma <= 0:
            raise ValueError("sigma")
        z = rng.standard_normal((2, n))
        q = staircase(point[0] + sigma * z[0], point[1] + sigma * z[1])
        return np.average(q, weights=weight(z))

    return best_baseline


best_baseline = wrong("weighed_by_the_length_again", "square|length|weigh")(
    _weighed(lambda z: np.hypot(*z))
)
best_baseline = wrong("weighed_by_one_coordinate", "both|two|component|length|weigh|coordinate")(
    _weighed(lambda z: z[0] ** 2)
)


def _loss(baseline, weight=lambda x: x.mean(), gradient=lambda r: r):
    def reward_loss(logits, ask, rng):
        log_p = torch.log_softmax(logits, dim=1)
        noise = torch.tensor(rng.gumbel(size=tuple(logits.shape)))
        answers = (log_p.detach() + noise).argmax(dim=1)
        rewards = torch.tensor(np.asarray(ask(answers.numpy())), dtype=logits.dtype)
        gains = rewards - baseline(rewards) if len(rewards) > 1 else rewards
        return -weight(gains * log_p[torch.arange(len(log_p)), answers])

    return reward_loss


def _others_2(r):
    return (r.sum() - r) / (len(r) - 1)


reward_loss = wrong("summed", "mean|sum|average|batch|times|N")(_loss(_others_2, torch.sum))
reward_loss = wrong("normalised_rewards", "standard|scale|spread|divi|constant|bias|size")(
    _loss(lambda r: r - (r - r.mean()) / (r.std() + 1e-8))
)
reward_loss = wrong("baseline_of_the_neighbour", "variance|noise|others|one|vary|baseline")(
    _loss(lambda r: torch.roll(r, 1))
)
reward_loss = wrong("smallest_reward", "own|bias|other|min|baseline")(_loss(lambda r: r.min()))


@wrong("torch_draws", "rng|generator|random|seed")
def reward_loss(logits, ask, rng):
    p = torch.distributions.Categorical(logits=logits)
    answers = p.sample()
    r = torch.tensor(np.asarray(ask(answers.numpy())), dtype=logits.dtype)
    gains = r - _others_2(r) if len(r) > 1 else r
    return -(gains * p.log_prob(answers)).mean()


@wrong("own_reward_left_out", "own|itself|belongs|include|present|from each")
def reward_to_go(rewards):
    return np.cumsum(rewards[::-1], axis=0)[::-1] - rewards


def _go(r):
    return np.cumsum(r[::-1], axis=0)[::-1]


@wrong("nan_for_one_walk", "E = 1|single|one walk|NaN|zero|alone")
def walk_credit(rewards):
    go = _go(rewards)
    with np.errstate(all="ignore"):
        return go - (go.sum(axis=1, keepdims=True) - go) / np.float64(go.shape[1] - 1)


@wrong("one_baseline_for_all_times_again", "time|step|same")
def walk_credit(rewards):
    go, E = _go(rewards), rewards.shape[1]
    if E == 1:
        return go
    total = go.sum(axis=0)
    return go - (total.sum() - total) / (E - 1) / len(go)


@wrong("baseline_of_the_totals", "time|step|same|total|go")
def walk_credit(rewards):
    go, total, E = _go(rewards), rewards.sum(axis=0), rewards.shape[1]
    return go if E == 1 else go - (total.sum() - total) / (E - 1)


def _walked(score):
    def walk_gradient(logits, states, actions, credit):
        e = np.exp(logits - logits.max(axis=1, keepdims=True))
        p, g = e / e.sum(axis=1, keepdims=True), np.zeros(logits.shape)
        for s, a, c in zip(states.ravel(), actions.ravel(), credit.ravel()):
            g[s] += c * (np.eye(logits.shape[1])[a] - p[s])
        return score(g, states)

    return walk_gradient


walk_gradient = wrong("mean_over_steps_too_again", "sum|steps|T|mean")(
    _walked(lambda g, s: g / s.size))
walk_gradient = wrong("mean_over_visits", "visit|mean|walk|sum|divid")(
    _walked(lambda g, s: g / np.maximum(np.bincount(s.ravel(), minlength=len(g)), 1)[:, None])
)


@wrong("shifted_by_the_largest_of_all", "row|overflow|own|largest|state|shift")
def walk_gradient(logits, states, actions, credit):
    with np.errstate(all="ignore"):
        e = np.exp(logits - logits.max())
        p, g = e / e.sum(axis=1, keepdims=True), np.zeros(logits.shape)
    for s, a, c in zip(states.ravel(), actions.ravel(), credit.ravel()):
        g[s] += c * (np.eye(logits.shape[1])[a] - p[s])
    return g / states.shape[1]


def _fixed(f, place):
    """A function whose generator, the argument at this place, is replaced by one of its own."""
    def same_every_time(*given, **more):
        return f(*given[:place], np.random.default_rng(1), *given[place + 1 :], **more)

    same_every_time.__name__ = f.__name__
    return same_every_time


for _slug, _function, _place in (
        ("seed_of_its_own", reference.score_grad, 4),
        ("seed_of_its_own", reference.reparam_grad, 4),
        ("seed_of_its_own_by_sigma", reference.reparam_grad_sigma, 4),
        ("seed_of_its_own", reference.reinforce, 3),
        ("seed_of_its_own", reference.smoothed_estimators, 4),
        ("seed_of_its_own", reference.ascend, 6),
        ("seed_of_its_own", reference.ascend_quantized, 5),
        ("seed_of_its_own_for_the_best", reference.best_baseline, 3)):
    wrong(_slug, "rng")(_fixed(_function, _place))
