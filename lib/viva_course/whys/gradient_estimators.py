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
    "reward_loss",
    "Which parts of your loss are constants for the differentiation, and why may the baseline not "
    "be the mean over the whole batch?",
    answer="Answers, rewards and baseline are constants; only the logarithm of the probability is "
           "differentiated. The batch's mean contains the row's own reward, so it takes the share "
           "1 / N of the gradient away.",
    good="says that only log p is differentiated, and that the own reward biases",
    partial="says that the mean reduces variance",
    wrong="says that the reward is differentiated",
)
why(
    "reward_to_go",
    "Why is the gradient still right on average when you leave out what was paid before an action?",
    answer="Given the past, the score of the action has mean zero, and the past rewards are fixed "
           "then; their product has mean zero.",
    good="argues with the mean of the score given the past",
    partial="says that an action cannot change the past",
    wrong="says that past rewards are too small to matter",
)
why(
    "ascend_quantized",
    "Near the top the best baseline is no baseline. Why, and why is it not so on the flank?",
    answer="The best constant is the mean of the heights, weighted by the squared scores. At the "
           "top that mean is about 0, because the samples that count most lie lower than the "
           "centre; on the flank it is far below 0.",
    good="names the weights and compares both places",
    partial="says that the best baseline is a weighted mean",
    wrong="says that a baseline always helps",
)
