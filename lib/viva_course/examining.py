"""`examine`: the one call of a hidden test cell. Asks, shows the table, gives points."""

import html

from viva import seam
from viva.card import with_code
from viva_course.declared import exercise_named
from viva_course.parts import Report
from viva_course.secret import course_secret

CELL = "style='text-align:left;padding:1px 10px 1px 0'"
NOT_TAMPER_PROOF = "Examined in the student's own process: this mark is not tamper-proof."


def examine(exercise: str, *candidates) -> float:
    """Points earned of the exercise's points, with a table of the rubric items shown.

    Inside the examiner the candidates are proxies of functions in a sandbox. Anywhere else they
    are the functions themselves, and the table says that the mark is not tamper-proof.
    """
    report = exercise_named(exercise).examine(candidates, course_secret())
    remote = all(map(seam.is_remote, candidates))
    note = "" if remote else NOT_TAMPER_PROOF
    _show(report, note)
    return report.score


def rubric_json(report: Report, note: str = "") -> dict:
    """The report as JSON, for feedback, the class report and Gradescope.

    An item's "account" is there only while marks are explained: it holds what is secret.
    """
    items = [{"name": o.item, "points": o.points, "earned": o.earned, "message": o.message,
              "kind": o.kind} | ({"account": o.account} if o.account else {})
             for o in report.outcomes]
    return {
        "exercise": report.exercise,
        "homework": report.homework,
        "score": report.score,
        "points": report.points,
        "mistake": report.mistake,
        "hint": report.hint,
        "note": note,
        "items": items,
        "leaderboard": report.leaderboard,
    } | ({"public": list(report.public), "noticed": report.noticed} if report.public else {})


def rubric_text(report: Report, note: str = "") -> str:
    """The report as a table for a terminal."""
    width = max(len(outcome.item) for outcome in report.outcomes)
    lines = [f"{report.exercise}: {report.score:g} of {report.points:g} points"]
    for o in report.outcomes:
        sign = "✓" if o.passed else "✗"
        lines.append(f"  {sign} {o.item:<{width}}  {o.earned:g}/{o.points:g}  {o.message}".rstrip())
    if report.hint:
        lines.append(f"  usual cause: {report.hint}")
    return "\n".join([*lines, *([f"  {note}"] if note else [])])


def rubric_html(report: Report, note: str = "") -> str:
    """The report as a table for formgrader and feedback."""
    rows = "".join(
        f"<tr><td {CELL}>{'✓' if o.passed else '✗'}</td><td {CELL}>{html.escape(o.item)}</td>"
        f"<td {CELL}>{o.earned:g}&nbsp;/&nbsp;{o.points:g}</td>"
        f"<td {CELL}>{with_code(o.message)}</td></tr>"
        for o in report.outcomes
    )
    hint = f"<p><b>Usual cause:</b> {with_code(report.hint)}</p>" if report.hint else ""
    note = f"<p><i>{html.escape(note)}</i></p>" if note else ""
    title = f"{html.escape(report.exercise)}: {report.score:g} of {report.points:g} points"
    return (
        f"<div class='viva-rubric'><b>{title}</b><table><thead><tr><th {CELL}></th>"
        f"<th {CELL}>question</th><th {CELL}>points</th><th {CELL}>what happened</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
        f"{hint}{note}</div>"
    )


def _show(report: Report, note: str) -> None:
    from IPython.display import display

    data = {
        "text/plain": rubric_text(report, note),
        "text/html": rubric_html(report, note),
        seam.RUBRIC_MIME: rubric_json(report, note),
    }
    display(data, raw=True)
