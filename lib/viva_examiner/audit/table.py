"""The audit in words: a table per exercise, and one line for each at the end."""

from viva_examiner.audit.exams import RIGHT, SOLUTION, STUB, WRONG, AuditFinding

ALWAYS, SOMETIMES, NEVER = "x", "o", "."
LEGEND = (f"{ALWAYS}: the item rejects the mistake on every secret tried, "
          f"{SOMETIMES}: on some, {NEVER}: on none")
THIN_RIGHT, THIN_WRONG = 0.1, 10.0  # margins worth a look: within a factor 10 of the tolerance


def table(finding: AuditFinding) -> list[str]:
    """The lines about one exercise: items, mistakes by item, margins, problems."""
    exercise = finding.exercise
    letters = {item.name: chr(ord("a") + i) for i, item in enumerate(exercise.items)}
    lines = [f"{exercise.homework} / {exercise.name}: {exercise.points:g} points"]
    lines += [f"  {letters[item.name]}  {item.name} ({item.points:g})" for item in exercise.items]
    width = max([len(m.slug) for m in exercise.mistakes] + [12])
    lines.append(f"  {'mistake':<{width}}  {' '.join(letters.values())}  costs  hint")
    for mistake in exercise.mistakes:
        lines.append(f"  {mistake.slug:<{width}}  {_mistake(finding, mistake.slug)}")
    lines.append(f"  {'untouched':<{width}}  {_cells(finding, STUB)}  "
                 f"{_cost(finding, STUB):>5}")
    lines += [f"  {line}" for line in (*_right(finding), *_margins(finding))]
    return lines + [f"  PROBLEM  {problem}" for problem in finding.problems()]


def _mistake(finding: AuditFinding, slug: str) -> str:
    rows = [row for row in finding.of(WRONG) if row.name == slug and not row.trouble]
    known = sum(bool(row.recognised) for row in rows)
    hint = "yes" if known and known == len(rows) else "some" if known else "no"
    return f"{_cells(finding, WRONG, slug)}  {_cost(finding, WRONG, slug):>5}  {hint}"


def _cells(finding: AuditFinding, kind: str, name: str = "") -> str:
    rows = [r for r in finding.of(kind) if name in ("", r.name) and not r.trouble]
    signs = []
    for item in finding.exercise.items:
        lost = sum(item.name in row.failed for row in rows)
        signs.append(NEVER if not lost else ALWAYS if lost == len(rows) else SOMETIMES)
    return " ".join(signs)


def _cost(finding: AuditFinding, kind: str, name: str = "") -> str:
    """The points a mistake costs: a number, or a range where it depends on the secret."""
    rows = [r for r in finding.of(kind) if name in ("", r.name) and not r.trouble]
    costs = sorted({finding.exercise.points - row.score for row in rows})
    return "?" if not costs else "-".join(f"{cost:g}" for cost in {costs[0]: 0, costs[-1]: 0})


def _right(finding: AuditFinding) -> list[str]:
    scores: dict[str, list[float]] = {}
    for row in finding.of(RIGHT, SOLUTION):
        scores.setdefault(row.name, []).append(row.score)
    points = finding.exercise.points
    return [f"full marks on {some.count(points)} of {len(some)} secrets: {name}"
            for name, some in scores.items()]


def _margins(finding: AuditFinding) -> list[str]:
    right, wrong = finding.largest_right(), finding.smallest_wrong()
    lines = []
    if right is not None:
        lines.append(f"largest right error: {right.largest:.1g} of the tolerance ({right.name})")
    if wrong is not None:
        lines.append(f"smallest wrong error: {wrong.excess:.1g} tolerances ({wrong.name})")
    return lines


def summary(findings: list[AuditFinding]) -> list[str]:
    """One line per exercise."""
    head = (f"{'exercise':<48} items mistakes known variants   right err   wrong err"
            "  flaky  CPU s")
    return [head, *map(_summary_line, findings)]


def _summary_line(finding: AuditFinding) -> str:
    exercise = finding.exercise
    right, wrong = finding.largest_right(), finding.smallest_wrong()
    known = {row.name for row in finding.of(WRONG) if row.recognised == row.name}
    name = f"{exercise.homework} / {exercise.name}"
    tried = {(row.kind, row.name) for row in finding.rows}
    flaky = sum(len({row.failed for row in finding.rows if (row.kind, row.name) == one}) > 1
                for one in tried)
    margin = [f"{right.largest:.1e}{'!' if right.largest > THIN_RIGHT else ' '}" if right else "-",
              f"{wrong.excess:.1e}{'!' if wrong.excess < THIN_WRONG else ' '}" if wrong else "-"]
    line = (f"{name:<48} {len(exercise.items):>5} {len(exercise.mistakes):>8} {len(known):>5} "
            f"{len(exercise.variants):>8}   {margin[0]:>9}   {margin[1]:>9}  {flaky:>5} "
            f"{sum(row.seconds for row in finding.rows):>6.1f}")
    return line + ("  PROBLEM" if finding.problems() else "")
