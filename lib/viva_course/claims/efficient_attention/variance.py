"""What sections 5 and 6 state about the two kinds of features."""

import numpy as np

from viva_course.claiming import above, below, between, claim, literature, near


@claim(title="Cosines fail where the weight should be small", seeds=1)
def cosines_fail(notebook, seed):
    angles, kinds = notebook.relative_errors()
    positive, cosine = kinds["positive"][0], kinds["cosine"][0]
    cross = angles[np.argmax(cosine > positive)]
    return near(cross, 90, within=6), near(cosine[-1], 60, within=6), below(positive[-1], 1e-6)


@claim()
def draws_miss(notebook, seed):
    formula, drawn = notebook.relative_errors(seed=seed)[1]["positive"]
    return above(formula[0] / drawn[0], 2)


def estimates(notebook, seed):
    """Outputs and denominators of cosines and positive features, and the true denominators."""
    V, exact, found = notebook.two_estimates(seed=seed)
    return {name: ((A @ V)[:, 0] / A.sum(axis=1), A.sum(axis=1))
            for name, A in found.items()}, exact


@claim(title="With cosines the output leaves the range of the values")
def outside_the_range(notebook, seed):
    found, _ = estimates(notebook, seed)
    outside = {name: np.mean((out < 0) | (out > 1)) for name, (out, _) in found.items()}
    return above(outside["cosines"], 0.02), below(outside["positive"], 1e-9)


@claim(title="Some denominators of the cosines are negative")
def negative_denominators(notebook, seed):
    found, _ = estimates(notebook, seed)
    return above(np.mean(found["cosines"][1] < 0), 0), above(found["positive"][1].min(), 0)


@claim()
def denominators_too_small(notebook, seed):
    found, exact = estimates(notebook, seed)
    return above(np.mean(found["positive"][1] < exact.sum(axis=1)), 0.5)


@claim(seeds=1)
def features_explode(notebook, seed):
    counts = [notebook.features_for_accuracy([length, 0.0], [length, 0.0], 0.1)
              for length in (1.0, 2.0)]
    return (near(counts[0], 5000, within=500), near(counts[1], 9e8, within=0.5e8),
            between(np.log(counts[1] / counts[0]) / 3, 3.9, 4.1))


@literature("Alman and Song (2023)", place="abstract")
def bounded_entries():
    """Bounded entries: nearly linear below the root of log n, nearly quadratic beyond (SETH)."""
