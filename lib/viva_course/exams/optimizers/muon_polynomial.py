"""Muon's tuned polynomial."""
import numpy as np

from viva.cases.optimizers.common import matrix
from viva_course.reference import optimizers as ref
from viva_course.rubric import Exercise

from .orthogonal import LIBRARY

COEFFS = (3.4445, -4.7750, 2.0315)

TALL = "muon_orthogonalize: tall = G.shape[0] > G.shape[1] -> tall = "
EITHER_SIDE = "both Gram matrices give the same; the size is asked for in newton_schulz"

tuned = Exercise(
    "muon_orthogonalize",
    expects="a matrix of G's shape whose singular values went through a s + b s^3 + c s^5",
    forbidden=LIBRARY,
    survivors={
        TALL + "G.shape[0] >= G.shape[1]": EITHER_SIDE,
        TALL + "G.shape[0] <= G.shape[1]": EITHER_SIDE,
        TALL + "G.shape[0] > G.shape[0]": EITHER_SIDE,
        TALL + "G.shape[1] > G.shape[1]": EITHER_SIDE,
        TALL + "G.shape[-1] > G.shape[1]": EITHER_SIDE,
        "muon_orthogonalize: X = (G.T if tall else G) / (np.linalg.norm(G) + eps) -> "
        "X = (G.T if tall else G) / (np.linalg.norm(G) - eps)": "eps only guards a zero matrix",
        "muon_orthogonalize: X = a * X + (b * A + c * A @ A) @ X -> "
        "X = a * X + (b * A + A @ (c * A)) @ X": "the same product",
    },
)
tuned.values(3, "The values must be those of the tuned iteration.")


@tuned.item(1, "One step maps each singular value s of G / ||G||_F to a s + b s^3 + c s^5 and "
            "keeps the singular vectors.")
def one_step(exam, muon_orthogonalize):
    for m, n in ((4, 4), (6, 3), (3, 5)):
        G = matrix(exam.rng, m, n)
        U, s, Vt = np.linalg.svd(G / np.linalg.norm(G), full_matrices=False)
        a, b, c = COEFFS
        exam.same(muon_orthogonalize(G, steps=1), (U * (a * s + b * s**3 + c * s**5)) @ Vt,
                  rtol=1e-5, atol=1e-5)


@tuned.item(0.5, "eps keeps a zero gradient from becoming NaN, and a tiny one from being lost.")
def a_zero_matrix(exam, muon_orthogonalize):
    G = matrix(exam.rng, 3, 4)
    exam.same(muon_orthogonalize(G), ref.muon_orthogonalize(G), rtol=1e-5, atol=1e-5)
    exam.same(muon_orthogonalize(np.zeros((3, 4))), np.zeros((3, 4)), rtol=0, atol=0)
    # 1e-9 G / (|1e-9 G| + eps) has a norm from 0.005 to 0.05; five steps lift that above 0.6,
    # with eps added to the norm or as its floor.
    size = np.linalg.norm(muon_orthogonalize(1e-9 * G))
    exam.true(0.3 < size < 3, "a gradient of numbers around 1e-9 is lost, or grows too large")


@tuned.item(1, "A tall matrix gives the transpose of the wide result, the scale does not matter, "
            "and (1.5, -0.5, 0) is Newton-Schulz.", name="transpose, scale, coefficients")
def transpose_scale_coefficients(exam, muon_orthogonalize):
    G = matrix(exam.rng, 7, 4)
    expected = ref.muon_orthogonalize(G)
    exam.same(muon_orthogonalize(G.T).T, expected, rtol=1e-5, atol=1e-5)
    for scale in (1e-1, 1e3, 1e6):
        exam.same(muon_orthogonalize(scale * G), expected, rtol=1e-5, atol=1e-5)
    exam.same(muon_orthogonalize(G, steps=25, coeffs=(1.5, -0.5, 0.0)), ref.newton_schulz(G, 25),
              rtol=0, atol=1e-5)


tuned.unmodified(0.5, "G belongs to the caller: it stays as it was.", name="argument unchanged")

svd = np.linalg.svd  # the mistakes below must fall to the questions, not to the list LIBRARY


@tuned.mistake("cubic_only", "This is the cubic iteration; after five steps it has not converged.")
def muon_orthogonalize(G, steps=5, coeffs=(3.4445, -4.7750, 2.0315), eps=1e-7):
    X = (G.T if G.shape[0] > G.shape[1] else G) / (np.linalg.norm(G) + eps)
    for _ in range(steps):
        X = 1.5 * X - 0.5 * (X @ X.T) @ X
    return X.T if G.shape[0] > G.shape[1] else X


@tuned.mistake("no_eps", "Without eps a zero gradient is 0 / 0.")
def muon_orthogonalize(G, steps=5, coeffs=(3.4445, -4.7750, 2.0315), eps=1e-7):
    a, b, c = coeffs
    with np.errstate(all="ignore"):
        X = (G.T if G.shape[0] > G.shape[1] else G) / np.linalg.norm(G)
        for _ in range(steps):
            A = X @ X.T
            X = a * X + (b * A + c * A @ A) @ X
    return X.T if G.shape[0] > G.shape[1] else X


