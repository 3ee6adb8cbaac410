"""stable_softmax."""
import numpy as np

from viva_course.reference import hand_design_transformer as reference
from viva_course.rubric import Exercise

softmax = Exercise(
    "stable_softmax", expects="positive weights that add up to one along the axis",
    forbidden=("scipy.special.softmax", "torch.nn.Softmax"),
)

softmax.values(2, "The weights must follow the formula, along any axis.")


@softmax.item(1, "Scores of any size must give finite weights: shift by the max.")
def large_scores(exam, stable_softmax):
    exam.same(stable_softmax(np.array([1e4, -1e4])), np.array([1.0, 0.0]), rtol=0, atol=0)
    spread = 1e4 * exam.rng.normal(size=(4, 5))
    near = exam.rng.normal(size=(4, 5)) + exam.rng.choice([-1e4, 1e4], size=(4, 1))
    for scores in (spread, near):
        # adding 1e4 to a score costs four of its sixteen digits
        exam.same(stable_softmax(scores), reference.stable_softmax(scores), rtol=1e-9, atol=1e-12)


@softmax.item(.5, "A constant added changes nothing; a factor does.", name="shift, not scale")
def shift_not_scale(exam, stable_softmax):
    x = exam.rng.normal(size=(3, 4))
    plain, doubled = reference.stable_softmax(x), reference.stable_softmax(2 * x)
    exam.same(stable_softmax(x + exam.rng.uniform(1, 9)), plain)
    exam.same(stable_softmax(2 * x), doubled)


@softmax.item(.75, "-inf gets weight 0; a slice of -inf only becomes zeros.")
def masked_scores(exam, stable_softmax):
    for axis in (0, 1):
        scores = exam.rng.normal(size=(4, 4))
        scores[3, 0] = -np.inf
        scores[1, :] = scores[:, 2] = -np.inf                # a slice along either axis
        got = stable_softmax(scores, axis=axis)
        exam.same(got, reference.stable_softmax(scores, axis))
        exam.true((got[scores == -np.inf] == 0).all(), "a masked entry has weight")


@softmax.item(.5, "float32 stays float32, integers become float64.")
def dtype(exam, stable_softmax):
    scores = exam.rng.normal(size=(3, 4)).astype(np.float32)
    exam.same(stable_softmax(scores), reference.stable_softmax(scores), rtol=1e-5, atol=1e-7)
    scores = exam.rng.integers(-3, 4, size=(3, 4))
    exam.same(stable_softmax(scores), reference.stable_softmax(scores))


softmax.unmodified(.25, "The scores must stay as they were.")


@softmax.mistake("naive_exp", "exp overflows above 709. Subtract the largest score first.")
def stable_softmax(scores, axis=-1):
    with np.errstate(all="ignore"):
        weights = np.exp(scores)
        return weights / weights.sum(axis=axis, keepdims=True)


def floats(scores):
    scores = np.asarray(scores)
    return scores if scores.dtype.kind == "f" else scores.astype(float)


@softmax.mistake("naive_exp_guarded", "exp overflows above 709. Subtract the largest score first.")
def stable_softmax(scores, axis=-1):
    with np.errstate(all="ignore"):
        weights = np.exp(floats(scores))
        total = weights.sum(axis=axis, keepdims=True)
        return weights / np.where(total == 0, 1, total)


MEAN = ("The mean is subtracted. One large score lies far above it, and its exponential overflows: "
        "subtract the largest score.")


@softmax.mistake("mean_shift", MEAN)
def stable_softmax(scores, axis=-1):
    with np.errstate(all="ignore"):
        weights = np.exp(floats(scores) - np.mean(scores, axis=axis, keepdims=True))
        return weights / weights.sum(axis=axis, keepdims=True)


@softmax.mistake("mean_shift_guarded", MEAN)
def stable_softmax(scores, axis=-1):
    scores = floats(scores)
    seen = np.isfinite(scores)
    count = np.maximum(seen.sum(axis=axis, keepdims=True), 1)
    mean = np.where(seen, scores, 0).sum(axis=axis, keepdims=True) / count
    with np.errstate(all="ignore"):
        weights = np.exp(scores - mean.astype(scores.dtype))
        total = weights.sum(axis=axis, keepdims=True)
        return weights / np.where(total == 0, 1, total).astype(scores.dtype)


GLOBAL = ("The largest score of the whole array is subtracted: where a slice lies far below it, "
          "all its exponentials vanish. Each slice along the axis needs its own maximum.")


