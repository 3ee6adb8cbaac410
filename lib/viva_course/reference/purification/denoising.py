"""Purification is denoising."""

from .common import as_data


def denoising_lambda(noise_std, n):
    """The lam = n noise_std^2 for which purification is denoising with n samples."""
    return n * noise_std**2


def denoising_loss(W, X, noise_std, rng, draws):
    """Monte Carlo mean of ||X - W (X + noise_std N)||_F^2, one rng.normal(size=X.shape) per draw.

    Its expectation is ||X - WX||_F^2 + n noise_std^2 ||W||_F^2. The noise is added one draw at a
    time: memory does not grow with `draws`. W (m, m), X (m, n).
    """
    W, X = as_data(W), as_data(X)
    total = 0.0
    for _ in range(draws):
        noisy = X + noise_std * rng.normal(size=X.shape)  # (m, n)
        total += ((X - W @ noisy) ** 2).sum()
    return float(total / draws)
