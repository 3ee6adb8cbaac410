"""What staff ask in a conversation about the homework `gradient_estimators`."""

from viva_course.whys import why

why(
    "reparam_grad",
    "Why is the variance of this estimator usually smaller than that of the score function, and "
    "when can it not be used at all?",
    answer="It uses the slope of f at the samples instead of its height. It needs a gradient of "
           "f, so a step function or a black box rules it out.",
    good="names the slope, and an f without one",
    partial="says that it is smaller because there is less noise",
    wrong="says that both are the same in expectation, so it does not matter",
)
why(
    "ascend",
    "What is climbed by your ascent with kind='score': the landscape, or something else?",
    answer="The landscape smoothed by a Gaussian of width sigma: the gradient that is estimated "
           "is that of the expected height around the point.",
    good="says that sigma decides which landscape is climbed",
    partial="says that noise is added to the path",
    wrong="says that it is the landscape itself, only with noise",
)
why(
    "train_blackbox",
    "Why may one subtract the mean reward of the batch, and what is lost if one does not?",
    answer="The expected gradient of log p is zero, so a constant does not change the mean "
           "(almost: the batch's own mean depends on the sample). Without it the variance is "
           "larger and training is slower.",
    good="says that the mean of the score is zero, and that variance is what changes",
    partial="says that it reduces variance",
    wrong="says that rewards must be positive and negative",
)
