"""Wrong solutions of gradient_estimators, written from its text alone."""

import numpy as np
import torch

from advice import wrong
from viva.kits.gradient_estimators import landscape, landscape_gradient, staircase


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


@wrong("no_average_subtracted", "average|mean|everywhere|above|policy earns|minus|every logit")
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


@wrong("z_over_sigma_squared", "sigma|square|power|z /|width")
def smoothed_estimators(x, y, s, n, rng, kind, delta=0.25):
    return three_ways(x, y, s, n, rng, kind, delta, power=2)


@wrong("central_differences", "forward|central|both sides|half")
def smoothed_estimators(x, y, s, n, rng, kind, delta=0.25):
    return three_ways(x, y, s, n, rng, kind, delta, central=True)


@wrong("fresh_noise", "same|common|fresh|noise")
def smoothed_estimators(x, y, s, n, rng, kind, delta=0.25):
    return three_ways(x, y, s, n, rng, kind, delta, common=False)
