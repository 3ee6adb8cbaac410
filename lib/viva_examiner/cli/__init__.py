"""The command line: `viva COMMAND …`. Each command is a module of this package, imported when it is
called. Imports every other package; none imports it.
"""

import argparse
import importlib
import os
import sys
from pathlib import Path

COMMANDS = {  # name: one line of help, so that `viva --help` imports nothing heavy
    "new": "lay out a homework, or add exercises to one",
    "rename": "an exercise under another name, everywhere",
    "release": "generate release/ from source/, refusing what would leak or break",
    "format": "bring notebooks into their canonical form",
    "bundle": "build what students download",
    "collect": "what a learning platform exports, into submitted/",
    "autograde": "examine every submission of a homework",
    "regrade": "whose mark changes after the exam, a case or a limit changed",
    "explain": "why a student has this mark, item by item",
    "audit": "examine the exams: what is right passes, what is wrong loses points",
    "grade-log": "grade submission logs without running student code",
    "written": "grade the written answers, question by question",
    "feedback": "a page for each student: rubric items, hints, comments, no hidden test",
    "export": "marks for Canvas, Moodle or a spreadsheet",
    "roster": "extensions, late days, groups, and which attempt counts",
    "report": "one page about a class: what to teach tomorrow, what to look at",
    "gradescope": "build the Gradescope autograder of a homework",
    "adopt": "what the examiner would change in another nbgrader course",
    "doctor": "whether this machine can grade, and what to do if not",
    "demo": "the main job end to end, on a cohort of demo students",
}
GRADING = ("autograde", "regrade", "explain", "adopt", "demo")
ANYWHERE = ("adopt",)  # also where there is no course


def main(argv: list[str] | None = None) -> int:
    """Run one command; 0 only if it did what it says."""
    try:
        return _run(sys.argv[1:] if argv is None else argv)
    except BrokenPipeError:  # `viva … | head`: the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for Python's last flush
        return 141  # as the shell says of a program that SIGPIPE ended


def _run(argv: list[str]) -> int:
    _find_programs()
    name = next((word for word in argv if not word.startswith("-")), "")
    if name in GRADING and not {"-h", "--help"} & set(argv):
        from viva_examiner.sandbox import forks, preload

        # imports what its notebooks need while this process imports nbgrader
        forks.current(preload.wanted(_folder(argv if name == "adopt" else ())))
    parser = argparse.ArgumentParser(prog="viva", description="Homework that examines itself.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for each, line in COMMANDS.items():
        if each != name:
            commands.add_parser(each, help=line, add_help=False)
            continue
        module = importlib.import_module(f"viva_examiner.cli.{each.replace('-', '_')}")
        own = commands.add_parser(
            each,
            help=line,
            description=module.HELP,
            epilog=f"example:\n  {module.EXAMPLE}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.arguments(own)
        own.set_defaults(run=module.run)
    args = parser.parse_args(argv)
    if name == "doctor":  # also where there is no course, or libraries are missing
        return args.run(args, None)
    from viva_examiner.cli import names
    from viva_examiner.course import Course, NotACourse
    from viva_examiner.gradebook.roster import RosterFault
    from viva_examiner.slips import authors_slip

    try:
        if name in ANYWHERE:
            return args.run(args, None)
        course = Course.find()
        names.check(args, course)
        return args.run(args, course)
    except (NotACourse, names.Unknown, RosterFault) as error:
        print(f"viva: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nviva: stopped; what was done is kept", file=sys.stderr)
        return 130
    except Exception as error:
        if not (sentence := authors_slip(error)):
            raise
        print(f"viva {name}: {sentence}", file=sys.stderr)
        return 2


def _folder(named: list[str]) -> Path | None:
    """The folder of the course that is graded: one that is named, else the one we are in."""
    here = Path.cwd()
    folders = (*(here / word for word in named), here, *here.parents)
    return next((each for each in folders if (each / "nbgrader_config.py").is_file()), None)


def _find_programs() -> None:
    """nbgrader starts alembic by its bare name when it makes a gradebook; it lies beside Python."""
    folder, path = os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)
    if folder not in path.split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([folder, path])
