"""Exam of `reward_to_go`, `walk_credit` and `walk_gradient`."""

import itertools

import numpy as np

from viva_course.reference import gradient_estimators as reference
from viva_course.rubric import Exercise, then

walks = Exercise(
    "reward_to_go",
    expects={
        "reward_to_go": "what each walk is still paid, this step included: (T, E)",
        "walk_credit": "the reward to go minus that of the other walks at the same time: (T, E)",
        "walk_gradient": "a row for each state: the sum over steps, the mean over walks, (S, m)",
    },
)

walks.values(2, "The reward to go is the sum of the rewards from this step on.",
             only=("by_hand", "five_steps"), name="to go")
walks.values(2, "From it the mean reward to go of the other walks at that time is subtracted.",
             only=("credit_by_hand", "credit_of_four"), name="credit")
walks.values(0.5, "With a single walk nothing is subtracted.", only=("single_walk",),
             name="single walk")
walks.values(3, "The gradient is credit times score, added over steps, averaged over walks.",
             only=("gradient_by_hand", "one_visit_each", "many_visits"), name="gradient")
walks.values(0.5, "Large logits do not overflow.", only=("large_logits",), name="large logits")


@walks.item(1.5, "The mean over all walks of a small world is the derivative of what it pays.")
def small_world(exam, reward_to_go, walk_credit, walk_gradient):
    """Two steps; the first action decides in which state the second is taken."""
    logits, first, second = (exam.rng.normal(size=size) for size in ((3, 2), 2, (2, 2)))

    def expected(z):
        p = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
        return sum(p[0, a] * p[1 + a, b] * (first[a] + second[a, b])
                   for a, b in itertools.product(range(2), repeat=2))

    p, mean = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True), np.zeros((3, 2))
    ways = list(itertools.product(range(2), repeat=2))
    for (a, b), (c, d) in itertools.product(ways, repeat=2):  # pairs of walks
        rewards = np.array([[first[a], first[c]], [second[a, b], second[c, d]]])
        states, actions = np.array([[0, 0], [1 + a, 1 + c]]), np.array([[a, c], [b, d]])
        exam.same(walk_credit(rewards)[:, 0], -walk_credit(rewards)[:, 1])
        exam.same(reward_to_go(rewards)[0], rewards.sum(axis=0))
        chance = p[0, a] * p[1 + a, b] * p[0, c] * p[1 + c, d]
        mean += chance * np.asarray(
            walk_gradient(logits, states, actions, walk_credit(rewards)))
    slopes = np.zeros((3, 2))
    for place in np.ndindex(3, 2):
        step = np.zeros((3, 2))
        step[place] = 1e-5
        slopes[place] = (expected(logits + step) - expected(logits - step)) / 2e-5
    exam.same(mean, slopes, rtol=1e-5, atol=1e-7)  # central differences


walks.unmodified(0.5, "Nothing may be written into the arguments.")


