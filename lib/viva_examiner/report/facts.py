"""What a class's marks say: where points went, what was misunderstood, which tests tell apart."""

import ast
import re
import statistics
from dataclasses import dataclass, field, replace

from viva.seam import UNWRITTEN
from viva_examiner.notebook.cells import definition, tree_of
from viva_examiner.records import Mark, RubricItem
from viva_examiner.report.sheets import Sheet

FEW = 6  # students below which a correlation says nothing
SLOW_SECONDS = 5.0


@dataclass
class ItemLoss:
    """The points that one rubric item cost the class."""

    exercise: str
    item: str
    points: float  # of the item
    lost: float = 0.0
    students: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)


@dataclass
class Misunderstanding:
    """A known mistake, and who made it."""

    exercise: str
    slug: str
    hint: str
    lost: float = 0.0
    students: list[str] = field(default_factory=list)
    example: str = ""  # one student's code, without comments and names of people


@dataclass(frozen=True)
class Discrimination:
    """Whether an exercise tells those who master the rest from those who do not."""

    exercise: str
    mean: float  # share of its points that the class earned
    below: list[str]  # the students who lost something here
    correlation: float | None  # with the rest of the marks; None if it cannot be computed
    verdict: str


def losses(sheets: list[Sheet]) -> list[ItemLoss]:
    """Every rubric item that cost somebody points, the heaviest first."""
    found: dict[tuple, ItemLoss] = {}
    for sheet in sheets:
        for rubric in sheet.rubrics():
            for item in rubric.items:
                if item.gone > 0:
                    key = rubric.exercise, item.name
                    loss = found.setdefault(key, ItemLoss(*key, item.points))
                    loss.lost += item.gone
                    loss.students.append(sheet.student)
                    loss.messages.append(item.message)
    return sorted(found.values(), key=lambda loss: (-weight(loss), loss.exercise, loss.item))


def weight(what: ItemLoss | Misunderstanding) -> float:
    """Points lost and students together: much lost by many comes first."""
    return what.lost * len(what.students)


def misunderstandings(sheets: list[Sheet]) -> list[Misunderstanding]:
    """The recognised mistakes, the heaviest first."""
    found: dict[tuple, Misunderstanding] = {}
    for sheet in sheets:
        for rubric in sheet.rubrics():
            if not rubric.mistake:
                continue
            key = rubric.exercise, rubric.mistake
            each = found.setdefault(key, Misunderstanding(*key, rubric.hint))
            each.lost += rubric.points - rubric.score
            each.students.append(sheet.student)
            code = anonymous(sheet, rubric.exercise)
            if code and (not each.example or len(code) < len(each.example)):
                each.example = code
    return sorted(found.values(), key=lambda m: (-weight(m), m.exercise, m.slug))


def unexplained(sheets: list[Sheet]) -> list[ItemLoss]:
    """Items lost where no known mistake was recognised and something was written."""
    plain = []
    for sheet in sheets:
        rubrics = tuple(
            replace(rubric, items=tuple(item for item in rubric.items if not _blank(item)))
            for rubric in sheet.rubrics() if not rubric.mistake)
        plain.append(Sheet(sheet.student, marks={"all": Mark(None, 0.0, rubric=rubrics)}))
    return losses(plain)


def untouched(sheets: list[Sheet]) -> dict[str, ItemLoss]:
    """{exercise: what was lost by those who wrote nothing}, the heaviest first."""
    found: dict[str, ItemLoss] = {}
    for sheet in sheets:
        for rubric in sheet.rubrics():
            if rubric.items and all(map(_blank, rubric.items)):
                name = rubric.exercise
                loss = found.setdefault(name, ItemLoss(name, "", rubric.points))
                loss.lost += rubric.points
                loss.students.append(sheet.student)
    return dict(sorted(found.items(), key=lambda pair: -weight(pair[1])))


def _blank(item: RubricItem) -> bool:
    return item.kind == UNWRITTEN


def anonymous(sheet: Sheet, exercise: str) -> str:
    """The student's definition of an exercise without comments and docstrings; "" if unknown."""
    sources = [cell.source for cell in sheet.cells if cell.grade_id == exercise]
    if not sources:
        return ""
    tree = tree_of(definition(sources, exercise) or sources[-1])
    if tree is None:
        return ""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and _is_text(body[0]):
            body[:] = body[1:] or [ast.Pass()]
    try:
        return ast.unparse(tree)[:1500]
    except (RecursionError, ValueError):  # a sum of a thousand terms, a number of 5,000 digits
        return ""


def _is_text(node: ast.AST) -> bool:
    return (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str))


def discrimination(sheets: list[Sheet]) -> list[Discrimination]:
    """Of each test: how hard it was, and its correlation with the rest of the marks."""
    graded = [sheet for sheet in sheets if sheet.status == "graded"]
    names = list(dict.fromkeys(name for sheet in graded for name in sheet.tests()))
    found = []
    for name in names:
        pairs = [(sheet.tests()[name], sheet) for sheet in graded if name in sheet.tests()]
        shares = [(mark.score or 0.0) / mark.points for mark, _ in pairs]
        rest = [sheet.score - (mark.score or 0.0) for mark, sheet in pairs]
        correlation = _correlation(shares, rest)
        mean = statistics.fmean(shares)
        below = [sheet.student for (_, sheet), share in zip(pairs, shares) if share < 1]
        found.append(Discrimination(name.removeprefix("test_"), mean, below, correlation,
                                    _verdict(shares, correlation)))
    return sorted(found, key=lambda d: (d.correlation is None, -(d.correlation or 0.0)))


def _correlation(xs: list[float], ys: list[float]) -> float | None:
    if len(xs) < FEW or len(set(xs)) < 2 or len(set(ys)) < 2:
        return None
    return statistics.correlation(xs, ys)


def _verdict(shares: list[float], correlation: float | None) -> str:
    if min(shares) == 1:
        return "everybody has full marks: it does not tell students apart"
    if max(shares) == 0:
        return "nobody has a point: look at the test, or at the text of the exercise"
    if correlation is None:
        return "too few students or too little spread to say"
    if correlation <= -0.2:
        return "better students do worse here: look at the test"
    if correlation < 0.2:
        return "says little about the rest"
    return "tells apart" if correlation >= 0.4 else "tells apart, weakly"


def slow_cells(sheets: list[Sheet]) -> list[tuple[str, float, float, list[str]]]:
    """(cell, median seconds, longest, students above the limit), where anybody is above it."""
    times: dict[str, dict[str, float]] = {}
    for sheet in sheets:
        for cell, spent in sheet.seconds.items():
            times.setdefault(cell, {})[sheet.student] = spent
    rows = [(cell, statistics.median(all_.values()), max(all_.values()),
             [student for student, spent in all_.items() if spent > SLOW_SECONDS])
            for cell, all_ in times.items() if max(all_.values()) > SLOW_SECONDS]
    return sorted(rows, key=lambda row: -row[2])


def failing_cells(sheets: list[Sheet]) -> list[tuple[str, str, list[str]]]:
    """(cell, exception, students) of cells that ended in an error, other than tests and checks."""
    found: dict[tuple[str, str], list[str]] = {}
    for sheet in sheets:
        for cell in sheet.cells:
            if cell.error and not re.match(r"(test|check)_", cell.grade_id):
                key = cell.grade_id or cell.id, cell.error
                found.setdefault(key, []).append(sheet.student)
    return sorted(((*key, names) for key, names in found.items()), key=lambda row: -len(row[2]))
