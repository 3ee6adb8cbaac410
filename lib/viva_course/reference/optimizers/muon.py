"""The Muon step."""
import numpy as np

from .common import as_array, as_matrix
from .orthogonal import newton_schulz


def muon_step(W, G, buf, lr, momentum=0.95, orthogonalize=newton_schulz):
    """Muon: buf <- momentum buf + G, W <- W - lr sqrt(d_out / d_in) orthogonalize(buf).

    W, G, buf: (..., d_out, d_in). The update's RMS -> RMS norm is lr. Returns (W, buf).
    """
    W = as_matrix(W)
    buf = momentum * as_array(buf) + as_array(G)
    d_out, d_in = W.shape[-2:]
    return W - lr * float(np.sqrt(d_out / d_in)) * orthogonalize(buf), buf
