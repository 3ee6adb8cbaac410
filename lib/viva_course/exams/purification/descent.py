"""Exam of `purifier_grad`, `purify_gd` and `max_stable_step`: gradient descent on the loss."""

import numpy as np

from viva.cases.purification.common import with_singular_values
from viva_course.reference import purification as reference
from viva_course.rubric import Exercise

descent = Exercise(
    "purifier_grad",
    expects={
        "purifier_grad": "the gradient of the loss, (m, m)",
        "purify_gd": "W after the steps, and steps + 1 losses from the one at W0 on",
        "max_stable_step": "the step below which descent converges from everywhere",
    },
)

descent.values(2, "The gradient must be that of the loss.", name="gradient",
               only=("random_gradient",))
descent.values(2.5, "The steps must lead to the minimiser, and the loss be recorded.",
               name="steps", only=("descent", "three_steps"))
descent.values(1, "The largest stable step is 1/(sigma_1^2 + lam).", name="bound",
               only=("stable_step",))


@descent.item(1, "The gradient of tall and of wide data, at any W and lam.")
def any_shape(exam, purifier_grad, purify_gd, max_stable_step):
    for m, n in ((2, 6), (4, 3)):
        W, X = exam.rng.normal(size=(m, m)), exam.rng.normal(size=(m, n))
        lam = float(exam.rng.uniform(1.5, 3))
        direction, h = exam.rng.normal(size=(m, m)), 1e-5
        ahead, behind = (reference.purification_losses(W + t * direction, X, lam)[2]
                         for t in (h, -h))
        gradient = np.asarray(purifier_grad(W, X, lam), float)
        exam.true(gradient.shape == (m, m), "the gradient has the shape of W")
        slope = float((gradient * direction).sum())
        # the loss is quadratic: only rounding, 1e-13 / 1e-5, separates the two
        exam.true(abs(slope - (ahead - behind) / (2 * h)) < 1e-5, "wrong slope of the loss")


@descent.item(2.5, "Descent must converge with 0.99 times the bound and diverge with 1.01 times "
              "the bound, from a random start.")
def the_bound_is_sharp(exam, purifier_grad, purify_gd, max_stable_step):
    for sigmas, m, n in (([2, 1.3, 0.6], 3, 6), ([1.5, 0.8], 4, 2)):
        X = with_singular_values(exam.rng, sigmas, m, n)
        lam = float(exam.rng.uniform(0.8, 2))
        start = exam.rng.normal(size=(m, m))
        target, bound = reference.purifier(X, lam), max_stable_step(X, lam)
        fastest = np.linalg.svd(X)[0][:, 0]
        # this direction is multiplied by -0.98 or -1.02 in a step: 60 more make 0.3 or 3.3
        for factor, low, high in ((0.99, 0, 0.5), (1.01, 2, np.inf)):
            early, late = (np.asarray(purify_gd(X, lam, factor * bound, steps, W0=start)[0], float)
                           - target for steps in (10, 70))                  # (m, m)
            ratio = np.linalg.norm(late @ fastest) / np.linalg.norm(early @ fastest)
            fails = f"with {factor} times the bound it does not {'con' if high < 1 else 'di'}verge"
            exam.true(low <= ratio <= high, fails)
            exam.true(factor > 1 or np.linalg.norm(late) < np.linalg.norm(early), fails)


@descent.item(2, "With eta = 1/(s_1^2 + s_m^2 + 2 lam) every step must shrink the error by (s_1^2 "
              "- s_m^2)/(s_1^2 + s_m^2 + 2 lam).")
def the_best_constant_step(exam, purifier_grad, purify_gd, max_stable_step):
    X = with_singular_values(exam.rng, [2, 1.5, 1], 3, 5)
    lam = float(exam.rng.uniform(0.5, 2))
    eta, contraction = 1 / (5 + 2 * lam), 3 / (5 + 2 * lam)
    U = np.linalg.svd(X)[0]
    start = reference.purifier(X, lam) + np.outer(exam.rng.normal(size=3), U[:, 0])
    for steps in (1, 4):
        W, _ = purify_gd(X, lam, eta, steps, W0=start)
        error = np.asarray(W, float) - reference.purifier(X, lam)
        rate = np.linalg.norm(error) / np.linalg.norm(start - reference.purifier(X, lam))
        exam.true(abs(rate - contraction**steps) < 1e-9, "the error shrinks at another rate")


