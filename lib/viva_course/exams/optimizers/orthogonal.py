"""Newton-Schulz, cubic and with Muon's tuned polynomial."""
import numpy as np

from viva.cases.optimizers.common import matrix
from viva_course.reference import optimizers as ref
from viva_course.rubric import Exercise

LIBRARY = ("np.linalg.svd", "np.linalg.eigh", "np.linalg.eig", "np.linalg.qr", "np.linalg.inv",
           "scipy.linalg.polar", "scipy.linalg.sqrtm")
UNCHANGED = "G belongs to the caller: it stays as it was."

cubic = Exercise(
    "newton_schulz",
    expects={
        "newton_schulz": "a matrix of G's shape whose singular values went through the polynomial",
        "ns_macs": "the multiply-adds of one step, on the smaller Gram matrix",
    },
    forbidden=LIBRARY,
    survivors={
        "newton_schulz: tall = G.shape[0] > G.shape[1] -> tall = G.shape[0] >= G.shape[1]":
            "a square matrix may be transposed or not",
    },
)
cubic.values(2.5, "Thirty steps must reach U V^T for square, tall and wide matrices.",
             name="the limit", only=("limit",))
cubic.values(2, "One step must map each singular value s of G / ||G||_F to (3 s - s^3) / 2.",
             name="one step", only=("one_step",))
cubic.values(1, "A step costs 2 min^2 max multiply-adds, whichever side is longer.",
             name="ns_macs", only=("multiply_adds",))


@cubic.item(1, "The scale of G must not matter, and a matrix with orthonormal rows or columns "
            "stays as it is.")
def any_scale(exam, newton_schulz, ns_macs):
    for m, n in ((5, 5), (4, 6), (7, 3)):
        G = matrix(exam.rng, m, n)
        U, _, Vt = np.linalg.svd(G, full_matrices=False)
        for scale in (1.0, 1e6, 1e-6):
            exam.same(newton_schulz(scale * G), U @ Vt, rtol=0, atol=1e-6)
        exam.same(newton_schulz(U @ Vt), U @ Vt, rtol=0, atol=1e-6)


@cubic.item(1, "For a tall matrix only the small Gram matrix may be formed.")
def the_small_Gram_matrix(exam, newton_schulz, ns_macs):
    m, n = 6000, 8  # the big Gram matrix alone takes 288 MB
    G = exam.rng.normal(size=(m, n))
    for shape in ((m, n), (n, m)):
        X = G.reshape(shape)
        found = exam.within(40, newton_schulz, X, steps=2)
        exam.same(found, ref.newton_schulz(X, 2), rtol=0, atol=1e-9)


@cubic.item(1, "Singular values that are zero stay zero.")
def low_rank(exam, newton_schulz, ns_macs):
    for m, n in ((6, 4), (4, 6), (5, 5)):
        low = matrix(exam.rng, m, 2) @ matrix(exam.rng, 2, n)
        U, _, Vt = np.linalg.svd(low)
        exam.same(newton_schulz(low), U[:, :2] @ Vt[:2], rtol=0, atol=1e-6)


cubic.unmodified(0.5, UNCHANGED, name="argument unchanged")

svd = np.linalg.svd  # the mistakes below must fall to the questions, not to the list LIBRARY


@cubic.mistake("no_normalisation", "Divide by the Frobenius norm first: the iteration diverges "
               "from singular values above sqrt(3).")
def newton_schulz(G, steps=30):
    X = G.T if G.shape[0] > G.shape[1] else G
    with np.errstate(all="ignore"):
        for _ in range(steps):
            X = 1.5 * X - 0.5 * (X @ X.T) @ X
    return X.T if G.shape[0] > G.shape[1] else X


@cubic.mistake("plus", "The cubic term is subtracted.")
def newton_schulz(G, steps=30):
    X = (G.T if G.shape[0] > G.shape[1] else G) / np.linalg.norm(G)
    with np.errstate(all="ignore"):
        for _ in range(steps):
            X = 1.5 * X + 0.5 * (X @ X.T) @ X
    return X.T if G.shape[0] > G.shape[1] else X


@cubic.mistake("always_left", "X X^T has the size of the longer side here; work on the transpose "
               "of a tall matrix.", hidden_only="memory shows for matrices with a long side only")
def newton_schulz(G, steps=30):
    X = G / np.linalg.norm(G)
    for _ in range(steps):
        X = 1.5 * X - 0.5 * (X @ X.T) @ X
    return X


@cubic.mistake("always_right", "X^T X has the size of the longer side for a wide matrix.",
               hidden_only="memory shows for matrices with a long side only")
def newton_schulz(G, steps=30):
    X = G / np.linalg.norm(G)
    for _ in range(steps):
        X = 1.5 * X - 0.5 * X @ (X.T @ X)
    return X


@cubic.mistake("spectral_norm_svd", "Zero singular values become one here: use the iteration, "
               "not the decomposition.")
