"""Exam of `induction_score` and `ablate`."""

import numpy as np

from viva.cases.adaptation_and_circuits.induction import layers_of, pattern
from viva_course.reference import adaptation_and_circuits as reference
from viva_course.rubric import Exercise

finding = Exercise(
    "induction_score",
    expects={
        "induction_score": "the mean weight on the places right after earlier occurrences of the "
                           "token that reads",
        "ablate": "the final stream (d_model, n) of the model without these heads",
    },
)

finding.values(3.5, "All places after earlier occurrences count, for tokens that occurred before.",
               only=("score_by_hand", "two_rounds", "three_rounds", "tokens_in_a_row"),
               name="induction score")
finding.values(1, "Without a repeated token there is no score: ValueError.", name="no repetition",
               only=("no_repetition", "two_rounds"))
finding.values(3.5, "What is removed is not added, and what comes later reads what is left.",
               name="ablation", only=("one_head_of_the_first_layer", "one_head_of_the_last_layer",
                                      "several_heads", "nothing_removed"))
finding.values(1, "A pair that names no head raises ValueError.", name="no such head",
               only=("no_such_head", "nothing_removed"))


@finding.item(1.5, "Long sequences with many repetitions, against a count by hand.")
def long_sequences(exam, induction_score, ablate):
    for vocabulary in (3, 12):
        tokens, P = exam.rng.integers(0, vocabulary, 40), pattern(exam.rng, 40)
        rows = []
        for t in range(40):
            after = [s + 1 for s in range(t) if tokens[s] == tokens[t]]
            if after:
                rows.append(sum(P[t, place] for place in after))
        exam.same(induction_score(P, tokens), float(np.mean(rows)))


@finding.item(1, "In the last layer a removed head is missing by what it wrote; in an earlier one "
              "more changes.")
def direct_and_indirect(exam, induction_score, ablate):
    X0, layers = exam.rng.normal(size=(4, 3)), layers_of(exam.rng, (2, 2, 2), d=4)
    whole, states = np.asarray(ablate(X0, layers, []), float), [X0]
    for layer in layers:
        states.append(states[-1] + sum(head(states[-1]) for head in layer))
    exam.same(whole, states[-1])
    without = np.asarray(ablate(X0, layers, [(2, 1)]), float)
    exam.same(whole - without, layers[2][1](states[2]))
    exam.same(ablate(X0, layers, [(0, 1), (1, 0)]),
              reference.ablate(X0, layers, [(0, 1), (1, 0)]))


finding.unmodified(0.5, "The pattern and the stream must stay as they were.")


def _score(row, mean=np.mean, counts=len):
    """`induction_score` with another weight of token t: row(P, t, places of earlier ones)."""
    def induction_score(P, tokens):
        tokens, P = np.asarray(tokens), np.asarray(P)
        earlier = [(t, np.flatnonzero(tokens[:t] == tokens[t])) for t in range(len(tokens))]
        found = [row(P, t, places) for t, places in earlier if counts(places)]
        if not any(len(places) for _, places in earlier):
            raise ValueError
        return float(mean(found))

    return induction_score


def _after(P, t, places):
    return P[t, places + 1].sum()


def _next(places, n):
    return places[places + 1 < n] + 1


finding.mistakes_of(induction_score={
    "the_token_itself": ("This looks at the earlier occurrences themselves; the place right after "
                         "each of them is asked for.",
                         _score(lambda P, t, places: P[t, places].sum())),
    "before_it": ("This looks at the place before an earlier occurrence; the place right after it "
                  "is asked for.",
                  _score(lambda P, t, places: P[t, places[places > 0] - 1].sum())),
    "last_only": ("All earlier occurrences count, not only the last one.",
                  _score(lambda P, t, places: P[t, places[-1] + 1])),
    "first_only": ("All earlier occurrences count, not only the first one.",
                   _score(lambda P, t, places: P[t, places[0] + 1])),
    "mean_of_places": ("The weights on several such places are added up, not averaged.",
                       _score(lambda P, t, places: P[t, places + 1].mean())),
    "largest_place": ("The weights on several such places are added up; this takes the largest.",
                      _score(lambda P, t, places: P[t, places + 1].max())),
    "not_itself": ("If a token follows itself, the place after its earlier occurrence is its own, "
                   "and it counts.",
                   _score(lambda P, t, places: P[t, places[places + 1 < t] + 1].sum())),
    "all_tokens": ("The average is over tokens that occurred before; the others have no place to "
                   "look at and do not count.",
                   _score(_after, counts=lambda places: True)),
    "summed": ("The score is an average over tokens, not their sum.", _score(_after, mean=np.sum)),
    "columns": ("Row t of the pattern says what token t reads; this takes columns: transposed.",
                _score(lambda P, t, places: P[places + 1, t].sum())),
    "previous_token": ("This is the weight on the token before, whatever it is.",
                       _score(lambda P, t, places: P[t, t - 1])),
    "one_for_none": ("If no token occurs twice, ValueError is asked for, not NaN or a number.",
                     lambda P, tokens: (reference.induction_score(P, tokens)
                                        if len(set(tokens)) < len(tokens) else float("nan"))),
    "zero_for_none": ("If no token occurs twice, ValueError is asked for, not NaN or a number.",
                      lambda P, tokens: (reference.induction_score(P, tokens)
                                         if len(set(tokens)) < len(tokens) else 0.0)),
})


