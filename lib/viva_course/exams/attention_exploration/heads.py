"""Exam of `sample_keys` and `multihead_experiment`: when do two heads help?"""

import numpy as np

from viva_course.exams.attention_exploration.trials import MODES, mean_of_heads, run, softmax
from viva_course.reference import attention_exploration as reference
from viva_course.rubric import Exercise

noisy = Exercise(
    "sample_keys",
    expects={
        "sample_keys": "keys (n, d) around their means; key a also varies along its own mean",
        "multihead_experiment": "a row of n weights for each trial, the mean over the heads",
    },
    survivors={
        "multihead_experiment: weights = np.exp(keys @ query - np.max(keys @ query)) -> "
        "weights = np.exp(keys @ query - np.max(query @ keys))":
            "the keys are nearly the identity: any shift of about beta avoids the overflow",
    },
)

noisy.values(2, "Keys scatter by alpha; key a varies along its mean with variance 1/2 as well.",
             only=("four_of_six", "nearly_exact"), name="keys")
noisy.values(2, "One head with the query beta (mu_a + mu_b).", name="one head",
             only=("one_head", "sharp_query"))
noisy.values(1, "Two heads with one query and the same keys.", only=("same_query",),
             name="same query")
noisy.values(1.5, "Two heads, one asks for a and one for b.", only=("two_queries", "other_sizes"),
             name="two queries")
noisy.values(1, "The second head draws its keys anew.", only=("new_keys",), name="new keys")
noisy.values(1, "Each head reads the same keys through its own matrix, in the mode \"own\" only.",
             only=("own_keys", "matrices_ignored"), name="own keys")


@noisy.item(1, "With the same query and the same keys the second head repeats the first, trial "
            "by trial; with other queries it does not.")
def no_help_from_a_copy(exam, sample_keys, multihead_experiment):
    beta, trials = float(exam.rng.uniform(12, 25)), 60
    seed = int(exam.rng.integers(2**31))
    single, same, split = (np.asarray(multihead_experiment(mode, beta, trials, seed))
                           for mode in ("single", "same", "split"))
    exam.true(single[:, 0].var() > 0.1, "one head must be nearly a coin flip")
    exam.same(same, single)
    exam.true(single[:, 0].var() > 3 * split[:, 0].var(), "split queries must help")


@noisy.item(1, "With split queries the value b gets one half, whatever key a does.")
def steady_b(exam, sample_keys, multihead_experiment):
    weights = np.asarray(multihead_experiment("split", 20.0, 40, int(exam.rng.integers(2**31))))
    reached = weights[:, 0] > 0.4999  # key a was long enough
    exam.true(bool(reached.any()) and bool(np.all(np.abs(weights[reached, 1] - 0.5) < 1e-3)),
              "the weight of b is not 1/2")
    exam.same(weights.sum(axis=1), np.ones(40))


@noisy.item(0.5, "A mode that does not exist raises ValueError, \"own\" without matrices too.")
def unknown_mode(exam, sample_keys, multihead_experiment):
    seed = int(exam.rng.integers(2**31))
    expected = reference.multihead_experiment("single", 5.0, 3, seed)
    exam.same(multihead_experiment("single", 5.0, 3, seed), expected)
    for mode in ("double", "Single", "", "own"):  # the last one without key matrices
        exam.raises(ValueError, multihead_experiment, mode, 5.0, 3, seed)


noisy.unmodified(1, "mu must stay as it was.")


noisy.mistakes_of(sample_keys={
    "isotropic": ("Key a has an extra variance of 1/2 along its mean.",
                  lambda mu, a, alpha, rng: mu + np.sqrt(alpha) * rng.normal(size=mu.shape)),
    "alpha_as_std": ("alpha is a variance: the noise is scaled by its square root.",
                     lambda mu, a, alpha, rng: reference.sample_keys(mu, a, alpha**2, rng)),
    "first_key": ("Key a is the unreliable one, not always the first.",
                  lambda mu, a, alpha, rng: reference.sample_keys(mu, 0, alpha, rng)),
})
noisy.mistakes_of(multihead_experiment={
    "n_ignored": ("n and alpha are arguments: the defaults are not always meant.",
                  lambda mode, beta, trials, seed, n=6, alpha=1e-6, W=None: (
                      reference.multihead_experiment(mode, beta, trials, seed, W=W))),
    "alpha_ignored": ("alpha has no effect on the experiment.",
                      lambda mode, beta, trials, seed, n=6, alpha=1e-6, W=None: (
                          reference.multihead_experiment(mode, beta, trials, seed, n, W=W))),
    "weight_of_a": ("A row of n weights for each trial is asked for, not only that of a.",
                    lambda *given, **options: (
                        reference.multihead_experiment(*given, **options)[:, 0])),
})


