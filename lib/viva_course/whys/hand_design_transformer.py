"""What staff ask in a conversation about the homework `hand_design_transformer`."""

from viva_course.whys import why

why(
    "design_identity",
    "You chose how sharp the scores are. What would happen with weights ten times as large, and "
    "with ten times smaller ones?",
    answer="Larger weights only make the softmax sharper, so the output stays right. Smaller "
           "ones leave weight on the other tokens, and the error grows beyond tol.",
    good="says that sharpness bounds the weight that the other tokens keep, and that this is "
         "what tol asks for",
    partial="says that larger is safer without saying what the softmax does",
    wrong="says that the scale does not matter because softmax normalises",
)
why(
    "design_histogram",
    "Your keys and queries do not depend on the token. Why does that make a histogram?",
    answer="All scores are equal, so every token gets weight 1/T, and the average of one-hot "
           "values is the share of each token.",
    good="goes from equal scores to weights 1/T to the mean of one-hot vectors",
    partial="says that attention averages, but not why all weights are equal",
    wrong="says that the values alone count tokens",
)
why(
    "design_first",
    "Where in your matrices is the first position told apart from the others? What breaks if the "
    "sequence is longer than max_len?",
    answer="The key reads one coordinate of the positional table, which only the first row has. "
           "Beyond max_len there is no row of the table.",
    good="points to the entry of Km that reads the position, and to the table's size",
    partial="knows that positions matter, but does not find the entry",
    wrong="says that the first token is found by its value",
)
why(
    "design_unique",
    "Your head must find out whether a token occurs once. Which score is pushed down, and why is "
    "that needed?",
    answer="A token sees itself at its own position; that match is suppressed, so that only "
           "other copies of the same token can win. Without any the special token wins.",
    good="names the match with itself and what wins if no other copy is there",
    partial="says that equal tokens have high scores, but not how the token itself is left out",
    wrong="says that the softmax counts tokens",
)
why(
    "train_head",
    "Why does the trained head need to start from random matrices, and not from zeros?",
    answer="With all matrices zero every gradient is zero: keys get their gradient through "
           "queries, and the other way round.",
    good="says that the gradient of one factor is a product with the other one, which is zero",
    partial="says that symmetry has to be broken",
    wrong="says that zeros would make it slower only",
)
why(
    "design_induction",
    "What does the first layer of your design write for the second one to read, and where does "
    "it write it?",
    answer="For each position the previous token, into coordinates of its own beside the current "
           "token. The second layer looks for positions whose previous token is the current one.",
    good="names both tokens and says that they lie in different coordinates",
    partial="says that the first layer shifts, but not how the second uses it",
    wrong="says that the second layer shifts again",
)
