"""Exam of RunningMean."""

import numpy as np

from viva.cases.ridge_attention.mean import last_mean, means
from viva_course.reference import ridge_attention as reference
from viva_course.rubric import Exercise

running = Exercise(
    "RunningMean",
    expects="update(x) gives the mean of all vectors so far; n counts them, mean holds it",
    survivors={
        "RunningMean.__init__: without self.mean = None":
            "what mean holds before the first update is free",
    },
)

running.values(4, "After each update the mean of what was seen.", only=("by_hand", "seven_vectors"))
running.values(1, "Integers, lists and single precision are welcome; answers are float64.",
               only=("integers", "single_precision"), name="integers")
running.values(1, "The caller's array is not kept, and answers stay what they were.",
               only=("one_array", "earlier_answers", "callers_vectors"),
               name="no sharing with the caller")
running.values(1, "Two instances share nothing.", only=("two_instances",), name="own state")


@running.item(1.5, "1e8 and a little noise, 4000 times: the mean is right to 1e-5.")
def large_numbers(exam, RunningMean):
    vectors = 1e8 + exam.rng.normal(size=(4000, 3))
    exact = 1e8 + (vectors - 1e8).mean(axis=0)
    exam.same(last_mean(RunningMean, vectors), exact, rtol=0, atol=1e-5)
    few = exam.rng.normal(size=(50, 3)) * np.array([1.0, 1e-3, 1e6])
    exam.same(means(RunningMean, few)["mean"], few.mean(axis=0), rtol=1e-9, atol=1e-9)


@running.item(1.5, "Nothing but the count and one vector is kept.")
def constant_size(exam, RunningMean):
    vectors = exam.rng.normal(size=(2, 30_000))  # one takes 0.2 MB, all 560 take 134
    state = RunningMean()
    with exam.room(40, RunningMean):
        for i in range(560):
            found = state.update((1 + i) * vectors[i % 2])
    first, second = (np.arange(1, 561).reshape(280, 2).sum(axis=0) / 560)
    exam.same(found, first * vectors[0] + second * vectors[1])


class _Base(reference.RunningMean):
    """What the mistakes below do not get wrong."""


@running.mistake("n_plus_1", "The divisor is one more than the number of vectors so far, the new "
                 "one included: one is counted too many.")
class RunningMean(_Base):
    def update(self, x):
        self.n += 1
        self.mean = (self.mean * self.n + np.asarray(x, float)) / (self.n + 1)
        return self.mean


@running.mistake("no_old_weight", "The old mean stands for n vectors: it must be weighted with "
                 "their number.")
class RunningMean(_Base):
    def update(self, x):
        self.n += 1
        self.mean = (self.mean + np.asarray(x, float)) / self.n
        return self.mean


@running.mistake("old_count", "The step is divided by the number of vectors before this one.")
class RunningMean(_Base):
    def update(self, x):
        step = (np.asarray(x, float) - self.mean) / max(self.n, 1)
        self.mean, self.n = self.mean + step, self.n + 1
        return self.mean


@running.mistake("half", "Each new vector counts as much as all before it: this forgets, a mean "
                 "does not.")
class RunningMean(_Base):
    def update(self, x):
        self.n += 1
        x = np.array(x, float)
        self.mean = x if self.n == 1 else (self.mean + x) / 2
        return self.mean


@running.mistake("sum", "This is the sum; divide it by the count.")
class RunningMean(_Base):
    def update(self, x):
        self.n += 1
        self.mean = self.mean + np.asarray(x, float)
        return self.mean


@running.mistake("returns_old", "update must return the new mean, with x in it.")
class RunningMean(_Base):
    def update(self, x):
        old = self.mean + np.zeros_like(np.asarray(x, float))
        super().update(x)
        return old


@running.mistake("no_return", "update must return the mean.")
class RunningMean(_Base):
    def update(self, x):
        super().update(x)


@running.mistake("scalar", "The mean of vectors is a vector: one mean per entry.")
class RunningMean(_Base):
    def update(self, x):
        return super().update(np.full(np.shape(x), np.mean(x)))


@running.mistake("scalar_kept", "The mean of vectors is a vector: one mean per entry.")
class RunningMean(_Base):
    def update(self, x):
        self.n += 1
        self.mean = self.mean + (np.asarray(x, float).mean() - self.mean) / self.n
        return np.full(np.shape(x), self.mean)


