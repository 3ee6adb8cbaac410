"""What staff ask in a conversation about the homework `attention_exploration`."""

from viva_course.whys import why

why(
    "hard_attention",
    "Why can a network with hard attention not be trained by gradients through the choice?",
    answer="The choice is constant almost everywhere: the gradient with respect to query and "
           "keys is zero. Softmax makes it smooth.",
    good="says that argmax has no useful gradient",
    partial="says that it is not differentiable",
    wrong="says that hard attention is slower",
)
why(
    "score_scale",
    "Scores are divided by a number that grows with d. What happens to the softmax, and to its "
    "gradient, if they are not?",
    answer="The variance of a dot product grows with d, so for large d one score dominates: "
           "weights are nearly one-hot and gradients nearly zero.",
    good="goes from the variance to saturation to vanishing gradients",
    partial="says that the scores become too large",
    wrong="says that it is only to avoid overflow",
)
why(
    "query_for",
    "Your query puts equal weight on some keys. What has to hold for the keys, and what happens "
    "to close neighbours?",
    answer="They have to be linearly independent, else the equations have no exact solution. "
           "Nearly equal keys need a very long query.",
    good="names independence and the long query",
    partial="says that keys must be orthogonal",
    wrong="says that any keys will do",
)
why(
    "sample_keys",
    "One key varies in length and not in direction. What does that do to an average over two "
    "keys, and why do two heads help?",
    answer="Its score scales with the length, so one query flips between the two keys. With a "
           "head per key each answer is stable, and their mean is what was wanted.",
    good="explains the flip by the score and the mean over heads",
    partial="says that noise averages out",
    wrong="says that two heads see more data",
)
why(
    "design_kqv",
    "Which of your three matrices decides where the token looks, and which what it gets from "
    "there?",
    answer="Query and key decide where (only their product counts), the value matrix decides what.",
    good="says that, and shows it in the code",
    partial="mixes up query and key, but separates value",
    wrong="cannot tell them apart",
)
why(
    "multi_head_attention",
    "Where in your code do the heads become separate, and where do they meet again? What would "
    "change if W_O were the identity?",
    answer="They separate where the columns are cut into blocks, and meet in the product with W_O. "
           "With the identity each head would write into its own coordinates only.",
    good="shows both lines, and says that W_O mixes the heads",
    partial="finds the split only",
    wrong="thinks that the heads see different tokens",
)
why(
    "is_permutation_equivariant",
    "Your function says True after some random permutations. Is that a proof? And False?",
    answer="False is certain: one counterexample is enough. True only means that no "
           "counterexample was found in these trials on this input.",
    good="separates the two answers",
    partial="says that it is not a proof",
    wrong="says that enough trials make a proof",
)
