"""Exam of `exact_policy_gradient` and `reinforce`."""

import numpy as np

from viva.cases.gradient_estimators.policy import softmax, table
from viva.cases.gradient_estimators.score import fresh
from viva_course.exams.gradient_estimators.score import ALWAYS_THE_SAME, NEVER_THE_SAME
from viva_course.reference import gradient_estimators as reference
from viva_course.rubric import Exercise

policy = Exercise(
    "exact_policy_gradient",
    expects={
        "exact_policy_gradient": "the gradient of the expected reward by the logits, (m,)",
        "reinforce": "an unbiased estimate of it from n sampled actions, (m,)",
    },
    survivors={
        "exact_policy_gradient: return p * (rewards - p @ rewards) -> "
        "return p * (rewards - rewards @ p)": "the product of two vectors has no order",
    },
)

policy.values(3, "The gradient of the sum of p_a r_a by the logits.",
              only=("coin", "five_actions"), name="exact")


@policy.item(1, "Central differences of the expected reward give the same gradient, and its "
             "components add up to zero.")
def differences(exam, exact_policy_gradient, reinforce):
    z, r = exam.rng.normal(size=6), 3 * exam.rng.normal(size=6)
    slopes = [(softmax(z + e) @ r - softmax(z - e) @ r) / 2e-5 for e in 1e-5 * np.eye(6)]
    found = exact_policy_gradient(z, r)
    exam.same(found, np.array(slopes), rtol=1e-6, atol=1e-6)
    exam.same(float(np.sum(found)), 0.0)


policy.values(1, "Large logits do not overflow.",
              only=("large_logits", "sampled_large_logits"), name="large logits")
policy.values(2.5, "The estimate is near the exact gradient, also where the better action is rare.",
              only=("sampled", "rarely_chosen"), name="estimate")
policy.values(2, "The baseline is subtracted from the rewards.",
              only=("sampled_with_baseline", "nothing_to_learn"), name="baseline")
policy.values(1.5, "One sample gives (r(a) - baseline) times the score of the action drawn.",
              only=("single_sample",), name="one sample")
policy.values(0.5, "The actions are drawn with rng.", only=("draws_from_rng",), name="rng")
policy.values(0.5, "Only rewards of actions that were drawn are asked for.",
              only=("drawn_only",), name="drawn only")


@policy.item(1.5, "A good baseline makes the estimates spread less, around the same gradient.")
def spread(exam, exact_policy_gradient, reinforce):
    z, r = exam.rng.normal(size=3), 10 + exam.rng.normal(size=3)
    exact, p, times, n = reference.exact_policy_gradient(z, r), softmax(z), 200, 30
    scores = np.eye(3) - p
    spreads = []
    for baseline in (0.0, float(p @ r)):
        found = np.array([reinforce(z, table(r), n, fresh(exam.rng), baseline=baseline)
                          for _ in range(times)])
        variance = p @ ((r - baseline)[:, None] * scores) ** 2 - exact**2  # of one term
        error = np.sqrt(variance / n / times)
        exam.true(found.shape == (times, 3), "the shape must be (m,)")
        exam.true((np.abs(found.mean(axis=0) - exact) < 5.5 * error).all(),
                  "the mean of 200 estimates is not the exact gradient")
        spreads.append(found.var(axis=0).sum() / (variance.sum() / n))
    exam.true(all(0.45 < share < 1.8 for share in spreads),
              "the estimates do not spread as the mean of n terms does")


policy.unmodified(0.5, "Nothing may be written into the arguments.")


def estimate(logits, reward_fn, n, rng, baseline, p=None, scores=None):
    """reinforce with other chances or another score."""
    chances = softmax(logits)
    actions = rng.choice(len(logits), size=n, p=chances if p is None else p)
    gains = reward_fn(actions) - baseline
    table = np.eye(len(logits)) - chances if scores is None else scores(chances)
    return (gains[:, None] * table[actions]).mean(axis=0)


