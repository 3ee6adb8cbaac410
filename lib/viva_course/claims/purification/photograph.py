"""What the closing experiment states about a photograph."""

import functools

import numpy as np

from viva_course.claiming import above, below, cause, claim, holds, near


@functools.cache
def patches(notebook, seed):
    """(power of the clean patches (64,), left singular vectors and powers of the noisy ones)."""
    S, Y, grey = notebook.noisy_patches(seed=seed)
    U, s, _ = np.linalg.svd(Y, full_matrices=False)
    return np.linalg.svd(S - grey, compute_uv=False) ** 2, U, s**2


def waves():
    """The 64 patterns of JPEG's cosine basis, (64 patterns, 64 pixels), and their frequencies."""
    k = np.arange(8)
    basis = np.cos(np.pi * (k + 0.5) * k[:, None] / 8) / np.where(k[:, None], 2, np.sqrt(8))
    return np.einsum("ai,bj->abij", basis, basis).reshape(64, 64), np.add.outer(k, k).ravel()


@claim()
def few_directions_carry(notebook, seed):
    clean, _, _ = patches(notebook, seed)
    noise = np.random.default_rng(seed).normal(size=(64, 4240))
    power = np.linalg.svd(noise, compute_uv=False) ** 2
    return above(clean[:12].sum() / clean.sum(), 0.95), below(power[0] / power[-1], 2)


@claim(title="Half of the squared error is gone, and no clean pixel was seen")
def half_gone(notebook, seed):
    S, Y, grey = notebook.noisy_patches(seed=seed)
    found = notebook.purified_photograph(seed=seed)
    best = notebook.best_lambda(Y, S - grey, np.logspace(0, 4, 121))[1].min()
    return (near(found["before"], 0.0064, within=5e-5), near(found["after"], 0.0033, within=5e-5),
            near(1 - found["after"] / found["before"], 0.5, within=0.05),
            above(best / found["after"], 1))


@claim()
def weaker_than_noise(notebook, seed):
    clean, _, _ = patches(notebook, seed)
    return holds(np.sum(clean < notebook.denoising_lambda(0.08, 4240)) == 35)


@claim()
def waves_of_jpeg(notebook, seed):
    likeness = np.abs(waves()[0] @ patches(notebook, seed)[1]).max(axis=0)
    return above(likeness[:4].min(), 0.9), below(likeness[4:9].min(), 0.8)


@claim()
def finer_and_finer(notebook, seed):
    patterns, frequency = waves()
    mean = frequency @ (patterns @ patches(notebook, seed)[1]) ** 2
    return above(np.corrcoef(np.arange(64), mean)[0, 1], 0.9)


@claim(title="One direction carries most of the power")
def flat_direction(notebook, seed):
    clean, U, power = patches(notebook, seed)
    return (near(clean[0] / clean.sum(), 0.9, within=0.005), above(power[0] / power.sum(), 0.5),
            near(clean[:12].sum() / clean.sum(), 0.96, within=0.005),
            above(abs(U[:, 0].sum()) / 8, 0.99))


@claim(title="At the noise floor one filter passes half, the other nothing")
def none_removed(notebook, seed):
    power, floor = patches(notebook, seed)[2], notebook.denoising_lambda(0.08, 4240)
    soft, share = notebook.shrink(np.sqrt(power), floor), 1 - floor / power
    return (holds((np.diff(soft) < 0).all() and (np.diff(share) < 0).all()),
            near(notebook.shrink(np.sqrt([floor]), floor)[0], 0.5, within=1e-9),
            near(soft[-1], 0.5, within=0.05), near(share[-1], 0.1, within=0.05))


@claim()
def cost_of_a_guess(notebook, seed):
    half, right, twice = (notebook.purified_photograph(guess, seed=seed)["after"]
                          for guess in (0.04, 0.08, 0.16))
    before = notebook.purified_photograph(seed=seed)["before"]
    return (below((before - half) / (before - right), 0.5), near(half, 0.005, within=1e-4),
            near(twice, 0.0072, within=2e-4), above(twice / before, 1))


@claim()
def weakest_direction_is_noise(notebook, seed):
    guess = np.sqrt(patches(notebook, seed)[2][-1] / 4240)
    right, guessed = (notebook.purified_photograph(nu, seed=seed)["after"] for nu in (0.08, guess))
    return near(guess, 0.084, within=0.0015), below(guessed / right, 1.02)


@cause(control="patches of pure noise")
def median_is_a_bad_guess(notebook, seed):
    guess = np.sqrt(np.median(patches(notebook, seed)[2]) / 4240)
    found = [notebook.purified_photograph(nu, seed=seed) for nu in (0.08, guess)]
    gains = [each["before"] - each["after"] for each in found]
    noise = 0.08 * np.random.default_rng(seed).normal(size=(64, 4240))
    alone = np.sqrt(np.median(np.linalg.svd(noise, compute_uv=False) ** 2) / 4240)
    return (min(near(guess, 0.11, within=0.002), below(gains[1] / gains[0], 2 / 3)),
            near(alone, 0.08, within=0.002))


@claim()
def blind_spot_pays_late(notebook, seed):
    little, some, much = (notebook.blind_spot(noise, seed) for noise in (0.04, 0.08, 0.3))
    return (near(little[0], 0.0016, within=5e-5), near(little[1], 0.0054, within=1e-4),
            near(some[1] / some[0], 1, within=0.05), near(much[0], 0.09, within=5e-4),
            near(much[1], 0.012, within=5e-4), near(much[2], 0.0104, within=4e-4))


@cause(control="the filter that uses a pixel itself")
def price_of_the_blind_spot(notebook, seed):
    _, blind, share = notebook.blind_spot(0.0, seed)
    return near(blind, 0.0046, within=5e-5), below(share, 1e-9)
