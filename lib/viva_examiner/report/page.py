"""The class report: one page that says what to teach tomorrow, and what a human should look at."""

import statistics
from html import escape
from pathlib import Path

from viva_examiner.files import write_whole
from viva_examiner.notebook.staff import read_notebook
from viva_examiner.report import facts, signs
from viva_examiner.report.charts import bars, histogram
from viva_examiner.report.sheets import Sheet, read_class, waiting
from viva_examiner.report.similar import similar

TOPICS = 4  # things to teach on the first screen
ROWS = 15  # of each chart and table

STYLE = """
body { font: 16px/1.5 Georgia, 'Times New Roman', serif; color: #1a1a1a; max-width: 50rem;
       margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; margin-bottom: 0; } h2 { font-size: 1.2rem; margin-top: 2.2rem;
       border-top: 1px solid #999; padding-top: .6rem; }
.key { display: flex; gap: 2rem; flex-wrap: wrap; margin: .8rem 0 1.2rem; }
.key b { display: block; font-size: 1.5rem; line-height: 1.1; }
ol.teach li { margin-bottom: .7rem; } .why { color: #444; font-size: .92rem; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0;
       border-bottom: 1px solid #ddd; } td.n, th.n { text-align: right; }
pre { background: #f5f5f2; border: 1px solid #ddd; padding: .5rem .7rem; overflow-x: auto;
       font-size: .82rem; line-height: 1.35; white-space: pre-wrap; }
svg { max-width: 100%; height: auto; font-family: Helvetica, Arial, sans-serif; }
details { margin: .3rem 0; } code { font-size: .92em; }
@media print { body { margin: 0; max-width: none; font-size: 11pt; }
       h2, svg, tr, li { break-inside: avoid; } }
"""


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
    title = f"{homework.replace('_', ' ')}: class report"
    sections = [
        _first_screen(sheets, absent), _marks(sheets), _lost(sheets), _misunderstood(sheets),
        _telling(sheets), _cells(sheets), _look(sheets, given),
    ]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>"
        f"<h1>{escape(title)}</h1>{''.join(sections)}</body></html>\n"
    )


def _first_screen(sheets: list[Sheet], absent: list[str]) -> str:
    scores = [sheet.score for sheet in sheets if sheet.status == "graded"]
    top = max((sheet.points for sheet in sheets), default=0.0)
    numbers = [(len(sheets), "submissions"), (f"{_median(scores):g} / {top:g}", "median points"),
               (sum(s == top for s in scores), "with full marks"),
               (sum(bool(sheet.remarks) for sheet in sheets), "with remarks"),
               (sum(sheet.status != "graded" for sheet in sheets), "not graded or unreadable")]
    if absent:
        numbers.append((len(absent), "not autograded yet"))
    key = "".join(f"<div><b>{number}</b>{label}</div>" for number, label in numbers)
    return f'<div class="key">{key}</div><h2>What to teach tomorrow</h2>{_teach(sheets)}'


def _teach(sheets: list[Sheet]) -> str:
    """What cost most: known mistakes, losses without a known cause, exercises left empty."""
    topics = []
    for each in facts.misunderstandings(sheets):
        why = (f"{_students(each.students)} in <code>{escape(each.exercise)}</code>, "
               f"{each.lost:g} points lost")
        topics.append((len(each.students), each.lost, escape(each.hint), why))
    dearest = {loss.exercise: loss for loss in reversed(facts.unexplained(sheets))}
    for loss in dearest.values():
        why = (f"{_students(loss.students)} in <code>{escape(loss.exercise)}</code>, "
               f"{loss.lost:g} points lost; no known mistake explains it")
        # a known cause can be taught, an unknown one must first be found
        topics.append((len(loss.students) / 2, loss.lost, escape(_says(loss)), why))
    for exercise, count in facts.untouched(sheets).items():
        if 3 * count >= len(sheets):
            topics.append((count, 0.0, f"<code>{escape(exercise)}</code> was not written by many",
                           f"{count} of {len(sheets)} students left it empty"))
    if not topics:
        return "<p>Nothing in particular: nobody lost points for a reason that is shared.</p>"
    topics.sort(key=lambda topic: topic[:2], reverse=True)
    items = "".join(f'<li>{what}<br><span class="why">{why}</span></li>'
                    for *_, what, why in topics[:TOPICS])
    return f'<ol class="teach">{items}</ol>'


def _marks(sheets: list[Sheet]) -> str:
    scores = [sheet.score for sheet in sheets if sheet.status == "graded"]
    top = max((sheet.points for sheet in sheets), default=0.0)
    finals = [sheet.final for sheet in sheets if sheet.final is not None]
    note = (f"<p>In the gradebook, with written answers and penalties as they stand: median "
            f"{_median(finals):g}, from {min(finals):g} to {max(finals):g}.</p>" if finals else "")
    return f"<h2>Marks</h2>{histogram(scores, top)}{note}"


