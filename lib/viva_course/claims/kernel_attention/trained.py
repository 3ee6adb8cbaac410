"""What the two trained layers state."""

import functools

import numpy as np

from viva_course.claiming import above, below, cause, claim


@functools.cache
def _means(notebook, seed):
    model, losses = notebook.train(seed=seed)
    return losses, notebook.long_errors(model, 640)[0].numpy()


@claim(title="Training on 16 tokens: 1,000 times less error")
def training_works(notebook, seed):
    losses, _ = _means(notebook, seed)
    return above(losses[0] / np.mean(losses[-20:]), 1000)


@claim(title="Fresh sequences of {} tokens: it still works")
def length_generalises(notebook, seed):
    _, errors = _means(notebook, seed)
    return below(errors[16:].max(), errors[:16].max()), below(errors[-1], errors[:16].mean())


@claim()
def first_ten_positions(notebook, seed):
    _, errors = _means(notebook, seed)
    return below(errors[10:].max(), errors[:10].max())


@functools.cache
def _recalled(notebook, layer, E, pairs, seed):
    return notebook.recalled(_model(notebook, layer, E, seed), pairs)


@functools.cache
def _model(notebook, layer, E, seed):
    return notebook.train_recall(layer, E, seed)


@claim(title="The softmax looks up what a small state has blurred")
def softmax_recalls(notebook, seed):
    softmax = _recalled(notebook, notebook.SoftmaxAttention, 16, 32, seed)
    return above(softmax, 0.9), below(
        _recalled(notebook, notebook.MultiHeadLinearAttention, 16, 16, seed), 0.5)


@cause(control="the same layer with four times as many features per head")
def room_in_the_state(notebook, seed):
    small, large = (_recalled(notebook, notebook.MultiHeadLinearAttention, E, 16, seed)
                    for E in (16, 64))
    return below(small, 0.5), above(large, 0.75)