@running.mistake("moves_away", "The mean moves away from x: it must move towards it.")
class RunningMean(_Base):
    def update(self, x):
        self.n += 1
        x = np.array(x, float)
        self.mean = x if self.n == 1 else self.mean - (x - self.mean) / self.n
        return np.array(self.mean)


@running.mistake("n_not_counted", "n counts the vectors.")
class RunningMean(_Base):
    def __init__(self):
        super().__init__()
        self._mean = reference.RunningMean()

    def update(self, x):
        self.mean = self._mean.update(x)
        return self.mean


@running.mistake("aliases_input", "The first array is kept instead of a copy: when the caller "
                 "changes it, the mean changes with it.")
class RunningMean(_Base):
    def update(self, x):
        self.n += 1
        if self.n == 1:
            self.mean = np.asarray(x, float)
            return self.mean
        self.mean = self.mean + (np.asarray(x, float) - self.mean) / self.n
        return self.mean


@running.mistake("in_place", "The mean is changed in place, so answers given earlier change too.")
class RunningMean(_Base):
    def update(self, x):
        self.n += 1
        x = np.asarray(x, float)
        if self.n == 1:
            self.mean = np.zeros_like(x)
        self.mean += (x - self.mean) / self.n
        return self.mean


@running.mistake("integer_mean", "The mean of integers is rounded to integers.")
class RunningMean(_Base):
    def update(self, x):
        self.n += 1
        x = np.asarray(x)
        step = ((x - self.mean) / self.n).astype(x.dtype)
        self.mean = (self.mean + step).astype(x.dtype)
        return self.mean.astype(float)


@running.mistake("stays_single", "Vectors in single precision are answered in single precision: "
                 "the mean is float64.")
class RunningMean(_Base):
    def update(self, x):
        mean = super().update(x)
        return mean.astype(np.asarray(x).dtype) if np.asarray(x).dtype.kind == "f" else mean


@running.mistake("first_answer_integer", "The first mean of integers is an integer array: convert "
                 "to float64 before anything else.")
class RunningMean(_Base):
    def update(self, x):
        self.n += 1
        if self.n == 1:
            self.mean = np.array(x)
        else:
            self.mean = self.mean + (np.asarray(x) - self.mean) / self.n
        return self.mean.copy()


@running.mistake("changes_x", "The caller's array is changed: compute in a new one.")
class RunningMean(_Base):
    def update(self, x):
        mean = super().update(x)
        if isinstance(x, np.ndarray) and x.dtype == np.float64:
            x -= mean
        return mean


@running.mistake("float32_sum", "Sums in single precision lose large numbers' last digits.")
class RunningMean(_Base):
    def __init__(self):
        super().__init__()
        self.sum = np.float32(0)

    def update(self, x):
        self.n += 1
        self.sum = self.sum + np.asarray(x, np.float32)
        self.mean = (self.sum / np.float32(self.n)).astype(float)
        return self.mean


@running.mistake("stores_all", "All vectors are kept; the count and the mean are enough.",
                 hidden_only="memory of many vectors")
class RunningMean(_Base):
    def __init__(self):
        super().__init__()
        self.seen = []

    def update(self, x):
        self.seen.append(np.array(x, float))
        self.n, self.mean = len(self.seen), np.mean(self.seen, axis=0)
        return self.mean


@running.mistake("shared_state", "Count and mean are kept on the class, so all instances share "
                 "them.")
class RunningMean:
    memory: dict = {}

    def __init__(self):
        self.memory.setdefault("twins", 0)
        self.memory["twins"] += 1
        self.memory["state"] = reference.RunningMean()

    n = property(lambda self: self.memory["state"].n)
    mean = property(lambda self: self.memory["state"].mean)

    def update(self, x):
        return self.memory["state"].update(x)


@running.variant("a weighted sum of old and new")
class RunningMean:
    def __init__(self):
        self.n, self.mean = 0, None

    def update(self, x):
        x = np.array(x, dtype=float)
        self.mean = x if self.n == 0 else (self.n * self.mean + x) / (self.n + 1)
        self.n += 1
        return self.mean.copy()


@running.variant("a sum in double precision")
class RunningMean:
    def __init__(self):
        self.total, self.n = 0.0, 0

    @property
    def mean(self):
        return self.total / self.n

    def update(self, x):
        self.total = self.total + np.asarray(x, dtype=np.float64)
        self.n += 1
        return self.mean
