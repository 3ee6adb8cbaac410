"""`viva export`: the marks of a homework, for a learning platform or a spreadsheet."""

import contextlib
import logging
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from viva_examiner.course import Course
from viva_examiner.failure import Failure
from viva_examiner.gradebook.standing import NOT_EXAMINED

if TYPE_CHECKING:
    from viva_examiner.gradebook.results import Result

FORMS = {"csv": "a line per student, with the mark or why there is none",
         "canvas": "for Canvas's gradebook import; notes in a second file",
         "moodle": "for Moodle's import, notes as feedback",
         "exercises": "a line per student and exercise", "items": "and per rubric item"}
HELP = """Write the marks of a homework as a CSV file. A mark is written only when it is final.
Where nothing was handed in, written answers are not graded or the work needs a look, there is an
empty field and a note that says why, never a zero. Extensions, late days, groups and attempts are
those of `viva roster`. No field runs as a formula in a spreadsheet.

With --anonymous: marks, items and mistakes for research, of one homework or all, with pseudonyms
that cannot be traced back, weeks instead of times, and no text. With --student: everything that the
course holds about one person, as an archive for that person.

""" + "\n".join(f"  --for {name:<10} {what}" for name, what in FORMS.items())
EXAMPLE = "viva export kernel_attention --for canvas"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("homework", nargs="?", help="may be left out with the last two options")
    parser.add_argument("--for", dest="form", choices=FORMS, default="csv")
    parser.add_argument("--to", type=Path, metavar="FILE",
                        help="default: HOMEWORK-FORM.csv in the folder exports/")
    parser.add_argument("--anonymous", action="store_true", help="for research, without persons")
    parser.add_argument("--student", metavar="ID", help="one person's own data")


def run(args: Namespace, course: Course) -> int:
    from nbgrader.api import Gradebook
    from nbgrader.apps import NbGrader

    from viva_examiner.cli.enter_homework import or_enter_homework
    from viva_examiner.gradebook.by_hand import ByHand
    from viva_examiner.gradebook.database import gradebook_errors
    from viva_examiner.gradebook.released_rows import load
    from viva_examiner.gradebook.results import Results
    from viva_examiner.nbgrader_steps.anonymous import Anonymous
    from viva_examiner.nbgrader_steps.exporters import EXPORTERS, notes_path

    if args.student:
        return _own_data(args, course)
    if not args.homework and not args.anonymous:
        raise Failure("which homework? Name one before the options")
    if args.homework:
        or_enter_homework(course, args.homework, lambda: load(course, args.homework))
    form = "anonymous" if args.anonymous else args.form
    path = args.to or course.root / "exports" / f"{args.homework or 'course'}-{form}.csv"
    log = logging.Logger("viva.export")
    log.addHandler(logging.NullHandler())
    app = NbGrader(config=course.config, log=log)
    app.coursedir = course.directory
    exporter = (Anonymous if args.anonymous else EXPORTERS[args.form])(parent=app)
    exporter.to, exporter.assignment = str(path), [args.homework] if args.homework else []
    if args.anonymous:
        with gradebook_errors(), Gradebook(course.db_url, course.directory.course_id) as gradebook:
            exporter.export(gradebook)
        print(_short(path))
        return 0
    with gradebook_errors(), Gradebook(course.db_url, course.directory.course_id) as gradebook:
        ByHand(gradebook.db, course, args.homework).settle()
        results = Results(gradebook, course)
        results.settle(args.homework)
        gradebook.db.commit()
        found = results.of(args.homework)
        if not found:
            raise Failure(f"there are no students yet: nobody has handed in {args.homework}, "
                          "and nbgrader's table of students is empty")
        exporter.export(gradebook)
        print("\n".join(said(found, args.homework)))
    for each in (path, notes_path(path)):
        if each == path or args.form == "canvas" and each.exists():
            print(_short(each))
    return 0


def _own_data(args: Namespace, course: Course) -> int:
    from viva_examiner.gradebook.own_data import write

    path = args.to or course.root / "exports" / f"{args.student}.zip"
    held = write(course, args.student, path)
    print(f"{_short(path)}: {len(held)} files, for {args.student} alone")
    return 0


def _short(path: Path) -> Path:
    """As seen from here."""
    with contextlib.suppress(ValueError):
        return path.resolve().relative_to(Path.cwd())
    return path


def said(results: "list[Result]", homework: str) -> list[str]:
    """How many marks are final, and of the others whose are not and why."""
    final = [result for result in results if result.standing.score is not None]
    lines = [f"{len(final)} of {len(results)} marks are final"]
    open_ = [result for result in results if result.standing.score is None]
    whys: dict[str, list[str]] = {}
    for result in open_:
        for why in result.standing.reasons:
            whys.setdefault(why, []).append(result.student.id)
    for why, names in whys.items():
        more = f" and {len(names) - 5} more" if len(names) > 5 else ""
        what = f" (`viva autograde {homework}`)" if why == NOT_EXAMINED else ""
        lines.append(f"  {why}{what}: {', '.join(names[:5])}{more}")
    return lines
