"""Heavy ball on quadratics: where it is stable, and its best rate."""
import numpy as np


def heavy_ball_radius(lam, eps, alpha):
    """Spectral radius of heavy ball on (lam/2) x^2: largest root of z^2 - b z + alpha in modulus.

    b = 1 + alpha - eps lam. Arguments broadcast. Returns a float, or an array for arrays.
    """
    b = 1 + np.asarray(alpha) - np.asarray(eps) * lam
    discriminant = b * b - 4 * np.asarray(alpha)
    real = (np.abs(b) + np.sqrt(np.maximum(discriminant, 0))) / 2
    # A complex pair has |z|^2 = product of the roots = alpha.
    radius = np.where(discriminant >= 0, real, np.sqrt(np.maximum(alpha, 0)))
    return float(radius) if radius.ndim == 0 else radius


def heavy_ball_max_step(lam, alpha):
    """2 (1 + alpha) / lam: heavy ball on (lam/2) x^2 is stable for 0 < eps < this."""
    if lam <= 0 or not abs(alpha) < 1:
        raise ValueError("needs lam > 0 and |alpha| < 1: no step size is stable otherwise")
    return 2 * (1 + alpha) / lam


def optimal_heavy_ball(mu, L):
    """(eps, alpha) with the smallest worst-case radius over curvatures in [mu, L].

    eps = 4 / (sqrt L + sqrt mu)^2, alpha = ((sqrt L - sqrt mu) / (sqrt L + sqrt mu))^2;
    the rate is sqrt(alpha).
    """
    if not 0 < mu <= L:
        raise ValueError(f"curvatures must satisfy 0 < mu <= L, got {mu} and {L}")
    total = np.sqrt(L) + np.sqrt(mu)
    return float(4 / total**2), float(((np.sqrt(L) - np.sqrt(mu)) / total) ** 2)
