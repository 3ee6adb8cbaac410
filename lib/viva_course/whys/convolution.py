"""What staff ask in a conversation about the homework `convolution`."""

from viva_course.whys import why

why(
    "spatial_bn",
    "Over which axes do you average, and why does evaluation not use the batch?",
    answer="Over samples and both places, for each channel: all places share the filter. In "
           "evaluation an output must not depend on who else is in the batch.",
    good="gives axes and both reasons",
    partial="knows the axes only",
    wrong="averages over channels as well",
)
why(
    "Dropout",
    "Why do you divide by 1 - p in training, and what would be needed in evaluation without that?",
    answer="So that the expected output is the input. Without it outputs in evaluation must be "
           "multiplied by 1 - p.",
    good="names the expectation and the alternative",
    partial="says that it is a scale",
    wrong="says that it makes up for lost neurons in evaluation",
)