@noisy.mistake("std_half", "The variance along mu_a is 1/2; the standard deviation is its root.")
def sample_keys(mu, a, alpha, rng):
    keys = mu + np.sqrt(alpha) * rng.normal(size=mu.shape)
    keys[a] += 0.5 * rng.normal() * mu[a]
    return keys


@noisy.mistake("every_key", "Only key a varies along its mean; the others stay put.")
def sample_keys(mu, a, alpha, rng):
    keys = mu + np.sqrt(alpha) * rng.normal(size=mu.shape)
    return keys + np.sqrt(0.5) * rng.normal() * mu


@noisy.mistake("moves_all_keys", "Only key a gets the extra noise; this adds it to every key.")
def sample_keys(mu, a, alpha, rng):
    keys = mu + np.sqrt(alpha) * rng.normal(size=mu.shape)
    return keys + np.sqrt(0.5) * rng.normal() * mu[a]


@noisy.mistake("mean_zero", "The length of key a varies around 1, not around 0.")
def sample_keys(mu, a, alpha, rng):
    keys = mu + np.sqrt(alpha) * rng.normal(size=mu.shape)
    keys[a] += (np.sqrt(0.5) * rng.normal() - 1) * mu[a]
    return keys


@noisy.mistake("variance_one", "The variance along mu_a is 1/2, not 1.")
def sample_keys(mu, a, alpha, rng):
    keys = mu + np.sqrt(alpha) * rng.normal(size=mu.shape)
    keys[a] += rng.normal() * mu[a]
    return keys


@noisy.mistake("all_coordinates", "The extra noise points along mu_a; this adds one number to all "
               "coordinates.")
def sample_keys(mu, a, alpha, rng):
    keys = mu + np.sqrt(alpha) * rng.normal(size=mu.shape)
    keys[a] += np.sqrt(0.5) * rng.normal()
    return keys


@noisy.mistake("unit_direction", "The covariance is mu mu^T / 2: the extra noise grows with the "
               "length of mu_a.")
def sample_keys(mu, a, alpha, rng):
    keys = mu + np.sqrt(alpha) * rng.normal(size=mu.shape)
    keys[a] += np.sqrt(0.5) * rng.normal() * mu[a] / np.linalg.norm(mu[a])
    return keys


@noisy.mistake("elementwise", "One number moves the whole of key a; this draws one for each "
               "coordinate.")
def sample_keys(mu, a, alpha, rng):
    keys = mu + np.sqrt(alpha) * rng.normal(size=mu.shape)
    keys[a] += np.sqrt(0.5) * rng.normal(size=mu.shape[1]) * mu[a]
    return keys


@noisy.mistake("scalar_first", "The order of the draws is fixed: the noise of all keys, then the "
               "one number.")
def sample_keys(mu, a, alpha, rng):
    extra = np.sqrt(0.5) * rng.normal()
    keys = mu + np.sqrt(alpha) * rng.normal(size=mu.shape)
    keys[a] += extra * mu[a]
    return keys


@noisy.mistake("in_place", "mu belongs to the caller: add the noise to a copy.")
def sample_keys(mu, a, alpha, rng):
    keys = reference.sample_keys(mu, a, alpha, rng)
    mu[a] = keys[a]
    return keys


def _experiment(slug, hint, **options):
    def multihead_experiment(mode, beta, trials, seed, n=6, alpha=1e-6, W=None):
        return run(mode, beta, trials, seed, n, alpha, W, **options)

    noisy.mistake(slug, hint)(multihead_experiment)


_experiment("same_reduces_variance", "Both heads see the same keys; new keys for the second head "
            "are the mode \"independent\".", resample=("same", "independent"))
_experiment("independent_same_keys", "In the mode \"independent\" the second head has keys of its "
            "own.", resample=())
_experiment("always_new_keys", "Only the mode \"independent\" draws new keys for the second head.",
            resample=("same", "split", "independent", "own"))
_experiment("split_draws_again", "In the mode \"split\" both heads read the same keys; only "
            "\"independent\" draws new ones.", resample=("split", "independent"))
_experiment("own_draws_again", "In the mode \"own\" both heads read the same draw, each through "
            "its own matrix.", resample=("independent", "own"))
