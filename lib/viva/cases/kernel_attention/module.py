"""Cases of MultiHeadLinearAttention."""
import numpy as np
import torch

from viva.case import case, outcome, rule


def module_weights(rng, E):
    """Weights and biases for the four projections."""
    shapes = {"weight": (E, E), "bias": (E,)}
    return {
        f"{name}.{part}": rng.normal(size=shape) / np.sqrt(E)
        for name in "qkvo"
        for part, shape in shapes.items()
    }


def run_module(MultiHeadLinearAttention, E, heads, causal, weights, x, gradient=None):
    """Output of the module with these weights; with `gradient`, what flows back from it too."""
    module = MultiHeadLinearAttention(E, heads, causal=causal).double()
    module.load_state_dict({name: torch.tensor(w) for name, w in weights.items()})
    x = torch.tensor(x, requires_grad=True)
    out = module(x)
    if gradient is None:
        return out.detach().numpy()
    out.backward(torch.tensor(gradient))
    grads = {name: p.grad.numpy() for name, p in module.named_parameters()}
    return {"x": x.grad.numpy(), **grads}


@case("MultiHeadLinearAttention")
def two_heads(rng, MultiHeadLinearAttention):
    """embed_dim 6, two heads, not causal"""
    weights, x = module_weights(rng, 6), rng.normal(size=(2, 5, 6))
    return run_module(MultiHeadLinearAttention, 6, 2, False, weights, x)


@case("MultiHeadLinearAttention")
def three_causal_heads(rng, MultiHeadLinearAttention):
    """embed_dim 6, three heads, causal"""
    weights, x = module_weights(rng, 6), rng.normal(size=(2, 4, 6))
    return run_module(MultiHeadLinearAttention, 6, 3, True, weights, x)


@rule("MultiHeadLinearAttention")
def gradients(rng, MultiHeadLinearAttention):
    """gradients of the input and of every weight"""
    weights, x = module_weights(rng, 4), rng.normal(size=(2, 3, 4))
    return run_module(MultiHeadLinearAttention, 4, 2, False, weights, x, rng.normal(size=x.shape))


@rule("MultiHeadLinearAttention")
def not_divisible(rng, MultiHeadLinearAttention):
    """seven features and two heads: AssertionError"""
    return outcome(MultiHeadLinearAttention, 7, 2)
