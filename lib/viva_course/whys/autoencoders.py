"""What staff ask in a conversation about the homework `autoencoders`."""

from viva_course.whys import why

why(
    "pca_autoencoder",
    "Two autoencoders have the same loss and different weights. How do they differ?",
    answer="By an invertible matrix between encoder and decoder: only their product, the "
           "projection onto the subspace, is determined.",
    good="names the product and what can stand between",
    partial="says that signs may differ",
    wrong="says that one of them is not optimal",
)
why(
    "subset_critical_point",
    "At your critical point the gradient is zero and the loss is not minimal. In which direction "
    "does the loss fall?",
    answer="Towards a direction of the data that was left out and that has a larger singular "
           "value than one that is in use.",
    good="names the missing direction and compares singular values",
    partial="says that it is a saddle",
    wrong="says that it is a local minimum",
)

why(
    "regularised_ae",
    "What does the penalty do to a direction with a small singular value, and why are the two "
    "factors transposes of each other?",
    answer="Its gain 1 - lam n / sigma^2 shrinks, and below zero the direction is switched off. At "
           "a given product the sum of the two penalties is smallest if both factors have equal "
           "size in every direction.",
    good="says that it is shrunk and then switched off, and why equal factors are cheapest",
    partial="says that it is shrunk",
    wrong="says that all directions are shrunk by the same factor",
)
