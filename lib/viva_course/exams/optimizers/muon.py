"""The Muon step."""
import numpy as np

from viva.cases.optimizers.common import matrix, same_shape
from viva_course.reference import optimizers as ref
from viva_course.rubric import Exercise

from .common import UNCHANGED

step = Exercise("muon_step", "(W, buf): W moved by lr sqrt(d_out / d_in) times the orthogonalised "
                "buffer")
step.values(2, "The new weights and the new buffer must be right.")


@step.item(1, "All singular values of the update are lr sqrt(d_out / d_in), so its RMS norm is lr, "
           "whatever the gradient's scale.")
def size_of_the_update(exam, muon_step):
    for m, n in ((6, 3), (3, 6), (4, 4)):
        W, lr = exam.rng.normal(size=(m, n)), exam.rng.uniform(0.02, 0.3)
        for scale in (1e-4, 1.0, 1e5):
            new, _ = muon_step(W, scale * matrix(exam.rng, m, n), np.zeros((m, n)), lr)
            sizes = np.linalg.svd(W - same_shape(new, W), compute_uv=False)
            exam.same(sizes, np.full(min(m, n), lr * np.sqrt(m / n)), rtol=1e-5, atol=1e-7)


@step.item(1, "The buffer adds up raw gradients: after two steps it is momentum G1 + G2, and 0.95 "
           "is the default.", name="momentum")
def ask_momentum(exam, muon_step):
    W, G1, G2 = exam.rng.normal(size=(3, 5, 3))
    W1, buf1 = muon_step(W, G1, np.zeros((5, 3)), 0.1)
    exam.same(buf1, G1)
    W2, buf2 = muon_step(W1, G2, buf1, 0.1)
    exam.same(buf2, 0.95 * G1 + G2)
    exam.same(W2, ref.muon_step(W1, G2, buf1, 0.1)[0], rtol=1e-5, atol=1e-6)


@step.item(0.5, "On ||W - W0||^2 the loss must go down step by step.")
def descends(exam, muon_step):
    W0, W = matrix(exam.rng, 3, 5, 1.0, 2.0), np.zeros((3, 5))
    losses = [np.sum((W - W0) ** 2)]
    for _ in range(6):
        new, _ = muon_step(W, 2 * (W - W0), np.zeros((3, 5)), 0.1)
        W = same_shape(new, W)
        losses.append(np.sum((W - W0) ** 2))
    exam.true(np.all(np.diff(losses) < 0), "a step made the loss larger")


step.unmodified(0.5, UNCHANGED)


def _orthogonal(G):
    U, _, Vt = np.linalg.svd(G, full_matrices=False)
    return U @ Vt


def _muon(factor=lambda d_out, d_in: np.sqrt(d_out / d_in),
          direction=lambda buf, G: _orthogonal(buf)):
    """A step of Muon with another factor or direction."""
    def muon_step(W, G, buf, lr, momentum=0.95):
        buf = momentum * buf + G
        return W - lr * factor(*W.shape) * direction(buf, G), buf

    return muon_step


step.mistakes_of(muon_step={
    "no_rescale": ("The factor sqrt(d_out / d_in) is missing.",
                   _muon(factor=lambda d_out, d_in: 1.0)),
    "inverse_rescale": ("The factor is sqrt(d_out / d_in), not its inverse; W is (d_out, d_in).",
                        _muon(factor=lambda d_out, d_in: np.sqrt(d_in / d_out))),
    "ratio_without_root": ("The factor is the square root of d_out / d_in.",
                           _muon(factor=lambda d_out, d_in: d_out / d_in)),
    "max_factor": ("The factor here is sqrt(d_out / d_in) for wide matrices too; the published "
                   "code takes the maximum with 1.",
                   _muon(factor=lambda d_out, d_in: np.sqrt(max(1, d_out / d_in)))),
    "ascent": ("The step goes uphill: subtract it.",
               _muon(factor=lambda d_out, d_in: -np.sqrt(d_out / d_in))),
    "raw_gradient": ("The buffer is not orthogonalised: the step depends on the gradient's scale.",
                     _muon(direction=lambda buf, G: buf)),
    "gradient_only": ("The step orthogonalises the buffer, not the last gradient.",
                      _muon(direction=lambda buf, G: _orthogonal(G))),
    "keeps_nuclear": (
        "Muon drops the size ||G||_* of the steepest step.",
        _muon(direction=lambda buf, G: np.linalg.norm(buf, "nuc") * _orthogonal(buf))),
})


@step.mistake("nesterov_buffer", "This is Nesterov's look-ahead, as in the published code; here "
              "the buffer itself is orthogonalised.")
def muon_step(W, G, buf, lr, momentum=0.95):
    buf = momentum * buf + G
    ahead = _orthogonal(G + momentum * buf)
    return W - lr * np.sqrt(W.shape[0] / W.shape[1]) * ahead, buf


@step.mistake("buffer_of_orthogonalised", "The buffer adds up raw gradients; orthogonalise it, "
              "not what goes into it.")
def muon_step(W, G, buf, lr, momentum=0.95):
    buf = momentum * buf + _orthogonal(G)
    return W - lr * np.sqrt(W.shape[0] / W.shape[1]) * buf, buf


@step.mistake("stores_orthogonalised", "The buffer keeps the raw sum; its orthogonalised form is "
              "for the step only.")
def muon_step(W, G, buf, lr, momentum=0.95):
    buf = _orthogonal(momentum * buf + G)
    return W - lr * np.sqrt(W.shape[0] / W.shape[1]) * buf, buf


@step.mistake("average", "The buffer is a sum: the gradient enters with weight one.")
def muon_step(W, G, buf, lr, momentum=0.95):
    buf = momentum * buf + (1 - momentum) * G
    return W - lr * np.sqrt(W.shape[0] / W.shape[1]) * _orthogonal(buf), buf


@step.mistake("in_place", "The caller's arrays are overwritten: -= on an argument changes it.")
def muon_step(W, G, buf, lr, momentum=0.95):
    buf *= momentum
    buf += G
    W -= lr * np.sqrt(W.shape[0] / W.shape[1]) * _orthogonal(buf)
    return W, buf


@step.variant("by the decomposition")
def muon_step(W, G, buf, lr, momentum=0.95):
    new = G + momentum * buf
    U, _, Vt = np.linalg.svd(new, full_matrices=False)
    return W - np.sqrt(W.shape[0]) / np.sqrt(W.shape[1]) * lr * (U @ Vt), new
