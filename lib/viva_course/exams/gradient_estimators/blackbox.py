"""Exam of `train_blackbox`."""

import numpy as np
import torch

from viva.cases.gradient_estimators.blackbox import level
from viva.kits.gradient_estimators import draw_points, label, reward
from viva_course.reference import gradient_estimators as reference
from viva_course.rubric import Exercise

NET = ("net = torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.ReLU(), "
       "torch.nn.Linear(32, {}))")
ADAM = "optimiser = torch.optim.Adam(net.parameters(), lr={})"
PREDICT = "return net(torch.tensor(points, dtype=torch.float32)).argmax(dim=1)"
GAINS = "gains = torch.tensor(reward(points, answers{}){})"
LOSS = "loss = -({} * policy.log_prob(answers)).{}()"
CENTRED, NUMPY, FLOAT = "(gains - gains.mean())", ".numpy()", ", dtype=torch.float32"
RECIPE = "other sizes, rates and numbers of steps are allowed where they pass the bars"
HARMLESS = {  # (before, after): why it is no mistake
    (NET.format(4), NET.format(5)): "a fifth answer is never right, and the network gives it up",
    (ADAM.format(0.005), ADAM.format(0.01)): RECIPE,
    ("for _ in range(1200):", "for _ in range(1200 + 1):"): RECIPE,
    ("for _ in range(1200):", "for _ in range(1200 - 1):"): RECIPE,
    ("for _ in range(1200):", "for _ in range(1, 1200):"): RECIPE,
    ("points = draw_points(256, rng)", "points = draw_points(257, rng)"): RECIPE,
    ("points = draw_points(256, rng)", "points = draw_points(255, rng)"): RECIPE,
    (GAINS.format(NUMPY, FLOAT), GAINS.format(NUMPY, "")): "gains may have double precision",
    (GAINS.format(NUMPY, FLOAT), GAINS.format("", FLOAT)): "the box reads tensors as well",
    (LOSS.format(CENTRED, "mean"), LOSS.format(CENTRED, "sum")): "Adam ignores a constant factor",
    (LOSS.format(CENTRED, "mean"), LOSS.format("gains", "mean")): "no baseline is allowed",
    (LOSS.format(CENTRED, "mean"), LOSS.format("(gains + gains.mean())", "mean")):
        "every constant is an unbiased baseline, and this one passes the bar",
}

box = Exercise(
    "train_blackbox",
    expects="a function that classifies new points: 83% right from labels, 75% from rewards alone",
    survivors={f"train_blackbox: {before} -> {after}": why
               for (before, after), why in HARMLESS.items()} | {
        f"train_blackbox.predict: {PREDICT}.numpy() -> {PREDICT}":
            "a tensor of integers is accepted as an array"},
)

box.values(3, "Trained on labels, at least 83% of new points are classified rightly.",
           only=("supervised",), name="supervised")
box.values(3, "Trained on rewards alone, at least 75% of new points are classified rightly.",
           only=("policy_gradient",), name="policy gradient")


@box.item(1, "With another seed rewards alone must be enough as well.")
def another_seed(exam, train_blackbox):
    found = level("pg", train_blackbox, exam.rng)
    exam.true(found.startswith("above"), f"new points that are classified rightly: {found}")


@box.item(0.5, "Trained twice with one seed, it answers alike.")
def same_seed(exam, train_blackbox):
    found = {case.name: answer.value for case, answer in exam.sitting([train_blackbox])}
    exam.true(str(found["supervised"]).startswith("above"), "labels are not enough yet")
    exam.true(found["same_seed"] is True, "the answers differ: seed torch and numpy")


@box.item(0.5, "An unknown mode raises ValueError.")
def refusals(exam, train_blackbox):
    right = [case.name for case, answer in exam.sitting([train_blackbox])
             if str(answer.value).startswith("above")]
    exam.true(len(right) > 0, "neither mode learns yet")
    exam.raises(ValueError, train_blackbox, "reinforce")


def train(mode, seed, steps=1200, sign=1.0, answer=None, baseline=torch.mean):
    """train_blackbox with one part changed."""
    if mode not in ("supervised", "pg"):
        raise ValueError
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net = torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.ReLU(), torch.nn.Linear(32, 4))
    optimiser = torch.optim.Adam(net.parameters(), lr=0.005)
    for _ in range(steps):
        points = draw_points(256, rng)
        log_p = torch.log_softmax(net(torch.tensor(points, dtype=torch.float32)), dim=1)
        if mode == "supervised":
            chosen, gain = torch.tensor(label(points)), torch.ones(256)
        else:
            chosen = torch.distributions.Categorical(logits=log_p.detach()).sample()
            gain = torch.tensor(reward(points, chosen.numpy()), dtype=torch.float32)
            gain = sign * (gain - baseline(gain))
        loss = -(gain * log_p[torch.arange(256), chosen]).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()

    def predict(points):
        with torch.no_grad():
            scores = net(torch.tensor(points, dtype=torch.float32))
        return (answer or (lambda z: z.argmax(dim=1)))(scores).numpy()

    return predict


box.mistakes_of(train_blackbox={
    "reward_sign": ("The rewards shrink: the loss is minus the gain times the log probability.",
                    lambda mode, seed=0: train(mode, seed, steps=100, sign=-1.0)),
    "minus_missing": ("The rewards shrink: the loss is minus the gain times the log probability.",
                      lambda mode, seed=0: train(mode, seed, steps=60, sign=-1.0)),
    "probabilities": (
        "The classes are asked for, (N,), not their probabilities (N, 4).",
        lambda mode, seed=0: train(mode, seed, steps=5, answer=lambda z: torch.softmax(z, dim=1))),
    "any_mode": ("An unknown mode raises ValueError.",
                 lambda mode, seed=0: (
                     reference.train_blackbox("pg" if mode == "pg" else "supervised", seed))),
})


# Three mistakes that answer alike: one sentence must be true of all.
GUESSING = ("This is no better than guessing: train until the rewards stop growing, and answer "
            "with the likeliest class of each point.")


@box.mistake("no_training", GUESSING)
def train_blackbox(mode, seed=0):
    return train(mode, seed, steps=3)


@box.mistake("argmin", GUESSING)
def train_blackbox(mode, seed=0):
    return train(mode, seed, steps=100, answer=lambda z: z.argmin(dim=1))


@box.mistake("constant", GUESSING)
def train_blackbox(mode, seed=0):
    return train(mode, seed, steps=1, answer=lambda z: torch.ones(len(z), dtype=torch.long))


@box.mistake("looked_up", "Every single answer is right, as no network learns it: the classes are "
             "looked up, not learned.")
def train_blackbox(mode, seed=0):
    if mode not in ("supervised", "pg"):
        raise ValueError
    return label


@box.mistake("unseeded", "Two trainings with one seed differ: seed torch as well as numpy.")
def train_blackbox(mode, seed=0):
    if mode == "supervised":
        seed = np.random.default_rng().integers(10**6).item()
    return train(mode, seed)


@box.mistake("labels", 'Mode "pg" must do without the labels: the box says only what the answers '
             "that were given are worth.")
def train_blackbox(mode, seed=0):
    if mode == "pg":
        label(draw_points(1, np.random.default_rng(seed)))
    return train(mode, seed)


@box.variant("without a baseline")
def train_blackbox(mode, seed=0):
    return train(mode, seed, baseline=lambda gain: 0.0)
