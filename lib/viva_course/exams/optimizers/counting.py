"""Counting steps on a quadratic."""
import numpy as np

from viva.cases.optimizers.counting import descents
from viva_course.rubric import Exercise

count = Exercise(
    "iterations_to", expects="the number of steps until ||theta|| <= tol ||theta0||, an int",
    survivors={
        "iterations_to: theta, state = step(theta, H @ theta, state) -> "
        "theta, state = step(theta, theta @ H, state)": "H is symmetric",
    },
)
count.values(1.5, "The number of steps must be exact.")


@count.item(0.5, "On one coordinate gradient descent shrinks by a known factor: the count is "
            "known.")
def by_the_closed_form(exam, iterations_to):
    # Halving reaches an eighth exactly, and exactly is close enough.
    problems, counts = [(0.5, np.eye(1), np.array([4.0]), 0.125)], [3]
    for _ in range(3):
        factor, tol = exam.rng.uniform(0.3, 0.9), 10.0 ** -exam.rng.uniform(1, 5)
        size = exam.rng.uniform(0.01, 50, 1)
        problems.append(((1 - factor) / 2, np.array([[2.0]]), size, tol))
        counts.append(int(np.ceil(np.log(tol) / np.log(factor))))
    # One coordinate is gone after a step: the other one's length is compared with sqrt(2).
    factor = exam.rng.uniform(0.8, 0.95)
    problems.append((1.0, np.diag([1.0, 1 - factor]), np.ones(2), 1e-2))
    counts.append(int(np.ceil(np.log(1e-2 * np.sqrt(2)) / np.log(factor))))
    problems.append((0.5, np.eye(2), exam.rng.normal(size=2), 1.0))  # there already
    counts.append(0)
    exam.same(descents(iterations_to, problems), counts, rtol=0, atol=0)


@count.item(0.5, "Where the goal is out of reach the answer is max_iter, after exactly that many "
            "steps.")
def gives_up(exam, iterations_to):
    calls, limit = [], int(exam.rng.integers(5, 30))

    def step(theta, grad, state):
        calls.append(state)
        return np.asarray(theta) * 0.999, len(calls)

    got = iterations_to(step, np.eye(2), exam.rng.normal(size=2) + 3, 1e-6, max_iter=limit)
    exam.same(got, limit, rtol=0, atol=0)
    exam.true(calls == [None, *range(1, limit)], "the state starts as None, is passed on from "
              "step to step, and max_iter steps are made")


count.unmodified(0.5, "theta0 belongs to the caller.", name="start unchanged")


@count.mistake("absolute_tol", "The tolerance is relative to the length of the start.")
def iterations_to(step, H, theta0, tol, max_iter=20000):
    theta, state = np.array(theta0, dtype=float), None
    for n in range(max_iter):
        if np.linalg.norm(theta) <= tol:
            return n
        theta, state = step(theta, H @ theta, state)
    return max_iter


@count.mistake("off_by_one", "The count is too large by one: at the first look no step has been "
               "made yet.")
def iterations_to(step, H, theta0, tol, max_iter=20000):
    theta, state = np.array(theta0, dtype=float), None
    for n in range(max_iter):
        if np.linalg.norm(theta) <= tol * np.linalg.norm(theta0):
            return n + 1
        theta, state = step(theta, H @ theta, state)
    return max_iter


@count.mistake("step_first", "A start that is close enough takes no step: look before the first "
               "one.")
def iterations_to(step, H, theta0, tol, max_iter=20000):
    theta, state = np.array(theta0, dtype=float), None
    for n in range(1, max_iter + 1):
        theta, state = step(theta, H @ theta, state)
        if np.linalg.norm(theta) <= tol * np.linalg.norm(theta0):
            return n
    return max_iter


@count.mistake("counts_from_zero", "After the first step the count is one.")
def iterations_to(step, H, theta0, tol, max_iter=20000):
    theta, state = np.array(theta0, dtype=float), None
    for n in range(max_iter):
        theta, state = step(theta, H @ theta, state)
        if np.linalg.norm(theta) <= tol * np.linalg.norm(theta0):
            return n
    return max_iter