def softmax(logits, axis=1):
    weights = np.exp(logits - logits.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


def scattered(logits, states, actions, credit, p=None):
    """The sum over steps and walks of credit times (indicator - p)."""
    p, found = softmax(logits) if p is None else p, np.zeros(logits.shape)
    np.add.at(found, (states, actions), credit)
    np.add.at(found, states, -credit[..., None] * p[states])
    return found


walks.mistakes_of(reward_to_go={
    "so_far": ("This is what was paid so far; an action cannot change the past.",
               lambda rewards: rewards.cumsum(axis=0)),
    "total": ("Every step gets the total of its walk; rewards from before the step are left out.",
              lambda rewards: np.broadcast_to(rewards.sum(axis=0), rewards.shape).copy()),
    "without_this_step": ("The reward of the step itself belongs to its reward to go.",
                          lambda rewards: reference.reward_to_go(rewards) - rewards),
    "along_walks": ("The sum runs along the walks; time is the first axis.",
                    lambda rewards: reference.reward_to_go(rewards.T).T),
    "not_turned_back": ("The time axis was turned around and not turned back.",
                        lambda rewards: rewards[::-1].cumsum(axis=0)),
})
walks.mistakes_of(walk_credit={
    "all_walks": (
        "The mean is taken over all walks, the walk itself among them: that shrinks every credit.",
        lambda rewards: (lambda to_go: to_go - to_go.mean(axis=1, keepdims=True))(
            reference.reward_to_go(rewards))),
    "no_baseline": ("Nothing is subtracted from the reward to go.", reference.reward_to_go),
    "mean_over_time": (
        "The mean is taken over the times of one walk, not over the other walks at one time.",
        lambda rewards: (lambda to_go: to_go - to_go.mean(axis=0))(
            reference.reward_to_go(rewards))),
    "mean_over_time_of_many": (
        "The mean is taken over the times of one walk, not over the other walks at one time.",
        lambda rewards: (lambda to_go: to_go - to_go.mean(axis=0) * (rewards.shape[1] > 1))(
            reference.reward_to_go(rewards))),
    "one_baseline": (
        "One baseline is used at all times: each time has its own, what the other walks still "
        "earn from there on.",
        lambda rewards: reference.reward_to_go(rewards) - (
            (rewards.sum() - rewards.sum(axis=0)) / max(rewards.shape[1] - 1, 1))),
    "one_mean_baseline": (
        "One baseline is used at all times: each time has its own, what the other walks still "
        "earn from there on.",
        lambda rewards: (lambda to_go: to_go - (to_go.sum() - to_go.sum(axis=0)) / len(to_go)
                         / max(rewards.shape[1] - 1, 1))(reference.reward_to_go(rewards))),
    "step_rewards": (
        "The baseline is the mean reward of the step alone, not the mean reward to go.",
        lambda rewards: reference.reward_to_go(rewards) - (
            rewards.sum(axis=1, keepdims=True) - rewards) / max(rewards.shape[1] - 1, 1)),
    "of_the_total": (
        "The credit is made of totals: rewards from before the step are still in it.",
        lambda rewards: np.broadcast_to(
            rewards.sum(axis=0) - (rewards.sum() - rewards.sum(axis=0))
            / max(rewards.shape[1] - 1, 1), rewards.shape).copy()),
    "over_all": (
        "The sum over the other walks is divided by the number of all walks.",
        lambda rewards: (lambda to_go: to_go - (to_go.sum(axis=1, keepdims=True) - to_go)
                         / rewards.shape[1])(reference.reward_to_go(rewards))),
})


@walks.mistake("alone_nan", "A single walk has no others: nothing is subtracted then, instead of a "
               "division by zero.")
def walk_credit(rewards):
    to_go = reference.reward_to_go(rewards)
    with np.errstate(all="ignore"):
        return to_go - (to_go.sum(axis=1, keepdims=True) - to_go) / (rewards.shape[1] - 1)


walks.mistakes_of(walk_gradient={
    "indicator_only": (
        "Only the action that was taken gets something: the score has a second part, minus the "
        "probabilities, at every visit.",
        lambda logits, states, actions, credit: scattered(
            logits, states, actions, credit, p=np.zeros(logits.shape)) / states.shape[1]),
    "sum_of_walks": ("The walks are added; their mean is asked for.", scattered),
    "mean_of_steps": (
        "The steps are averaged as well; they are added, and only walks are averaged.",
        lambda logits, states, actions, credit: (
            scattered(logits, states, actions, credit) / states.size)),
    "descent": ("The sign is that of a descent: rewards are to grow.",
                then(reference.walk_gradient, np.negative)),
    "softmax_over_states": (
        "The softmax runs over the states; the actions of one state share it, so every row of "
        "logits has its own.",
        lambda logits, states, actions, credit: scattered(
            logits, states, actions, credit, p=softmax(logits, axis=0)) / states.shape[1]),
    "per_visit": (
        "Each state is divided by the number of its visits; the sum over steps is asked for.",
        lambda logits, states, actions, credit: (
            scattered(logits, states, actions, credit)
            / np.maximum(np.bincount(states.ravel(), minlength=len(logits)), 1)[:, None])),
})


@walks.mistake("added_once", "Where a state and an action occur several times only one of them is "
               "added: `+=` with an array of places adds once.")
def walk_gradient(logits, states, actions, credit):
    found = np.zeros(logits.shape)
    found[states, actions] += credit
    np.add.at(found, states, -credit[..., None] * softmax(logits)[states])
    return found / states.shape[1]


@walks.mistake("overflow", "exp overflows for large logits: subtract the largest of a row first.")
def walk_gradient(logits, states, actions, credit):
    with np.errstate(all="ignore"):
        p = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
        return scattered(logits, states, actions, credit, p=p) / states.shape[1]


@walks.mistake("one_shift", "Every state has its own largest logit: with the largest of all, exp "
               "is 0 for a whole row, and 0 / 0 is NaN.")
def walk_gradient(logits, states, actions, credit):
    with np.errstate(all="ignore"):
        weights = np.exp(logits - logits.max())
        p = weights / weights.sum(axis=1, keepdims=True)
        return scattered(logits, states, actions, credit, p=p) / states.shape[1]


@walks.mistake("in_place", "The rewards belong to the caller: sum into a new array.")
def reward_to_go(rewards):
    rewards[:] = reference.reward_to_go(rewards)
    return rewards


@walks.variant("loops over time")
def reward_to_go(rewards):
    to_go = np.zeros(rewards.shape)
    rest = np.zeros(rewards.shape[1])
    for t in reversed(range(len(rewards))):
        rest = rest + rewards[t]
        to_go[t] = rest
    return to_go


@walks.variant("a difference of sums")
def reward_to_go(rewards):
    return rewards.sum(axis=0) - rewards.cumsum(axis=0) + rewards


@walks.variant("the mean of all, stretched")
def walk_credit(rewards):
    to_go = np.flip(np.flip(rewards, 0).cumsum(0), 0)
    n = rewards.shape[1]
    return to_go if n == 1 else (to_go - to_go.mean(axis=1, keepdims=True)) * n / (n - 1)


@walks.variant("step by step, walk by walk")
def walk_gradient(logits, states, actions, credit):
    found = np.zeros(logits.shape)
    for t, e in np.ndindex(*states.shape):
        row = np.exp(logits[states[t, e]] - logits[states[t, e]].max())
        score = -row / row.sum()
        score[actions[t, e]] += 1
        found[states[t, e]] += credit[t, e] * score
    return found / states.shape[1]
