"""Exam of `center_backward`, `bn_forward` and `bn_backward`."""

import numpy as np
import torch

from viva.cases.convolution.batch_norm import batch
from viva_course.reference import convolution as reference
from viva_course.rubric import Exercise, Mistake, then

norm = Exercise(
    "center_backward",
    expects={
        "center_backward": "(N, d): the derivative of L by x when only the mean is taken away",
        "bn_forward": "(Y, cache): every column normalised over the batch, times gamma, plus beta",
        "bn_backward": "(dX (N, d), dgamma (d,), dbeta (d,))",
    },
    forbidden=("F.batch_norm", "nn.BatchNorm1d", "torch.batch_norm", "torch.native_batch_norm"),
)

norm.values(2.5, "Every x moves the mean, and through it every y.",
            only=("centred_by_hand", "centred_columns"), name="mean only")
norm.values(2.5, "Mean 0 and (biased) variance 1 in every column, then gamma and beta.",
            only=("forward_values", "forward_large_eps"), name="forward")
norm.values(4.5, "dX has a term for the mean and one for the variance; dgamma and dbeta are sums.",
            only=("backward_large_eps", "backward_values", "another_batch_between"),
            name="backward")


def autograd(X, gamma, beta, dY, eps):
    """The three gradients by torch."""
    X, gamma, beta = (torch.tensor(each, requires_grad=True) for each in (X, gamma, beta))
    torch.nn.functional.batch_norm(X, None, None, gamma, beta, True, 0.1, eps).backward(
        torch.tensor(dY))
    return tuple(each.grad.numpy() for each in (X, gamma, beta))


@norm.item(1.5, "For any batch, also of two samples and with a large eps, the gradients are those "
           "of autograd.")
def as_autograd(exam, center_backward, bn_forward, bn_backward):
    for n, d, eps in ((2, 3, 0.1), (5, 1, 1e-5), (9, 4, 1e-3)):
        X, gamma, beta, dY = batch(exam.rng, n, d)
        Y, cache = bn_forward(X, gamma, beta, eps=eps)
        exam.same(bn_backward(dY, cache), autograd(X, gamma, beta, dY, eps), rtol=1e-8, atol=1e-9)


@norm.item(1.5, "Adding a constant to a column or stretching it changes nothing, so dX is "
           "orthogonal to both directions.")
def what_is_removed(exam, center_backward, bn_forward, bn_backward):
    X, gamma, beta, dY = batch(exam.rng, 7, 3)
    Y, cache = bn_forward(X, gamma, beta, eps=1e-15)
    dX = bn_backward(dY, cache)[0]
    exam.true(np.abs(dX).min() > 0, "dX is not zero")
    exam.same(dX.sum(axis=0), np.zeros(3), rtol=0, atol=1e-9)
    exam.same((dX * (Y - beta)).sum(axis=0), np.zeros(3), rtol=0, atol=1e-9)
    exam.same(bn_forward(3 * X + 5, gamma, beta, eps=1e-15)[0], Y, rtol=1e-8, atol=1e-9)
    centred = center_backward(dY, gamma)
    exam.same(centred, reference.center_backward(dY, gamma))


norm.unmodified(0.5, "X, gamma, beta and dY must stay as they were.")