_experiment("own_first_matrix", "In the mode \"own\" the second head reads through W[1].",
            read=lambda keys, W, head: keys @ W[0].T)
_experiment("own_transposed", "Head h has the keys W_h k_i: as rows, keys @ W[h].T. This applies "
            "the transposed matrix.", read=lambda keys, W, head: keys @ W[head])
_experiment("own_ignored", "The key matrices have no effect in the mode \"own\".",
            read=lambda keys, W, head: keys)
_experiment("own_without_matrices", "The mode \"own\" without key matrices must raise ValueError.",
            lacking=None)
_experiment("average_scores", "Average the weights of the heads, after the softmax; this averages "
            "their scores.", join=lambda heads: softmax(np.mean(heads, axis=0)))
_experiment("split_sum", "The output is the mean of the heads, not their sum.",
            join=lambda heads: len(heads) * mean_of_heads(heads))
_experiment("first_head_only", "The second head is lost: average both.",
            join=lambda heads: softmax(heads[0]))
_experiment("split_concat_q", "Added up, the two queries are the single head's again: each head "
            "keeps its own.", queries=lambda mu, mode, asked: [sum(asked)] if mode == "split"
            else asked)
_experiment("mean_query", "Averaging the queries is not averaging the heads.",
            queries=lambda mu, mode, asked: [sum(asked) / len(asked)] if mode == "split"
            else asked)
_experiment("scaled_by_sqrt_d", "There is no division by sqrt(d) here: scores are k . q.",
            queries=lambda mu, mode, asked: [query / np.sqrt(len(mu)) for query in asked])
_experiment("half_beta", "The query is beta (mu_a + mu_b), without a factor 1/2.",
            queries=lambda mu, mode, asked: [query if mode == "split" else query / 2
                                             for query in asked])
_experiment("b_is_unreliable", "Key a = 0 is the unreliable one, b = 1 is not.", a=1)
_experiment("split_exchanged", "In the mode \"split\" one head asks for a, the other for b.",
            queries=lambda mu, mode, asked: [asked[0], asked[0]] if mode == "split" else asked)


def _plain(scores):
    with np.errstate(all="ignore"):
        return np.exp(scores) / np.exp(scores).sum()


_experiment("overflow", "exp of a large score overflows: shift the scores by their maximum.",
            join=lambda heads: np.mean([_plain(scores) for scores in heads], axis=0))


@noisy.mistake("always_matrices", "Only the mode \"own\" reads through the key matrices.")
def multihead_experiment(mode, beta, trials, seed, n=6, alpha=1e-6, W=None):
    if mode == "own" or W is None:
        return reference.multihead_experiment(mode, beta, trials, seed, n, alpha, W)
    mu = np.eye(n)
    both = beta * (mu[0] + mu[1])
    asked = [beta * mu[0], beta * mu[1]] if mode == "split" else [both, both]
    return run("own", beta, trials, seed, n, alpha, W, lambda *_: asked)


@noisy.mistake("no_error", "A mode that does not exist must raise ValueError.")
def multihead_experiment(mode, beta, trials, seed, n=6, alpha=1e-6, W=None):
    mode = mode if mode in MODES else "single"
    return reference.multihead_experiment(mode, beta, trials, seed, n, alpha, W)


@noisy.mistake("seed_each_trial", "One generator serves all trials; made anew, every trial is the "
               "same.")
def multihead_experiment(mode, beta, trials, seed, n=6, alpha=1e-6, W=None):
    row = reference.multihead_experiment(mode, beta, 1, seed, n, alpha, W)
    return np.repeat(row, trials, axis=0)


@noisy.mistake("new_seed_each_trial", "One generator serves all trials, made once from seed; here "
               "each trial has a seed of its own.")
def multihead_experiment(mode, beta, trials, seed, n=6, alpha=1e-6, W=None):
    return np.concatenate([reference.multihead_experiment(mode, beta, 1, seed + each, n, alpha, W)
                           for each in range(trials)])


@noisy.variant("outer product and factors")
def sample_keys(mu, a, alpha, rng):
    noise = np.sqrt(alpha) * rng.normal(size=mu.shape)
    lengths = np.ones(len(mu))
    lengths[a] = rng.normal(1.0, np.sqrt(0.5))
    return lengths[:, None] * mu + noise


@noisy.variant("matrices of queries")
def multihead_experiment(mode, beta, trials, seed, n=6, alpha=1e-6, W=None):
    return run(mode, beta, trials, seed, n, alpha, W)
