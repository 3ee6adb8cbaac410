"""What staff ask in a conversation about the homework `pretraining`."""

from viva_course.whys import why

why(
    "span_corrupt",
    "Why is the masked span moved to the end of the text, and not simply left out?",
    answer="The model reads from left to right: it has to see both sides of the gap before it "
           "predicts what was in it.",
    good="says that a causal model cannot look to the right, so the suffix must come first",
    partial="says that the target has to be somewhere",
    wrong="says that this is to make texts equally long",
)
why(
    "qa_example",
    "The targets of the question's characters are PAD. What would change if they were the next "
    "characters?",
    answer="The loss would also train the model to predict questions; capacity and gradient "
           "would go into text that is always given.",
    good="says that the loss ignores PAD, and what else would be learned",
    partial="knows that PAD is ignored",
    wrong="says that nothing would change because the question is given anyway",
)
why(
    "CausalSelfAttention",
    "Why is the mask applied before the softmax, and not after it?",
    answer="After it the rows would no longer sum to one, and the normaliser would still have "
           "seen the future.",
    good="names the normaliser",
    partial="says that rows must sum to one",
    wrong="says that the order does not matter",
)
why(
    "namesake_errors",
    "Why are people who share a first name a better test than people who do not?",
    answer="A model that knows only the first name answers for all of them alike; so errors among "
           "namesakes tell knowledge of the person from knowledge of the name.",
    good="says what the first name alone can explain",
    partial="says that they are harder",
    wrong="says that they are more frequent",
)
why(
    "GPT",
    "The network is judged with weights that somebody else has set. Which two changes of your "
    "forward pass would leave every shape as it is and still be noticed?",
    answer="For example: one head instead of several, the normalisation after instead of before a "
           "block, attention and MLP side by side instead of one after the other, no residual.",
    good="names two that change the function, and says what becomes different",
    partial="names one",
    wrong="says that the shapes would be wrong",
)
