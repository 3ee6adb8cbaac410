"""What the looks at single exercises state."""

import math
from collections import Counter

import numpy as np

from viva_course.claiming import above, below, claim, holds, near


@claim(title="Every length from 4 to 56 is about equally likely")
def lengths_even(notebook, seed):
    lengths, _ = notebook.drawn_spans(seed)
    counts = np.bincount(lengths, minlength=57)[4:57]
    # 75.5 draws of each on average, standard deviation 8.6
    return holds(counts.sum() == 4000), above(counts.min(), 35), below(counts.max(), 120)


@claim(title="A quarter is hidden on average, about half at most")
def quarter_hidden(notebook, seed):
    _, shares = notebook.drawn_spans(seed)
    return near(shares.mean(), 0.25, within=0.02), near(shares.max(), 0.5, within=0.06)


@claim(title="Outputs depend on the past and present only")
def past_and_present(notebook, seed):
    influence = notebook.influences(seed)
    return (holds((np.triu(influence, 1) == 0).all()),
            above(influence[np.tril_indices(10)].min(), 1e-6))


@claim(title="An untrained network should know that it knows nothing")
def knows_nothing(notebook, seed):
    sizes = [5, 30, 1000]
    ratios = np.array(notebook.first_losses(sizes, seed)) / np.log(sizes)
    return below(np.abs(ratios - 1).max(), 0.05)


@claim(title="Fifteen answers are learned by heart")
def by_heart(notebook, seed):
    curve, answer = notebook.learned_by_heart(seed)
    right = sum(answer(name) == place for name, place in notebook.BORN)
    return above(right, 14.5), below(curve[-1], 0.1)


@claim(seeds=1)
def parameters_by_hand(notebook, seed):
    return holds(sum(p.numel() for p in notebook.GPT(50, 40).parameters()) == 29_952)


@claim(seeds=1)
def yardsticks_of_the_world(notebook, seed):
    guess = notebook.prior_guess_accuracy
    return (near(notebook.constant_baseline(notebook.dev_places), 0.05, within=1e-9),
            near(guess(notebook.dev_places), 0.012, within=1e-9),
            near(guess(["Ulm", "Ulm", "Ulm", "Rome"]), 0.625, within=1e-9))


@claim(seeds=1)
def rates_by_hand(notebook, seed):
    rates = []

    class Watched:
        param_groups = [{"lr": 0.0}]

        def zero_grad(self, *_, **__):
            pass

        def step(self):
            rates.append(self.param_groups[0]["lr"])

    loss = notebook.torch.ones(1, requires_grad=True).sum
    notebook.train_gpt(lambda x, y: (None, loss()), Watched(), lambda t: (None, None), 0.3, 10)
    return tuple(near(rates[t], rate, within=5e-5)
                 for t, rate in ((0, 0.3), (5, 0.15), (9, 0.0073)))


@claim(seeds=1)
def the_world_counted(notebook, seed):
    world = notebook.world
    people = world.train + world.dev
    firsts, lasts = ({name.split()[i] for name, _ in people} for i in (0, 1))
    counts = [Counter(place for _, place in half) for half in (world.train, world.dev)]
    return (holds(len({name for name, _ in people}) == 1000), holds(len(firsts) == 100),
            near(len(lasts), 200, within=5), holds(counts[0] == counts[1]),
            holds(sorted(counts[0].values()) == [5] * 95 + [25]),
            holds(counts[0]["London"] == 25))


@claim(seeds=1)
def starts_at_ln_V(notebook, seed):
    world = notebook.world
    texts = world.corpus() + [question for question, _ in world.questions(world.train)]
    return near(math.log(len(notebook.CharVocab(texts))), 6.01, within=0.005)


@claim(seeds=1)
def names_are_shared(notebook, seed):
    names = [name.split() for name, _ in notebook.world.train + notebook.world.dev]
    first, last = (Counter(name[i] for name in names) for i in (0, 1))
    return (near(np.mean([first[name[0]] for name in names]), 10, within=1.5),
            near(np.mean([last[name[1]] for name in names]), 5, within=1.5))


@claim(seeds=1)
def names_known_from_others(notebook, seed):
    known = [name.split() for name, _ in notebook.world.train]
    shares = [np.mean([name.split()[i] in {each[i] for each in known}
                       for name, _ in notebook.world.dev]) for i in (0, 1)]
    return above(shares[0], 0.97), above(shares[1], 0.75)


@claim(seeds=1)
def namesakes_by_hand(notebook, seed):
    asked = [("Ada Berg", "Rome"), ("Bo Kim", "Ulm"), ("Eva Roux", "Oslo"), ("Finn Cruz", "Lima")]
    known = [("Ada Holm", "Ulm"), ("Hugo Kim", "Pisa"), ("Eva Sato", "Oslo")]
    share, chance = notebook.namesake_errors(["Ulm", "Pisa", "Oslo", "Pisa"], asked, known)
    return near(share, 2 / 3, within=1e-9), near(chance, 1 / 3, within=1e-9)


@claim(seeds=1)
def error_of_london(notebook, seed):
    return near(196 * math.sqrt(0.05 * 0.95 / 500), 1.9, within=0.05)
