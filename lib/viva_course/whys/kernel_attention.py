"""What staff ask in a conversation about the homework `kernel_attention`."""

from viva_course.whys import why

why(
    "poly2_features",
    "Where does the square root of two come from?",
    answer="(q k + 1)^2 has twice the linear terms and twice each mixed product; half of the "
           "factor belongs to each of the two features.",
    good="expands the square",
    partial="says that terms occur twice",
    wrong="says that it is for normalisation",
)
why(
    "rff_variance",
    "What happens to the variance for two equal vectors, and what for two that are far apart?",
    answer="For equal ones cos(0) = 1 for every frequency: no variance. Far apart it is 1/(2n), "
           "while the kernel itself vanishes, so the relative error is large.",
    good="gives both and the relative error",
    partial="gives both",
    wrong="says that it only depends on n",
)
why(
    "rff_softmax_attention",
    "Why may you leave out the factor that depends on the query alone?",
    answer="It stands in numerator and denominator of the same row, and cancels.",
    good="shows where it cancels",
    partial="says that it is a constant",
    wrong="says that it is small",
)
why(
    "MultiHeadLinearAttention",
    "Why do features have to be positive here?",
    answer="The denominator is a sum of similarities; with both signs it can vanish or change "
           "its sign, and weights are no average any more.",
    good="names the denominator",
    partial="says that weights must be positive",
    wrong="says that ELU is an activation",
)

why(
    "causal_linear_attention",
    "What does the state hold after a token, and why does its size not grow with the sequence?",
    answer="The sum of phi(k_j) v_j' and the sum of phi(k_j) over the tokens so far. A query meets "
           "keys only through these sums, so earlier tokens need not be kept one by one.",
    good="names both sums, and that the query meets keys only through them",
    partial="names the sum with the values",
    wrong="says that keys and values of earlier tokens are kept",
)
