"""What the looks at single exercises state."""

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