@softmax.mistake("global_max", GLOBAL)
def stable_softmax(scores, axis=-1):
    with np.errstate(all="ignore"):
        weights = np.exp(floats(scores) - np.max(scores))
        return weights / weights.sum(axis=axis, keepdims=True)


@softmax.mistake("global_max_guarded", GLOBAL)
def stable_softmax(scores, axis=-1):
    weights = np.exp(floats(scores) - np.max(scores))
    total = weights.sum(axis=axis, keepdims=True)
    return weights / np.where(total == 0, 1, total)


@softmax.mistake("global_max_flat_sum", "The sum runs over the whole array; sum along the axis.")
def stable_softmax(scores, axis=-1):
    weights = np.exp(scores - np.max(scores))
    return weights / weights.sum()


@softmax.mistake("axis_ignored", "The last axis is always used; the argument axis says which.")
def stable_softmax(scores, axis=-1):
    return reference.stable_softmax(scores, -1)


@softmax.mistake("no_keepdims", "Without keepdims the sum is broadcast along the wrong axis.")
def stable_softmax(scores, axis=-1):
    weights = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis)


@softmax.mistake("hardmax", "This picks the largest entry; softmax gives every entry a share.")
def stable_softmax(scores, axis=-1):
    top = np.asarray(scores) == np.max(scores, axis=axis, keepdims=True)
    return top / top.sum(axis=axis, keepdims=True)


@softmax.mistake("always_float64", "float32 scores must give float32 weights.")
def stable_softmax(scores, axis=-1):
    return reference.stable_softmax(np.asarray(scores, dtype=float), axis)


@softmax.mistake("always_float32", "Only float32 scores give float32 weights.")
def stable_softmax(scores, axis=-1):
    return reference.stable_softmax(scores, axis).astype(np.float32)


@softmax.mistake("in_place", "The max is subtracted in the caller's own array; work on a copy.")
def stable_softmax(scores, axis=-1):
    weights = reference.stable_softmax(scores, axis)
    if scores.dtype.kind == "f":
        scores -= np.max(scores, axis=axis, keepdims=True)
    return weights


@softmax.mistake("masked_nan", "-inf minus -inf is NaN: treat a slice of -inf only by itself.")
def stable_softmax(scores, axis=-1):
    with np.errstate(invalid="ignore"):
        weights = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


@softmax.mistake("masked_uniform", "A slice of -inf only has no weight to give: it becomes zeros.")
def stable_softmax(scores, axis=-1):
    scores = np.asarray(scores)
    finite = np.maximum(scores, np.finfo(np.float32).min).astype(scores.dtype)
    return reference.stable_softmax(finite, axis)


@softmax.mistake("clipped", "Clipping changes the scores; a shift by the max changes nothing.")
def stable_softmax(scores, axis=-1):
    clipped = np.clip(scores, -500, 500)
    return np.where(np.isneginf(scores), 0, reference.stable_softmax(clipped, axis))


@softmax.mistake("divides_by_max", "Divide nothing: subtract the max from the scores.")
def stable_softmax(scores, axis=-1):
    return reference.stable_softmax(scores / np.abs(scores).max(axis=axis, keepdims=True), axis)


@softmax.mistake("integers_kept", "Weights of integer scores are fractions: compute in float64.")
def stable_softmax(scores, axis=-1):
    return reference.stable_softmax(scores, axis).astype(np.asarray(scores).dtype)


@softmax.variant("logarithm of the sum")
def stable_softmax(scores, axis=-1):
    scores = np.asarray(scores)
    if scores.dtype.kind != "f":
        scores = scores.astype(float)
    top = np.maximum(scores.max(axis=axis, keepdims=True), np.finfo(scores.dtype).min)
    with np.errstate(divide="ignore", over="ignore"):
        total = np.log(np.exp(scores - top).sum(axis=axis, keepdims=True))
    return np.where(np.isneginf(total), 0, np.exp(scores - top - np.nan_to_num(total)))


@softmax.variant("slice by slice")
def stable_softmax(scores, axis=-1):
    def one(s):
        if np.all(s == -np.inf):
            return np.zeros_like(s)
        weights = np.exp(s - max(s))
        return weights / sum(weights)

    scores = np.asarray(scores)
    floats = scores if scores.dtype.kind == "f" else scores.astype(float)
    return np.apply_along_axis(one, axis, floats)
