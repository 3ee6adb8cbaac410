"""What staff ask in a conversation about the homework `graph_networks`."""

from viva_course.whys import why

why(
    "propagate_max",
    "Why does the largest value stop changing after some rounds, and the sum does not?",
    answer="Maximum is idempotent: to hear the same value again changes nothing. A sum counts "
           "every walk, so cycles let it grow.",
    good="names idempotence and walks",
    partial="says that the maximum is bounded",
    wrong="says that it depends on the weights",
)
why(
    "gnn_update",
    "Why divide by the degree, and what about a node without neighbours?",
    answer="So that the size of a message does not depend on how many there are. Such a node "
           "would divide by zero; its degree is taken as at least one, and it keeps its state.",
    good="explains both",
    partial="explains one",
    wrong="says that it is for speed",
)
why(
    "gnn_update_edges",
    "Why does `total[target] += messages` not work here?",
    answer="Indexed addition writes each index once: of several edges to one node only the last "
           "counts. np.add.at adds every one.",
    good="says what happens with a repeated index",
    partial="knows that it gave wrong results",
    wrong="says that shapes do not fit",
)
why(
    "is_permutation_invariant",
    "What does your function prove if it returns True?",
    answer="Nothing for certain: no counterexample was found in the trials. False is a proof.",
    good="separates the two answers",
    partial="says that it is a test only",
    wrong="says that it proves invariance",
)
why(
    "bce_loss",
    "Why is the loss computed from the logit, and not from the probability?",
    answer="For large logits the probability rounds to 0 or 1, and its logarithm to minus "
           "infinity; with the logit the formula is stable for either sign.",
    good="shows where it overflows and how the formula avoids it",
    partial="says that it is more stable",
    wrong="says that it saves a sigmoid",
)
why(
    "refine_colors",
    "Two graphs get the same colours in every round. Are they the same graph?",
    answer="Not necessarily: refinement cannot tell some graphs apart, for example one ring of six "
           "and two rings of three. Different colours are a proof that they differ.",
    good="separates the two answers and has an example",
    partial="says that it is only a test",
    wrong="says that equal colours prove equal graphs",
)
why(
    "mean_twins",
    "Why does a mean fail to tell your twins apart, and a sum does not?",
    answer="A mean sees the shares of the neighbours and not their number; a sum grows with it.",
    good="says what each of the two forgets",
    partial="says that the mean divides",
    wrong="says that both see the same",
)
why(
    "relative_spread",
    "Why is the spread measured relative to the size of the features?",
    answer="Features that shrink to zero come closer to each other as well: only the ratio tells "
           "vanishing from smoothing.",
    good="tells the two apart",
    partial="says that it is a normalisation",
    wrong="says that units have to cancel",
)
