"""The class report: one page that says what to teach tomorrow, and what a human should look at.

The words and numbers are gathered here; page.html.j2 lays them out, every one of them escaped.
"""

import inspect
import json
import statistics
import textwrap
from collections.abc import Collection, Sequence, Sized
from dataclasses import asdict
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from viva.card import with_code
from viva.whole import write_whole
from viva_examiner import looks
from viva_examiner.course import Course
from viva_examiner.gradebook.voce_results import VoceResult, explained, of_class
from viva_examiner.notebook.staff import read_notebook
from viva_examiner.report import facts, signs
from viva_examiner.report.charts import histogram
from viva_examiner.report.sheets import Sheet, read_class, waiting
from viva_examiner.report.similar import SimilarPair, similar, stretches
from viva_examiner.report.student_links import LAB, DeskLinks, StudentLinks, running_lab

TOPICS = 4  # things to teach on the first screen
ROWS = 15  # of each chart and table
PAIRS = 200  # of similar submissions that the desk lists


def write_report(course: Course, homework: str) -> tuple[Path, list[Sheet]]:
    """Write reports/<homework>.html and return its path and the sheets it is about.

    Beside it lies what the desk shows: the same report with links into the desk, and who is alike.
    """
    sheets = read_class(course, homework)
    given, absent = given_to_all(course, homework), waiting(course, homework, sheets)
    path = course.root / "reports" / f"{homework}.html"
    pairs = similar(_solutions(sheets), given)[:PAIRS]
    heard = of_class(course, homework)
    write_whole(path, render(homework, sheets, given, absent, running_lab(course.root), pairs,
                             heard))
    write_whole(for_desk(course, homework), _filled("body.html.j2", homework, sheets, given, absent,
                                                    DeskLinks(homework), pairs, heard))
    known = sorted(set().union(*(stretches(source) for source in given)))
    write_whole(who_is_alike(course, homework), json.dumps(
        {"pairs": [asdict(pair) for pair in pairs], "known": known}))
    return path, sheets


def for_desk(course: Course, homework: str) -> Path:
    """Where the report lies that the desk shows."""
    return course.root / "reports" / f".{homework}.desk.html"


def who_is_alike(course: Course, homework: str) -> Path:
    """Where the pairs of similar submissions lie, with the hashes of what everybody was given."""
    return course.root / "reports" / f".{homework}.alike.json"


def given_to_all(course: Course, homework: str) -> list[str]:
    """Sources that everybody has or may arrive at: released cells, solutions, accepted variants."""
    notebook = read_notebook(course, homework)
    given = [source for _, source in notebook.order] if notebook else []
    given += list(notebook.cleared.values()) if notebook else []
    exercises = course.library.exercises(homework) if course.library else {}
    for exercise in exercises.values():
        for variant in exercise.variants:
            given += [source for each in variant.candidates if (source := _source(each))]
    return given


def _source(candidate: Any) -> str:
    try:
        return textwrap.dedent(inspect.getsource(candidate))
    except (OSError, TypeError):  # made by code, or by a C library
        return ""


def _solutions(sheets: list[Sheet]) -> dict[str, dict[str, str]]:
    return {sheet.student: {c.grade_id: c.source for c in sheet.cells if c.solution}
            for sheet in sheets}


def render(homework: str, sheets: list[Sheet], given: list[str], absent: list[str],
           lab: str = LAB, pairs: list[SimilarPair] | None = None,
           heard: Sequence[VoceResult] = ()) -> str:
    """The page. `given`: the staff's own cells; `absent`: handed in but not autograded.

    pairs: who is alike, if that has been found out; heard: what came of the viva voce
    """
    pages = {sheet.student: sheet.page for sheet in sheets if sheet.page}
    links = StudentLinks(homework, lab, pages)
    pairs = similar(_solutions(sheets), given) if pairs is None else pairs
    return _filled("page.html.j2", homework, sheets, given, absent, links, pairs, heard)


def _filled(template: str, homework: str, sheets: list[Sheet], given: list[str],
            absent: list[str], links: StudentLinks, pairs: list[SimilarPair],
            heard: Sequence[VoceResult]) -> str:
    layout = Environment(loader=PackageLoader("viva_examiner.report", "."), autoescape=True,
                         undefined=StrictUndefined)
    layout.filters["with_code"] = lambda words: Markup(with_code(words))
    layout.globals.update(points=_points, style=Markup(looks.sheet()))
    return layout.get_template(template).render(
        title=f"{homework.replace('_', ' ')}: class report", key=_key(sheets, absent, links),
        topics=_topics(sheets, links), **_marks(sheets, links), **_mistakes(sheets, links),
        **_discrimination(sheets, links), **_explained(heard, links), **_cells(sheets, links),
        **_look(sheets, given, links, pairs),
        lists=links.all, leads=links.leads, short=ROWS) + "\n"


