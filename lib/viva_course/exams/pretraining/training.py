"""Exam of train_gpt: the training loop, judged by the way it goes and by fresh questions."""

import math

import torch

from viva.cases.pretraining import training as cases
from viva_course.reference import pretraining as reference
from viva_course.rubric import Exercise

loop = Exercise(
    "train_gpt",
    expects="the losses of the steps first ... last - 1, each with its batch and its rate",
)

loop.values(3, "Each step with its own batch, its own gradient and its own rate.")


@loop.item(2, "In step t of `steps` the rate is lr at the beginning and falls along half a cosine "
           "towards 0.")
def the_rate(exam, train_gpt):
    lr, steps = float(exam.rng.uniform(0.1, 0.9)), int(exam.rng.integers(7, 14))
    found = cases.slide(train_gpt, lr, steps, [(0, None)], [1.0])
    path, p = [0.0], 0.0
    for t in range(steps):
        p -= lr * (1 + math.cos(math.pi * t / steps)) / 2
        path.append(p)
    exam.same(found["path"], path)
    exam.same(found["losses"], path[:-1])


@loop.item(2, "A run in pieces is the same as a run in one: t counts from the beginning of the "
           "run.")
def in_pieces(exam, train_gpt):
    xs = [float(each) for each in exam.rng.normal(size=11)]
    whole = cases.slide(reference.train_gpt, 0.4, 11, [(0, None)], xs)
    exam.same(cases.slide(train_gpt, 0.4, 11, [(0, 3), (3, 4), (4, 11)], xs), whole)
    exam.same(cases.slide(train_gpt, 0.4, 11, [(0, 11)], xs), whole)
    exam.same(cases.slide(train_gpt, 0.4, 11, [(0, 0), (0, 11)], xs), whole)
    steps = int(exam.rng.integers(600, 900))
    part = [(0, 3), (steps - 3, steps)]  # both ends of a long run: no warm-up, no plateau
    exam.same(cases.slide(train_gpt, 0.4, steps, part, xs),
              cases.slide(reference.train_gpt, 0.4, steps, part, xs))
    exam.same(cases.slide_two(train_gpt, 0.2, 7), cases.slide_two(reference.train_gpt, 0.2, 7))


@loop.item(3, "What was trained answers nine of ten questions that were not in the training set, "
           "with AdamW.")
def fresh_questions(exam, train_gpt):
    for _ in range(2):
        V, weights, known, fresh = cases.families(exam.rng)
        start = cases.accuracy(weights, fresh)
        weights, losses = cases.taught(train_gpt, V, weights, *known, 0.05, 60)
        share = cases.accuracy(weights, fresh)
        exam.true(share > 0.9, f"{share:.0%} of fresh questions are right ({start:.0%} before)")
        exam.true(len(losses) == 60 and losses[-1] < losses[0] / 2, "the losses do not tell of it")


def _cosine(t, steps):
    return (1 + math.cos(math.pi * t / steps)) / 2


def _loop(rate=_cosine, number=lambda t, first: t, zero=True, step=True, until=0, late=False,
          backward=True):
    """train_gpt with one thing changed."""

    def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
        losses = []
        for t in range(first, (steps if last is None else last) + until):
            _, loss = model(*batch(number(t, first)))
            if zero:
                optimizer.zero_grad()
            if backward:
                loss.backward()
            if late and step:
                optimizer.step()
            for group in optimizer.param_groups:
                group["lr"] = lr * rate(t, steps)
            if step and not late:
                optimizer.step()
            losses.append(loss.item())
        return losses

    return train_gpt


MOVES = ("Nothing moves: backward computes the gradients and the optimiser's step uses them; one "
         "of the two is missing.")
loop.mistake("no_zero_grad", "Gradients of earlier steps are still there: they add up unless they "
             "are cleared.")(_loop(zero=False))
loop.mistake("no_step", MOVES)(_loop(step=False))
loop.mistake("no_backward", MOVES)(
    _loop(backward=False))
loop.mistake("constant_rate", "The rate stays at lr; it must fall along half a cosine.")(
    _loop(rate=lambda t, steps: 1.0))
loop.mistake("linear_rate", "The rate falls along a straight line, not along half a cosine.")(
    _loop(rate=lambda t, steps: 1 - t / steps))
loop.mistake("whole_cosine", "The rate falls and rises again: half a period of the cosine is asked "
             "for.")(_loop(rate=lambda t, steps: (1 + math.cos(2 * math.pi * t / steps)) / 2))
loop.mistake("quarter_cosine", "This is a quarter of a period; the rate must be half of lr in the "
             "middle of the run.")(_loop(rate=lambda t, steps: math.cos(math.pi * t / steps / 2)))
loop.mistake("ends_at_zero", "The last step would have rate 0; t runs to steps - 1 and is divided "
             "by steps.")(_loop(rate=lambda t, steps: _cosine(t, max(steps - 1, 1))))
loop.mistake("one_ahead", "The first step, t = 0, has the full rate lr; here the rate is one step "
             "ahead.")(_loop(rate=lambda t, steps: _cosine(t + 1, steps)))