@descent.item(0.5, "steps + 1 losses, from the loss at W0 to the loss at W.")
def the_history(exam, purifier_grad, purify_gd, max_stable_step):
    X, start = exam.rng.normal(size=(2, 4)), exam.rng.normal(size=(2, 2))
    for steps in (0, 2):
        W, history = purify_gd(X, 0.6, 0.01, steps, W0=start)
        history = np.asarray(history, float)
        exam.true(history.shape == (steps + 1,), "there must be steps + 1 losses")
        ends = [reference.purification_losses(each, X, 0.6)[2] for each in (start, np.asarray(W))]
        exam.same(history[[0, -1]], np.array(ends))
    _, history = purify_gd(X, 0.6, 0.01, 1)
    exam.same(float(history[0]), float((X**2).sum()))  # without W0 it starts at zero


descent.unmodified(0.5, "W, X and W0 must stay as they were.")


descent.mistakes_of(purifier_grad={
    "grad_no_2": ("The derivative of a square brings down a factor 2.",
                  lambda W, X, lam: -(X - W @ X) @ X.T + lam * W),
    "reg_no_2": ("The derivative of lam ||W||^2 is 2 lam W.",
                 lambda W, X, lam: -2 * (X - W @ X) @ X.T + lam * W),
    "no_reg": ("The gradient of the penalty is missing.", lambda W, X, lam: -2 * (X - W @ X) @ X.T),
    "sign": ("The residual is X - WX, and W enters it with a minus sign.",
             lambda W, X, lam: 2 * (X - W @ X) @ X.T + 2 * lam * W),
    "transposed": ("The residual stands on the left: (X - WX) X^T, not its transpose.",
                   lambda W, X, lam: -2 * X @ (X - W @ X).T + 2 * lam * W),
    "transposed_whole": ("This is the transpose of the gradient: row i belongs to row i of W, so "
                         "the residual stands on the left, (X - WX) X^T.",
                         lambda W, X, lam: (-2 * (X - W @ X) @ X.T + 2 * lam * W).T),
    "map_on_the_right": ("W stands on the left of X, so it multiplies X X^T from the left.",
                         lambda W, X, lam: 2 * X @ X.T @ (W - np.eye(len(W))) + 2 * lam * W),
    "mean_gradient": ("The loss is a sum over samples, so its gradient is too.",
                      lambda W, X, lam: -2 * (X - W @ X) @ X.T / X.shape[1] + 2 * lam * W),
})
descent.mistakes_of(max_stable_step={
    "bound_2": ("2/(sigma_1^2 + lam): the gradient has a factor 2, so the curvature is 2(sigma_1^2 "
                "+ lam).",
                lambda X, lam: 2 / (np.linalg.norm(X, 2) ** 2 + lam)),
    "bound_half": ("Too careful: twice this step still converges.",
                   lambda X, lam: 0.5 / (np.linalg.norm(X, 2) ** 2 + lam)),
    "bound_frobenius": ("np.linalg.norm(X) is the Frobenius norm; the fastest direction has the "
                        "largest singular value.",
                        lambda X, lam: 1 / (np.linalg.norm(X) ** 2 + lam)),
    "bound_no_lam": ("The penalty adds lam to every curvature.",
                     lambda X, lam: 1 / np.linalg.norm(X, 2) ** 2),
    "bound_weakest": ("The fastest direction sets the bound, not the slowest.",
                      lambda X, lam: 1 / (np.linalg.svd(X, compute_uv=False)[-1] ** 2 + lam)),
    "bound_mean": ("The strongest direction alone sets the bound, not the mean of all powers.",
                   lambda X, lam: 1 / (np.mean(np.linalg.svd(X, compute_uv=False) ** 2) + lam)),
    "best_step": ("This step balances the strongest and the weakest direction; descent converges "
                  "with larger ones too. The bound is asked for.",
                  lambda X, lam: 1 / (np.linalg.norm(X, 2) ** 2
                                      + np.linalg.norm(X, -2) ** 2 + 2 * lam)),
    "bound_sigma": ("sigma_1 must be squared.", lambda X, lam: 1 / (np.linalg.norm(X, 2) + lam)),
})


@descent.mistake("ascent", "Descent goes against the gradient.")
def purify_gd(X, lam, eta, steps, W0=None):
    W = np.zeros((len(X), len(X))) if W0 is None else W0
    history = [np.sum((X - W @ X) ** 2) + lam * np.sum(W**2)]
    for _ in range(steps):
        with np.errstate(over="ignore", invalid="ignore"):
            W = W + eta * (-2 * (X - W @ X) @ X.T + 2 * lam * W)
            history.append(np.sum((X - W @ X) ** 2) + lam * np.sum(W**2))
    return W, np.array(history)