norm.mistakes_of(center_backward={
    "no_mean_term": ("The batch mean depends on x too: it is not a constant.",
                     lambda dY, gamma: gamma * dY),
    "own_term_only": ("A sample also moves the outputs of the other samples through the mean.",
                      lambda dY, gamma: gamma * dY * (1 - 1 / len(dY))),
    "center_no_gamma": ("y is gamma times the centred x: gamma stays in the gradient.",
                        lambda dY, gamma: dY - dY.mean(axis=0)),
    "center_whole_mean": ("Each column has its own mean.",
                          lambda dY, gamma: gamma * (dY - dY.mean())),
    "center_wrong_axis": ("The mean is taken over the samples, the rows.",
                          lambda dY, gamma: gamma * (dY - dY.mean(axis=1, keepdims=True))),
    "center_sum": ("Take away the mean of dY, not its sum.",
                   lambda dY, gamma: gamma * (dY - dY.sum(axis=0))),
    "center_plus": ("A sample that raises the mean lowers the others: minus, not plus.",
                    lambda dY, gamma: gamma * (dY + dY.mean(axis=0))),
    "center_gamma_in_mean": ("gamma multiplies dY itself as well, not only its mean.",
                             lambda dY, gamma: dY - (gamma * dY).mean(axis=0)),
    "center_gamma_late": ("gamma multiplies the mean of dY as well.",
                          lambda dY, gamma: gamma * dY - dY.mean(axis=0)),
})
norm.mistakes_of(bn_forward={
    "unbiased_var": ("Divide the sum of squares by N, not by N - 1.",
                     lambda X, gamma, beta, eps=1e-5: (
                         _forward(X, gamma, beta, eps, 1 / np.sqrt(X.var(axis=0, ddof=1) + eps)))),
    "eps_outside": (
        "eps is added to the variance, under the root.",
        lambda X, gamma, beta, eps=1e-5: _forward(X, gamma, beta, eps, 1 / (X.std(axis=0) + eps))),
    "eps_ignored": ("eps is an argument: add it to the variance.",
                    lambda X, gamma, beta, eps=1e-5: _forward(X, gamma, beta, 1e-5)),
    "divides_by_variance": (
        "Divide by the standard deviation, the root of the variance.",
        lambda X, gamma, beta, eps=1e-5: _forward(X, gamma, beta, eps, 1 / (X.var(axis=0) + eps))),
    "not_centred": ("The mean is taken away before the division.",
                    lambda X, gamma, beta, eps=1e-5: _forward(X, gamma, beta, eps, centre=0)),
    "beta_forgotten": ("beta is added after the scaling.",
                       lambda X, gamma, beta, eps=1e-5: _forward(X, gamma, 0, eps)),
    "beta_scaled": ("beta is added at the end, not multiplied by gamma.",
                    lambda X, gamma, beta, eps=1e-5: _forward(X, gamma, gamma * beta, eps)),
})


def _forward(X, gamma, beta, eps, scale=None, centre=None):
    scale = 1 / np.sqrt(X.var(axis=0) + eps) if scale is None else scale
    x_hat = (X - (X.mean(axis=0) if centre is None else centre)) * scale
    return gamma * x_hat + beta, (x_hat, scale, gamma)


@norm.mistake("layer_norm", "Statistics are taken over the batch, not over the features of a "
              "sample.")
def bn_forward(X, gamma, beta, eps=1e-5):
    scale = 1 / np.sqrt(X.var(axis=1, keepdims=True) + eps)
    return _forward(X, gamma, beta, eps, scale, X.mean(axis=1, keepdims=True))


@norm.mistake("one_statistic", "Every column has its own mean and variance.")
def bn_forward(X, gamma, beta, eps=1e-5):
    return _forward(X, gamma, beta, eps, np.full(X.shape[1], 1 / np.sqrt(X.var() + eps)), X.mean())


@norm.mistake("forward_in_place", "X belongs to the caller: subtract into a new array.")
def bn_forward(X, gamma, beta, eps=1e-5):
    answer = _forward(X, gamma, beta, eps)
    X -= X.mean(axis=0)
    return answer


def _backward(dY, cache, mean=1.0, variance=1.0, outer=None, reduce=np.sum):
    x_hat, scale, gamma = cache
    inner = dY - mean * dY.mean(axis=0) - variance * x_hat * (dY * x_hat).mean(axis=0)
    outer = gamma * scale if outer is None else outer
    return outer * inner, reduce(dY * x_hat, axis=0), reduce(dY, axis=0)


norm.mistakes_of(bn_backward={
    "backward_without_var": ("The variance depends on x too: a term along x-hat is missing.",
                             lambda dY, cache: _backward(dY, cache, variance=0.0)),
    "backward_without_mean": ("The mean depends on x too: take the mean of dY away.",
                              lambda dY, cache: _backward(dY, cache, mean=0.0)),
    "backward_constants": ("Mean and variance are functions of x, not constants.",
                           lambda dY, cache: _backward(dY, cache, mean=0.0, variance=0.0)),
    "variance_halved": ("The 2 of the square and the 1/2 of the root cancel.",
                        lambda dY, cache: _backward(dY, cache, variance=0.5)),
    "variance_doubled": ("The 2 of the square and the 1/2 of the root cancel.",
                         lambda dY, cache: _backward(dY, cache, variance=2.0)),
    "variance_sign": ("The term along x-hat is taken away, not added.",
                      lambda dY, cache: _backward(dY, cache, variance=-1.0)),
    "dgamma_mean": ("gamma and beta serve every sample: sum over the batch.",
                    lambda dY, cache: _backward(dY, cache, reduce=np.mean)),
    "no_gamma": ("gamma multiplies everything that flows back to x.",
                 lambda dY, cache: _backward(dY, cache, outer=cache[1])),
    "no_scale": ("What flows back is divided by the standard deviation.",
                 lambda dY, cache: _backward(dY, cache, outer=cache[2])),
    "scale_squared": ("What flows back is divided by the standard deviation once, not by the "
                      "variance.",
                      lambda dY, cache: _backward(dY, cache, outer=cache[2] * cache[1] ** 2)),
    "dgamma_without_xhat": ("gamma multiplies x-hat: so does its gradient.",
                            then(_backward, lambda dX, _, dbeta: (dX, dbeta, dbeta))),
    "dgamma_times_gamma": ("gamma does not stand in its own gradient: y is gamma times x-hat.",
                           lambda dY, cache: (lambda dX, dgamma, dbeta: (
                               dX, dgamma * cache[2], dbeta))(*_backward(dY, cache))),
    "order": ("Return dX, dgamma, dbeta in this order.",
              then(_backward, lambda dX, dgamma, dbeta: (dX, dbeta, dgamma))),
})


