"""Public cases of the homework `pretraining`."""

EXERCISES = {
    "vocabulary": [["CharVocab"]],
    "spans": [["span_corrupt"]],
    "questions": [["qa_example"]],
    "attention": [["CausalSelfAttention"]],
    "model": [["GPT"]],
    "answers": [["exact_match", "constant_baseline", "prior_guess_accuracy"]],
    "decoding": [["greedy_decode"]],
    "training": [["train_gpt"]],
    "namesakes": [["namesake_errors"]],
}