loop.mistake("rate_too_late", "The rate is set after the step: every step uses the one before.")(
    _loop(late=True))
loop.mistake("same_batch", "Every step has its own batch: ask for batch(t).")(
    _loop(number=lambda t, first: 0))
loop.mistake("batch_from_zero", "The number of a batch counts from the beginning of the run, not "
             "of the piece.")(_loop(number=lambda t, first: t - first))
loop.mistake("one_step_more", "The steps are first ... last - 1.")(_loop(until=1))


@loop.mistake("schedule_of_the_piece", "The schedule starts anew with every piece: t and steps are "
              "those of the whole run.")
def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    last = steps if last is None else last
    rate = lambda t, steps: _cosine(t - first, last - first)
    return _loop(rate)(model, optimizer, batch, lr, steps, first, last)


loop.mistakes_of(train_gpt={
    "first_ignored": ("The run begins at step `first`, not always at 0.",
                      lambda model, optimizer, batch, lr, steps, first=0, last=None: (
                          reference.train_gpt(model, optimizer, batch, lr, steps, 0, last))),
    "last_ignored": ("The piece ends before step `last`, not at the end of the run.",
                     lambda model, optimizer, batch, lr, steps, first=0, last=None: (
                         reference.train_gpt(model, optimizer, batch, lr, steps, first))),
    "last_falsy": ("`last=0` makes no step: only None means the end of the run.",
                   lambda model, optimizer, batch, lr, steps, first=0, last=None: (
                       reference.train_gpt(model, optimizer, batch, lr, steps, first,
                                           last or None))),
    "tensor_losses": (
        "The losses must be Python numbers; a tensor of a loss keeps its whole graph in memory.",
        lambda model, optimizer, batch, lr, steps, first=0, last=None: [
            torch.tensor(each) for each in
            reference.train_gpt(model, optimizer, batch, lr, steps, first, last)]),
    "last_loss_only": (
        "The losses of all steps are asked for.",
        lambda model, optimizer, batch, lr, steps, first=0, last=None: (
            reference.train_gpt(model, optimizer, batch, lr, steps, first, last)[-1:])),
})


@loop.mistake("own_optimizer", "The optimiser is given; a new one in every piece forgets its "
              "state, and may be of another kind.")
def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    return reference.train_gpt(model, torch.optim.AdamW(model.parameters(), lr), batch, lr, steps,
                               first, last)


@loop.mistake("clipped", "Gradients are clipped; nothing of that kind is asked for.")
def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    handles = [p.register_hook(lambda g: g.clamp(-0.5, 0.5)) for p in model.parameters()]
    losses = reference.train_gpt(model, optimizer, batch, lr, steps, first, last)
    for handle in handles:
        handle.remove()
    return losses


@loop.mistake("clipped_norm", "Gradients are clipped; nothing of that kind is asked for.")
def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    def clip(optimizer, args, kwargs):
        for group in optimizer.param_groups:
            torch.nn.utils.clip_grad_norm_(group["params"], 1.0)

    handle = optimizer.register_step_pre_hook(clip)
    losses = reference.train_gpt(model, optimizer, batch, lr, steps, first, last)
    handle.remove()
    return losses


@loop.mistake("first_group", "The rate is set in the first group of parameters only; an optimiser "
              "may have several.")
def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    rates = [group["lr"] for group in optimizer.param_groups[1:]]

    def keep(optimizer, args, kwargs):
        for group, rate in zip(optimizer.param_groups[1:], rates, strict=True):
            group["lr"] = rate

    handle = optimizer.register_step_pre_hook(keep)
    losses = reference.train_gpt(model, optimizer, batch, lr, steps, first, last)
    handle.remove()
    return losses


@loop.mistake("piece_clock", "The angle counts from the beginning of the piece; it must count from "
              "the beginning of the run.")
def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    rate = lambda t, steps: _cosine(t - first, steps)
    return _loop(rate)(model, optimizer, batch, lr, steps, first, last)


for _share in (0.02, 0.05, 0.1):
    loop.mistake(f"warm_up_{_share}", "The rate has a warm-up; it must begin at lr.")(
        _loop(rate=lambda t, steps, share=_share: (
            _cosine(t, steps) * min(1, (t + 1) / (share * steps)))))


@loop.variant("a model that is told to train")
def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    model.train()
    return reference.train_gpt(model, optimizer, batch, lr, steps, first, last)


@loop.variant("gradients cleared at the end")
def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    losses, end = [], steps if last is None else last
    optimizer.zero_grad()
    for t in range(first, end):
        x, y = batch(t)
        loss = model(x, y)[1]
        loss.backward()
        for group in optimizer.param_groups:
            group["lr"] = 0.5 * lr * (1 + math.cos(t / steps * math.pi))
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        losses.append(float(loss.detach()))
    return losses


@loop.variant("the square of a cosine")
def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    losses = []
    for t in range(first, last if last is not None else steps):
        for group in optimizer.param_groups:
            group.update(lr=lr * math.cos(math.pi * t / (2 * steps)) ** 2)
        _, loss = model(*batch(t))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.tolist())
    return losses