def _key(sheets: list[Sheet], absent: list[str], links: StudentLinks) -> list[tuple]:
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
    return [(links.number(words, names, label), label) for words, label, names in numbers]


def _topics(sheets: list[Sheet], links: StudentLinks) -> list[dict]:
    """What cost most: known mistakes, losses without a known cause, exercises left empty."""
    topics: list[tuple[float, dict[str, Any]]] = []
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
        students = topic["loss"].students
        topic["who"] = links.number(_students(students), students, topic["what"])
    return [topic for _, topic in topics[:TOPICS]]


def _marks(sheets: list[Sheet], links: StudentLinks) -> dict:
    finals = {sheet.student: sheet.final for sheet in sheets if sheet.final is not None}
    losses = facts.losses(sheets)[:ROWS]
    most = max((loss.lost for loss in losses), default=0.0)
    return {
        "histogram": Markup(histogram(*_marks_of(sheets), links.address)),
        "finals": finals and {
            "count": links.number(_students(finals), list(finals), "with a final mark"),
            "median": _points(_median(finals.values())), "least": _points(min(finals.values())),
            "most": _points(max(finals.values()))},
        "losses": [(f"{loss.exercise}: {loss.item}", 100 * loss.lost / most, _points(loss.lost),
                    links.number(len(loss.students), loss.students,
                                  f"{loss.exercise}: {loss.item}")) for loss in losses],
    }


def _mistakes(sheets: list[Sheet], links: StudentLinks) -> dict:
    return {
        "misunderstandings": [
            {"what": each, "who": links.number(_students(each.students), each.students, each.hint)}
            for each in facts.misunderstandings(sheets)[:ROWS]],
        "unexplained": [
            (loss.exercise, loss.item,
             links.number(len(loss.students), loss.students, f"{loss.exercise}: {loss.item}"),
             _points(loss.lost), _usual(loss)) for loss in facts.unexplained(sheets)[:ROWS]],
    }


def _discrimination(sheets: list[Sheet], links: StudentLinks) -> dict:
    return {"telling": [
        (each.exercise, links.number(f"{100 * each.mean:.0f}%", each.below,
                                      f"{each.exercise}: below full marks"),
         "" if each.correlation is None else f"{each.correlation:+.2f}",
         100 * max(each.correlation or 0.0, 0.0), each.verdict)
        for each in facts.discrimination(sheets)]}


def _explained(heard: Sequence[VoceResult], links: StudentLinks) -> dict:
    """Of the viva voce: what students have solved, and how they explained it."""
    return {"explained": [
        (each.about, each.asked, len(each.right),
         links.number(len(each.partly), list(each.partly), f"{each.about}: partly explained"),
         links.number(len(each.wrong), list(each.wrong), f"{each.about}: not explained"),
         100 * each.share) for each in explained(heard)[:ROWS]]}


def _cells(sheets: list[Sheet], links: StudentLinks) -> dict:
    slow = [(cell, f"{median:.1f} s", f"{longest:.1f} s",
             links.number(len(names), names, f"{cell} is slow"))
            for cell, median, longest, names in facts.slow_cells(sheets)[:ROWS]]
    failing = [(cell, error, links.number(len(names), names, f"{cell}: {error}"))
               for cell, error, names in facts.failing_cells(sheets)[:ROWS]]
    return {"slow": slow, "slow_seconds": facts.SLOW_SECONDS, "failing": failing}


def _look(sheets: list[Sheet], given: list[str], links: StudentLinks,
          pairs: list[SimilarPair]) -> dict:
    linked = lambda rows: [(links.student(name), *rest) for name, *rest in rows]
    return {
        "beyond": linked(signs.beyond(sheets, given)), "noted": linked(signs.noted(sheets)),
        "log_mismatches": linked(signs.log_mismatches(sheets)),
        "alike": [(links.student(pair.one), links.student(pair.other),
                   links.pair(f"{100 * pair.share:.0f}%", pair.one, pair.other),
                   ", ".join(pair.cells))
                  for pair in pairs[:ROWS]],
    }


def _marks_of(sheets: list[Sheet]) -> tuple[dict[str, float], float]:
    """The marks of those who were graded, and the points there are."""
    return ({sheet.student: sheet.score for sheet in sheets if sheet.status == "graded"},
            max((sheet.points for sheet in sheets), default=0.0))


def _students(names: Sized) -> str:
    return f"{len(names)} student{'s' if len(names) != 1 else ''}"


def _points(number: float) -> str:
    return f"{number:g}"


def _usual(loss: facts.ItemLoss) -> str:
    return max(loss.messages, key=loss.messages.count)[:160]


def _says(loss: facts.ItemLoss) -> str:
    """The item's own sentence, without what happened in one submission."""
    return _usual(loss).split(" (")[0]


def _median(values: Collection[float]) -> float:
    return statistics.median(values) if values else 0.0
