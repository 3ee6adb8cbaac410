"""Cases of denoising_lambda and denoising_loss."""
from viva.case import case

from .common import fresh


@case("denoising_lambda")
def worked_noise(rng, denoising_lambda):
    """noise 0.5 on 8 columns: lam = 2"""
    return denoising_lambda(0.5, 8)


@case("denoising_lambda")
def other_noise(rng, denoising_lambda):
    """another noise, another number of columns"""
    return denoising_lambda(float(rng.uniform(0.2, 0.9)), int(rng.integers(3, 40)))


@case("denoising_lambda")
def one_draw(rng, denoising_loss):
    """one draw of noise on three channels, five samples"""
    W, X, noise = rng.normal(size=(3, 3)), rng.normal(size=(3, 5)), float(rng.uniform(0.3, 0.8))
    return denoising_loss(W, X, noise, fresh(rng), 1)


@case("denoising_lambda")
def twenty_draws(rng, denoising_loss):
    """the mean over twenty draws"""
    W, X, noise = rng.normal(size=(2, 2)), rng.normal(size=(2, 4)), float(rng.uniform(0.3, 0.8))
    return denoising_loss(W, X, noise, fresh(rng), 20)
