"""The reference of `convolution` against torch, enumeration and numerical derivatives."""

import itertools

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from viva_course.reference import convolution as ref

RNG = np.random.default_rng(20)


def test_sizes_and_parameters_are_those_of_torch():
    for _ in range(60):
        K, S, P, C, filters = (int(n) for n in RNG.integers([1, 1, 0, 1, 1], [6, 5, 4, 6, 9]))
        W, H = (int(n) for n in RNG.integers(K + 1, 30, 2))
        layer = torch.nn.Conv2d(C, filters, K, stride=S, padding=P)
        (width, height, channels), weights, biases = ref.conv_shape(W, H, C, K, P, S, filters)
        assert layer(torch.zeros(1, C, H, W)).shape == (1, channels, height, width)
        assert (layer.weight.numel(), layer.bias.numel()) == (weights, biases)
        width, height, channels = ref.pool_shape(W, H, C, K, S)
        assert F.max_pool2d(torch.zeros(1, C, H, W), K, S).shape == (1, channels, height, width)


def test_receptive_field_counts_the_pixels_with_a_gradient():
    assert ref.receptive_field([(3, 2), (3, 1), (5, 2)]) == 15
    assert [ref.receptive_field([(3, 1)] * depth) for depth in range(4)] == [1, 3, 5, 7]
    layers = [(3, 2), (4, 3), (3, 1)]
    x = torch.ones(1, 1, 200, requires_grad=True)
    y = x
    for K, S in layers:
        y = F.conv1d(y, torch.ones(1, 1, K), stride=S)
    y[0, 0, 10].backward()
    assert int((x.grad != 0).sum()) == ref.receptive_field(layers)


@pytest.mark.parametrize("image, kernel", [((5, 8), (2, 3)), ((4, 4), (4, 4)), ((3, 7), (1, 1))])
def test_convolution_and_gradients_are_those_of_torch(image, kernel):
    X, w = (torch.tensor(RNG.normal(size=shape), requires_grad=True) for shape in (image, kernel))
    Y = F.conv2d(X[None, None], w[None, None])[0, 0]
    dY = torch.tensor(RNG.normal(size=Y.shape))
    Y.backward(dY)
    X_, w_, dY_ = X.detach().numpy(), w.detach().numpy(), dY.numpy()
    np.testing.assert_allclose(ref.conv2d_valid(X_, w_), Y.detach().numpy(), atol=1e-12)
    np.testing.assert_allclose(ref.conv2d_grad_w(X_, dY_), w.grad.numpy(), atol=1e-12)
    np.testing.assert_allclose(ref.conv2d_grad_x(w_, dY_), X.grad.numpy(), atol=1e-12)


@pytest.mark.parametrize("image, kernel, S, P", [((5, 7), (2, 3), 1, 0), ((6, 9), (3, 2), 2, 1),
                                                 ((7, 8), (2, 1), 3, 0), ((4, 6), (3, 3), 1, 2)])
def test_a_layer_with_channels_and_stride_is_that_of_torch(image, kernel, S, P):
    X, w, b = RNG.normal(size=(2, 3, *image)), RNG.normal(size=(4, 3, *kernel)), RNG.normal(size=4)
    given = [torch.tensor(each, requires_grad=True) for each in (X, w, b)]
    Y = F.conv2d(*given, stride=S, padding=P)
    dY = RNG.normal(size=Y.shape)
    Y.backward(torch.tensor(dY))
    np.testing.assert_allclose(ref.conv_layer(X, w, b, S, P), Y.detach().numpy(), atol=1e-12)
    for found, expected in zip(ref.conv_layer_backward(dY, X, w, S, P), given, strict=True):
        np.testing.assert_allclose(found, expected.grad.numpy(), atol=1e-12)


def test_the_spread_of_the_weight_gradient():
    n, k, sx, sy = 9, 4, 1.5, 0.3
    found = [ref.conv2d_grad_w(sx * RNG.normal(size=(n, n)), sy * RNG.normal(size=(6, 6)))
             for _ in range(2000)]
    assert np.std(found) == pytest.approx(ref.grad_w_std(n, k, sx, sy), rel=0.03)
    assert ref.grad_w_std(10, 3, 2.0, 0.5) == 8


