"""Exam of `lora_grads` and `svd_init`."""

import numpy as np

from viva.cases.adaptation_and_circuits.gradients import gradient, spanned
from viva_course.reference import adaptation_and_circuits as reference
from viva_course.rubric import Exercise, then

factors = Exercise(
    "lora_grads",
    expects={
        "lora_grads": "(dA, dB), the gradients for A (m, k) and B (k, l), in their shapes",
        "svd_init": "(A, B): A (m, k) zero; rows of B (k, l) orthonormal, for which G B^T is "
                    "largest",
    },
)

factors.values(3, "The chain rule for W = W_0 + A B.", only=("three_shapes", "square"),
               name="gradients")
factors.values(1, "With A = 0 the gradient of B is zero and that of A is not.", only=("zero_A",),
               name="zero A")
factors.values(3.5, "A is zero; B spans the k directions in which G is largest.", name="span",
               only=("wide_gradient", "tall_gradient", "square_gradient"))


@factors.item(2, "Central differences of a loss agree with your gradients.")
def by_differences(exam, lora_grads, svd_init):
    m, l, k, h = 4, 5, 2, 1e-6
    C, W, T = (exam.rng.normal(size=(m, l)) for _ in range(3))
    A, B = exam.rng.normal(size=(m, k)), exam.rng.normal(size=(k, l))

    def loss(A, B):
        return (C * (W + A @ B)).sum() + ((W + A @ B - T) ** 2).sum() / 2

    found = lora_grads(C + W + A @ B - T, A, B)
    numeric = [np.zeros(A.shape), np.zeros(B.shape)]
    for which, size in enumerate((A.shape, B.shape)):
        for place in np.ndindex(*size):
            step = [np.zeros(A.shape), np.zeros(B.shape)]
            step[which][place] = h
            up, down = loss(A + step[0], B + step[1]), loss(A - step[0], B - step[1])
            numeric[which][place] = (up - down) / (2 * h)
    exam.same(tuple(found), tuple(numeric), rtol=1e-5, atol=1e-5)


@factors.item(2, "No B with orthonormal rows lets more of G through to A.")
def best_of_all(exam, lora_grads, svd_init):
    for m, l, k in ((6, 9, 3), (8, 4, 2)):
        G = gradient(exam.rng, m, l)
        found = spanned(G, *svd_init(G, k))
        exam.same(found, spanned(G, *reference.svd_init(G, k)), rtol=1e-8, atol=1e-8)
        others = [np.linalg.qr(exam.rng.normal(size=(l, k)))[0] for _ in range(20)]
        exam.true(found["squared size of G B^T"] > max(((G @ Q) ** 2).sum() for Q in others),
                  "a random B lets more through")


factors.unmodified(0.5, "G, A and B must stay as they were.")


factors.mistakes_of(lora_grads={
    "square_guess": ("Only the square case fails: a transpose is missing that the shapes did not "
                     "force.",
                     lambda G, A, B: (G @ B if len(G) == len(B) == len(B.T) else G @ B.T, A.T @ G)),
    "square_guess_A": ("Only the square case fails: a transpose is missing that the shapes did not "
                       "force.",
                       lambda G, A, B: (G @ B.T, A @ G if len(A) == len(A.T) else A.T @ G)),
    "over_k": ("There is no factor here: alpha is k, so alpha / k is 1.",
               lambda G, A, B: (G @ B.T / len(B), A.T @ G / len(B))),
    "swapped": ("The two gradients are exchanged: dA first, then dB.",
                lambda G, A, B: (A.T @ G, G @ B.T)),
    "transposes": ("Each gradient is transposed: dA has the shape of A.",
                   lambda G, A, B: ((G @ B.T).T, (A.T @ G).T)),
    "G_transposed": ("G itself is transposed: it has the shape of W, (m, l).",
                     lambda G, A, B: (G.T @ B.T, A.T @ G.T)),
    "no_transpose": ("B enters dA transposed, and A enters dB transposed: compare the shapes.",
                     lambda G, A, B: (G @ B, A @ G)),
    "wrong_factor": ("A's gradient is made with B, and B's with A.",
                     lambda G, A, B: (G @ G.T @ A, B @ G.T @ G)),
    "pseudo_inverse": ("A gradient is a product with the transposed factor; nothing is inverted or "
                       "solved for.",
                       lambda G, A, B: (G @ np.linalg.pinv(B), np.linalg.pinv(A) @ G)),
    "descends": ("The gradients are asked for, not the step against them.",
                 then(reference.lora_grads, lambda dA, dB: (-dA, -dB))),
    "doubled": ("Each gradient is counted twice.",
                then(reference.lora_grads, lambda dA, dB: (2 * dA, 2 * dB))),
})
factors.mistakes_of(svd_init={
    "smallest": (
        "These are the directions in which the gradient is smallest.",
        lambda G, k: (np.zeros((len(G), k)), np.linalg.svd(G, full_matrices=False)[2][-k:])),
    "columns_of_Vt": ("np.linalg.svd returns the right singular vectors as rows: these are columns "
                      "of that matrix.",
                      lambda G, k: (np.zeros((len(G), k)), np.linalg.svd(G)[2][:, :k].T)),
    "B_transposed": ("B has the shape (k, l).", then(reference.svd_init, lambda A, B: (A, B.T))),
    "A_shape": ("A has the shape (m, k), the one that A B needs.",
                lambda G, k: (np.zeros((k, len(G))), reference.svd_init(G, k)[1])),
})