@finding.mistake("later_too", "Only occurrences before token t count; here later ones do, too.")
def induction_score(P, tokens):
    tokens = np.asarray(tokens)
    n, rows = len(tokens), []
    for t in range(n):
        places = np.flatnonzero((tokens == tokens[t]) & (np.arange(n) != t))
        if len(places):
            rows.append(P[t, _next(places, n)].sum())
    if not rows:
        raise ValueError
    return float(np.mean(rows))


@finding.mistake("writes_pattern", "The pattern belongs to the caller: do not write into it.")
def induction_score(P, tokens):
    score = reference.induction_score(P, tokens)
    P[np.triu_indices(len(P))] = 0
    return score


def _checked(layers, removed):
    if not set(removed) <= {(i, h) for i, layer in enumerate(layers) for h in range(len(layer))}:
        raise ValueError
    return set(removed)


def _without(gone):
    """`ablate` where gone(i, h, removed) says whether a head is left out."""
    def ablate(X0, layers, removed):
        X, _ = X0, _checked(layers, removed)
        for i, layer in enumerate(layers):
            X = X + sum((head(X) for h, head in enumerate(layer) if not gone(i, h, removed)), 0 * X)
        return X

    return ablate


finding.mistakes_of(ablate={
    "whole_layers": ("Only the named heads are removed; the others of their layer stay.",
                     _without(lambda i, h, removed: i in {each for each, _ in removed})),
    "inverted": ("The other way round: the named heads are removed, all others are kept.",
                 _without(lambda i, h, removed: (i, h) not in removed)),
    "in_every_layer": ("A pair names one head of one layer; this removes the head of that number "
                       "in every layer.",
                       _without(lambda i, h, removed: h in {each for _, each in removed})),
    "one_of_several": ("All named heads are removed, not only the first of them.",
                       _without(lambda i, h, removed: (i, h) in removed[:1])),
    "from_one": ("Layers and heads are counted from zero, not from one.",
                 _without(lambda i, h, removed: (i + 1, h + 1) in removed)),
    "pair_reversed": ("A pair is (layer, head), in this order.",
                      _without(lambda i, h, removed: (h, i) in removed)),
    "nothing_is_removed": ("The named heads still write into the stream.",
                           _without(lambda i, h, removed: False)),
    "only_what_was_added": ("The final stream contains X0.",
                            lambda X0, layers, removed: (
                                reference.ablate(X0, layers, removed) - X0)),
})


@finding.mistake("direct_only", "This subtracts what the head wrote in the whole model; but later "
                 "layers read the stream without it, and write something else.")
def ablate(X0, layers, removed):
    removed, X, gone = _checked(layers, removed), X0, 0 * X0
    for i, layer in enumerate(layers):
        parts = [head(X) for head in layer]
        gone = gone + sum((parts[h] for j, h in removed if j == i), 0 * X0)
        X = X + sum(parts)
    return X - gone


@finding.mistake("in_turn", "The heads of a layer all read the same stream; here they run one "
                 "after another.")
def ablate(X0, layers, removed):
    removed, X = _checked(layers, removed), X0
    for i, layer in enumerate(layers):
        for h, head in enumerate(layer):
            X = X if (i, h) in removed else X + head(X)
    return X


@finding.mistake("read_X0", "A layer reads the current stream, not X0.")
def ablate(X0, layers, removed):
    removed = _checked(layers, removed)
    return X0 + sum((head(X0) for i, layer in enumerate(layers) for h, head in enumerate(layer)
                     if (i, h) not in removed), 0 * X0)


@finding.mistake("no_stream", "A layer's output is added to the stream; it does not replace it.")
def ablate(X0, layers, removed):
    removed, X = _checked(layers, removed), X0
    for i, layer in enumerate(layers):
        X = sum((head(X) for h, head in enumerate(layer) if (i, h) not in removed), 0 * X)
    return X


@finding.mistake("any_pair", "A pair that names no head raises ValueError; here it is ignored.")
def ablate(X0, layers, removed):
    there = [(i, h) for i, layer in enumerate(layers) for h in range(len(layer))]
    return reference.ablate(X0, layers, [each for each in removed if each in there])


@finding.mistake("from_the_end", "A negative number names no head: ValueError.")
def ablate(X0, layers, removed):
    return reference.ablate(X0, layers, [
        (i, h + len(layers[i]) if h < 0 and 0 <= i < len(layers) else h) for i, h in removed])


@finding.mistake("in_place", "X0 belongs to the caller: add into a new array, not with +=.")
def ablate(X0, layers, removed):
    final = reference.ablate(X0, layers, removed)
    X0 += final
    return final


@finding.variant("loops")
def induction_score(P, tokens):
    total, count = 0.0, 0
    for t, token in enumerate(tokens):
        places = [s + 1 for s in range(t) if tokens[s] == token]
        total += sum(P[t][place] for place in places)
        count += bool(places)
    if not count:
        raise ValueError("nothing repeats")
    return total / count


@finding.variant("zeros for removed heads")
def ablate(X0, layers, removed):
    for i, h in removed:
        if i not in range(len(layers)) or h not in range(len(layers[i])):
            raise ValueError(f"no head {h} in layer {i}")
    X = np.array(X0)
    for i, layer in enumerate(layers):
        parts = [np.zeros_like(X) if (i, h) in removed else f(X) for h, f in enumerate(layer)]
        X = X + np.sum(parts, axis=0)
    return X
