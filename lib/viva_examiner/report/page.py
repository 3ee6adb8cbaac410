"""The class report: one page that says what to teach tomorrow, and what a human should look at.

The words and numbers are gathered here; page.html.j2 lays them out, every one of them escaped.
"""

import statistics
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from viva.card import with_code
from viva_examiner.files import write_whole
from viva_examiner.notebook.staff import read_notebook
from viva_examiner.report import facts, signs
from viva_examiner.report.behind import LAB, Behind, running_lab
from viva_examiner.report.charts import histogram
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
    page = render(homework, sheets, given, waiting(course, homework, sheets),
                  running_lab(course.root))
    path = course.root / "reports" / f"{homework}.html"
    write_whole(path, page)
    return path, sheets


def render(homework: str, sheets: list[Sheet], given: list[str], absent: list[str],
           lab: str = LAB) -> str:
    """The page. `given`: the staff's own cells; `absent`: handed in but not autograded."""
    layout = Environment(loader=PackageLoader("viva_examiner.report", "."), autoescape=True,
                         undefined=StrictUndefined)
    layout.filters["with_code"] = lambda words: Markup(with_code(words))
    layout.globals.update(points=_points)
    behind = Behind(homework, lab, {sheet.student: sheet.page for sheet in sheets if sheet.page})
    return layout.get_template("page.html.j2").render(
        title=f"{homework.replace('_', ' ')}: class report", key=_key(sheets, absent, behind),
        topics=_topics(sheets, behind), **_marks(sheets, behind), **_mistakes(sheets, behind),
        **_telling(sheets, behind), **_cells(sheets, behind), **_look(sheets, given, behind),
        lists=behind.all, short=ROWS) + "\n"


def _key(sheets: list[Sheet], absent: list[str], behind: Behind) -> list[tuple]:
    marks, top = _marks_of(sheets)
    everybody = [sheet.student for sheet in sheets]
    median = f"{_points(_median(marks.values()))} / {_points(top)}"
    numbers = [
        (len(sheets), "submissions", everybody), (median, "median points", list(marks)),
        *((len(names), label, names) for label, names in (
            ("with full marks", [name for name, mark in marks.items() if mark == top]),
            ("with remarks", [sheet.student for sheet in sheets if sheet.remarks]),
            ("not graded or unreadable",
             [sheet.student for sheet in sheets if sheet.status != "graded"]))),
        *([(len(absent), "not autograded yet", absent)] if absent else [])]
    return [(behind.number(words, names, label), label) for words, label, names in numbers]


def _topics(sheets: list[Sheet], behind: Behind) -> list[dict]:
    """What cost most: known mistakes, losses without a known cause, exercises left empty."""
    topics = []
    for each in facts.misunderstandings(sheets):
        topics.append((facts.weight(each), {"what": each.hint, "loss": each, "why": ""}))
    heaviest = {loss.exercise: loss for loss in reversed(facts.unexplained(sheets))}
    for loss in heaviest.values():
        topics.append((facts.weight(loss), {"what": _says(loss), "loss": loss,
                                            "why": "; no known mistake explains it"}))
    for loss in facts.untouched(sheets).values():
        if 3 * len(loss.students) >= len(sheets):
            topics.append((facts.weight(loss), {
                "what": "Many did not write it.", "loss": loss,
                "why": f"; {len(loss.students)} of {len(sheets)} students left it empty"}))
    topics.sort(key=lambda topic: topic[0], reverse=True)
    for _, topic in topics:
        loss = topic["loss"]
        topic["who"] = behind.number(_students(loss.students), loss.students, topic["what"])
    return [topic for _, topic in topics[:TOPICS]]


def _marks(sheets: list[Sheet], behind: Behind) -> dict:
    finals = {sheet.student: sheet.final for sheet in sheets if sheet.final is not None}
    losses = facts.losses(sheets)[:ROWS]
    most = max((loss.lost for loss in losses), default=0.0)
    return {
        "histogram": Markup(histogram(*_marks_of(sheets), behind.address)),
        "finals": finals and {
            "count": behind.number(_students(finals), list(finals), "with a final mark"),
            "median": _points(_median(finals.values())), "least": _points(min(finals.values())),
            "most": _points(max(finals.values()))},
        "losses": [(f"{loss.exercise}: {loss.item}", 100 * loss.lost / most, _points(loss.lost),
                    behind.number(len(loss.students), loss.students,
                                  f"{loss.exercise}: {loss.item}")) for loss in losses],
    }


def _mistakes(sheets: list[Sheet], behind: Behind) -> dict:
    return {
        "misunderstandings": [
            {"what": each, "who": behind.number(_students(each.students), each.students, each.hint)}
            for each in facts.misunderstandings(sheets)[:ROWS]],
        "unexplained": [
            (loss.exercise, loss.item,
             behind.number(len(loss.students), loss.students, f"{loss.exercise}: {loss.item}"),
             _points(loss.lost), _usual(loss)) for loss in facts.unexplained(sheets)[:ROWS]],
    }


def _telling(sheets: list[Sheet], behind: Behind) -> dict:
    return {"telling": [
        (each.exercise, behind.number(f"{100 * each.mean:.0f}%", each.below,
                                      f"{each.exercise}: below full marks"),
         "" if each.correlation is None else f"{each.correlation:+.2f}",
         100 * max(each.correlation or 0.0, 0.0), each.verdict)
        for each in facts.discrimination(sheets)]}


def _cells(sheets: list[Sheet], behind: Behind) -> dict:
    slow = [(cell, f"{median:.1f} s", f"{longest:.1f} s",
             behind.number(len(names), names, f"{cell} is slow"))
            for cell, median, longest, names in facts.slow_cells(sheets)[:ROWS]]
    failing = [(cell, error, behind.number(len(names), names, f"{cell}: {error}"))
               for cell, error, names in facts.failing_cells(sheets)[:ROWS]]
    return {"slow": slow, "slow_seconds": facts.SLOW_SECONDS, "failing": failing}


def _look(sheets: list[Sheet], given: list[str], behind: Behind) -> dict:
    handed_in = {sheet.student: {c.grade_id: c.source for c in sheet.cells if c.solution}
                 for sheet in sheets}
    linked = lambda rows: [(behind.student(name), *rest) for name, *rest in rows]
    return {
        "attempts": linked(signs.attempts(sheets, given)), "noted": linked(signs.noted(sheets)),
        "log_mismatches": linked(signs.log_mismatches(sheets)),
        "alike": [(behind.student(pair.one), behind.student(pair.other),
                   f"{100 * pair.share:.0f}%", ", ".join(pair.cells))
                  for pair in similar(handed_in, given)[:ROWS]],
    }


def _marks_of(sheets: list[Sheet]) -> tuple[dict[str, float], float]:
    """The marks of those who were graded, and the points there are."""
    return ({sheet.student: sheet.score for sheet in sheets if sheet.status == "graded"},
            max((sheet.points for sheet in sheets), default=0.0))


def _students(names) -> str:
    return f"{len(names)} student{'s' if len(names) != 1 else ''}"


def _points(number: float) -> str:
    return f"{number:g}"


def _usual(loss: facts.Loss) -> str:
    return max(loss.messages, key=loss.messages.count)[:160]


def _says(loss: facts.Loss) -> str:
    """The item's own sentence, without what happened in one submission."""
    return _usual(loss).split(" (")[0]


def _median(values) -> float:
    return statistics.median(values) if values else 0.0
