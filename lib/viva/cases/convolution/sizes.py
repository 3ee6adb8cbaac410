"""Cases of `conv_shape`, `pool_shape` and `receptive_field`: integers, compared exactly."""

from viva.case import case


def conv_sizes(rng, wide=False):
    """W, H, C, K, P, S, F, all different enough to tell a wrong one; the kernel fits."""
    K = int(rng.integers(1, 6))
    W = int(rng.integers(K + 3, 40))
    H = W + int(rng.integers(1, 20)) if wide else int(rng.integers(K + 3, 40))
    return (W, H, int(rng.integers(1, 7)), K, int(rng.integers(0, 4)), int(rng.integers(1, 5)),
            int(rng.integers(1, 20)))


@case("conv_shape")
def first_layer(rng, conv_shape):
    """a 32 x 32 colour image, K=5, P=2, S=1, F=8: (32, 32, 8), 600 weights, 8 biases"""
    return conv_shape(32, 32, 3, 5, 2, 1, 8)


@case("conv_shape")
def stride_that_does_not_divide(rng, conv_shape):
    """10 wide, 7 high, K=3, no padding, S=4: the last kernel that fits"""
    return conv_shape(10, 7, 2, 3, 0, 4, 5)


@case("conv_shape")
def three_layers(rng, conv_shape):
    """three random layers, wider than high and higher than wide"""
    return [conv_shape(*conv_sizes(rng, wide)) for wide in (True, False, True)]


@case("conv_shape")
def pool_two(rng, pool_shape):
    """windows of 2, stride 2 on 32 x 32 x 8: (16, 16, 8)"""
    return pool_shape(32, 32, 8, 2, 2)


@case("conv_shape")
def pool_with_rest(rng, pool_shape):
    """sizes that the stride does not divide, overlapping windows, W different from H"""
    return [pool_shape(11, 6, 4, 2, 2), pool_shape(10, 7, 3, 3, 2), pool_shape(9, 12, 5, 4, 4)]


@case("conv_shape")
def five_small_kernels(rng, receptive_field):
    """five layers of 3 x 3 with stride 1: 11 pixels; no layer: 1"""
    return receptive_field([(3, 1)] * 5), receptive_field([])


@case("conv_shape")
def field_with_strides(rng, receptive_field):
    """[(3, 2), (3, 1), (5, 2)]: 15 pixels; [(2, 3)] three times: 14; and a random stack"""
    layers = [(int(rng.integers(1, 6)), int(rng.integers(1, 4))) for _ in range(4)]
    return [receptive_field(each) for each in ([(3, 2), (3, 1), (5, 2)], [(2, 3)] * 3, layers)]