policy.mistakes_of(exact_policy_gradient={
    "no_p": ("The factor p is missing: an action that is hardly ever taken hardly matters.",
             lambda logits, rewards: rewards - softmax(logits) @ rewards),
    "descent": ("The sign is that of a descent: rewards are to grow.",
                lambda logits, rewards: -reference.exact_policy_gradient(logits, rewards)),
    "by_probabilities": ("This is p r: raising one logit also lowers the other probabilities.",
                         lambda logits, rewards: softmax(logits) * rewards),
    "plain_mean": ("The rewards are compared with their expectation under p, not with their plain "
                   "mean.",
                   lambda logits, rewards: softmax(logits) * (rewards - np.mean(rewards))),
})
policy.mistakes_of(reinforce={
    "no_minus_p": (
        "The score of the action drawn is not its indicator alone: raising one logit lowers the "
        "other probabilities.",
        lambda logits, reward_fn, n, rng, baseline=0.0: (
            estimate(logits, reward_fn, n, rng, baseline, scores=lambda p: np.eye(len(p))))),
    "reinforce_descent": ("The estimate points downhill: rewards are to grow.",
                          lambda logits, reward_fn, n, rng, baseline=0.0: (
                              -reference.reinforce(logits, reward_fn, n, rng, baseline))),
    "sum_not_mean": ("The terms are averaged, not added.",
                     lambda logits, reward_fn, n, rng, baseline=0.0: (
                         n * reference.reinforce(logits, reward_fn, n, rng, baseline))),
    "baseline_ignored": ("The baseline is ignored.",
                         lambda logits, reward_fn, n, rng, baseline=0.0: (
                             reference.reinforce(logits, reward_fn, n, rng))),
    "baseline_added": ("The baseline is subtracted, not added.",
                       lambda logits, reward_fn, n, rng, baseline=0.0: (
                           reference.reinforce(logits, reward_fn, n, rng, -baseline))),
    "baseline_after_the_mean": (
        "The baseline is subtracted from the rewards, before they meet the score, and not from the "
        "estimate.",
        lambda logits, reward_fn, n, rng, baseline=0.0: (
            reference.reinforce(logits, reward_fn, n, rng) - baseline)),
    "only_the_action": (
        "Only the logit of the action that was drawn gets something: its score has an entry for "
        "every other logit as well.",
        lambda logits, reward_fn, n, rng, baseline=0.0: (
            estimate(logits, reward_fn, n, rng, baseline, scores=lambda p: np.diag(1 - p)))),
    "own_generator": (ALWAYS_THE_SAME, lambda logits, reward_fn, n, rng, baseline=0.0: (
        reference.reinforce(logits, reward_fn, n, np.random.default_rng(0), baseline))),
    "no_generator": (NEVER_THE_SAME, lambda logits, reward_fn, n, rng, baseline=0.0: (
        reference.reinforce(logits, reward_fn, n, np.random.default_rng(), baseline))),
    "exact_instead": (
        "This is the exact gradient: the estimate may use rewards of sampled actions only.",
        lambda logits, reward_fn, n, rng, baseline=0.0: (
            reference.exact_policy_gradient(logits, reward_fn(np.arange(len(logits))) - baseline))),
})


@policy.mistake("asks_for_all", "The rewards of all actions are asked for: an agent hears only "
                "what the actions are worth that it has drawn.")
def reinforce(logits, reward_fn, n, rng, baseline=0.0):
    rewards = np.asarray(reward_fn(np.arange(len(logits))))
    return estimate(logits, lambda actions: rewards[actions], n, rng, baseline)


@policy.mistake("diagonal_only", "This is the diagonal of the softmax's Jacobian only; the other "
                "entries count, too.")
def exact_policy_gradient(logits, rewards):
    p = softmax(logits)
    return p * (1 - p) * rewards


