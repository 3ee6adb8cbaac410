"""Exam of `rope`: pairs of coordinates that turn with the position."""

import numpy as np

from viva_course.reference import attention_exploration as reference
from viva_course.rubric import Exercise

turn = Exercise(
    "rope", expects="x with each pair of neighbouring coordinates turned by its own angle, float64",
    survivors={
        f"rope: {change}": "numpy refuses to pair an odd number of coordinates, with ValueError too"
        for change in ("without if d % 2:", "if d % 2: -> if d % 1:",
                       "without raise ValueError('pairs need an even number of coordinates')")
    },
)

turn.values(2.5, "Pairs turn counterclockwise by pos times their frequency.", name="rotation",
            only=("quarter_turn", "two_pairs", "at_the_origin"))
turn.values(1.5, "A sequence of positions; base is an argument.", only=("sequence", "other_base"),
            name="frequencies")
turn.values(1.5, "Positions broadcast against all axes of x but the last.", name="broadcasting",
            only=("heads_of_a_batch", "a_position_for_each"))
turn.values(0.5, "Integers or float32 in, float64 out.", name="float64",
            only=("whole_numbers", "half_the_digits"))


@turn.item(1.5, "R_m x . R_n y depends on m - n alone.")
def only_the_distance(exam, rope):
    for d in (2, 6, 10):
        x, y = exam.rng.normal(size=d), exam.rng.normal(size=d)
        m, n, shift = (float(t) for t in exam.rng.uniform(-20, 20, 3))
        expected = float(reference.rope(x, m - n) @ y)
        scores = [rope(x, m) @ rope(y, n), rope(x, m + shift) @ rope(y, n + shift),
                  rope(x, m - n) @ y, x @ rope(y, n - m)]
        exam.same(np.array(scores), np.full(4, expected))


@turn.item(1.5, "R_a R_b = R_(a+b), the length of every pair stays, and each pair turns as a "
           "complex number does.")
def turns_add_up(exam, rope):
    d, base = 8, float(exam.rng.uniform(20, 3000))
    x, a, b = exam.rng.normal(size=(3, d)), *(float(t) for t in exam.rng.uniform(-9, 9, 2))
    pairs = np.asarray(rope(x, a, base=base)).reshape(3, 4, 2)
    angles = a * base ** (-2 * np.arange(4) / d)
    expected = (x[:, 0::2] + 1j * x[:, 1::2]) * np.exp(1j * angles)
    exam.same(pairs[..., 0] + 1j * pairs[..., 1], expected)
    exam.same(rope(rope(x, a), b), reference.rope(x, a + b))


@turn.item(1, "An odd number of coordinates raises ValueError.")
def odd_length(exam, rope):
    x = exam.rng.normal(size=(2, 4))
    exam.same(rope(x, 1), reference.rope(x, 1))
    exam.raises(ValueError, rope, x[:, :3], 1)
    exam.raises(ValueError, rope, x[:, :1], np.arange(2))


turn.unmodified(1, "x must stay as it was.")


