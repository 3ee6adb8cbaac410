"""What staff ask in a conversation about the homework `recurrent_models`."""

from viva_course.whys import why

why(
    "rnn_preact",
    "Both forms describe the same network. What is the state in each, and how do you translate "
    "one into the other?",
    answer="Before or after the nonlinearity: g = sigma(h). The start has to be translated as "
           "well.",
    good="translates states and the start",
    partial="translates the states",
    wrong="says that they are different networks",
)
why(
    "step_jacobian",
    "Your Jacobian scales columns and not rows. Why?",
    answer="In h' = W sigma(h) the derivative of sigma acts on the input of W: column j is "
           "multiplied by sigma'(h_j).",
    good="derives it",
    partial="knows that it is columns",
    wrong="cannot tell",
)
why(
    "gradient_verdict",
    "Why is one of the two answers 'undetermined'?",
    answer="A norm below one bounds every product; a norm of one or more bounds nothing from "
           "below: gradients may still vanish.",
    good="says that it is an upper bound only",
    partial="says that it depends on the data",
    wrong="says that they explode then",
)
why(
    "bptt",
    "Why must all states be kept, and what could be done if there were no room for them?",
    answer="The derivative at each step needs the state there. They can be computed again from "
           "checkpoints.",
    good="says both",
    partial="says why they are kept",
    wrong="says that only the last one is needed",
)
why(
    "causal_conv_fft",
    "Why do you pad before the transform?",
    answer="A product of transforms is a circular convolution: without zeros the end wraps "
           "around into the beginning, and the past sees the future.",
    good="names wrapping",
    partial="says that lengths must fit",
    wrong="says that powers of two are faster",
)
why(
    "matrix_powers",
    "How many products does your function need for L powers, and why is it not L - 1?",
    answer="About 2 log2 L: each round doubles how many powers there are, with one product of a "
           "stack and one square.",
    good="counts rounds and what each does",
    partial="says that it is logarithmic",
    wrong="says L",
)
why(
    "diag_ssm_kernel",
    "Every matrix that can be diagonalised gives the same kernel as a diagonal one. Where did P "
    "go, and what does the diagonal save?",
    answer="Into the two vectors: C P and P^-1 B. A step then costs n products instead of n^2, and "
           "a power is a power of numbers.",
    good="says both",
    partial="says what it saves",
    wrong="says that something is lost",
)
why(
    "ssm_forward_unrolled",
    "In the form as a convolution, which sequence do you convolve with which, and where is the "
    "bias?",
    answer="The powers of W with the drive U x_t + b. The bias enters at every step, so it is a "
           "part of the drive and not added at the end.",
    good="names both sequences, and the bias in the drive",
    partial="names the powers of W",
    wrong="adds the bias once",
)
