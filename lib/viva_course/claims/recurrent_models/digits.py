"""What Part D states about digits, read pixel by pixel."""

import functools

import numpy as np

from viva_course.claiming import above, below, claim, near


@functools.cache
def rows_left(notebook, modulus, seed):
    """(accuracy of the reading, share of each row's variance that is remembered, (8,))."""
    accuracy, memories = notebook.recalled(modulus, seed)
    wrong = ((memories - notebook.new_images) ** 2).mean(axis=(0, 2))
    varies = ((notebook.new_images - notebook.images.mean(axis=0)) ** 2).mean(axis=(0, 2))
    return accuracy, 1 - wrong / varies


@claim(seeds=1)
def factors_of_63_steps(notebook, seed):
    return near(0.7**63, 2e-10, within=0.5e-10), near(0.95**63, 0.04, within=0.005)


@claim(title="What the last of 64 states remembers: the top fades first",
       variants=("ssm_forward_unrolled",))
def last_rows_remain(notebook, seed):
    accuracy, left = rows_left(notebook, 0.7, seed)
    return (above(left[6:].min(), 0.95), below(left[:6].max(), 0.6), near(accuracy, 0.56, 0.05),
            above(rows_left(notebook, 0.95, seed)[1].min(), 0.95))


@claim()
def nine_of_ten(notebook, seed):
    return (below(rows_left(notebook, 0.85, seed)[0], 0.9),
            above(rows_left(notebook, 0.92, seed)[0], 0.9))


@claim()
def a_linear_reader_stops(notebook, seed):
    accuracy = rows_left(notebook, 1.0, seed)[0]
    pixels = np.column_stack([notebook.images.reshape(-1, 64), np.ones(len(notebook.images))])
    reading = np.linalg.lstsq(pixels, np.eye(10)[notebook.labels], rcond=None)[0]
    new = np.column_stack([notebook.new_images.reshape(-1, 64), np.ones(len(notebook.new_images))])
    best = np.mean((new @ reading).argmax(axis=1) == notebook.new_labels)
    return near(accuracy, 0.94, within=0.01), near(accuracy, best, within=0.01)
