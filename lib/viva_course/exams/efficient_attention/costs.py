"""Exam of mha_macs and mha_floats: counting before computing."""

from viva_course.reference import efficient_attention as reference
from viva_course.rubric import Exercise

counting = Exercise(
    "mha_macs",
    expects={
        "mha_macs": "the products of all matrix multiplications, with the output projection "
                    "when there are several heads",
        "mha_floats": "input, then queries, keys, values and scores of the heads alive, then the "
                      "concatenation of all heads",
    },
)

counting.values(1.5, "Multiply-adds must be those of the layer described.",
                only=("one_head", "four_heads", "some_heads", "a_book", "whole_numbers"),
                name="time")
counting.values(1.5, "Floats must be those of the layer described.",
                only=("floats_of_one_head", "heads_in_turn", "heads_at_once", "other_floats"),
                name="memory")


@counting.item(1.5, "From two heads on time is linear in h; it is quadratic in n for n >> d and in "
               "d for d >> n.")
def how_time_grows(exam, mha_macs, mha_floats):
    n, d = int(exam.rng.integers(20, 90)), int(exam.rng.integers(3, 19))
    two, three, seven = (mha_macs(n, d, h) for h in (2, 3, 7))
    exam.true(two > 0 and seven - two == 5 * (three - two), "not linear in h")
    exam.same(two, 2 * mha_macs(n, d) + 2 * n * d * d, rtol=0, atol=0)
    ratio = mha_macs(2_000_000, d) / mha_macs(1_000_000, d)
    exam.true(abs(ratio - 4) < 0.01, f"twice the tokens take {ratio:.3f} times as long")
    ratio = mha_macs(n, 2_000_000, 3) / mha_macs(n, 1_000_000, 3)
    exam.true(abs(ratio - 4) < 0.01, f"twice the features take {ratio:.3f} times as long")
    for h in (1, 5):
        exam.same(mha_macs(123_456, d, h), reference.mha_macs(123_456, d, h), rtol=0, atol=0)


@counting.item(1.5, "Heads in turn share the scores, yet each adds n d to the concatenation; heads "
               "at once share nothing.")
def how_memory_grows(exam, mha_macs, mha_floats):
    n, d, h = (int(exam.rng.integers(*b)) for b in ((20, 90), (3, 19), (3, 12)))
    exam.same(mha_floats(n, d, h) - mha_floats(n, d), (h - 1) * n * d, rtol=0, atol=0)
    step = mha_floats(n, d, h + 1, sequential=False) - mha_floats(n, d, h, sequential=False)
    exam.same(step, n * (4 * d + n), rtol=0, atol=0)
    exam.same(mha_floats(n, d, 1, False), mha_floats(n, d, 1, True), rtol=0, atol=0)


