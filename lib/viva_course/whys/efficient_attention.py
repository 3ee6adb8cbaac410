"""What staff ask in a conversation about the homework `efficient_attention`."""

from viva_course.whys import why

why(
    "separable_attention",
    "Why is this cheaper than attention, and what can it no longer do?",
    answer="Keys and values are summed into one small matrix before any query comes; so a query "
           "cannot pick a single token by its match with it.",
    good="names the order of the products and what is lost",
    partial="says that it is linear in n",
    wrong="says that it computes the same",
)
why(
    "sm_var_positive",
    "For which queries and keys are positive features good, and for which bad?",
    answer="The relative variance grows like exp of the squared length of q + k: good where the "
           "similarity is small (q near -k), bad for long, parallel vectors.",
    good="names q + k and what follows",
    partial="says that variance grows with length",
    wrong="says that they are always better",
)
why(
    "orthogonal_gaussian",
    "Why do you draw the lengths of the rows again after making them orthogonal?",
    answer="Rows of a Gaussian matrix have random lengths (chi with d degrees); an orthonormal "
           "row has length one, and the features would be biased.",
    good="says that the marginal distribution must stay Gaussian",
    partial="says that lengths would be wrong",
    wrong="says that it is for numerical stability",
)
why(
    "performer_attention",
    "You subtract maxima in the exponents. A maximum per query is allowed, a maximum per key is "
    "not. Why, and what makes NaN impossible?",
    answer="A factor per query cancels between numerator and denominator; a factor per key would "
           "change the weights of the keys. A factor per direction, taken from the keys and given "
           "to the queries, leaves all products as they are, and makes every denominator at "
           "least 1.",
    good="says what cancels and what does not",
    partial="says that it prevents overflow",
    wrong="says that it makes no difference",
)
why(
    "linformer_attention",
    "Why must E and F have a fixed number of columns, and what does that mean for longer texts?",
    answer="They mix positions: their width is the sequence length, so the layer works for this "
           "length only, and mixes future into past.",
    good="names length and causality",
    partial="names one of them",
    wrong="says that they reduce the features",
)
why(
    "blocked_attention",
    "When a block has a larger maximum than all before it, what do you do with the sums so far, "
    "and why?",
    answer="Both were taken relative to the old maximum: they are multiplied by exp(old - new), "
           "so that all weights are relative to the same number.",
    good="names the factor and both sums",
    partial="says that the sums are rescaled",
    wrong="says that the blocks are averaged",
)
why(
    "bigbird_mask",
    "Which of the three parts of the mask lets two distant tokens exchange something in two "
    "layers, and how?",
    answer="A global token: every token sees it and it sees every token, so the way is at most "
           "two steps.",
    good="names the two steps",
    partial="names the global tokens",
    wrong="says that the window grows",
)

why(
    "features_for_accuracy",
    "Why does the number of features grow with 1 / rel_std squared, and for which pairs of q and k "
    "are positive features the better choice?",
    answer="The mean of m independent features has a variance that falls with 1 / m, so half the "
           "standard deviation takes four times as many. Positive features have a variance that "
           "vanishes with the kernel itself, so they win where q . k is small or negative.",
    good="names the variance of a mean and small kernel values",
    partial="names one of the two",
    wrong="says that positive features are always better",
)
