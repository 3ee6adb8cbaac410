"""Exam of `reward_loss`: the gradient is judged, its mean and its variance; nothing is trained."""

import numpy as np
import torch

from viva.cases.gradient_estimators.blackbox import drawn, statistics
from viva_course.reference import gradient_estimators as reference
from viva_course.rubric import Exercise

loss = Exercise(
    "reward_loss",
    expects="a tensor with one number, whose mean gradient is minus that of the expected reward",
)

loss.values(2.5, "The mean of the gradients is minus the gradient of the mean expected reward.",
            only=("mean_gradient",), name="mean")
loss.values(1, "With one point nothing is subtracted from the reward.", only=("one_point",),
            name="one point")
loss.values(1, "A constant that is added to all rewards changes no gradient.", only=("shifted",),
            name="constant")
loss.values(1, "The baseline keeps the variance down.", only=("variance",), name="variance")
loss.values(0.5, "`ask` is called once, with one drawn answer for each point.",
            only=("what_is_asked", "frequencies"), name="answers")


@loss.item(1, "Any number of points and of answers.")
def other_sizes(exam, reward_loss):
    for points, answers in ((2, 3), (5, 2)):
        logits = exam.rng.normal(size=(points, answers))
        worth = 3 * exam.rng.normal(size=(points, answers))
        found = statistics(reward_loss, exam.rng, logits, worth, 4000)[0]
        exact = -np.array([reference.exact_policy_gradient(*row)
                           for row in zip(logits, worth, strict=True)]) / points
        noise = statistics(reference.reward_loss, exam.rng, logits, worth, 500)[1]
        # no entry has more variance than all have together; six standard errors
        exam.same(found, exact, rtol=0, atol=6 * np.sqrt(noise / 4000))


@loss.item(0.5, "The same state of rng gives the same loss.")
def same_state(exam, reward_loss):
    found = {case.name: answer.value for case, answer in exam.sitting([reward_loss])}
    exam.true(np.any(drawn(reward_loss, exam.rng)), "the gradient is zero")
    exam.true(found["same_state"] == {"the loss is": "the same"},
              "two generators in the same state give two losses")


loss.values(0.5, "Large logits do not overflow.", only=("large_logits",), name="large logits")


def others_mean(rewards):
    return (rewards.sum() - rewards) / max(len(rewards) - 1, 1)


def surrogate(logits, ask, rng, draw=lambda log_p, noise: log_p + noise, baseline=others_mean,
              weight=lambda logits, log_p: log_p, scale=lambda n: -1.0 / n):
    """reward_loss with one part changed."""
    log_p = torch.log_softmax(logits, dim=1)
    answers = draw(log_p.detach().numpy(), rng.gumbel(size=log_p.shape)).argmax(axis=1)
    rewards = np.asarray(ask(answers), float)
    gains = torch.tensor(rewards - baseline(rewards), dtype=log_p.dtype)
    chosen = weight(logits, log_p)[torch.arange(len(answers)), torch.tensor(answers)]
    return scale(len(answers)) * (gains * chosen).sum()


