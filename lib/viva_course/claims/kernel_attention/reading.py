"""What part D states about the digits."""

import functools

from viva_course.claiming import above, below, claim, near

WIDTHS = (0.5, 0.7, 1.0, 1.5, 2.2)


@claim(seeds=1)
def exact_digits(notebook, seed):
    narrow, *others = (notebook.exact_accuracy(sigma) for sigma in (0.5, 1.0, 2.0, 4.0))
    return near(narrow, 0.99, within=0.01), above(narrow, max(others))


@claim()
def narrow_fails(notebook, seed):
    return below(notebook.random_accuracy(0.4, 1024, seed), 0.5)


@functools.cache
def _best(notebook, n, seed):
    return max(WIDTHS, key=lambda sigma: notebook.random_accuracy(sigma, n, seed))


@claim(title="A sharp similarity needs many features")
def best_widths(notebook, seed):
    few, many = (_best(notebook, n, seed) for n in (64, 1024))
    return above(few, many)


@claim(title="One pass: a few dozen images go a long way (σ = 1)")
def few_dozen_images(notebook, seed):
    early, late = notebook.stream_accuracy(1.0, 1024, (75, 1200), seed)
    return above(early, 2 / 3 * late)


def _plain_and_delta(notebook, sigma, seed):
    return [reader(sigma, 64, (1200,), seed)[0]
            for reader in (notebook.stream_accuracy, notebook.delta_accuracy)]


@claim()
def delta_rule_repairs(notebook, seed):
    plain, delta = _plain_and_delta(notebook, 2.2, seed)
    return above(delta, 0.88), above(delta - plain, 0.08)


@claim()
def delta_rule_narrow(notebook, seed):
    return tuple(below(share, 0.7) for share in _plain_and_delta(notebook, 0.7, seed))
