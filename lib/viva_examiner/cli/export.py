"""`viva export`: the marks of a homework, for a learning platform or a spreadsheet."""

import contextlib
import logging
import sys
from pathlib import Path

from viva_examiner.gradebook.standing import NOT_EXAMINED

FORMS = {"csv": "a line per student, with the mark or why there is none",
         "canvas": "for Canvas's gradebook import; notes in a second file",
         "moodle": "for Moodle's import, notes as feedback",
         "exercises": "a line per student and exercise", "items": "and per rubric item"}
HELP = """Write the marks of a homework as a CSV file. A mark is written only when it is final.
Whoever handed nothing in, whose written answers nobody has graded, or whose work needs a look has
an empty field and a note that says so, never a zero. Extensions, late days, groups and attempts are
those of `viva roster`. No field runs as a formula in a spreadsheet.

""" + "\n".join(f"  --for {name:<10} {what}" for name, what in FORMS.items())
EXAMPLE = "viva export kernel_attention --for canvas"


def arguments(parser) -> None:
    parser.add_argument("homework")
    parser.add_argument("--for", dest="form", choices=FORMS, default="csv")
    parser.add_argument("--to", type=Path, metavar="FILE",
                        help="default: HOMEWORK-FORM.csv in the folder exports/")


def run(args, course) -> int:
    from nbgrader.api import Gradebook
    from nbgrader.apps import NbGrader

    from viva_examiner.cli.entering import entering
    from viva_examiner.gradebook.database import gradebook_errors
    from viva_examiner.gradebook.released import Unreleased, load
    from viva_examiner.gradebook.results import Results
    from viva_examiner.nbgrader_steps.exporters import EXPORTERS, notes_beside

    try:
        entering(course, args.homework, lambda: load(course, args.homework))
    except Unreleased as error:
        print(f"viva export: {error}", file=sys.stderr)
        return 2
    path = args.to or course.root / "exports" / f"{args.homework}-{args.form}.csv"
    log = logging.Logger("viva.export")
    log.addHandler(logging.NullHandler())
    app = NbGrader(config=course.config, log=log)
    app.coursedir = course.directory
    exporter = EXPORTERS[args.form](parent=app)
    exporter.to, exporter.assignment = str(path), [args.homework]
    with gradebook_errors(), Gradebook(course.db_url, course.directory.course_id) as gradebook:
        results = Results(gradebook, course)
        results.settle(args.homework)
        gradebook.db.commit()
        found = results.of(args.homework)
        if not found:
            print("viva export: there are no students yet: nobody has handed in "
                  f"{args.homework}, and nbgrader's table of students is empty", file=sys.stderr)
            return 2
        exporter.export(gradebook)
        print("\n".join(said(found, args.homework)))
    for each in (path, notes_beside(path)):
        if each == path or args.form == "canvas" and each.exists():
            with contextlib.suppress(ValueError):
                each = each.resolve().relative_to(Path.cwd())
            print(each)
    return 0


def said(results, homework: str) -> list[str]:
    """How many marks are final, and of the others whose are not and why."""
    final = [result for result in results if result.standing.score is not None]
    lines = [f"{len(final)} of {len(results)} marks are final"]
    open_ = [result for result in results if result.standing.score is None]
    whys: dict[str, list[str]] = {}
    for result in open_:
        for why in result.standing.note.split("; "):
            whys.setdefault(why.split(":")[0], []).append(result.student.id)
    for why, names in whys.items():
        more = f" and {len(names) - 5} more" if len(names) > 5 else ""
        what = f" (`viva autograde {homework}`)" if why == NOT_EXAMINED else ""
        lines.append(f"  {why}{what}: {', '.join(names[:5])}{more}")
    return lines