def _rotate(x, pos, frequencies, pairs="interleaved", signs=(1, -1, 1, 1)):
    """Rows (cos, -sin), (sin, cos) with the given signs: right as they stand."""
    x = np.asarray(x, float)
    if x.shape[-1] % 2:
        raise ValueError
    d = x.shape[-1]
    angle = np.asarray(pos, float)[..., None] * frequencies
    c, s = np.cos(angle), np.sin(angle)
    u, v = (x[..., 0::2], x[..., 1::2]) if pairs == "interleaved" else (
        x[..., : d // 2], x[..., d // 2 :])
    first = signs[0] * c * u + signs[1] * s * v
    second = signs[2] * s * u + signs[3] * c * v
    if pairs == "interleaved":
        return np.stack([first, second], axis=-1).reshape(*first.shape[:-1], d)
    return np.concatenate([first, second], axis=-1)


def _frequencies(d, base):
    return base ** (-np.arange(0, d, 2) / d)


def _mistake(slug, hint, change):
    def rope(x, pos, base=10000.0):
        return change(np.asarray(x, float), pos, base, np.shape(x)[-1])

    turn.mistake(slug, hint)(rope)


_mistake("no2", "The exponent falls from 0 to nearly -1: the factor 2 is missing.",
         lambda x, pos, base, d: _rotate(x, pos, base ** (-np.arange(d // 2) / d)))
_mistake("base", "base has no effect.",
         lambda x, pos, base, d: _rotate(x, pos, _frequencies(d, 10000.0)))
_mistake("pos1", "Position 0 turns nothing: do not add one.",
         lambda x, pos, base, d: _rotate(x, np.asarray(pos) + 1, _frequencies(d, base)))
_mistake("dir", "The pairs turn clockwise: (1, 0) must go towards (0, 1).",
         lambda x, pos, base, d: _rotate(x, -np.asarray(pos), _frequencies(d, base)))
_mistake("split", "Pairs are neighbours here, coordinates 1 and 2, 3 and 4; this pairs the first "
         "half with the second.",
         lambda x, pos, base, d: _rotate(x, pos, _frequencies(d, base), "halves"))
_mistake("refl", "This is a reflection: one sign of the rotation is wrong.",
         lambda x, pos, base, d: _rotate(x, pos, _frequencies(d, base), signs=(1, 1, 1, -1)))
_mistake("plus_plus", "Both sines have the same sign; one of them is negative.",
         lambda x, pos, base, d: _rotate(x, pos, _frequencies(d, base), signs=(1, 1, 1, 1)))
_mistake("exponent_from_one", "The first pair turns with frequency 1: the exponent starts at 0.",
         lambda x, pos, base, d: _rotate(x, pos, base ** (-np.arange(2, d + 2, 2) / d)))
_mistake("one_frequency", "Every pair has its own frequency.",
         lambda x, pos, base, d: _rotate(x, pos, np.ones(d // 2)))
_mistake("slow_first", "The first pair is the fastest.",
         lambda x, pos, base, d: _rotate(x, pos, _frequencies(d, base)[::-1]))
_mistake("over_half", "The exponent is 2(i-1) over d, not over the number of pairs.",
         lambda x, pos, base, d: _rotate(x, pos, base ** (-2 * np.arange(0, d, 2) / d)))
_mistake("degrees", "Angles are in radians.",
         lambda x, pos, base, d: _rotate(x, np.deg2rad(pos), _frequencies(d, base)))
_mistake("positive_exponent", "Frequencies fall: the exponent is negative.",
         lambda x, pos, base, d: _rotate(x, pos, 1 / _frequencies(d, base)))


_mistake("whole_positions", "Positions need not be whole numbers: do not cut or round them.",
         lambda x, pos, base, d: _rotate(x, np.trunc(pos), _frequencies(d, base)))


@turn.mistake("mix", "Sine and cosine are exchanged in the second coordinate of each pair.")
def rope(x, pos, base=10000.0):
    x = np.asarray(x, float)
    out = np.array(reference.rope(x, pos, base))
    angle = np.asarray(pos, float)[..., None] * _frequencies(x.shape[-1], base)
    out[..., 1::2] = np.cos(angle) * x[..., 0::2] + np.sin(angle) * x[..., 1::2]
    return out


@turn.mistake("add", "This adds a sinusoidal code; the pairs must be turned.")
def rope(x, pos, base=10000.0):
    x = np.asarray(x, float)
    return x + reference.rope(np.tile([1.0, 0.0], x.shape[-1] // 2) + 0 * x, pos, base)


@turn.mistake("halves_out", "The turned coordinates go back to their places, pair by pair.")
def rope(x, pos, base=10000.0):
    out = reference.rope(x, pos, base)
    return np.concatenate([out[..., 0::2], out[..., 1::2]], axis=-1)


@turn.mistake("keeps_integers", "The result is written into an array of integers: digits are lost.")
def rope(x, pos, base=10000.0):
    return reference.rope(x, pos, base).astype(np.asarray(x).dtype)


@turn.mistake("keeps_float32", "The result is float64, even if x is float32: convert x first.")
def rope(x, pos, base=10000.0):
    kept = np.float32 if np.asarray(x).dtype == np.float32 else np.float64
    return reference.rope(x, pos, base).astype(kept)


@turn.mistake("odd_passes", "Five coordinates make no pairs: raise ValueError.")
def rope(x, pos, base=10000.0):
    even = np.shape(x)[-1] // 2 * 2
    return np.concatenate([reference.rope(x[..., :even], pos, base), x[..., even:]], axis=-1)


@turn.mistake("in_place", "x belongs to the caller: write the result into a new array.")
def rope(x, pos, base=10000.0):
    out = reference.rope(x, pos, base)
    if x.dtype == float:
        x[...] = out
    return out


@turn.mistake("overwritten", "The second coordinate of each pair is computed from the first one "
              "after it was turned.")
def rope(x, pos, base=10000.0):
    out = np.array(reference.rope(x, pos, base))
    angle = np.asarray(pos, float)[..., None] * _frequencies(out.shape[-1], base)
    out[..., 1::2] = np.sin(angle) * out[..., 0::2] + np.cos(angle) * np.asarray(x)[..., 1::2]
    return out


@turn.variant("sines and cosines")
def rope(x, pos, base=10000.0):
    return _rotate(x, pos, _frequencies(np.shape(x)[-1], base))


@turn.variant("matrices")
def rope(x, pos, base=10000.0):
    x = np.asarray(x, dtype=np.float64)
    d = x.shape[-1]
    if d % 2:
        raise ValueError("odd")
    pos = np.broadcast_to(pos, x.shape[:-1])
    out = np.empty(x.shape)
    for place in np.ndindex(*pos.shape):
        for i in range(d // 2):
            t = pos[place] * base ** (-2 * i / d)
            turn = np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]])
            out[place][2 * i : 2 * i + 2] = turn @ x[place][2 * i : 2 * i + 2]
    return out
