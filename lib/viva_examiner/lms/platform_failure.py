"""What can go wrong between us and a platform, as sentences for staff.

No message quotes an answer's body: platforms repeat there whom a grade was for.
"""

from viva_examiner.failure import Failure


class LmsFailure(Failure):
    """The platform cannot be used for this; the message says why and what to do."""


class Unreachable(LmsFailure):
    """Nobody answers, or not in time."""


class RequestRefused(LmsFailure):
    """One request was answered with an error. `status` is HTTP's number."""

    def __init__(self, status: int, message: str):
        super().__init__(message)
        self.status = status