@norm.mistake("unit_norm", "mean(x-hat^2) is v / (v + eps), not 1: do not divide by it.")
def bn_backward(dY, cache):
    x_hat, scale, gamma = cache
    share = (dY * x_hat).sum(axis=0) / (x_hat**2).sum(axis=0)
    return gamma * scale * (dY - dY.mean(axis=0) - x_hat * share), *_backward(dY, cache)[1:]


@norm.mistake("divides_by_gamma", "gamma may be zero: keep x-hat itself, do not find it from Y.")
def bn_forward(X, gamma, beta, eps=1e-5):
    Y, (_, scale, _) = _forward(X, gamma, beta, eps)
    with np.errstate(all="ignore"):
        return Y, ((Y - beta) / gamma, scale, gamma)


_kept = {}


def _forward_aside(X, gamma, beta, eps=1e-5):
    Y, _kept["cache"] = _forward(X, gamma, beta, eps)
    return Y, ()


def _backward_aside(dY, cache):
    return _backward(dY, _kept["cache"])


norm.mistakes.append(Mistake(  # of two functions, so no decorator declares it
    "global_cache", "What backward needs must stand in the cache that it is given: another forward "
    "pass may lie between.", (reference.center_backward, _forward_aside, _backward_aside)))


def _forward_raw(X, gamma, beta, eps=1e-5):
    Y, cache = _forward(X, gamma, beta, eps)
    return Y, (X, *cache)


def _backward_raw(dY, cache):
    dX, _, dbeta = _backward(dY, cache[1:])
    return dX, (dY * cache[0]).sum(axis=0), dbeta


norm.mistakes.append(Mistake(
    "dgamma_raw", "gamma multiplies x-hat, the normalised input, and not x.",
    (reference.center_backward, _forward_raw, _backward_raw)))


def _forward_with_y(X, gamma, beta, eps=1e-5):
    Y, cache = _forward(X, gamma, beta, eps)
    return Y, (Y, *cache)


norm.mistakes.append(Mistake(
    "dgamma_of_y", "gamma multiplies x-hat, the normalised input, and not y.",
    (reference.center_backward, _forward_with_y, _backward_raw)))


@norm.mistake("eps_lost_backward", "The scale of the way back is 1 / sqrt(v + eps), as in forward: "
              "eps is missing in it.")
def bn_forward(X, gamma, beta, eps=1e-5):
    Y, (x_hat, _, _) = _forward(X, gamma, beta, eps)
    return Y, (x_hat, 1 / X.std(axis=0), gamma)


@norm.variant("step by step through the graph")
def bn_backward(dY, cache):
    x_hat, scale, gamma = cache
    n, dx_hat = len(dY), dY * gamma
    total = n * dx_hat - dx_hat.sum(axis=0) - x_hat * np.einsum("ij,ij->j", dx_hat, x_hat)
    return [scale / n * total, np.einsum("ij,ij->j", dY, x_hat), dY.sum(axis=0)]


@norm.variant("einsum")
def center_backward(dY, gamma):
    n = len(dY)
    return np.einsum("ik,kj,j->ij", np.eye(n) - 1 / n, dY, gamma)


@norm.variant("sums")
def bn_forward(X, gamma, beta, eps=1e-5):
    centred = X - X.sum(axis=0) / len(X)
    scale = (np.square(centred).sum(axis=0) / len(X) + eps) ** -0.5
    return centred * scale * gamma + beta, (centred * scale, scale, gamma)
