"""Exam of `residual_contributions`."""

import numpy as np

from viva.cases.adaptation_and_circuits.stream import answer, layers_of
from viva_course.reference import adaptation_and_circuits as reference
from viva_course.rubric import Exercise, then

stream = Exercise("residual_contributions", "(final state, parts): X0 first, then what each layer "
                  "added; they sum to the final state")

stream.values(2.5, "Final state and parts of one, two and three layers.", name="values",
              only=("by_hand", "three_layers", "one_layer", "layers_without_a_copy"))
stream.values(0.5, "Without layers the stream is its only part.", only=("by_hand", "no_layers"),
              name="no layers")


@stream.item(1, "There is a part more than layers, and together they are the final state.")
def the_parts_add_up(exam, residual_contributions):
    for count in (2, 5):
        X0, layers = exam.rng.normal(size=(4, 3)), layers_of(exam.rng, count, d=4)
        final, parts = answer(residual_contributions(X0, layers))
        exam.true(len(parts) == count + 1, f"{len(parts)} parts of {count} layers")
        exam.same(sum(parts), final)
        exam.same(parts[0], X0)
        exam.true(np.abs(parts[-1]).max() > 0, "the last layer adds nothing")


@stream.item(1, "Each layer reads what all before it have written.")
def the_current_stream(exam, residual_contributions):
    X0, seen = exam.rng.normal(size=(3, 2)), []
    layers = layers_of(exam.rng, 4)

    def watched(layer):
        def read(X):
            if not seen or np.any(seen[-1] != X):  # a layer may be asked twice
                seen.append(np.array(X))
            return layer(X)
        return read

    final, _ = answer(residual_contributions(X0, [watched(layer) for layer in layers]))
    expected = [X0]
    for layer in layers:
        expected.append(expected[-1] + layer(expected[-1]))
    exam.true(len(seen) == 4, f"the layers read {len(seen)} different states")
    exam.same(seen, expected[:-1])
    exam.same(final, expected[-1])


stream.unmodified(1, "X0 must stay as it was.")


@stream.mistake("layers_see_X0", "Every layer reads the current stream, not X0.")
def residual_contributions(X0, layers):
    parts = [X0, *(layer(X0) for layer in layers)]
    return sum(parts), parts


@stream.mistake("no_skip", "A layer's output is added to the stream; it does not replace it.")
def residual_contributions(X0, layers):
    parts, X = [X0], X0
    for layer in layers:
        X = layer(X)
        parts.append(X)
    return X, parts


@stream.mistake("states_not_deltas", "These are the states of the stream; the parts are what each "
                "layer added.")
def residual_contributions(X0, layers):
    states = [X0]
    for layer in layers:
        states.append(states[-1] + layer(states[-1]))
    return states[-1], states


@stream.mistake("in_place", "X0 is changed: add into a new array, not with +=.")
def residual_contributions(X0, layers):
    parts = [X0.copy()]
    for layer in layers:
        parts.append(layer(X0.copy()))
        X0 += parts[-1]
    return X0.copy(), parts


@stream.mistake("aliased", "The first part is the same array as the stream, and += changes both.")
def residual_contributions(X0, layers):
    X = X0.copy()
    parts = [X]
    for layer in layers:
        parts.append(layer(X.copy()))
        X += parts[-1]
    return X.copy(), parts


@stream.mistake("part_is_the_stream", "A layer may return the very array it was given; += into the "
                "stream then changes that part, too. Make a new array.")
def residual_contributions(X0, layers):
    X, parts = X0.copy(), [X0]
    for layer in layers:
        added = layer(X)
        parts.append(added)
        X += added
    return X, parts


stream.mistakes_of(residual_contributions={
    "no_X0": ("X0 is a part as well, the first one.",
              then(reference.residual_contributions, lambda final, parts: (final, parts[1:]))),
    "last_part": ("The final state is the sum of all parts, not the last one.",
                  then(reference.residual_contributions, lambda _, parts: (parts[-1], parts))),
    "reversed_layers": ("The layers come in the order of the list.",
                        lambda X0, layers: reference.residual_contributions(X0, layers[::-1])),
    "last_layer_lost": ("The last layer is missing.",
                        lambda X0, layers: reference.residual_contributions(X0, layers[:-1])),
})


@stream.mistake("X0_last", "X0 is the first part; the layers follow in their order.")
def residual_contributions(X0, layers):
    final, parts = reference.residual_contributions(X0, layers)
    return final, [*parts[1:], parts[0]]


@stream.mistake("without_X0", "The final state contains X0.")
def residual_contributions(X0, layers):
    _, parts = reference.residual_contributions(X0, layers)
    return sum(parts[1:], 0 * X0), parts


@stream.mistake("X0_again", "X0 is added in every layer; it is in the stream already.")
def residual_contributions(X0, layers):
    parts, X = [X0], X0
    for layer in layers:
        parts.append(layer(X) + X0)
        X = X + parts[-1]
    return X, parts


@stream.mistake("only_previous", "A layer reads the whole stream, not only what the layer before "
                "it wrote.")
def residual_contributions(X0, layers):
    parts = [X0]
    for layer in layers:
        parts.append(layer(parts[-1]))
    return sum(parts), parts


@stream.variant("states and differences")
def residual_contributions(X0, layers):
    states = [np.array(X0, dtype=float)]
    for layer in layers:
        states.append(states[-1] + layer(states[-1]))
    return states[-1], [states[0], *np.diff(states, axis=0)]


@stream.variant("every layer asked twice")
def residual_contributions(X0, layers):
    X, parts = X0, [X0]
    for f in layers:
        parts.append(f(X))
        X = X + f(X)
    return X, parts


@stream.variant("a running sum")
def residual_contributions(X0, layers):
    X, parts = X0.copy(), [X0.copy()]
    for f in layers:
        out = f(X)
        parts += [out]
        X = X + out
    return X, tuple(parts)