def _lost(sheets: list[Sheet]) -> str:
    rows = [(f"{loss.exercise}: {loss.item}", loss.lost,
             f"{loss.lost:g} points, {_students(loss.students)}")
            for loss in facts.losses(sheets)[:ROWS]]
    chart = bars(rows, "points lost by the whole class") or "<p>None.</p>"
    return f"<h2>Points lost per rubric item</h2>{chart}"


def _misunderstood(sheets: list[Sheet]) -> str:
    parts = []
    for each in facts.misunderstandings(sheets)[:ROWS]:
        example = (f"<details open><summary>an example, without names</summary>"
                   f"<pre>{escape(each.example)}</pre></details>" if each.example else "")
        parts.append(f"<li><b>{escape(each.hint)}</b><br><span class='why'>"
                     f"{_students(each.students)}, {each.lost:g} points; "
                     f"<code>{escape(each.exercise)}</code>, known as "
                     f"<code>{escape(each.slug)}</code></span>{example}</li>")
    body = f"<ol>{''.join(parts)}</ol>" if parts else "<p>No known mistake was recognised.</p>"
    rest = [[loss.exercise, loss.item, str(len(loss.students)), f"{loss.lost:g}", _usual(loss)]
            for loss in facts.unexplained(sheets)[:ROWS]]
    rest = _table("exercise|item|n students|n points|most frequent message", rest)
    return (f"<h2>Misunderstandings of this class</h2>{body}"
            f"<h2>Lost without a known cause</h2>{rest}")


def _telling(sheets: list[Sheet]) -> str:
    found = facts.discrimination(sheets)
    rows = [[d.exercise, f"{100 * d.mean:.0f}%",
             "" if d.correlation is None else f"{d.correlation:+.2f}", d.verdict] for d in found]
    chart = bars([(d.exercise, max(d.correlation, 0), f"{d.correlation:+.2f}") for d in found
                  if d.correlation is not None], "correlation with the rest of the marks", 1.0)
    table = _table("exercise|n mean|n correlation|what that says", rows)
    return f"<h2>Exercises that tell apart, and those that do not</h2>{chart}{table}"


def _cells(sheets: list[Sheet]) -> str:
    slow = [[cell, f"{median:.1f} s", f"{longest:.1f} s", str(count)]
            for cell, median, longest, count in facts.slow_cells(sheets)[:ROWS]]
    failing = [[cell, error, str(count)] for cell, error, count
               in facts.failing_cells(sheets)[:ROWS]]
    return ("<h2>Slow and failing cells</h2>"
            + _table(f"cell|n median|n longest|n students above {facts.SLOW_SECONDS:g} s", slow)
            + _table("cell|exception|n students", failing))


def _look(sheets: list[Sheet], given: list[str]) -> str:
    handed_in = {sheet.student: {c.grade_id: c.source for c in sheet.cells if c.solution}
                 for sheet in sheets}
    alike = [[pair.one, pair.other, f"{100 * pair.share:.0f}%", ", ".join(pair.cells)]
             for pair in similar(handed_in, given)[:ROWS]]
    parts = [
        ("Attempts to cheat", "student|what the code tries", signs.attempts(sheets, given)),
        ("What the examiner noted", "student|remark", signs.noted(sheets)),
        ("Logs that do not fit", "student|remark", signs.log_mismatches(sheets)),
        ("Similar submissions", "student|student|n alike|cells", alike),
    ]
    tables = "".join(f"<h2>{name}</h2>{_table(head, list(map(list, rows)))}"
                     for name, head, rows in parts)
    return (f"{tables}<p class='why'>Signs, not verdicts. No mark depends on them. Similarity is "
            "of structure after renaming, without what the notebook gives, the staff's solution "
            "contains or much of the class wrote.</p>")


def _table(head: str, rows: list[list[str]]) -> str:
    if not rows:
        return "<p>None.</p>"
    names = head.split("|")
    kinds = [' class="n"' if name.startswith("n ") else "" for name in names]
    top = "".join(f"<th{kind}>{escape(name.removeprefix('n '))}</th>"
                  for name, kind in zip(names, kinds, strict=True))
    body = "".join("<tr>" + "".join(f"<td{kind}>{escape(cell)}</td>" for cell, kind
                                    in zip(row, kinds, strict=True)) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _students(names: list[str]) -> str:
    return f"{len(names)} student{'s' if len(names) != 1 else ''}"


def _usual(loss: facts.Loss) -> str:
    return max(loss.messages, key=loss.messages.count)[:160]


def _says(loss: facts.Loss) -> str:
    """The item's own sentence, without what happened in one submission."""
    return _usual(loss).split(" (")[0]


def _median(values: list[float]) -> float:
    return statistics.median(values) if values else 0.0