@tuned.mistake("one_step_short", "The loop makes one step too few.")
def muon_orthogonalize(G, steps=5, coeffs=(3.4445, -4.7750, 2.0315), eps=1e-7):
    a, b, c = coeffs
    X = (G.T if G.shape[0] > G.shape[1] else G) / (np.linalg.norm(G) + eps)
    for _ in range(steps - 1):
        A = X @ X.T
        X = a * X + (b * A + c * A @ A) @ X
    return X.T if G.shape[0] > G.shape[1] else X


@tuned.mistake("exact_polar", "This is the exact U V^T; the polynomial only comes close, on "
               "purpose.")
def muon_orthogonalize(G, steps=5, coeffs=(3.4445, -4.7750, 2.0315), eps=1e-7):
    U, _, Vt = svd(G, full_matrices=False)
    return U @ Vt


@tuned.mistake("A_cubed", "c multiplies A^2: with A^3 the degree is seven.")
def muon_orthogonalize(G, steps=5, coeffs=(3.4445, -4.7750, 2.0315), eps=1e-7):
    a, b, c = coeffs
    X = (G.T if G.shape[0] > G.shape[1] else G) / (np.linalg.norm(G) + eps)
    for _ in range(steps):
        A = X @ X.T
        X = a * X + (b * A + c * A @ A @ A) @ X
    return X.T if G.shape[0] > G.shape[1] else X


@tuned.mistake("a_dropped", "The linear term a X is missing.")
def muon_orthogonalize(G, steps=5, coeffs=(3.4445, -4.7750, 2.0315), eps=1e-7):
    a, b, c = coeffs
    X = (G.T if G.shape[0] > G.shape[1] else G) / (np.linalg.norm(G) + eps)
    for _ in range(steps):
        A = X @ X.T
        X = X + (b * A + c * A @ A) @ X
    return X.T if G.shape[0] > G.shape[1] else X


@tuned.mistake("divides_every_step", "The division by the norm is made once, before the loop.")
def muon_orthogonalize(G, steps=5, coeffs=(3.4445, -4.7750, 2.0315), eps=1e-7):
    a, b, c = coeffs
    X = G.T if G.shape[0] > G.shape[1] else G
    for _ in range(steps):
        X = X / (np.linalg.norm(X) + eps)
        A = X @ X.T
        X = a * X + (b * A + c * A @ A) @ X
    return X.T if G.shape[0] > G.shape[1] else X


@tuned.mistake("spectral_scaling", "Divide by the Frobenius norm, not by the spectral norm.")
def muon_orthogonalize(G, steps=5, coeffs=(3.4445, -4.7750, 2.0315), eps=1e-7):
    a, b, c = coeffs
    X = (G.T if G.shape[0] > G.shape[1] else G) / (np.linalg.norm(G, 2) + eps)
    for _ in range(steps):
        A = X @ X.T
        X = a * X + (b * A + c * A @ A) @ X
    return X.T if G.shape[0] > G.shape[1] else X


@tuned.mistake("transposed_result", "A tall matrix was transposed and not transposed back.")
def muon_orthogonalize(G, steps=5, coeffs=(3.4445, -4.7750, 2.0315), eps=1e-7):
    a, b, c = coeffs
    X = (G.T if G.shape[0] > G.shape[1] else G) / (np.linalg.norm(G) + eps)
    for _ in range(steps):
        A = X @ X.T
        X = a * X + (b * A + c * A @ A) @ X
    return X


@tuned.mistake("coeffs_ignored", "The coefficients are an argument; use the ones passed in.")
def muon_orthogonalize(G, steps=5, coeffs=(3.4445, -4.7750, 2.0315), eps=1e-7):
    a, b, c = 3.4445, -4.7750, 2.0315
    X = (G.T if G.shape[0] > G.shape[1] else G) / (np.linalg.norm(G) + eps)
    for _ in range(steps):
        A = X @ X.T
        X = a * X + (b * A + c * A @ A) @ X
    return X.T if G.shape[0] > G.shape[1] else X


@tuned.mistake("entrywise", "A @ A is the matrix product, not the entrywise square.")
def muon_orthogonalize(G, steps=5, coeffs=(3.4445, -4.7750, 2.0315), eps=1e-7):
    a, b, c = coeffs
    X = (G.T if G.shape[0] > G.shape[1] else G) / (np.linalg.norm(G) + eps)
    for _ in range(steps):
        A = X @ X.T
        X = a * X + (b * A + c * A**2) @ X
    return X.T if G.shape[0] > G.shape[1] else X


@tuned.mistake("in_place", "G itself is divided; divide a copy.")
def muon_orthogonalize(G, steps=5, coeffs=(3.4445, -4.7750, 2.0315), eps=1e-7):
    a, b, c = coeffs
    G /= np.linalg.norm(G) + eps
    X = G.T if G.shape[0] > G.shape[1] else G
    for _ in range(steps):
        A = X @ X.T
        X = a * X + (b * A + c * A @ A) @ X
    return X.T if G.shape[0] > G.shape[1] else X


@tuned.variant("eps as a floor, products from the right")
def muon_orthogonalize(G, steps=5, coeffs=(3.4445, -4.7750, 2.0315), eps=1e-7):
    X = G / max(np.sqrt(np.sum(G * G)), eps)
    for _ in range(steps):
        A = X.T @ X
        X = coeffs[0] * X + coeffs[1] * X @ A + coeffs[2] * X @ A @ A
    return X