@policy.mistake("overflow", "exp overflows for large logits: subtract the largest one first.")
def exact_policy_gradient(logits, rewards):
    with np.errstate(all="ignore"):
        p = np.exp(logits) / np.exp(logits).sum()
        return p * (rewards - p @ rewards)


@policy.mistake("in_place", "The logits belong to the caller: `logits -= ...` changes them.")
def exact_policy_gradient(logits, rewards):
    logits -= logits.max()
    return reference.exact_policy_gradient(logits, rewards)


@policy.mistake("argmax_action", "The actions must be sampled: with the likeliest one alone the "
                "mean is not the gradient.")
def reinforce(logits, reward_fn, n, rng, baseline=0.0):
    greedy = np.eye(len(logits))[np.argmax(logits)]
    return estimate(logits, reward_fn, n, rng, baseline, p=greedy)


@policy.mistake("uniform_sampling", "The actions are drawn with the probabilities of the policy, "
                "not uniformly.")
def reinforce(logits, reward_fn, n, rng, baseline=0.0):
    even = np.full(len(logits), 1 / len(logits))
    return estimate(logits, reward_fn, n, rng, baseline, p=even)


@policy.mistake("weighted_by_p", "The samples come from p already: do not weigh them by p once "
                "more.")
def reinforce(logits, reward_fn, n, rng, baseline=0.0):
    return estimate(logits, reward_fn, n, rng, baseline,
                    scores=lambda p: p[:, None] * (np.eye(len(p)) - p))


@policy.mistake("own_baseline", "The given baseline is replaced by the mean of the sample's "
                "rewards: one sample then learns nothing.")
def reinforce(logits, reward_fn, n, rng, baseline=0.0):
    p = softmax(logits)
    actions = rng.choice(len(p), size=n, p=p)
    gains = reward_fn(actions)
    return ((gains - gains.mean())[:, None] * (np.eye(len(p))[actions] - p)).mean(axis=0)


@policy.mistake("sampled_overflow", "exp overflows for large logits in reinforce: subtract the "
                "largest one first.")
def reinforce(logits, reward_fn, n, rng, baseline=0.0):
    with np.errstate(all="ignore"):
        p = np.exp(logits) / np.exp(logits).sum()
    actions = np.minimum((rng.random((n, 1)) > p.cumsum()).sum(axis=1), len(p) - 1)
    return ((reward_fn(actions) - baseline)[:, None] * (np.eye(len(p))[actions] - p)).mean(axis=0)


@policy.mistake("sampled_overflow_refused", "exp overflows for large logits in reinforce: "
                "subtract the largest one first.")
def reinforce(logits, reward_fn, n, rng, baseline=0.0):
    with np.errstate(all="ignore"):
        p = np.exp(logits) / np.exp(logits).sum()
    return estimate(logits, reward_fn, n, rng, baseline, p=p)  # choice refuses NaN


@policy.variant("the Jacobian of the softmax")
def exact_policy_gradient(logits, rewards):
    p = np.exp(logits - np.logaddexp.reduce(logits))
    return (np.diag(p) - np.outer(p, p)) @ rewards


@policy.variant("asks once for each action that was drawn")
def reinforce(logits, reward_fn, n, rng, baseline=0.0):
    p = softmax(logits)
    drawn, back = np.unique(rng.choice(len(p), size=n, p=p), return_inverse=True)
    gains = np.asarray(reward_fn(drawn))[back] - baseline
    return (gains[:, None] * (np.eye(len(p))[drawn[back]] - p)).mean(axis=0)


@policy.variant("counts of actions")
def reinforce(logits, reward_fn, n, rng, baseline=0.0):
    p = np.exp(logits - np.logaddexp.reduce(logits))
    p /= p.sum()
    cuts = np.cumsum(p)
    actions = np.minimum(np.searchsorted(cuts, rng.random(n)), len(p) - 1)
    gains = np.asarray(reward_fn(actions)) - baseline
    out = np.bincount(actions, weights=gains, minlength=len(p))
    return (out - p * gains.sum()) / n
