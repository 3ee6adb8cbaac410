"""What section 5 states about two heads."""

import numpy as np

from viva_course.claiming import above, below, claim, holds, near


@claim()
def one_head_flips(notebook, seed):
    weight = notebook.mode_weights("single", seed)[:, 0]
    return (above(weight.var(), 0.2), near(weight.mean(), 0.5, within=0.05),
            above(min(np.mean(weight < 0.05), np.mean(weight > 0.95)), 0.3))


@claim(title="Repeating a question about the same keys changes nothing; two different questions "
             "help")
def same_is_single(notebook, seed):
    single, same, split = (notebook.mode_weights(mode, seed, trials=500)
                           for mode in ("single", "same", "split"))
    return (holds(np.abs(single - same).max() < 1e-12),
            below(notebook.miss(split), notebook.miss(single) / 4))


@claim()
def independent_halves(notebook, seed):
    single, both = (notebook.mode_weights(mode, seed)[:, 0] for mode in ("single", "independent"))
    return (near(both.var() / single.var(), 0.5, within=0.06),
            above(np.mean(np.abs(both - 0.5) < 0.05), 0.3))


@claim(title="Designed key matrices are as good as two questions; random ones are not")
def random_keys_help_little(notebook, seed):
    random = notebook.own_key_errors("random", 0.6, seed).mean()
    widest = notebook.own_key_errors("random", 1.5, seed)
    same, independent = (notebook.miss(notebook.mode_weights(mode, seed, trials=1000))
                         for mode in ("same", "independent"))
    return (near(random, 1 / 3, within=0.08), above(widest.max(), same + 0.03),
            below(random, same), near(same, 0.44, within=0.03),
            near(independent, 0.22, within=0.03), above(random, 0.15))


@claim()
def designed_keys_split(notebook, seed):
    split = notebook.mode_weights("split", seed, trials=500)
    own = notebook.multihead_experiment("own", 20.0, 500, seed,
                                        W=notebook.key_matrices("designed", 1.0))
    return below(np.abs(own - split).max(), 1e-6), below(notebook.miss(split), 0.05)
