"""Wrong Adams, each the right one with a single thing changed."""
import numpy as np

from .adam import adam
from .common import moments


@adam.mistake("eps_inside_sqrt", "eps is added after the square root, not under it.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, v_hat = moments(g, state, betas)
    return theta - lr * m_hat / np.sqrt(v_hat + eps), new


@adam.mistake("no_m_correction", "m is pulled to zero as well: divide it by 1 - beta1^t.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, _, v_hat = moments(g, state, betas)
    return theta - lr * new["m"] / (np.sqrt(v_hat) + eps), new


@adam.mistake("no_v_correction", "v is pulled to zero as well: divide it by 1 - beta2^t. Without "
              "it the first step is 3.16 lr.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, _ = moments(g, state, betas)
    return theta - lr * m_hat / (np.sqrt(new["v"]) + eps), new


@adam.mistake("no_correction", "Neither average is corrected: divide m by 1 - beta1^t and v by 1 "
              "- beta2^t.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, _, _ = moments(g, state, betas)
    return theta - lr * new["m"] / (np.sqrt(new["v"]) + eps), new


@adam.mistake("t_from_zero", "t counts from 1: with t = 0 the correction divides by zero.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    with np.errstate(all="ignore"):
        new, m_hat, v_hat = moments(g, {"t": -1} | state, betas)
        return theta - lr * m_hat / (np.sqrt(v_hat) + eps), new


@adam.mistake("betas_swapped", "beta1 belongs to m, beta2 to v.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, v_hat = moments(g, state, betas[::-1])
    return theta - lr * m_hat / (np.sqrt(v_hat) + eps), new


@adam.mistake("abs_instead_of_square", "v averages g squared, not |g|.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, _ = moments(g, state, betas)
    new["v"] = betas[1] * state.get("v", 0.0) + (1 - betas[1]) * np.abs(g)
    v_hat = new["v"] / (1 - betas[1] ** new["t"])
    return theta - lr * m_hat / (np.sqrt(v_hat) + eps), new


@adam.mistake("eps_hat", "eps is added to the root of the corrected v; added before the "
              "correction it is scaled by it (TensorFlow's epsilon hat).")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, _ = moments(g, state, betas)
    root = (np.sqrt(new["v"]) + eps) / np.sqrt(1 - betas[1] ** new["t"])
    return theta - lr * m_hat / root, new


@adam.mistake("stores_corrected", "Store the plain averages: corrected ones are corrected again "
              "at the next step.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, v_hat = moments(g, state, betas)
    return theta - lr * m_hat / (np.sqrt(v_hat) + eps), new | {"m": m_hat, "v": v_hat}


@adam.mistake("t_never_advances", "The new state must hold the advanced t.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, v_hat = moments(g, state, betas)
    return theta - lr * m_hat / (np.sqrt(v_hat) + eps), new | {"t": 0}


@adam.mistake("no_eps", "Without eps a zero gradient gives 0 / 0.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, v_hat = moments(g, state, betas)
    with np.errstate(all="ignore"):
        return theta - lr * m_hat / np.sqrt(v_hat), new


@adam.mistake("double_lr", "The rate enters twice; the update is lr m_hat / (sqrt(v_hat) + eps).")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, v_hat = moments(g, state, betas)
    return theta - lr * lr * m_hat / (np.sqrt(v_hat) + eps), new


@adam.mistake("no_root", "The denominator is the square root of v_hat.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, v_hat = moments(g, state, betas)
    return theta - lr * m_hat / (v_hat + eps), new


@adam.mistake("one_scale_for_all", "Each coordinate is divided by its own root of v, not by a "
              "norm over all of them.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, v_hat = moments(g, state, betas)
    return theta - lr * m_hat / (np.sqrt(np.mean(v_hat)) + eps), new


@adam.mistake("ascent", "The step goes uphill: subtract it.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, v_hat = moments(g, state, betas)
    return theta + lr * m_hat / (np.sqrt(v_hat) + eps), new


@adam.mistake("sign_only", "Adam steps by sign(g) at the first step only; later the averages "
              "differ.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, _ = moments(g, state, betas)
    return theta - lr * np.sign(m_hat), new


@adam.mistake("gradient_for_m", "The numerator is the corrected average m, not the last gradient.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, _, v_hat = moments(g, state, betas)
    return theta - lr * g / (np.sqrt(v_hat) + eps), new


@adam.mistake("corrects_after_root", "Correct v before the root: sqrt(v / (1 - beta2^t)).")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, _ = moments(g, state, betas)
    root = np.sqrt(new["v"]) / (1 - betas[1] ** new["t"])
    return theta - lr * m_hat / (root + eps), new


@adam.mistake("mutates_state", "The caller's state dict is changed; return a new one.")
def adam_step(theta, g, state, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
    new, m_hat, v_hat = moments(g, state, betas)
    state.update(new)
    return theta - lr * m_hat / (np.sqrt(v_hat) + eps), state