@factors.mistake("product_rule", "The derivative of A B with respect to A is B: A itself is not "
                 "added.")
def lora_grads(G, A, B):
    dA, dB = reference.lora_grads(G, A, B)
    return dA + A, dB + B


@factors.mistake("left_vectors", "The right singular vectors have the length l of B's rows; these "
                 "are the left ones.")
def svd_init(G, k):
    U = np.linalg.svd(G, full_matrices=False)[0]
    return np.zeros((len(G), k)), U[:, :k].T


@factors.mistake("random", "B is orthonormal, but it has nothing to do with G.")
def svd_init(G, k):
    Q = np.linalg.qr(np.random.default_rng(0).normal(size=(G.shape[1], k)))[0]
    return np.zeros((len(G), k)), Q.T


@factors.mistake("scaled", "The rows of B have length one; the singular values are not part of it.")
def svd_init(G, k):
    _, sizes, V = np.linalg.svd(G, full_matrices=False)
    return np.zeros((len(G), k)), sizes[:k, None] * V[:k]


@factors.mistake("A_not_zero", "A must be zero, or the function changes before the first step.")
def svd_init(G, k):
    U, sizes, V = np.linalg.svd(G, full_matrices=False)
    return U[:, :k] * sizes[:k], V[:k]


@factors.mistake("one_more", "k rows are asked for; one is too many.")
def svd_init(G, k):
    A, B = reference.svd_init(G, k + 1)
    return A, B


@factors.mistake("eigh_ascending", "These are the directions in which the gradient is smallest: "
                 "np.linalg.eigh orders its eigenvalues from the smallest to the largest.")
def svd_init(G, k):
    return np.zeros((len(G), k)), np.linalg.eigh(G.T @ G)[1][:, :k].T


@factors.mistake("first_rows", "The first rows of G span some directions, not those in which G is "
                 "largest.")
def svd_init(G, k):
    return np.zeros((len(G), k)), np.linalg.qr(G[:k].T)[0].T


@factors.mistake("largest_rows", "Large rows of G are not its large directions.")
def svd_init(G, k):
    rows = G[np.argsort(-np.linalg.norm(G, axis=1))[:k]]
    return np.zeros((len(G), k)), np.linalg.qr(rows.T)[0].T


@factors.mistake("in_place", "The arguments belong to the caller: do not write into them.")
def lora_grads(G, A, B):
    found = reference.lora_grads(G, A, B)
    G *= 2
    return found


@factors.variant("einsum")
def lora_grads(G, A, B):
    return np.einsum("ml,kl->mk", G, B), np.einsum("mk,ml->kl", A, G)


@factors.variant("eigenvectors of the Gram matrix")
def svd_init(G, k):
    _, vectors = np.linalg.eigh(G.T @ G)
    return np.zeros((G.shape[0], k)), vectors[:, ::-1][:, :k].T