counting.mistakes_of(mha_macs={
    "space_as_time": ("This is the memory times h; time counts the products of every matrix "
                      "multiplication.",
                      lambda n, d, h=1: h * (n * d + 3 * n * d + n * n)),
    "no_output_proj": ("Several heads are joined and projected back to d features: n rows of h d "
                       "numbers, times a matrix with d columns.",
                       lambda n, d, h=1: h * (3 * n * d * d + 2 * n * n * d)),
    "one_nnd": (
        "The n x n scores cost once to compute and once to apply to the values.",
        lambda n, d, h=1: h * (3 * n * d * d + n * n * d) + (n * h * d * d if h > 1 else 0)),
    "always_output": ("A single head has no output projection here.",
                      lambda n, d, h=1: h * (3 * n * d * d + 2 * n * n * d) + n * h * d * d),
    "split_width": ("Here every head is as wide as the input: its projections are d x d, not d x "
                    "d/h.",
                    lambda n, d, h=1: 3 * n * d * d + 2 * n * n * d + (n * d * d if h > 1 else 0)),
    "split_width_cut": (
        "Here every head is as wide as the input: its projections are d x d, not d x d/h.",
        lambda n, d, h=1: (h * (3 * n * d * (d // h) + 2 * n * n * (d // h))
                           + (n * d * d if h > 1 else 0))),
    "weights_once": (
        "A projection is applied to each of the n tokens.",
        lambda n, d, h=1: h * (3 * d * d + 2 * n * n * d) + (h * d * d if h > 1 else 0)),
    "two_projections": (
        "There are three projections: queries, keys and values.",
        lambda n, d, h=1: h * (2 * n * d * d + 2 * n * n * d) + (n * h * d * d if h > 1 else 0)),
    "output_once": (
        "The output projection reads all h d numbers of a token.",
        lambda n, d, h=1: h * (3 * n * d * d + 2 * n * n * d) + (n * d * d if h > 1 else 0)),
    "flops": ("A multiply-add counts once, not as two operations.",
              lambda n, d, h=1: 2 * reference.mha_macs(n, d, h)),
    "h_ignored": ("The number of heads has no effect.",
                  lambda n, d, h=1: 3 * n * d * d + 2 * n * n * d),
})
counting.mistakes_of(mha_floats={
    "memory_no_concat": (
        "The outputs of all heads are kept for the concatenation: that part grows with h even when "
        "heads come one after the other.",
        lambda n, d, h=1, sequential=True: (
            n * d + (1 if sequential else h) * (3 * n * d + n * n) + n * d)),
    "parallel_default": (
        "With sequential=True only one head's queries, keys, values and scores are alive at a "
        "time.",
        lambda n, d, h=1, sequential=True: n * d + h * (3 * n * d + n * n) + n * h * d),
    "projections_of_all": (
        "One head after the other: its queries, keys and values are freed before the next begins, "
        "as its scores are.",
        lambda n, d, h=1, sequential=True: (
            n * d + 3 * n * h * d + n * n * (1 if sequential else h) + n * h * d)),
    "flag_ignored": ("With sequential=False all heads are alive at once.",
                     lambda n, d, h=1, sequential=True: n * d + 3 * n * d + n * n + n * h * d),
    "no_input": ("The input is alive too.",
                 lambda n, d, h=1, sequential=True: (
                     (1 if sequential else h) * (3 * n * d + n * n) + n * h * d)),
    "no_concat": (
        "The concatenation of the heads' outputs is missing.",
        lambda n, d, h=1, sequential=True: n * d + (1 if sequential else h) * (3 * n * d + n * n)),
    "outputs_of_live_heads": (
        "The outputs of all heads are collected, n x hd numbers, also those of heads that are "
        "not alive any more.",
        lambda n, d, h=1, sequential=True: (
            n * d + (1 if sequential else h) * (4 * n * d + n * n))),
    "no_scores": ("The n x n scores are missing, the largest part of all.",
                  lambda n, d, h=1, sequential=True: (
                      n * d + (1 if sequential else h) * 3 * n * d + n * h * d)),
    "scores_kept": (
        "Scores and weights are counted as two n x n arrays; the softmax may overwrite the scores.",
        lambda n, d, h=1, sequential=True: (
            n * d + (1 if sequential else h) * (3 * n * d + 2 * n * n) + n * h * d)),
    "weights_counted": ("Only activations are counted, not the projection matrices.",
                        lambda n, d, h=1, sequential=True: (
                            reference.mha_floats(n, d, h, sequential) + 3 * h * d * d)),
})


@counting.variant("head by head")
def mha_macs(n, d, h=1):
    macs = 0
    for _ in range(h):
        macs += 3 * n * d**2 + n * d * n + n * n * d
    return macs + (h > 1) * n * h * d**2


@counting.variant("peak of the shapes")
def mha_floats(n, d, h=1, sequential=True):
    head = [(n, d)] * 3 + [(n, n)]
    arrays = [(n, d), (n, h * d)] + head * (1 if sequential else h)
    return sum(a * b for a, b in arrays)
