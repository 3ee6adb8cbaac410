"""Cases of lora_grads and svd_init. Singular vectors have no sign: what they span is compared."""

import numpy as np

from viva.case import case


def gradient(rng, m, l):
    """A random (m, l) gradient with well separated singular values."""
    r = min(m, l)
    U, V = (np.linalg.qr(rng.normal(size=(n, r)))[0] for n in (m, l))
    return (U * np.sort(np.arange(1, r + 1) + rng.uniform(0, 0.5, r))[::-1]) @ V.T


def spanned(G, A, B):
    """What does not depend on signs: A, B B^T, B^T B, and the squared size of G B^T."""
    A, B = np.asarray(A, float), np.asarray(B, float)
    fits = B.ndim == 2 and B.shape[1] == G.shape[1]
    return {"shape of B": list(B.shape), "A": A, "B B^T": B @ B.T, "B^T B": B.T @ B,
            "squared size of G B^T": float(((G @ B.T) ** 2).sum()) if fits else 0.0}


@case("lora_grads")
def three_shapes(rng, lora_grads):
    """G (4, 6), A (4, 2), B (2, 6)"""
    G, A, B = (rng.normal(size=shape) for shape in ((4, 6), (4, 2), (2, 6)))
    return lora_grads(G, A, B)


@case("lora_grads")
def square(rng, lora_grads):
    """all of size 3: a transpose shows in the values only"""
    return lora_grads(*rng.normal(size=(3, 3, 3)))


@case("lora_grads")
def zero_A(rng, lora_grads):
    """A = 0: the gradient of B vanishes, that of A does not"""
    G, B = rng.normal(size=(5, 4)), rng.normal(size=(2, 4))
    return lora_grads(G, np.zeros((5, 2)), B)


@case("lora_grads", rtol=1e-8, atol=1e-8)  # projections on singular vectors a gap of 0.5 apart
def wide_gradient(rng, svd_init):
    """G (4, 7), k = 2"""
    G = gradient(rng, 4, 7)
    return spanned(G, *svd_init(G, 2))


@case("lora_grads", rtol=1e-8, atol=1e-8)
def tall_gradient(rng, svd_init):
    """G (7, 4), k = 3"""
    G = gradient(rng, 7, 4)
    return spanned(G, *svd_init(G, 3))


@case("lora_grads", rtol=1e-8, atol=1e-8)
def square_gradient(rng, svd_init):
    """G (5, 5), k = 1: left and right singular vectors have the same length here"""
    G = gradient(rng, 5, 5)
    return spanned(G, *svd_init(G, 1))