def newton_schulz(G, steps=30):
    U, _, Vt = svd(G, full_matrices=False)
    return U @ Vt


@cubic.mistake("steps_ignored", "The number of steps is an argument; use the one passed in.")
def newton_schulz(G, steps=30):
    X = (G.T if G.shape[0] > G.shape[1] else G) / np.linalg.norm(G)
    for _ in range(30):
        X = 1.5 * X - 0.5 * (X @ X.T) @ X
    return X.T if G.shape[0] > G.shape[1] else X


@cubic.mistake("spectral_scaling", "Divide by the Frobenius norm; the spectral norm is what we "
               "want to do without.")
def newton_schulz(G, steps=30):
    X = (G.T if G.shape[0] > G.shape[1] else G) / np.linalg.norm(G, 2)
    for _ in range(steps):
        X = 1.5 * X - 0.5 * (X @ X.T) @ X
    return X.T if G.shape[0] > G.shape[1] else X


@cubic.mistake("transposed_result", "A tall matrix was transposed and not transposed back.")
def newton_schulz(G, steps=30):
    X = (G.T if G.shape[0] > G.shape[1] else G) / np.linalg.norm(G)
    for _ in range(steps):
        X = 1.5 * X - 0.5 * (X @ X.T) @ X
    return X


@cubic.mistake("row_normalised", "Dividing each row by its own norm changes the singular vectors.")
def newton_schulz(G, steps=30):
    X = G / np.linalg.norm(G, axis=1, keepdims=True) / np.sqrt(min(G.shape))
    X = X.T if G.shape[0] > G.shape[1] else X
    for _ in range(steps):
        X = 1.5 * X - 0.5 * (X @ X.T) @ X
    return X.T if G.shape[0] > G.shape[1] else X


@cubic.mistake("one_step_short", "The loop makes one step too few.")
def newton_schulz(G, steps=30):
    X = (G.T if G.shape[0] > G.shape[1] else G) / np.linalg.norm(G)
    for _ in range(steps - 1):
        X = 1.5 * X - 0.5 * (X @ X.T) @ X
    return X.T if G.shape[0] > G.shape[1] else X


@cubic.mistake("renormalised", "Scale once, before the first step: later the singular values "
               "would shrink again.")
def newton_schulz(G, steps=30):
    X = G.T if G.shape[0] > G.shape[1] else G
    for _ in range(steps):
        X = X / np.linalg.norm(X)
        X = 1.5 * X - 0.5 * (X @ X.T) @ X
    return X.T if G.shape[0] > G.shape[1] else X


@cubic.mistake("entrywise", "The cubic term is a matrix product X X^T X, not an entrywise power.")
def newton_schulz(G, steps=30):
    X = G / np.linalg.norm(G)
    for _ in range(steps):
        X = 1.5 * X - 0.5 * X**3
    return X


@cubic.mistake("in_place", "G itself is divided; divide a copy.")
def newton_schulz(G, steps=30):
    G /= np.linalg.norm(G)
    X = G.T if G.shape[0] > G.shape[1] else G
    for _ in range(steps):
        X = 1.5 * X - 0.5 * (X @ X.T) @ X
    return X.T if G.shape[0] > G.shape[1] else X


cubic.mistakes_of(ns_macs={
    "macs_linear": ("Each entry of the Gram matrix is an inner product of length max: min^2 max, "
                    "not min max.",
                    lambda d_out, d_in: 2 * d_out * d_in),
    "macs_left": ("For a tall matrix the Gram matrix is taken on the other side.",
                  lambda d_out, d_in: 2 * d_out**2 * d_in),
    "macs_once": ("There are two products, the Gram matrix and its product with X.",
                  lambda d_out, d_in: min(d_out, d_in) ** 2 * max(d_out, d_in)),
    "operations": ("A multiply-add counts once, not as two operations.",
                   lambda d_out, d_in: 4 * min(d_out, d_in) ** 2 * max(d_out, d_in)),
    "macs_big": ("The Gram matrix of the short side is enough.",
                 lambda d_out, d_in: 2 * max(d_out, d_in) ** 2 * min(d_out, d_in)),
})


@cubic.variant("either side, no transpose")
def newton_schulz(G, steps=30):
    X = np.asarray(G, float) / np.sqrt((np.asarray(G, float) ** 2).sum())
    for _ in range(steps):
        wide = X.shape[0] <= X.shape[1]
        X = 1.5 * X - 0.5 * ((X @ X.T) @ X if wide else X @ (X.T @ X))
    return X


@cubic.variant("with the identity")
def newton_schulz(G, steps=30):
    tall = G.shape[0] > G.shape[1]
    X = (G.T if tall else G) / np.linalg.norm(G, "fro")
    for _ in range(steps):
        X = 0.5 * (3 * np.eye(len(X)) - X @ X.T) @ X
    return X.T if tall else X
