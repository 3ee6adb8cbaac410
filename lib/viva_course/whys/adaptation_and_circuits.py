"""What staff ask in a conversation about the homework `adaptation_and_circuits`."""

from viva_course.whys import why

why(
    "lora_grads",
    "A starts at zero. Which of the two gradients is zero at the first step, and what does that "
    "mean for training?",
    answer="The gradient of B is A^T G, which is zero; that of A is G B^T, which is not. So A "
           "moves first, and B from the second step on.",
    good="names the right factor and why it moves one step later",
    partial="knows that one of them is zero, but not which",
    wrong="says that nothing can be learned from zero",
)
why(
    "qk_circuit",
    "Two pairs of matrices WQ, WK differ, and give the same attention pattern for every input. "
    "How is that possible?",
    answer="Only the product WQ^T WK enters the scores: multiply one by an invertible matrix and "
           "the other by its inverse transposed.",
    good="gives the product and a transformation that leaves it alone",
    partial="says that only the product counts",
    wrong="says that softmax removes the difference",
)
why(
    "virtual_paths",
    "The stream is a sum. Why does that let you write the logits as a sum over paths?",
    answer="With fixed patterns every head is linear in what it reads, so it acts on each part of "
           "the sum alone: token to head to head to logits is one product of matrices.",
    good="names fixed patterns and linearity",
    partial="says that contributions are added",
    wrong="says that softmax is linear",
)
why(
    "composition_scores",
    "What would you compare a composition score with before you call it large?",
    answer="With the score of random matrices of the same shapes: it is not zero, and grows as "
           "the rank gets closer to the width.",
    good="names a random baseline and what it depends on",
    partial="says that it lies between 0 and 1",
    wrong="says that anything above zero is composition",
)
