"""What staff ask in a conversation about the homework `optimizers`."""

from viva_course.whys import why

why(
    "ema_weights",
    "What do your weights sum to after t steps, and what does the bias correction do?",
    answer="To 1 - beta^t, since the average starts at zero. Dividing by that makes it a "
           "weighted mean of the gradients seen.",
    good="gives the sum and the reason",
    partial="knows that it is less than one",
    wrong="says that they sum to one",
)
why(
    "adam_step",
    "In the first step Adam moves by about lr whatever the gradient is. Why?",
    answer="After the correction m is g and the root of v is |g|: the quotient is the sign.",
    good="shows it from the formulas",
    partial="says that it is normalised",
    wrong="says that eps decides",
)
why(
    "adam_l2_step",
    "Why are weight decay and an L2 penalty the same for SGD, and not for Adam?",
    answer="Adam divides the penalty's gradient by the root of v as well: weights with large "
           "gradients are decayed less. AdamW takes it out of the quotient.",
    good="says what is divided",
    partial="says that Adam is adaptive",
    wrong="says that they are the same with another constant",
)
why(
    "decay_experiment",
    "What does the experiment hold fixed, and why does the scale of the noise matter for one of "
    "the two rules only?",
    answer="Rate and decay are fixed. With L2 inside Adam noise enters v, so larger noise "
           "weakens the decay; with AdamW it does not.",
    good="names v",
    partial="says that noise disturbs Adam",
    wrong="says that it should not matter",
)
why(
    "iterations_to",
    "Why is convergence measured relative to the start?",
    answer="Because the quadratic is scale-free: the number of steps should not depend on the "
           "length of the first vector.",
    good="says that",
    partial="says that it is a convention",
    wrong="says that it avoids zero",
)
why(
    "AdamW",
    "What does your class keep for each parameter, and what would go wrong if it kept it once "
    "for all?",
    answer="Step, both moments: each parameter has its own history, and parameters may get "
           "gradients at different steps.",
    good="names the state and an example",
    partial="names the state",
    wrong="says that only lr is kept",
)
why(
    "muon_orthogonalize",
    "What does the iteration do to singular vectors, and what to singular values?",
    answer="Vectors stay, since it is an odd polynomial of the matrix; values are moved towards "
           "one.",
    good="says both and why",
    partial="says that values go to one",
    wrong="says that it normalises the matrix",
)
why(
    "steepest",
    "The same gradient gives another direction for each norm. What does the norm decide, and which "
    "optimizer goes with which?",
    answer="Which steps count as equally long. Of these the one that falls fastest is taken: the "
           "gradient itself for the Euclidean norm, its signs for the maximum norm, one coordinate "
           "for the sum of sizes.",
    good="says what is held fixed, and gives two pairs",
    partial="gives the pairs",
    wrong="says that the gradient changes",
)
