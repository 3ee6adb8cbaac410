"""What can go wrong between an examiner and a candidate, and whose fault it is."""

from viva_examiner.records import Kind


class EngineError(Exception):
    """The engine failed; the candidate is not to blame and gets no mark, neither good nor bad."""

    viva_engine_error = True


class CandidateError(Exception):
    """An exception of the candidate's code that has no counterpart here, or one that ends it."""

    trace = ""


class CandidateTimeout(CandidateError):
    """A question took longer than it may."""


class CandidateDied(CandidateError):
    """The candidate's process has ended; `reason` says why, and `kind` in one word."""

    def __init__(self, reason: str, kind: Kind = Kind.LEFT):
        super().__init__(reason)
        self.reason, self.kind = reason, kind


class NotData(CandidateError, TypeError):
    """The candidate gave something that is no data where data was asked for."""


class CannotCross(TypeError):
    """A test would have to send something that is neither plain data nor a function."""


class Undecided(CannotCross):
    """An object of the candidate would have to decide about the test's own data: nobody can tell.

    Unlike what a test sends, this is in the candidate's hands.
    """


class MalformedMessage(Exception):
    """The candidate sent what is not a message. Ends the candidate; never reaches a caller."""
