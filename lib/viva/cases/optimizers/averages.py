"""Cases of the bias of moving averages."""
from viva.case import case, rule


@case("ema_weights")
def three_steps(rng, ema_weights):
    """t = 3, beta = 0.9: the weights of g_1, g_2, g_3"""
    return ema_weights(3, 0.9)


@case("ema_weights")
def weighted_sum(rng, ema_weights):
    """weights @ gradients for 20 random gradients"""
    return ema_weights(20, rng.uniform(0.6, 0.95)) @ rng.normal(size=(20, 3))  # (3,)


@case("ema_weights")
def correction(rng, bias_correct):
    """v after three steps with g = 1 and beta = 0.9, and a random v"""
    t, beta = int(rng.integers(2, 12)), rng.uniform(0.6, 0.95)
    return [bias_correct(0.271, 3, 0.9), bias_correct(rng.normal(size=(2, 3)), t, beta)]


@case("ema_weights")
def first_step(rng, bias_correct):
    """t = 1: the only gradient is recovered"""
    beta, g = rng.uniform(0.6, 0.999), rng.normal(size=3)
    return bias_correct((1 - beta) * g, 1, beta)


@rule("ema_weights")
def no_memory(rng, ema_weights):
    """beta = 0: the newest gradient alone"""
    return ema_weights(3, 0.0)
