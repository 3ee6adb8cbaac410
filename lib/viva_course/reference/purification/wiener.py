"""The factor of a direction for data that are noisy already."""
import numpy as np

from .common import as_data, singular, transpose


def wiener_purifier(Y, noise_std):
    """U diag(max(0, 1 - n noise_std^2 / s^2)) U^T for Y = U diag(s) V^T; the factor of s = 0 is 0.

    s^2 is the power of signal and noise together, n noise_std^2 that of the noise alone. Y
    (..., m, n); returns (..., m, m).
    """
    Y = as_data(Y)
    U, s = singular(Y)
    power = np.where(s > 0, s**2, 1.0)
    factors = np.where(s > 0, np.maximum(0, 1 - Y.shape[-1] * noise_std**2 / power), 0.0)
    return (U * factors[..., None, :]) @ transpose(U)