@pytest.mark.parametrize("shape, K", [((6, 8), 2), ((7, 8), 3), ((5, 9), 4)])
def test_pooling_gradients_are_those_of_torch(shape, K):
    X = torch.tensor(RNG.integers(0, 4, shape).astype(float), requires_grad=True)  # ties
    dY = torch.tensor(RNG.normal(size=(shape[0] // K, shape[1] // K)))
    for pool, backward in ((F.max_pool2d, ref.max_pool_backward),
                           (F.avg_pool2d, ref.avg_pool_backward)):
        X.grad = None
        pool(X[None, None], K)[0, 0].backward(dY)
        got = backward(X.detach().numpy().astype(int), dY.numpy(), K)
        np.testing.assert_allclose(got, X.grad.numpy(), atol=1e-12)


@pytest.mark.parametrize("n, eps", [(2, 0.1), (6, 1e-5), (5, 0.5)])
def test_batch_norm_is_that_of_torch(n, eps):
    given = [RNG.normal(2, 3, (n, 4)), RNG.normal(size=4), RNG.normal(size=4)]
    X, gamma, beta = (torch.tensor(each, requires_grad=True) for each in given)
    Y = F.batch_norm(X, None, None, gamma, beta, True, 0.1, eps)
    dY = RNG.normal(size=(n, 4))
    Y.backward(torch.tensor(dY))
    got, cache = ref.bn_forward(*given, eps=eps)
    np.testing.assert_allclose(got, Y.detach().numpy(), atol=1e-12)
    for found, expected in zip(ref.bn_backward(dY, cache), (X, gamma, beta), strict=True):
        np.testing.assert_allclose(found, expected.grad.numpy(), atol=1e-10)


def test_centring_by_autograd():
    X, gamma = torch.tensor(RNG.normal(size=(5, 3)), requires_grad=True), RNG.normal(size=3)
    dY = RNG.normal(size=(5, 3))
    (torch.tensor(gamma) * (X - X.mean(dim=0))).backward(torch.tensor(dY))
    np.testing.assert_allclose(ref.center_backward(dY, gamma), X.grad.numpy(), atol=1e-12)


def test_spatial_batch_norm_follows_torch_through_training_and_evaluation():
    layer = torch.nn.BatchNorm2d(3, momentum=0.2, eps=1e-3, dtype=torch.float64)
    running = (np.zeros(3), np.ones(3))
    for training in (True, True, True, False):
        layer.train(training)
        X = RNG.normal(1, 2, (4, 3, 5, 2))
        Y, running = ref.spatial_bn(X, np.ones(3), np.zeros(3), running, training, 0.2, 1e-3)
        np.testing.assert_allclose(Y, layer(torch.tensor(X)).detach().numpy(), atol=1e-12)
        np.testing.assert_allclose(running[0], layer.running_mean.numpy(), atol=1e-12)
        np.testing.assert_allclose(running[1], layer.running_var.numpy(), atol=1e-12)


def test_expected_loss_is_the_average_over_all_masks():
    X, y, w, p = RNG.normal(size=(2, 3)), RNG.normal(size=2), RNG.normal(size=3), 0.3
    masks = [np.reshape(bits, (2, 3)) for bits in itertools.product((0, 1), repeat=6)]
    mean = sum(p ** R.sum() * (1 - p) ** (6 - R.sum()) * ((y - (R * X) @ w) ** 2).sum()
               for R in masks)
    assert ref.dropout_expected_loss(X, y, w, p) == pytest.approx(mean)


def test_the_solution_minimises_the_expected_loss():
    X, y, p, h = RNG.normal(size=(6, 3)) + 1, RNG.normal(size=6), 0.35, 1e-5
    w = ref.dropout_ridge_solution(X, y, p) / p
    for e in np.eye(3):
        sides = [ref.dropout_expected_loss(X, y, w + s * h * e, p) for s in (1, -1)]
        assert abs(sides[0] - sides[1]) / (2 * h) < 1e-6
    toy = ref.dropout_ridge_solution(np.array([[10.0, 1.0]]), np.array([11.0]), 0.5)
    np.testing.assert_allclose(toy, [0.366667, 3.666667], atol=1e-6)
    least = ref.dropout_ridge_solution(X, y, 1.0)
    np.testing.assert_allclose(least, np.linalg.lstsq(X, y, rcond=None)[0], atol=1e-10)


def test_dropout_keeps_the_mean_and_obeys_its_mode():
    torch.manual_seed(0)
    x, layer = torch.full((300, 300), 2.0, dtype=torch.float64), ref.Dropout(0.3)
    out = layer(x)
    assert out.dtype == torch.float64
    assert out.unique().tolist() == pytest.approx([0, 2 / 0.7])
    assert out.mean().item() == pytest.approx(2, rel=0.02)
    assert (layer.eval()(x) == x).all()
    for p in (1.0, -0.1, 1.5):
        with pytest.raises(ValueError):
            ref.Dropout(p)
