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
why(
    "conv_layer",
    "Which pixels get no gradient from a layer with stride, and why does the gradient of the bias "
    "have one number per filter?",
    answer="Those in no patch: between patches if the stride exceeds the kernel, and beyond the "
           "last one. The bias is added at every place of every image, so the sum is taken.",
    good="names the pixels in no patch and the sum over images and places",
    partial="knows one of the two",
    wrong="thinks that every pixel gets one, or averages",
)
