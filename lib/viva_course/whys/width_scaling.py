"""What staff ask in a conversation about the homework `width_scaling`."""

from viva_course.whys import why

why(
    "rms",
    "Why is the RMS used here, and not the length of a vector?",
    answer="It does not grow with the width: a vector whose entries are of size one has RMS one "
           "at every width.",
    good="says that",
    partial="says that it is an average",
    wrong="says that they are the same",
)
why(
    "unit_scale_const",
    "A factor moved out of the initialisation into the forward pass. Why does the learning rate "
    "have to change with it?",
    answer="The weight is larger by that factor and the gradient smaller: the same relative "
           "change needs another rate, and how much depends on the optimiser.",
    good="names both effects",
    partial="says that gradients change",
    wrong="says that nothing changes",
)
why(
    "mup_table",
    "Why does the rate of a layer depend on its number of inputs, and not on its outputs?",
    answer="The update of a sign-like rule adds up over the inputs: with n aligned terms it "
           "grows like n, so the rate shrinks like 1/n.",
    good="names the sum over aligned terms",
    partial="says that wider layers need smaller rates",
    wrong="says that it is the initialisation",
)
why(
    "coord_check",
    "In your check all layers step at once. What would change if each layer stepped before the "
    "gradient of the next one was taken?",
    answer="Later gradients would be taken at weights that have moved already: another algorithm, "
           "in which the change of a layer contains its reaction to the others.",
    good="says at which weights the gradients would be taken, and that the numbers differ",
    partial="says that the numbers differ",
    wrong="says that nothing changes",
)
why(
    "coord_exponent",
    "Why is a straight line fitted to logarithms?",
    answer="A power of the width is a line there, and its slope the exponent: 0 is stable.",
    good="says what slope 0 means",
    partial="says that it is a power law",
    wrong="says that numbers are large",
)

why(
    "power_norm",
    "Why does the iteration find the largest singular value, and from which start does it not?",
    answer="Each step multiplies the part of v along a right singular vector by its singular value "
           "squared, so the largest one outgrows the others. A start that is orthogonal to the "
           "first right singular vector never gets a part along it.",
    good="says what grows by which factor, and names the orthogonal start",
    partial="says that the largest grows fastest",
    wrong="says that it works from every start",
)
why(
    "best_rate",
    "Why do you not simply take the rate with the lowest loss, and when is the answer not to be "
    "trusted?",
    answer="The grid is coarse, and the valley's bottom lies between its points: a parabola "
           "through the lowest and its neighbours finds it in the logarithm of the rate. At the "
           "edge of the grid there is no neighbour: the valley may lie outside.",
    good="says both",
    partial="says that the minimum lies between the points",
    wrong="says that it is a matter of taste",
)
