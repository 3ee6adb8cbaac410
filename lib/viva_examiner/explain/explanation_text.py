"""An explanation as plain data: all of it for staff, or what a student may see.

A student's part is put together from what the feedback shows anyway: points, the sentence of each
item, the usual cause, and the public check. No secret input, no expected answer of the exam, no
name of a catalogued mistake is ever copied into it.
"""

import textwrap

from viva_examiner.explain.examining import Explanation, Test
from viva_examiner.harmless import one_line
from viva_examiner.records import RubricItem

WIDTH = 100
REPLAY = """\
# With the course's secret, in a notebook. Paste the student's cell above this one, and read it
# before you run it: a notebook is no sandbox.
from {library} import replay

for call in replay({exercise!r}, {item!r}):
    print(call.name, globals()[call.name](*call.args, **call.kwargs), call.output, sep="\\n")"""


def for_staff(explanation: Explanation, library: str = "") -> dict:
    """Everything. library: of the course, if it can replay a question."""
    tests = [_test(test) | {
        "recorded": _recorded(test),
        "mistakes": [each.mistake for each in test.rubric if each.mistake],
        "replay": _replay(library, test),
        "items": [_item(item) | {"account": _account(item.account)}
                  for each in test.rubric for item in each.items],
    } for test in explanation.tests]
    remarks = list(map(str, explanation.remarks))
    return _about(explanation) | {"tests": tests, "remarks": remarks, "secret": True}


def for_student(explanation: Explanation) -> dict:
    """What may be sent."""
    tests = [_test(test) | {"items": [_item(item) for each in test.rubric for item in each.items]}
             for test in explanation.tests]
    return _about(explanation) | {"tests": tests, "remarks": [], "secret": False}


def _about(explanation: Explanation) -> dict:
    return {"student": explanation.student, "homework": explanation.homework,
            "score": sum(test.score or 0.0 for test in explanation.tests),
            "points": sum(test.points for test in explanation.tests)}


def _test(test: Test) -> dict:
    """What staff and student both see of a test."""
    lost = test.score is None or test.score < test.points
    public = [row for each in test.rubric for row in each.public
              if lost and row[1] != each.hint]
    return {
        "exercise": test.exercise, "score": test.score, "points": test.points,
        "reason": "" if test.rubric else test.reason,
        "hints": [each.hint for each in test.rubric if each.hint],
        "public": public,
        "noticed": any(each.noticed for each in test.rubric),
    }


def _item(item: RubricItem) -> dict:
    return {name: getattr(item, name) for name in ("name", "points", "earned", "message")}


def _account(account: dict | None) -> list[tuple[str, str]]:
    """The rows of a failed item: where it failed, what was answered, what is right."""
    if not account:
        return []
    rows = [("case", account["case"]), ("asked", account["call"]),
            ("answered", account["answer"]), ("expected", account["expected"])]
    return [(label, text) for label, text in rows if text]


def _replay(library: str, test: Test) -> str:
    """Code that asks the first question that failed once more; the others by their names."""
    failed = [item.name for each in test.rubric for item in each.items if item.message]
    if not library or not failed:
        return ""
    others = f"\n# also: {', '.join(map(repr, failed[1:]))}" if len(failed) > 1 else ""
    return REPLAY.format(library=library, exercise=test.exercise, item=failed[0]) + others


def _recorded(test: Test) -> str:
    """What the last autograding says, where that is something else."""
    if test.recorded == test.score:
        return ""
    return "not graded yet" if test.recorded is None else f"{test.recorded:g} on record"


def as_text(page: dict) -> str:
    """The page of `for_staff` or `for_student`, for a terminal."""
    lines = [f"{page['student']}, {page['homework']}: {page['score']:g} of {page['points']:g} "
             "points on the hidden tests"]
    lines += _wrapped([one_line(remark) for remark in page["remarks"]], "  note: ")
    for test in page["tests"]:
        score = "not graded" if test["score"] is None else f"{test['score']:g}"
        recorded = f" ({test['recorded']})" if test.get("recorded") else ""
        lines += ["", f"{test['exercise']}: {score} of {test['points']:g}{recorded}"]
        lines += _wrapped([one_line(test["reason"])] if test["reason"] else [], "  ")
        for item in test["items"]:
            lines += _item_lines(item)
        known = f" ({', '.join(test['mistakes'])})" if test.get("mistakes") else ""
        lines += _wrapped(test["hints"], f"  usual cause{known}: ")
        lines += [line for label, text in test["public"]
                  for line in _wrapped([one_line(text)], f"  {label}: ")]
        if test.get("replay"):
            lines += ["  to replay it:", *(f"    {row}" for row in test["replay"].splitlines())]
    return "\n".join(lines)


def _item_lines(item: dict) -> list[str]:
    sign = "✓" if item["earned"] == item["points"] else "✗"
    head = f"  {sign} {item['name']}, {item['earned']:g} of {item['points']:g}"
    lines = _wrapped([one_line(item["message"])], f"{head}: ") if item["message"] else [head]
    for label, text in item.get("account", ()):
        rows = [part for row in text.splitlines() for part in _folded(_printable(row))]
        lines += [f"      {label if number == 0 else '':<10}{row}"
                  for number, row in enumerate(rows)]
    return lines


def _folded(row: str) -> list[str]:
    """A long row on several lines, each as far to the right as the row began."""
    margin = " " * (len(row) - len(row.lstrip()))
    return textwrap.wrap(row, WIDTH - 16, subsequent_indent=f"{margin}  ", break_long_words=False,
                         break_on_hyphens=False, drop_whitespace=True) or [""]


def _printable(row: str) -> str:
    """A row as it stands, indented, without what a terminal would obey."""
    return "".join(sign if sign.isprintable() else " " for sign in row)


def _wrapped(texts: list[str], label: str) -> list[str]:
    """Lines of bounded width, the first of each text after its label."""
    indent = " " * min(len(label), 6)
    return [line for text in texts for line in textwrap.wrap(
        label + text, WIDTH, subsequent_indent=indent, break_long_words=False,
        break_on_hyphens=False)]
