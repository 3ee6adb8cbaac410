"""Exam of `spatial_bn`."""

import numpy as np

from viva.cases.convolution.spatial import images
from viva_course.reference import convolution as reference
from viva_course.rubric import Exercise

spatial = Exercise(
    "spatial_bn",
    expects="(Y (N, C, H, W), (mean (C,), var (C,))): channels normalised, and new running values",
    forbidden=("F.batch_norm", "nn.BatchNorm2d", "torch.batch_norm", "torch.native_batch_norm"),
)

spatial.values(2.5, "Each channel is normalised over images, rows and columns together.",
               only=("training_output", "large_eps"), name="training")
spatial.values(2.5, "Running values move by `momentum` towards the batch's mean and unbiased "
               "variance.", only=("training_statistics", "three_batches"), name="running values")
spatial.values(1.5, "Without training the running values are used, and stay.",
               only=("evaluation",), name="evaluation")


@spatial.item(1.5, "Without training an image's output does not depend on the others; in training "
              "it does.")
def alone_or_in_company(exam, spatial_bn):
    X, gamma, beta, running = images(exam.rng, N=4, C=3)
    other = X.copy()
    other[1:] += exam.rng.normal(size=other[1:].shape)
    alone = spatial_bn(X[:1], gamma, beta, running, False)[0]
    exam.same(alone, reference.spatial_bn(X[:1], gamma, beta, running, False)[0])
    exam.same(spatial_bn(other, gamma, beta, running, False)[0][:1], alone)
    trained, moved = (spatial_bn(x, gamma, beta, running, True)[0][0] for x in (X, other))
    exam.true(np.abs(trained - moved).max() > 1e-6,
              "in training the other images of the batch must matter")


spatial.unmodified(1, "X and the running values that were given stay as they were; new ones are "
                   "returned.")


def _bn(X, gamma, beta, running, training, momentum, eps, *, axes=(0, 2, 3), ddof=1, out_ddof=0,
        rate=None, evaluate=True):
    rate = momentum if rate is None else rate
    mean, var = running
    batch_mean, batch_var = X.mean(axis=(0, 2, 3)), X.var(axis=(0, 2, 3), ddof=ddof)
    if training:
        mean, var = (1 - rate) * mean + rate * batch_mean, (1 - rate) * var + rate * batch_var
    if training or not evaluate:
        used = X.mean(axis=axes, keepdims=True), X.var(axis=axes, ddof=out_ddof, keepdims=True)
    else:
        used = mean[:, None, None], var[:, None, None]
    x_hat = (X - used[0]) / np.sqrt(used[1] + eps)
    return gamma[:, None, None] * x_hat + beta[:, None, None], (mean, var)


spatial.mistakes_of(spatial_bn={
    "per_pixel": ("All pixels of a channel share one mean: average over rows and columns too.",
                  lambda X, gamma, beta, running, training, momentum=0.1, eps=1e-5: (
                      _bn(X, gamma, beta, running, training, momentum, eps, axes=(0,)))),
    "per_image": ("This normalises every image by itself: average over the images too.",
                  lambda X, gamma, beta, running, training, momentum=0.1, eps=1e-5: (
                      _bn(X, gamma, beta, running, training, momentum, eps, axes=(2, 3)))),
    "all": ("Every channel has its own mean and variance.",
            lambda X, gamma, beta, running, training, momentum=0.1, eps=1e-5: (
                _bn(X, gamma, beta, running, training, momentum, eps, axes=(0, 1, 2, 3)))),
    "layer_norm": (
        "The statistics are taken over the batch, per channel, not per image over the channels.",
        lambda X, gamma, beta, running, training, momentum=0.1, eps=1e-5: (
            _bn(X, gamma, beta, running, training, momentum, eps, axes=(1, 2, 3)))),
    "eval_batch": ("Without training use the running values, not those of the batch.",
                   lambda X, gamma, beta, running, training, momentum=0.1, eps=1e-5: (
                       _bn(X, gamma, beta, running, training, momentum, eps, evaluate=False))),
    "never_updates": ("In training the running values follow the batches.",
                      lambda X, gamma, beta, running, training, momentum=0.1, eps=1e-5: (
                          (_bn(X, gamma, beta, running, training, momentum, eps)[0], running))),
    "biased_running": ("The running variance collects the unbiased variance: divide by NHW - 1.",
                       lambda X, gamma, beta, running, training, momentum=0.1, eps=1e-5: (
                           _bn(X, gamma, beta, running, training, momentum, eps, ddof=0))),
    "unbiased_output": (
        "The output is normalised by the biased variance; only the running one is unbiased.",
        lambda X, gamma, beta, running, training, momentum=0.1, eps=1e-5: (
            _bn(X, gamma, beta, running, training, momentum, eps, out_ddof=1))),
    "momentum_on_old": (
        "`momentum` is the share of the new batch, as in torch.",
        lambda X, gamma, beta, running, training, momentum=0.1, eps=1e-5: (
            _bn(X, gamma, beta, running, training, momentum, eps, rate=1 - momentum))),
    "momentum_fixed": ("`momentum` is an argument, not always 0.1.",
                       lambda X, gamma, beta, running, training, momentum=0.1, eps=1e-5: (
                           _bn(X, gamma, beta, running, training, momentum, eps, rate=0.1))),
    "eps_ignored": ("eps is an argument: add it to the variance, under the root.",
                    lambda X, gamma, beta, running, training, momentum=0.1, eps=1e-5: (
                        _bn(X, gamma, beta, running, training, momentum, 1e-5))),
    "running_replaced": (
        "The batch has only a share `momentum` in the new running values; the rest is the old "
        "ones.",
        lambda X, gamma, beta, running, training, momentum=0.1, eps=1e-5: (
            _bn(X, gamma, beta, running, training, momentum, eps, rate=1.0))),
})


