"""What the measurement of costs states."""

import functools

from viva_course.claiming import below, claim, near, ratio


@functools.cache
def _memory(notebook):
    return notebook.measure_costs(notebook.LENGTHS.tolist(), 32, notebook.peak_memory)


@claim(seeds=1)
def counted_crossovers(notebook, seed):
    return near(notebook.crossover_length(32, 32, 561), 579, within=1)


@claim(seeds=1)
def counted_in_memory(notebook, seed):
    N = 136  # here the weights and the state are equally many numbers, to one in a hundred
    softmax, linear = (notebook.attention_floats(kind, N, 32, 32, 561)
                       for kind in ("softmax", "linear"))
    return near(softmax / linear, 1, within=0.01)


@claim(seeds=1)
def memory_slopes(notebook, seed):
    softmax, given, made = (costs[-1] / costs[-3] for costs in _memory(notebook))
    return near(softmax, 4, within=0.3), below(given, 2.1), below(made, 2.1)


@ratio(stated=2.5, title="Crossover in {}: N = {}, with features made {}")
def features_delay_memory(notebook, seed):
    softmax, given, made = _memory(notebook)
    late, early = (notebook.crossing(notebook.LENGTHS, softmax, each) for each in (made, given))
    return late / early