@descent.mistake("modifies_W0", "`W -= ...` on W0 itself changes the caller's array: copy it.")
def purify_gd(X, lam, eta, steps, W0=None):
    W = np.zeros((len(X), len(X))) if W0 is None else W0
    history = [np.sum((X - W @ X) ** 2) + lam * np.sum(W**2)]
    for _ in range(steps):
        W -= eta * (-2 * (X - W @ X) @ X.T + 2 * lam * W)
        history.append(np.sum((X - W @ X) ** 2) + lam * np.sum(W**2))
    return W, np.array(history)


@descent.mistake("ignores_W0", "A given W0 is where the descent starts.")
def purify_gd(X, lam, eta, steps, W0=None):
    W = np.zeros((len(X), len(X)))
    history = [np.sum((X - W @ X) ** 2) + lam * np.sum(W**2)]
    for _ in range(steps):
        W = W - eta * (-2 * (X - W @ X) @ X.T + 2 * lam * W)
        history.append(np.sum((X - W @ X) ** 2) + lam * np.sum(W**2))
    return W, np.array(history)


@descent.mistake("starts_at_identity", "Without W0 the descent starts from zeros, not from the "
                 "identity.")
def purify_gd(X, lam, eta, steps, W0=None):
    return reference.purify_gd(X, lam, eta, steps, np.eye(len(X)) if W0 is None else W0)


@descent.mistake("stops_when_small", "Exactly `steps` steps are asked for, also where the gradient "
                 "is small already.")
def purify_gd(X, lam, eta, steps, W0=None):
    W, history = reference.purify_gd(X, lam, eta, 0, W0)
    while len(history) <= steps and np.linalg.norm(reference.purifier_grad(W, X, lam)) >= 1e-6:
        W, (_, loss) = reference.purify_gd(X, lam, eta, 1, W)
        history = [*history, loss]
    return W, history


@descent.mistake("one_step_short", "`steps` steps, and one loss more than steps.")
def purify_gd(X, lam, eta, steps, W0=None):
    W = np.zeros((len(X), len(X))) if W0 is None else W0
    history = []
    for _ in range(steps):
        history.append(np.sum((X - W @ X) ** 2) + lam * np.sum(W**2))
        W = W - eta * (-2 * (X - W @ X) @ X.T + 2 * lam * W)
    return W, np.array(history)


@descent.mistake("start_not_recorded", "The history begins with the loss at the start, before the "
                 "first step: one loss more than steps.")
def purify_gd(X, lam, eta, steps, W0=None):
    W, history = reference.purify_gd(X, lam, eta, steps, W0)
    return W, np.asarray(history)[1:]


@descent.mistake("one_step_late", "Each loss is recorded one step late: the last one belongs to "
                 "the W that is returned.")
def purify_gd(X, lam, eta, steps, W0=None):
    W, history = reference.purify_gd(X, lam, eta, steps, W0)
    return W, [history[0], *history[:-1]] if steps else history


@descent.mistake("records_recon", "The history holds the whole loss, penalty included.")
def purify_gd(X, lam, eta, steps, W0=None):
    W = np.zeros((len(X), len(X))) if W0 is None else W0
    history = [np.sum((X - W @ X) ** 2)]
    for _ in range(steps):
        W = W - eta * (-2 * (X - W @ X) @ X.T + 2 * lam * W)
        history.append(np.sum((X - W @ X) ** 2))
    return W, np.array(history)


@descent.mistake("half_steps", "The step is eta times the gradient, factor 2 included.")
def purify_gd(X, lam, eta, steps, W0=None):
    W = np.zeros((len(X), len(X))) if W0 is None else W0
    history = [np.sum((X - W @ X) ** 2) + lam * np.sum(W**2)]
    for _ in range(steps):
        W = W - eta * (-(X - W @ X) @ X.T + lam * W)
        history.append(np.sum((X - W @ X) ** 2) + lam * np.sum(W**2))
    return W, np.array(history)


@descent.variant("expanded gradient")
def purifier_grad(W, X, lam):
    gram = X @ X.T
    return 2 * (W @ (gram + lam * np.eye(len(X))) - gram)


@descent.variant("from the Gram matrix, history in a list")
def purify_gd(X, lam, eta, steps, W0=None):
    gram, m = X @ X.T, len(X)
    W = np.zeros((m, m)) if W0 is None else np.array(W0)
    history = []
    for step in range(steps + 1):
        history.append(float(np.sum((X - W @ X) ** 2) + lam * np.sum(W**2)))
        if step < steps:
            W -= 2 * eta * (W @ gram - gram + lam * W)
    return W, history


@descent.variant("bound from the largest eigenvalue")
def max_stable_step(X, lam):
    return float(1 / (np.linalg.eigvalsh(X @ X.T)[-1] + lam))
