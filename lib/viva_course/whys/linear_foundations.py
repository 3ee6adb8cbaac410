"""What staff ask in a conversation about the homework `linear_foundations`."""

from viva_course.whys import why

why(
    "ridge_primal",
    "When is the dual form cheaper, and why do both give the same answer?",
    answer="When there are more features than samples: it solves an n by n system. (X^T X + lam) "
           "X^T = X^T (X X^T + lam).",
    good="gives sizes and the identity",
    partial="gives the sizes",
    wrong="says that they are only nearly equal",
)
