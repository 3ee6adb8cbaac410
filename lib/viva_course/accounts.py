"""What was asked and what was answered, item by item: for whoever must explain a mark.

Off until a grader calls `witness`: to note every call takes copies. An account holds secret inputs
and right answers, so it is for staff; what a student may be shown is `public_account`.
"""

import contextlib

import numpy as np

from viva import case as cases
from viva import seam
from viva.checking import judge
from viva.compare import difference
from viva.examples import Call

LONG = 700  # characters of one value
SEVERAL = 20  # parts of one value
CALLS = 50  # of one question
LARGE = 4 << 20  # bytes of a call that is not kept: nobody reads it, and many would fill the memory
NOTHING = "nothing: it returned None, or ended before it could return"
RTOL, ATOL = 1e-9, 1e-10  # as in Exam.same
_on: list[bool] = []


def witness() -> None:
    """Note from now on what every question asks, and what comes back."""
    _on[:] = [True]


def notes() -> list[Call] | None:
    """A list for the calls of one question; None where nobody wants them."""
    return [] if _on else None


def noting(calls: list[Call] | None):
    """What `viva.case.watch` calls after every call of a candidate."""
    def note(*call) -> None:
        if len(calls) < CALLS and size_of(call) < LARGE:
            calls.append(Call(*call))

    return None if calls is None else note


def size_of(value) -> int:
    """About how many bytes a value holds."""
    if isinstance(value, dict):
        return sum(map(size_of, value.values())) + 64 * len(value)
    if isinstance(value, tuple | list):
        return sum(map(size_of, value)) + 64 * len(value)
    return getattr(value, "nbytes", 0) or (len(value) if isinstance(value, str | bytes) else 64)


def account(exercise, calls: list[Call], case: str = "", pair: tuple = ()) -> dict:
    """The first call with a wrong answer, as texts: the call, the answer, the reference's answer.

    pair: what was compared and found different, if it is known: (answer, right answer)
    """
    texts = {"case": case, "call": "", "answer": "", "expected": ""}
    found = [(call, right) for call in calls if (right := _right(exercise, call)) is not None]
    wrong = [each for each in found if _differs(each[0].output, each[1].output)]
    if chosen := next(iter(wrong or found[-1:]), None):
        call, right = chosen
        nothing = call.output is None and right.output is not None
        texts |= {"call": call_text(call), "answer": NOTHING if nothing else text(call.output),
                 "expected": text(right.output)}
    if pair and not wrong:
        texts |= {"answer": text(pair[0]), "expected": text(pair[1])}
    return texts


def account_of_error(exercise, calls: list[Call] | None, error: Exception) -> dict | None:
    """The account of a question that ended with an exception; None where nobody wants one."""
    if calls is None or isinstance(error, NotImplementedError):
        return None
    if isinstance(error, AssertionError):  # the question's own words; its answers were values
        return account(exercise, calls)
    return account(exercise, calls[-1:]) | {"answer": f"raised {text(error)}"}


def account_of_case(exercise, case: cases.Case, candidates, secret: str, pair: tuple) -> dict:
    """The account of a case that failed. It is asked once more, to see the calls that it makes."""
    calls: list[Call] = []
    case.run(candidates, "exam", secret, noting=noting(calls))
    if isinstance(pair[0], Exception):
        return account(exercise, calls[-1:], case.title) | {"answer": f"raised {text(pair[0])}"}
    return account(exercise, calls, case.title, pair)


def public_account(exercise: str, candidates) -> dict:
    """What the public check says, as rows of (label, text), and whether it notices a fault.

    Nothing of it is secret; empty where no account is asked for.
    """
    if not _on:
        return {}
    try:
        verdict = judge(exercise, *candidates)
    except Exception as error:
        if seam.is_engine_error(error):
            raise
        return {}
    rows = (["the public check says", verdict.headline], *map(list, verdict.rows))
    return {"public": rows, "noticed": not verdict.passed}


def text(value) -> str:
    """A value as words of bounded length: kind, shape and some of its entries."""
    if isinstance(value, Exception):
        shown = f"{type(value).__name__}: {value}"
    elif hasattr(value, "detach"):
        shown = f"{_kind(value)} {text(value.detach().cpu().numpy()).partition(' ')[2]}"
    elif isinstance(value, np.ndarray):
        entries = np.array2string(value, precision=6, threshold=24, edgeitems=3, separator=", ")
        shown = f"{_kind(value)} {' '.join(entries.split())}"
    elif isinstance(value, tuple | list):
        shown = "(" + ", ".join(map(text, value[:SEVERAL])) + (", …)" if value[SEVERAL:] else ")")
    elif isinstance(value, dict):
        rows = list(value.items())[:SEVERAL]
        shown = "{" + ", ".join(f"{key!r}: {text(each)}" for key, each in rows) + "}"
    else:
        shown = repr(value)
    return shown if len(shown) <= LONG else f"{shown[:LONG].rpartition(' ')[0] or shown[:LONG]} …"


def call_text(call: Call) -> str:
    """A call with its arguments, one a line."""
    rows = [*map(text, call.args), *(f"{name}={text(each)}" for name, each in call.kwargs.items())]
    return "\n".join([f"{call.name}(", *(f"    {row}," for row in rows), ")"])


def _kind(value) -> str:
    shape = "x".join(map(str, value.shape)) or "scalar"
    return f"{str(value.dtype).removeprefix('torch.')}[{shape}]"


def _right(exercise, call: Call) -> Call | None:
    """The same call, answered by the reference; None where it is no function of the exercise."""
    right = dict(zip(exercise.candidates, exercise.reference, strict=True)).get(call.name)
    if right is None or isinstance(right, type):
        return None
    output = None
    with contextlib.suppress(RecursionError):
        try:
            output = cases.watch(right)(*call.args, **call.kwargs)
        except Exception as error:
            output = error
    return Call(call.name, call.args, call.kwargs, output)


def _differs(answer, right) -> bool:
    if isinstance(right, Exception):
        return answer is not None  # a call that raised has no output
    try:
        return difference(answer, right, RTOL, ATOL) is not None
    except Exception:  # an answer that cannot even be compared
        return True
