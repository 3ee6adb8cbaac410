"""Cases of multi_head_attention. Tensors are float64 unless a case says otherwise."""

import torch

from viva.case import case, outcome


def draw(rng, *shape, dtype=torch.float64):
    """A standard normal tensor."""
    return torch.tensor(rng.normal(size=shape), dtype=dtype)


def layer(rng, D, heads, d, e, dtype=torch.float64):
    """W_Q, W_K (D, heads d), W_V (D, heads e) and W_O (heads e, D), and the number of heads."""
    shapes = (D, heads * d), (D, heads * d), (D, heads * e), (heads * e, D)
    return *(draw(rng, *shape, dtype=dtype) / D**0.5 for shape in shapes), heads


def rotations(rng, T, d):
    """A rotation for each position: (T, d, d)."""
    return torch.linalg.qr(draw(rng, T, d, d))[0]


def gradients_of(multi_head_attention, x, matrices, heads, g):
    """Of g . out, with respect to x and the four matrices; zeros where nothing flows back."""
    leaves = [each.clone().requires_grad_() for each in (x, *matrices)]
    out = multi_head_attention(*leaves, heads)[0]
    if getattr(out, "requires_grad", False):
        (out * g).sum().backward()
    return [torch.zeros_like(leaf) if leaf.grad is None else leaf.grad.detach() for leaf in leaves]


@case("multi_head_attention")
def two_tokens(rng, multi_head_attention):
    """the worked example: two heads of one coordinate, identities; out (1, 0) and (0.5, 0.731)"""
    eye = torch.eye(2, dtype=torch.float64)
    return multi_head_attention(eye[None], eye, eye, eye, eye, 2)


@case("multi_head_attention")
def one_head(rng, multi_head_attention):
    """one head: x (2, 4, 3), d = 5, e = 2"""
    return multi_head_attention(draw(rng, 2, 4, 3), *layer(rng, 3, 1, 5, 2))


@case("multi_head_attention")
def three_heads(rng, multi_head_attention):
    """three heads: x (2, 5, 7), d = 4, e = 2"""
    return multi_head_attention(draw(rng, 2, 5, 7), *layer(rng, 7, 3, 4, 2))


@case("multi_head_attention")
def square_matrices(rng, multi_head_attention):
    """two heads, all matrices (6, 6): x (2, 3, 6)"""
    return multi_head_attention(draw(rng, 2, 3, 6), *layer(rng, 6, 2, 3, 3))


@case("multi_head_attention")
def no_looking_ahead(rng, multi_head_attention):
    """the outputs of the first three of six tokens, before and after the last three change"""
    x, given = draw(rng, 1, 6, 4), layer(rng, 4, 2, 3, 2)
    later = torch.cat([x[:, :3], draw(rng, 1, 3, 4)], dim=1)
    return [multi_head_attention(each, *given)[0][:, :3] for each in (x, later)]


@case("multi_head_attention")
def turned(rng, multi_head_attention):
    """two heads, d = e = 4, and a rotation of queries and keys for each of five positions"""
    x, given = draw(rng, 2, 5, 6), layer(rng, 6, 2, 4, 4)
    return multi_head_attention(x, *given, rotations(rng, 5, 4))


@case("multi_head_attention")
def large_scores(rng, multi_head_attention):
    """scores in the thousands: nothing overflows"""
    x, (W_Q, *others) = draw(rng, 1, 5, 4), layer(rng, 4, 2, 3, 2)
    return multi_head_attention(x, 3000 * W_Q, *others)


@case("multi_head_attention")
def the_future_scores_higher(rng, multi_head_attention):
    """one head, scores from -50000 to 50000, some of the future's are the higher ones"""
    x = torch.tensor([[[300.0, -90], [300, -160], [300, 150], [-300, 80]]], dtype=torch.float64)
    x = x * torch.tensor(rng.uniform(0.9, 1.1, (1, 4, 2)))
    ask, own = torch.eye(2, dtype=torch.float64)[:, :, None]  # the score of t and s: x_t0 x_s1
    return multi_head_attention(x, ask, own, draw(rng, 2, 2) / 300, draw(rng, 2, 2), 1)


@case("multi_head_attention")
def gradients_of_all(rng, multi_head_attention):
    """gradients for x, W_Q, W_K, W_V and W_O: two heads, x (2, 4, 5)"""
    x, (*matrices, heads) = draw(rng, 2, 4, 5), layer(rng, 5, 2, 3, 2)
    return gradients_of(multi_head_attention, x, matrices, heads, draw(rng, 2, 4, 5))


@case("multi_head_attention", rtol=1e-4, atol=1e-5)  # float32
def float32_tensors(rng, multi_head_attention):
    """float32 in, float32 out"""
    given = layer(rng, 4, 2, 3, 2, dtype=torch.float32)
    return multi_head_attention(draw(rng, 1, 3, 4, dtype=torch.float32), *given)


@case("multi_head_attention")
def cannot_be_divided(rng, multi_head_attention):
    """six columns of W_Q, six of W_V, four heads; then only those of W_V do not fit: ValueError"""
    x, (*matrices, _) = draw(rng, 1, 3, 4), layer(rng, 4, 2, 3, 3)
    wide = draw(rng, 4, 8), draw(rng, 4, 8), *matrices[2:]
    return [outcome(multi_head_attention, x, *given, 4) for given in (matrices, wide)]
