"""Exam of `coord_check`."""

import numpy as np
import torch

from viva.cases.width_scaling.coordinates import as_numbers, network
from viva_course.exams.width_scaling.passes import (
    backward,
    before_relu,
    changed,
    gained,
    linear,
    path,
    relu_last,
    signs_of_examples,
)
from viva_course.reference import width_scaling as reference
from viva_course.reference.width_scaling.coordinates import gradients, layers
from viva_course.rubric import Exercise

check = Exercise(
    "coord_check",
    expects="one number for each layer: the RMS change of its outputs after so many steps",
    survivors={
        "coord_check: before = [h.detach() for h in outputs()] -> before = [h for h in ou"
        "tputs()]":
            "the numbers are the same with a graph attached",
        "coord_check: after = [h.detach() for h in outputs()] -> after = [h for h in outp"
        "uts()]":
            "the numbers are the same with a graph attached",
        "coord_check: loss = nn.functional.mse_loss(outputs()[-1], wanted) -> loss = nn.f"
        "unctional.mse_loss(wanted, outputs()[-1])":
            "the squared error is symmetric",
        "coord_check: return np.array([float((new - old).norm() / new.numel() ** 0.5) for"
        " new, old in zip(after, before)]) -> return [float((new - old).norm() / new.nume"
        "l() ** 0.5) for new, old in zip(after, before)]":
            "a list of numbers will do as well",
        "coord_check: return np.array([float((new - old).norm() / new.numel() ** 0.5) for"
        " new, old in zip(after, before)]) -> return np.array([float((new - old).norm() /"
        " new.numel() ** 0.5) for new, old in zip(before, after)])":
            "a norm has no sign",
        "coord_check: return np.array([float((new - old).norm() / new.numel() ** 0.5) for"
        " new, old in zip(after, before)]) -> return np.array([float((old - new).norm() /"
        " new.numel() ** 0.5) for new, old in zip(after, before)])":
            "a norm has no sign",
    },
)

check.values(4, "Every weight moves by its layer's rate against the sign of its gradient, all "
             "layers at once.",
             only=("by_hand", "one_step", "three_steps", "unit_that_is_off"), name="steps")
check.values(1.5, "Layers whose rate is 0 stay as they are, and the others do not notice.",
             only=("last_layer_only", "middle_layer_only"), name="one layer alone")


@check.item(1.5, "The check of a right and of a wrong network must be theirs at every width.")
def at_several_widths(exam, coord_check):
    for power in (0, 1):  # of the width by which the middle layer's rate is too large
        for width in (16, 64):
            weights, x, targets = network(exam.rng, (6, width, width, 2), examples=5)
            rates = [0.002, 0.002 * 16 ** (1 - power) * width ** (power - 1), 0.002 * 16 / width]
            exam.same(as_numbers(coord_check(weights, rates, x, targets)),
                      reference.coord_check(weights, rates, x, targets))


@check.item(0.5, "Without a step nothing changes; another number of rates than of layers raises "
            "ValueError.")
def edges(exam, coord_check):
    weights, x, targets = network(exam.rng, (3, 6, 5, 2))
    rates = [0.1, 0.2, 0.3]  # one that always raises earns nothing
    exam.same(as_numbers(coord_check(weights, rates, x, targets, 2)),
              reference.coord_check(weights, rates, x, targets, 2))
    exam.same(as_numbers(coord_check(weights, rates, x, targets, 0)), np.zeros(3))
    for wrong in (rates[:2], [*rates, 0.1]):
        exam.raises(ValueError, coord_check, weights, wrong, x, targets)


check.unmodified(0.5, "The weights that are given must stay as they were.")


