"""What staff ask in a conversation about the homework `purification`."""

from viva_course.whys import why

why(
    "purifier",
    "Why is the solution symmetric, though nothing asked for that?",
    answer="It is a function of the Gram matrix: G (G + lam)^-1, and G commutes with it.",
    good="names the Gram matrix",
    partial="says that it can be seen in the SVD",
    wrong="says that the penalty is symmetric",
)
why(
    "shrink",
    "What does lam do to a direction with a large singular value, and to one with a small one?",
    answer="The factor is s^2 / (s^2 + lam): nearly one where s^2 is much larger than lam, "
           "nearly zero where it is much smaller.",
    good="compares s^2 with lam",
    partial="says that small ones vanish",
    wrong="says that all shrink alike",
)
why(
    "rank_k_purifier",
    "How does this filter differ from the ridge's?",
    answer="It keeps k directions whole and drops the others: factors 1 and 0 instead of a "
           "smooth curve.",
    good="compares the factors",
    partial="says that it has a rank",
    wrong="says that it is the same for lam = 0",
)
why(
    "zero_diag_purifier",
    "What does a channel's prediction use if the diagonal is zero, and why can it not copy itself?",
    answer="Only the other channels. So it keeps what they share, and noise of its own cannot "
           "pass.",
    good="says both",
    partial="says that it uses the others",
    wrong="says that it is an autoencoder",
)
why(
    "best_lambda",
    "You choose lam by a known clean signal. What would you do without one?",
    answer="Hold out data, or predict a channel from others, or know the noise level: the error "
           "on the noisy data itself is smallest for lam = 0.",
    good="says why the noisy data do not help",
    partial="names validation",
    wrong="says that the loss tells it",
)
why(
    "effective_dof",
    "Why do you halve the interval in the logarithm of lambda, and why may a bisection be used at "
    "all?",
    answer="The number of directions falls everywhere as lambda grows, so there is one lambda for "
           "each. It may be 1e-9 or 1e9: halving lambda itself would spend most steps on the large "
           "end.",
    good="says both",
    partial="says one of them",
    wrong="says that it is faster",
)
