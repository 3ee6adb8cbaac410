"""The weights of a moving average and the correction of its bias."""
import numpy as np

from viva_course.reference import optimizers as ref
from viva_course.rubric import Exercise

from .common import UNCHANGED

averages = Exercise(
    "ema_weights",
    expects={
        "ema_weights": "weights of g_1 ... g_t, oldest first",
        "bias_correct": "v divided by what the weights add up to",
    },
)
averages.values(2, "The weights must be those of g_1 ... g_t in v_t.", name="weights",
                only=("three_steps", "weighted_sum"))
averages.values(1.5, "The correction must divide by the sum of the weights.", name="correction",
                only=("correction", "first_step"))


@averages.item(1, "Corrected, the weights add up to one for every t and beta; a constant gradient "
               "is recovered from the first step on.")
def sum_to_one(exam, ema_weights, bias_correct):
    constant = np.array([1.0, *exam.rng.normal(size=3)])
    for beta, t in ((0.0, 1), (0.3, 2), (0.9, 7), (0.999, 40), (0.999, 1), (0.9, 40), (0.3, 7)):
        average = ema_weights(t, beta) @ np.tile(constant, (t, 1))  # (4,)
        exam.same(bias_correct(average, t, beta), constant, rtol=1e-10, atol=1e-10)


@averages.item(0.5, "Over many runs of random gradients the corrected average has the mean of the "
               "gradients.")
def unbiased(exam, ema_weights, bias_correct):
    t, beta, runs = 6, 0.9, 4000
    v = exam.rng.normal(2.0, 1.0, (runs, t)) @ ema_weights(t, beta)  # (runs,)
    weights = ref.ema_weights(t, beta)
    # Five standard errors, from the variance sum(w^2) of one average.
    error = 5 * np.sqrt(np.sum(weights**2) / runs)
    exam.true(abs(v.mean() - 2 * weights.sum()) < error, "the mean of v_t is not "
              "(1 - beta^t) times the mean of the gradients")
    mean = np.mean(bias_correct(v, t, beta))
    exam.true(abs(mean - 2) < error / weights.sum(), "the corrected average is biased")


@averages.item(0.5, "The newest gradient weighs most, the oldest decays like beta^(t-1), and beta "
               "= 0 keeps only the last gradient.")
def newest_weighs_most(exam, ema_weights, bias_correct):
    beta = exam.rng.uniform(0.6, 0.95)
    weights = ema_weights(12, beta)
    exam.same(weights[1:] * beta, weights[:-1])
    exam.same(weights[-1], 1 - beta)
    exam.same(weights[0], (1 - beta) * beta**11)
    exam.same(ema_weights(4, 0.0), np.array([0.0, 0.0, 0.0, 1.0]))
    exam.same(ema_weights(1, beta), np.array([1 - beta]))


averages.unmodified(0.5, UNCHANGED)


averages.mistakes_of(ema_weights={
    "reversed": ("Index 0 belongs to g_1, the oldest: it has the smallest weight.",
                 lambda t, beta: (1 - beta) * beta ** np.arange(t)),
    "beta_t": ("The newest gradient has the power 0: the exponent is t - i.",
               lambda t, beta: (1 - beta) * beta ** np.arange(t, 0, -1.0)),
    "no_1mb": ("Each gradient enters with the factor 1 - beta.",
               lambda t, beta: beta ** np.arange(t - 1, -1, -1.0)),
    "one_too_many": ("There are t gradients, g_1 to g_t: t weights.",
                     lambda t, beta: (1 - beta) * beta ** np.arange(t, -1, -1.0)),
})
averages.mistakes_of(bias_correct={
    "correct_1mb": ("1 - beta is right for t = 1 only: divide by 1 - beta^t.",
                    lambda v, t, beta: v / (1 - beta)),
    "correct_mult": ("The average is too small: divide, do not multiply.",
                     lambda v, t, beta: v * (1 - beta**t)),
    "correct_power": ("The power is of beta alone: 1 - beta^t, not (1 - beta)^t.",
                      lambda v, t, beta: v / (1 - beta) ** t),
    "correct_t_plus_one": ("t is the number of gradients, counted from 1: it is the power as it "
                           "stands.",
                           lambda v, t, beta: v / (1 - beta ** (t + 1))),
    "correct_nothing": ("v is returned as it came; divide by 1 - beta^t.", lambda v, t, beta: v),
})


@averages.mistake("normalised", "These weights sum to one: they are corrected already. Those of "
                  "v_t itself are not.")
def ema_weights(t, beta):
    weights = beta ** np.arange(t - 1, -1, -1.0)
    return weights / weights.sum()


@averages.mistake("first_kept", "v starts at zero, not at g_1: the first gradient too has the "
                  "factor 1 - beta.")
def ema_weights(t, beta):
    weights = (1 - beta) * beta ** np.arange(t - 1, -1, -1.0)
    weights[0] = beta ** (t - 1.0)
    return weights


@averages.mistake("beta0_pow", "0 times log(0) is NaN: take the power itself, 0^0 is 1.")
def ema_weights(t, beta):
    with np.errstate(all="ignore"):
        return (1 - beta) * np.exp(np.arange(t - 1, -1, -1) * np.log(beta))


@averages.mistake("correct_tm1", "After t steps the weights add up to 1 - beta^t, with t from 1.")
def bias_correct(v, t, beta):
    with np.errstate(all="ignore"):
        return np.asarray(v) / np.float64(1 - beta ** (t - 1.0))


@averages.mistake("in_place", "The caller's v is divided in place: /= on an argument changes it.")
def bias_correct(v, t, beta):
    v /= 1 - beta**t
    return v


@averages.variant("loop over the recursion")
def ema_weights(t, beta):
    weights = np.zeros(t)
    for i in range(t):
        weights *= beta
        weights[i] = 1 - beta
    return weights


@averages.variant("sum of the weights")
def bias_correct(v, t, beta):
    return v / sum((1 - beta) * beta**i for i in range(t))