check.mistakes_of(coord_check={
    "formula": (
        "Run the network: what its layers output before and after the steps is to be compared, not "
        "what a formula makes of rates and sizes.",
        lambda weights, rates, x, targets, steps=3: np.array(
            [steps * rate * weight.shape[1] for weight, rate in zip(weights, rates, strict=True)])),
    "uphill": ("These steps go uphill: subtract the sign of the gradient.",
               changed(move=lambda weight, rate, gradient: weight + rate * np.sign(gradient))),
    "gradient_not_sign": ("The step is the sign of the gradient, not the gradient.",
                          changed(move=lambda weight, rate, gradient: weight - rate * gradient)),
    "gradient_normalised": (
        "Every weight has a sign of its own; this divides the whole gradient by its length.",
        changed(move=lambda weight, rate, gradient:
                 weight - rate * gradient / (np.linalg.norm(gradient) or 1.0))),
    "never_zero": (
        "A gradient of zero has the sign 0: such a weight stays.",
        changed(move=lambda weight, rate, gradient:
                 weight - rate * np.where(gradient >= 0, 1.0, -1.0))),
    "no_mask": (
        "In the backward pass a unit that is off passes nothing on: the mask of the ReLU is "
        "missing.",
        changed(find=lambda *network: backward(*network, mask=lambda out: 1.0))),
    "no_relu": ("The hidden layers have a ReLU.",
                changed(see=linear, find=lambda *network: backward(
                    *network, see=linear, mask=lambda out: 1.0))),
    "relu_last": ("The last layer has no ReLU.",
                  changed(see=relu_last, find=lambda *network: backward(
                      *network, see=relu_last))),
    "relu_last_masked": ("The last layer has no ReLU.",
                         changed(see=relu_last, find=lambda *network: backward(
                             *network, see=relu_last, error=lambda y, t: (y - t) * (y > 0)))),
    "last_step": ("This is the change in the last step alone; the outputs before the first step "
                  "are the ones to compare with.",
                  changed(late=True)),
    "gain": ("The ReLU has no factor of its own here.",
             changed(see=gained, find=lambda *network: backward(*network, see=gained))),
    "before_relu": ("The change is that of the outputs, after the ReLU.",
                    changed(see=before_relu)),
    "targets_ignored": (
        "The error is the difference between output and target.",
        changed(find=lambda *network: backward(*network, error=lambda y, t: y))),
    "length": ("This is the length of the change; the RMS averages over all its entries.",
               changed(size=lambda new, old: np.linalg.norm(new - old))),
    "mean_absolute": ("The root of the mean square is asked for, not the mean of absolute values.",
                      changed(size=lambda new, old: np.mean(np.abs(new - old)))),
    "mean_square": ("Take the root of the mean square.",
                    changed(size=lambda new, old: np.mean((new - old) ** 2))),
    "sizes_not_changes": (
        "Subtract after taking sizes and turned features go unnoticed: take the RMS of the "
        "difference.",
        changed(size=lambda new, old: abs(np.sqrt(np.mean(new**2)) - np.sqrt(np.mean(old**2))))),
    "features_not_change": ("Subtract the outputs before the first step: the change is asked for.",
                            changed(size=lambda new, old: np.sqrt(np.mean(new**2)))),
    "relative": ("The change itself is asked for: it is not divided by the size of the outputs.",
                 changed(size=lambda new, old: np.sqrt(np.mean((new - old) ** 2)
                                                        / np.mean(old**2)))),
    "mean_of_rms": ("One mean over all examples and entries, then one root: this averages the RMS "
                    "of each example.",
                    changed(size=lambda new, old: np.mean(
                        np.sqrt(np.mean((new - old) ** 2, axis=1))))),
    "signs_of_examples": (
        "The gradient is that of all examples together; its sign is taken once, after the sum.",
        changed(move=lambda weight, rate, gradient: weight - rate * gradient,
                find=signs_of_examples)),
    "path": ("The change is the one from before the first step to after the last, not the sum of "
             "the changes in each step.", path),
    "first_example": ("All examples count, not only the first.",
                      changed(size=lambda new, old: np.sqrt(np.mean((new - old)[0] ** 2)))),
    "one_rate": (
        "Every layer has its own rate, in the order of the weights.",
        lambda weights, rates, x, targets, steps=3: reference.coord_check(
            weights, [rates[0]] * len(rates), x, targets, steps)),
    "rates_reversed": (
        "Every layer has its own rate, in the order of the weights.",
        lambda weights, rates, x, targets, steps=3: reference.coord_check(
            weights, rates[::-1], x, targets, steps)),
    "over_fan_in": (
        "The rates are given: do not divide them by the fan-in once more.",
        lambda weights, rates, x, targets, steps=3: reference.coord_check(
            weights, [rate / len(weight.T) for weight, rate in zip(weights, rates, strict=True)],
            x, targets, steps)),
    "steps_ignored": ("`steps` says how many updates are made, also none.",
                      lambda weights, rates, x, targets, steps=3: reference.coord_check(
                          weights, rates, x, targets, 3)),
    "one_step_short": ("`steps` updates are made: one is missing.",
                       lambda weights, rates, x, targets, steps=3: reference.coord_check(
                           weights, rates, x, targets, max(steps - 1, 0))),
    "gradients_of_the_start": (
        "Each step needs the gradients at the weights of the step before, not those of the start.",
        lambda weights, rates, x, targets, steps=3: reference.coord_check(
            weights, [steps * rate for rate in rates], x, targets, min(steps, 1))),
    "outputs_missing": ("The last layer belongs to the answer: its change is that of the outputs.",
                        lambda *network, **steps: reference.coord_check(*network, **steps)[:-1]),
    "last_only": ("A number for each layer is asked for, not that of one layer.",
                  lambda *network, **steps: reference.coord_check(*network, **steps)[-1:]),
})


