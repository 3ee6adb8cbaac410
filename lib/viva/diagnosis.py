"""Recognise a known mistake from the outputs it gives."""

from viva.case import Answer, Case
from viva.compare import difference


def agrees(case: Case, answer: Answer, record: dict) -> bool:
    """Whether an answer is the recorded one, up to the case's tolerance."""
    if answer.error is not None:
        return record.get("raised") == type(answer.error).__name__
    if "value" not in record:
        return False
    # A mistake keeps its values, rarely its dtype: float32 students make it too.
    return difference(answer.value, record["value"], case.rtol, case.atol, case.dtype) is None


def recognise(cases: list[Case], answers: list[Answer], expected: dict, mistakes: dict) -> str:
    """The slug of the one known mistake that gives these answers on every case, or "".

    expected: {case name: record} of the reference
    mistakes: {slug: {"cases": {case name: record where it differs from expected}}}

    A cause is named only when it is proven: every answer is the mistake's, at least one wrong
    value among them (a mere crash proves nothing), and no other mistake fits as well.
    """
    by_name = dict(zip((case.name for case in cases), answers, strict=True))
    fitting = []
    for slug, mistake in mistakes.items():
        wrong = mistake["cases"]
        proof = any("value" in record for record in wrong.values())
        if proof and all(
            agrees(case, by_name[case.name], wrong.get(case.name, expected[case.name]))
            for case in cases
        ):
            fitting.append(slug)
    return fitting[0] if len(fitting) == 1 else ""