loss.mistakes_of(reward_loss={
    "sign": ("The sign is wrong: an optimiser that minimises this makes the rewards shrink.",
             lambda logits, ask, rng: surrogate(logits, ask, rng, scale=lambda n: 1.0 / n)),
    "likeliest_answer": (
        "The likeliest answer is given instead of one that is drawn: the mean is not the gradient "
        "of the expected reward.",
        lambda logits, ask, rng: surrogate(logits, ask, rng, draw=lambda log_p, noise: log_p)),
    "uniform_answers": (
        "Answers are drawn with the probabilities of their row, not uniformly.",
        lambda logits, ask, rng: surrogate(logits, ask, rng, draw=lambda log_p, noise: noise)),
    "one_draw_for_all": (
        "All points use the same draw: each needs one of its own.",
        lambda logits, ask, rng: surrogate(
            logits, ask, rng, draw=lambda log_p, noise: log_p + noise[:1])),
    "probability": (
        "The probability of the answer is differentiated, not its logarithm: an answer that is "
        "drawn from p is then weighed by p once more.",
        lambda logits, ask, rng: surrogate(
            logits, ask, rng, weight=lambda logits, log_p: log_p.exp())),
    "logit": (
        "The logit of the answer is differentiated, not the logarithm of its probability: the "
        "other logits must move as well.",
        lambda logits, ask, rng: surrogate(
            logits, ask, rng, weight=lambda logits, log_p: logits)),
    "sum_of_rows": ("The rows are added; their mean is asked for.",
                    lambda logits, ask, rng: surrogate(logits, ask, rng, scale=lambda n: -1.0)),
    "batch_mean": (
        "The baseline contains the row's own reward, so it takes a part of the signal away: only "
        "rewards of the other rows may be in it.",
        lambda logits, ask, rng: surrogate(
            logits, ask, rng, baseline=lambda rewards: rewards.mean())),
    "smallest": (
        "The smallest reward of the batch can be the row's own: only rewards of the other rows may "
        "be in a baseline.",
        lambda logits, ask, rng: surrogate(
            logits, ask, rng, baseline=lambda r: r.min() if len(r) > 1 else 0.0)),
    "one_other_row": (
        "The baseline is the reward of one other row, whose noise is added to that of the row "
        "itself. The mean over all others has less.",
        lambda logits, ask, rng: surrogate(
            logits, ask, rng, baseline=lambda r: np.roll(r, 1) if len(r) > 1 else 0.0)),
    "over_n": (
        "The rewards of the other rows are divided by the number of all rows, so a constant does "
        "not vanish.",
        lambda logits, ask, rng: surrogate(
            logits, ask, rng, baseline=lambda rewards: (rewards.sum() - rewards) / len(rewards))),
    "no_baseline": (
        "There is no baseline: a constant that is added to all rewards changes the gradient.",
        lambda logits, ask, rng: surrogate(logits, ask, rng, baseline=lambda rewards: 0.0)),
    "standardised": (
        "The rewards are divided by their spread, and their mean contains the row's own reward: "
        "both change the gradient.",
        lambda logits, ask, rng: surrogate(
            logits, ask, rng, baseline=lambda r: (
                r - (r - r.mean()) / (r.std() + 1e-8) if len(r) > 1 else 0.0))),
    "normalised": (
        "The rewards are divided by their spread as well; that changes the gradient.",
        lambda logits, ask, rng: surrogate(
            logits, lambda a: (lambda r: r / (r.std() + 1e-8) if len(r) > 1 else r)(
                np.asarray(ask(a), float)), rng)),
})


@loss.mistake("all_answers", "`ask` is asked about every answer: it may be called once, with one "
              "drawn answer for each point.")
def reward_loss(logits, ask, rng):
    p = torch.softmax(logits, dim=1)
    worth = np.array([ask(np.full(len(p), answer)) for answer in range(p.shape[1])]).T
    return -(p * torch.tensor(worth, dtype=p.dtype)).sum(dim=1).mean()


@loss.mistake("other_randomness", "The answers do not come from rng: the same state of rng must "
              "give the same loss.")
def reward_loss(logits, ask, rng):
    return surrogate(logits, ask, np.random.default_rng())


@loss.mistake("overflow", "exp overflows for large logits: take the logarithm of the softmax in "
              "one step.")
def reward_loss(logits, ask, rng):
    p = torch.exp(logits) / torch.exp(logits).sum(dim=1, keepdim=True)
    chances = np.nan_to_num(p.detach().numpy())
    answers = (chances.cumsum(axis=1) < rng.random((len(p), 1))).sum(axis=1)
    answers = np.minimum(answers, p.shape[1] - 1)
    rewards = np.asarray(ask(answers), float)
    gains = torch.tensor(rewards - others_mean(rewards), dtype=p.dtype)
    return -(gains * torch.log(p[torch.arange(len(p)), torch.tensor(answers)])).mean()


@loss.variant("cumulated probabilities and cross-entropy")
def reward_loss(logits, ask, rng):
    p = torch.softmax(logits.detach(), dim=1).numpy()
    answers = (p.cumsum(axis=1) < rng.random((len(p), 1))).sum(axis=1).clip(0, p.shape[1] - 1)
    rewards = torch.as_tensor(np.asarray(ask(answers), float), dtype=logits.dtype)
    n = len(rewards)
    gains = (rewards - rewards.mean()) * n / (n - 1) if n > 1 else rewards
    each = torch.nn.functional.cross_entropy(logits, torch.tensor(answers), reduction="none")
    return (gains * each).mean()


@loss.variant("torch draws, with a seed from rng")
def reward_loss(logits, ask, rng):
    generator = torch.Generator().manual_seed(int(rng.integers(2**31)))
    log_p = logits.log_softmax(dim=-1)
    answers = torch.multinomial(log_p.detach().exp(), 1, generator=generator)[:, 0]
    rewards = np.asarray(ask(answers.numpy()), float)
    left = [rewards[i] - np.delete(rewards, i).mean() if len(rewards) > 1 else rewards[i]
            for i in range(len(rewards))]
    return -torch.mean(torch.tensor(left, dtype=log_p.dtype)
                       * log_p.gather(1, answers[:, None])[:, 0])
