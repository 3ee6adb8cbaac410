"""The class report: one page that says what to teach tomorrow, and what a human should look at.

The words and numbers are gathered here; page.html.j2 lays them out, every one of them escaped.
"""

import statistics
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from viva_examiner.files import write_whole
from viva_examiner.notebook.staff import read_notebook
from viva_examiner.report import facts, signs
from viva_examiner.report.charts import bars, histogram
from viva_examiner.report.sheets import Sheet, read_class, waiting
from viva_examiner.report.similar import similar

TOPICS = 4  # things to teach on the first screen
ROWS = 15  # of each chart and table


def write_report(course, homework: str) -> tuple[Path, list[Sheet]]:
    """Write reports/<homework>.html and return its path and the sheets it is about."""
    sheets = read_class(course, homework)
    notebook = read_notebook(course, homework)
    given = [source for _, source in notebook.order] if notebook else []
    given += list(notebook.cleared.values()) if notebook else []
    page = render(homework, sheets, given, waiting(course, homework, sheets))
    path = course.root / "reports" / f"{homework}.html"
    write_whole(path, page)
    return path, sheets


def render(homework: str, sheets: list[Sheet], given: list[str], absent: list[str]) -> str:
    """The page. `given`: the staff's own cells; `absent`: handed in but not autograded."""
    layout = Environment(loader=PackageLoader("viva_examiner.report", "."), autoescape=True,
                         undefined=StrictUndefined)
    layout.globals.update(students=_students, points=_points)
    return layout.get_template("page.html.j2").render(
        title=f"{homework.replace('_', ' ')}: class report", key=_key(sheets, absent),
        topics=_topics(sheets), **_marks(sheets), **_mistakes(sheets), **_telling(sheets),
        **_cells(sheets), **_look(sheets, given)) + "\n"


def _key(sheets: list[Sheet], absent: list[str]) -> list[tuple]:
    scores, top = _scores(sheets)
    numbers = [(len(sheets), "submissions"),
               (f"{_points(_median(scores))} / {_points(top)}", "median points"),
               (sum(score == top for score in scores), "with full marks"),
               (sum(bool(sheet.remarks) for sheet in sheets), "with remarks"),
               (sum(sheet.status != "graded" for sheet in sheets), "not graded or unreadable")]
    return numbers + ([(len(absent), "not autograded yet")] if absent else [])


def _topics(sheets: list[Sheet]) -> list[dict]:
    """What cost most: known mistakes, losses without a known cause, exercises left empty."""
    topics = []
    for each in facts.misunderstandings(sheets):
        topics.append((len(each.students), each.lost, {
            "name": "", "what": each.hint, "who": _students(each.students),
            "exercise": each.exercise, "why": f", {_points(each.lost)} points lost"}))
    dearest = {loss.exercise: loss for loss in reversed(facts.unexplained(sheets))}
    for loss in dearest.values():  # a known cause can be taught, an unknown one must be found first
        why = f", {_points(loss.lost)} points lost; no known mistake explains it"
        topics.append((len(loss.students) / 2, loss.lost, {
            "name": "", "what": _says(loss), "who": _students(loss.students),
            "exercise": loss.exercise, "why": why}))
    for exercise, count in facts.untouched(sheets).items():
        if 3 * count >= len(sheets):
            topics.append((count, 0.0, {
                "name": exercise, "what": "was not written by many", "exercise": "", "why": "",
                "who": f"{count} of {len(sheets)} students left it empty"}))
    topics.sort(key=lambda topic: topic[:2], reverse=True)
    return [topic for *_, topic in topics[:TOPICS]]


def _marks(sheets: list[Sheet]) -> dict:
    finals = [sheet.final for sheet in sheets if sheet.final is not None]
    rows = [(f"{loss.exercise}: {loss.item}", loss.lost,
             f"{_points(loss.lost)} points, {_students(loss.students)}")
            for loss in facts.losses(sheets)[:ROWS]]
    return {
        "histogram": Markup(histogram(*_scores(sheets))),
        "finals": finals and {"median": _points(_median(finals)), "least": _points(min(finals)),
                              "most": _points(max(finals))},
        "losses": Markup(bars(rows, "points lost by the whole class")),
    }


def _mistakes(sheets: list[Sheet]) -> dict:
    return {
        "misunderstandings": facts.misunderstandings(sheets)[:ROWS],
        "unexplained": [(loss.exercise, loss.item, len(loss.students), _points(loss.lost),
                         _usual(loss)) for loss in facts.unexplained(sheets)[:ROWS]],
    }


def _telling(sheets: list[Sheet]) -> dict:
    found = facts.discrimination(sheets)
    rows = [(d.exercise, f"{100 * d.mean:.0f}%",
             "" if d.correlation is None else f"{d.correlation:+.2f}", d.verdict) for d in found]
    chart = bars([(d.exercise, max(d.correlation, 0), f"{d.correlation:+.2f}") for d in found
                  if d.correlation is not None], "correlation with the rest of the marks", 1.0)
    return {"telling": rows, "telling_chart": Markup(chart)}


def _cells(sheets: list[Sheet]) -> dict:
    slow = [(cell, f"{median:.1f} s", f"{longest:.1f} s", count)
            for cell, median, longest, count in facts.slow_cells(sheets)[:ROWS]]
    return {"slow": slow, "slow_seconds": facts.SLOW_SECONDS,
            "failing": facts.failing_cells(sheets)[:ROWS]}


def _look(sheets: list[Sheet], given: list[str]) -> dict:
    handed_in = {sheet.student: {c.grade_id: c.source for c in sheet.cells if c.solution}
                 for sheet in sheets}
    return {
        "attempts": signs.attempts(sheets, given), "noted": signs.noted(sheets),
        "log_mismatches": signs.log_mismatches(sheets),
        "alike": [(pair.one, pair.other, f"{100 * pair.share:.0f}%", ", ".join(pair.cells))
                  for pair in similar(handed_in, given)[:ROWS]],
    }


def _scores(sheets: list[Sheet]) -> tuple[list[float], float]:
    """The scores of those who were graded, and the points there are."""
    return ([sheet.score for sheet in sheets if sheet.status == "graded"],
            max((sheet.points for sheet in sheets), default=0.0))


def _students(names: list[str]) -> str:
    return f"{len(names)} student{'s' if len(names) != 1 else ''}"


def _points(number: float) -> str:
    return f"{number:g}"


def _usual(loss: facts.Loss) -> str:
    return max(loss.messages, key=loss.messages.count)[:160]


def _says(loss: facts.Loss) -> str:
    """The item's own sentence, without what happened in one submission."""
    return _usual(loss).split(" (")[0]


def _median(values: list[float]) -> float:
    return statistics.median(values) if values else 0.0