@count.mistake("loss_tol", "The distance must shrink by tol, not the loss.")
def iterations_to(step, H, theta0, tol, max_iter=20000):
    theta, state = np.array(theta0, dtype=float), None
    goal = tol * (theta @ H @ theta)
    for n in range(max_iter):
        if theta @ H @ theta <= goal:
            return n
        theta, state = step(theta, H @ theta, state)
    return max_iter


@count.mistake("state_dropped", "The state must be passed on to the next step.")
def iterations_to(step, H, theta0, tol, max_iter=20000):
    theta = np.array(theta0, dtype=float)
    for n in range(max_iter):
        if np.linalg.norm(theta) <= tol * np.linalg.norm(theta0):
            return n
        theta, _ = step(theta, H @ theta, None)
    return max_iter


@count.mistake("gradient_without_H", "The gradient is H theta; theta alone is the gradient of "
               "another function.")
def iterations_to(step, H, theta0, tol, max_iter=20000):
    theta, state = np.array(theta0, dtype=float), None
    for n in range(max_iter):
        if np.linalg.norm(theta) <= tol * np.linalg.norm(theta0):
            return n
        theta, state = step(theta, theta, state)
    return max_iter


@count.mistake("gradient_doubled", "The function is half of theta^T H theta: its gradient is "
               "H theta, not 2 H theta.")
def iterations_to(step, H, theta0, tol, max_iter=20000):
    theta, state = np.array(theta0, dtype=float), None
    for n in range(max_iter):
        if np.linalg.norm(theta) <= tol * np.linalg.norm(theta0):
            return n
        theta, state = step(theta, 2 * H @ theta, state)
    return max_iter


@count.mistake("gradient_tol", "The distance must shrink by tol, not the gradient.")
def iterations_to(step, H, theta0, tol, max_iter=20000):
    theta, state = np.array(theta0, dtype=float), None
    for n in range(max_iter):
        if np.linalg.norm(H @ theta) <= tol * np.linalg.norm(H @ theta0):
            return n
        theta, state = step(theta, H @ theta, state)
    return max_iter


@count.mistake("gives_up_early", "max_iter steps are allowed, and max_iter is the answer when they "
               "do not suffice.")
def iterations_to(step, H, theta0, tol, max_iter=20000):
    theta, state = np.array(theta0, dtype=float), None
    for n in range(max_iter):
        if np.linalg.norm(theta) <= tol * np.linalg.norm(theta0):
            return n
        theta, state = step(theta, H @ theta, state)
    return -1


@count.mistake("strictly_below", "The goal is reached when the distance equals it.")
def iterations_to(step, H, theta0, tol, max_iter=20000):
    theta, state = np.array(theta0, dtype=float), None
    for n in range(max_iter):
        if np.linalg.norm(theta) < tol * np.linalg.norm(theta0):
            return n
        theta, state = step(theta, H @ theta, state)
    return max_iter


@count.mistake("largest_entry", "The distance is the Euclidean norm, not the largest entry.")
def iterations_to(step, H, theta0, tol, max_iter=20000):
    theta, state = np.array(theta0, dtype=float), None
    for n in range(max_iter):
        if np.abs(theta).max() <= tol * np.abs(theta0).max():
            return n
        theta, state = step(theta, H @ theta, state)
    return max_iter


@count.mistake("modifies_start", "theta0 is overwritten; copy it first.")
def iterations_to(step, H, theta0, tol, max_iter=20000):
    goal, state = tol * np.linalg.norm(theta0), None
    for n in range(max_iter):
        if np.linalg.norm(theta0) <= goal:
            return n
        theta0[:], state = step(theta0.copy(), H @ theta0, state)
    return max_iter


@count.variant("while loop")
def iterations_to(step, H, theta0, tol, max_iter=20000):
    theta, state, n = theta0, None, 0
    while n < max_iter and not np.sqrt(theta @ theta) <= tol * np.sqrt(theta0 @ theta0):
        theta, state = step(theta, H @ theta, state)
        n += 1
    return n