@spatial.mistake("eval_updates", "Without training the running values stay as they are.")
def spatial_bn(X, gamma, beta, running, training, momentum=0.1, eps=1e-5):
    Y = _bn(X, gamma, beta, running, training, momentum, eps)[0]
    return Y, _bn(X, gamma, beta, running, True, momentum, eps)[1]


@spatial.mistake("running_in_training", "In training the batch is normalised by its own "
                 "statistics.")
def spatial_bn(X, gamma, beta, running, training, momentum=0.1, eps=1e-5):
    Y = _bn(X, gamma, beta, running, False, momentum, eps)[0]
    return Y, _bn(X, gamma, beta, running, training, momentum, eps)[1]


@spatial.mistake("corrects_with_N", "A channel has NHW numbers: the correction is NHW / (NHW - 1), "
                 "not N / (N - 1).")
def spatial_bn(X, gamma, beta, running, training, momentum=0.1, eps=1e-5):
    Y, (mean, _) = _bn(X, gamma, beta, running, training, momentum, eps)
    var = X.var(axis=(0, 2, 3)) * len(X) / (len(X) - 1)
    return Y, (mean, (1 - momentum) * running[1] + momentum * var if training else running[1])


@spatial.mistake("running_std", "The second running value is a variance, not a deviation.")
def spatial_bn(X, gamma, beta, running, training, momentum=0.1, eps=1e-5):
    Y, (mean, _) = _bn(X, gamma, beta, running, training, momentum, eps)
    std = X.std(axis=(0, 2, 3), ddof=1)
    return Y, (mean, (1 - momentum) * running[1] + momentum * std if training else running[1])


@spatial.mistake("in_place", "Return new running values; those that were given stay as they were.")
def spatial_bn(X, gamma, beta, running, training, momentum=0.1, eps=1e-5):
    Y, (mean, var) = _bn(X, gamma, beta, running, training, momentum, eps)
    running[0][:], running[1][:] = mean, var
    return Y, (mean, var)


@spatial.mistake("eps_outside", "eps is added to the variance, under the root.")
def spatial_bn(X, gamma, beta, running, training, momentum=0.1, eps=1e-5):
    mean, var = (X.mean(axis=(0, 2, 3)), X.var(axis=(0, 2, 3))) if training else running
    mean, var, scale, shift = (a[:, None, None] for a in (mean, var, gamma, beta))
    return (scale * (X - mean) / (np.sqrt(var) + eps) + shift,
            _bn(X, gamma, beta, running, training, momentum, eps)[1])


@spatial.mistake("updated_first", "In training the batch is normalised by its own statistics, not "
                 "by the updated running ones.")
def spatial_bn(X, gamma, beta, running, training, momentum=0.1, eps=1e-5):
    new = _bn(X, gamma, beta, running, training, momentum, eps)[1]
    return _bn(X, gamma, beta, new, False, momentum, eps)[0], new


@spatial.variant("channels moved to the end")
def spatial_bn(X, gamma, beta, running, training, momentum=0.1, eps=1e-5):
    columns = np.moveaxis(X, 1, -1).reshape(-1, X.shape[1])  # (NHW, C)
    mean, var = running
    if training:
        mean = mean + momentum * (columns.mean(axis=0) - mean)
        var = var + momentum * (columns.var(axis=0, ddof=1) - var)
        columns = (columns - columns.mean(axis=0)) / np.sqrt(columns.var(axis=0) + eps)
    else:
        columns = (columns - mean) / np.sqrt(var + eps)
    N, C, H, W = X.shape
    return np.moveaxis((columns * gamma + beta).reshape(N, H, W, C), -1, 1), [mean, var]