@check.mistake("one_after_another", "All layers step at once: every gradient is taken at the same "
               "weights, before any of them moves.")
def coord_check(weights, rates, x, targets, steps=3):
    if len(rates) != len(weights):
        raise ValueError
    before, moved = layers(weights, x), list(weights)
    for _ in range(steps):
        for layer, rate in enumerate(rates):
            moved[layer] = moved[layer] - rate * np.sign(gradients(moved, x, targets)[layer])
    return np.array([np.sqrt(np.mean((new - old) ** 2))
                     for new, old in zip(layers(moved, x)[1:], before[1:], strict=True)])


@check.mistake("backward_through_new_weights", "All layers step at once: the backward pass goes "
               "through the weights before any of them moves.")
def coord_check(weights, rates, x, targets, steps=3):
    if len(rates) != len(weights):
        raise ValueError
    before, moved = layers(weights, x), list(weights)
    for _ in range(steps):
        hidden = layers(moved, x)
        delta = hidden[-1] - targets
        for layer in range(len(moved) - 1, -1, -1):
            moved[layer] = moved[layer] - rates[layer] * np.sign(delta.T @ hidden[layer])
            delta = (delta @ moved[layer]) * (hidden[layer] > 0)
    return np.array([np.sqrt(np.mean((new - old) ** 2))
                     for new, old in zip(layers(moved, x)[1:], before[1:], strict=True)])


@check.mistake("rates_unchecked", "Another number of rates than of layers must raise ValueError.")
def coord_check(weights, rates, x, targets, steps=3):
    rates = [*rates, *[0.1] * len(weights)][:len(weights)]
    return reference.coord_check(weights, rates, x, targets, steps)


@check.mistake("in_place", "The weights belong to the caller: step on copies.")
def coord_check(weights, rates, x, targets, steps=3):
    answer = reference.coord_check(weights, rates, x, targets, steps)
    if steps:
        weights[-1] -= 0.1
    return answer


@check.variant("torch")
def coord_check(weights, rates, x, targets, steps=3):
    if len(weights) != len(rates):
        raise ValueError("rates")
    W = [torch.tensor(weight, requires_grad=True) for weight in weights]
    X, T = torch.tensor(x), torch.tensor(targets)

    def outputs():
        found = []
        for layer, w in enumerate(W):
            h = (found[-1] if found else X) @ w.T
            found.append(torch.relu(h) if layer < len(W) - 1 else h)
        return found

    before = [h.detach() for h in outputs()]
    for _ in range(steps):
        found = torch.autograd.grad(((outputs()[-1] - T) ** 2).mean(), W)
        with torch.no_grad():
            for w, rate, gradient in zip(W, rates, found, strict=True):
                w -= rate * gradient.sign()
    return [float((new - old).pow(2).mean().sqrt())
            for new, old in zip(outputs(), before, strict=True)]


@check.variant("one example after another")
def coord_check(weights, rates, x, targets, steps=3):
    if len(weights) != len(rates):
        raise ValueError("rates")
    start, W = layers(weights, x), [weight.copy() for weight in weights]
    for _ in range(steps):
        total = [np.zeros_like(weight) for weight in W]
        for one, target in zip(x, targets, strict=True):
            for sum_, part in zip(total, gradients(W, one[None], target[None]), strict=True):
                sum_ += part
        for weight, rate, gradient in zip(W, rates, total, strict=True):
            weight -= rate * np.sign(gradient)
    return [((new - old) ** 2).mean() ** 0.5
            for new, old in zip(layers(W, x)[1:], start[1:], strict=True)]
