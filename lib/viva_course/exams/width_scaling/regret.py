"""Exam of `transfer_regret`."""

import numpy as np

from viva.cases.width_scaling.regret import measured
from viva_course.reference import width_scaling as reference
from viva_course.rubric import Exercise

regret = Exercise("transfer_regret", "(widths,): loss at the transferred rate minus the best loss "
                  "of each width")

regret.values(3, "The loss at the tuned width's best rate, minus the best of each row.",
              only=("by_hand", "tuned_elsewhere", "equal_losses"))
regret.values(1, "Runs that diverged never win, and cost infinity where they are chosen.",
              only=("with_divergence", "minus_infinity"), name="divergence")


@regret.item(0.5, "A width at which every rate diverged raises ValueError.")
def refused(exam, transfer_regret):
    losses = measured(exam.rng)  # one that always raises earns nothing
    exam.same(transfer_regret(losses, 1), reference.transfer_regret(losses, 1))
    for wrong in (np.nan, np.inf):
        broken = losses.copy()
        broken[2] = wrong
        exam.raises(ValueError, transfer_regret, broken)


regret.unmodified(0.5, "losses must stay as they were.")


def _finite(losses):
    losses = np.asarray(losses, float)
    reference.transfer_regret(losses)
    return np.where(np.isfinite(losses), losses, np.inf)


regret.mistakes_of(transfer_regret={
    "own_best": ("Every width is given the tuned width's rate, not its own best.",
                 lambda losses, tuned=0: np.zeros(len(_finite(losses)))),
    "tuned_ignored": ("`tuned` says which row chose the rate.",
                      lambda losses, tuned=0: reference.transfer_regret(losses)),
    "against_the_table": (
        "Take each width's own lowest loss away, not the lowest of the whole table.",
        lambda losses, tuned=0: (reference.transfer_regret(losses, tuned)
                                 + _finite(losses).min(axis=1) - _finite(losses).min())),
    "sign": ("A regret is the loss given away: it is never negative.",
             lambda losses, tuned=0: -reference.transfer_regret(losses, tuned)),
})


@regret.mistake("loss_not_regret", "Take each width's own best loss away.")
def transfer_regret(losses, tuned=0):
    losses = _finite(losses)
    return losses[:, np.argmin(losses[tuned])]


@regret.mistake("compared_with_tuned", "Compare with the best of the same width, not with that of "
                "the tuned one.")
def transfer_regret(losses, tuned=0):
    losses = _finite(losses)
    return losses[:, np.argmin(losses[tuned])] - losses[tuned].min()


@regret.mistake("minus_infinity_wins", "Minus infinity is no loss either: everything that is not "
                "finite means diverged.")
def transfer_regret(losses, tuned=0):
    losses = np.asarray(losses, float)
    if not (losses == -np.inf).any():
        return reference.transfer_regret(losses, tuned)
    losses = np.where(np.isnan(losses), np.inf, losses)
    with np.errstate(invalid="ignore"):
        return losses[:, np.argmin(losses[tuned])] - losses.min(axis=1)


def _regrets(losses, chosen):
    """The regrets at the column that chosen(finite losses) picks."""
    losses = _finite(losses)
    return losses[:, chosen(losses)] - losses.min(axis=1)


NOT_THE_TABLE = "The row `tuned` chooses the rate, not the lowest loss of the whole table."
regret.mistakes_of(transfer_regret={
    "last_of_equals": ("Of equal losses the first chooses the rate.",
                       lambda losses, tuned=0: _regrets(
                           losses, lambda finite: -1 - np.argmin(finite[tuned][::-1]))),
    "lowest_of_all": (NOT_THE_TABLE, lambda losses, tuned=0: _regrets(
        losses, lambda finite: np.argmin(finite.min(axis=0)))),
    "first_lowest_of_all": (NOT_THE_TABLE, lambda losses, tuned=0: _regrets(
        losses, lambda finite: np.argmin(finite) % finite.shape[1])),
})


@regret.mistake("relative", "The difference is asked for, not the quotient.")
def transfer_regret(losses, tuned=0):
    losses = _finite(losses)
    return losses[:, np.argmin(losses[tuned])] / losses.min(axis=1) - 1


@regret.mistake("wrong_axis", "Rows are widths, columns are rates.")
def transfer_regret(losses, tuned=0):
    losses = np.asarray(losses, float)
    return reference.transfer_regret(losses.T, min(tuned, losses.shape[1] - 1))


@regret.mistake("nan_kept", "NaN means diverged: it never wins, and it costs infinity.")
def transfer_regret(losses, tuned=0):
    losses = np.asarray(losses, float)
    if not np.isfinite(losses).any(axis=1).all():
        raise ValueError
    return losses[:, np.argmin(losses[tuned])] - losses.min(axis=1)


@regret.mistake("nan_for_divergence", "A transferred rate that diverges costs infinity, not NaN.")
def transfer_regret(losses, tuned=0):
    found = reference.transfer_regret(losses, tuned)
    return np.where(np.isinf(found), np.nan, found)


@regret.mistake("no_refusal", "A width without any finite loss has no best: raise ValueError.")
def transfer_regret(losses, tuned=0):
    losses = np.where(np.isfinite(losses), losses, np.inf)
    with np.errstate(invalid="ignore"):
        return losses[:, np.argmin(losses[tuned])] - losses.min(axis=1)


@regret.mistake("in_place", "losses belongs to the caller: replace NaN in a new array.")
def transfer_regret(losses, tuned=0):
    answer = reference.transfer_regret(losses, tuned)
    losses[~np.isfinite(losses)] = np.inf
    losses -= 1
    return answer


@regret.variant("loops and nanmin")
def transfer_regret(losses, tuned=0):
    clean = [[value if np.isfinite(value) else float("inf") for value in row] for row in losses]
    if any(min(row) == float("inf") for row in clean):
        raise ValueError("diverged")
    chosen = clean[tuned].index(min(clean[tuned]))
    return np.array([row[chosen] - min(row) for row in clean])
