"""The command line: `viva COMMAND …`. Each command is a module of this package, imported when it is
called. Imports every other package; none imports it.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from viva_examiner.cli.commands import COMMANDS, listing

if TYPE_CHECKING:
    from viva_examiner.course import Course

INTERRUPTED, PIPE_CLOSED = 130, 141  # as the shell says of programs that these signals ended


def main(argv: list[str] | None = None) -> int:
    """Run one command; 0 only if it did what it says."""
    try:
        return _run(sys.argv[1:] if argv is None else argv)
    except BrokenPipeError:  # `viva … | head`: the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for Python's last flush
        return PIPE_CLOSED


def _run(argv: list[str]) -> int:
    _find_programs()
    name = next((word for word in argv if not word.startswith("-")), "")
    command = COMMANDS.get(name)
    if command and command.grades and not {"-h", "--help"} & set(argv):
        from viva_examiner.sandbox import forks, preload

        # imports what its notebooks need while this process imports nbgrader
        forks.current(preload.wanted(_folder(() if command.needs_course else argv)))
    if command and command.computes:
        from viva_examiner.sandbox.forks import THREADS

        os.environ.update(THREADS)  # before the course brings numpy: it reads them once
    try:
        args = _parser(name).parse_args(argv)
        return args.run(args, _course(args, name))
    except KeyboardInterrupt:
        print("\nviva: stopped; what was done is kept", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        raise
    except Exception as error:
        from viva_examiner.failure import Failure, sentence_of  # `--help` imports nothing heavy

        if not (sentence := sentence_of(error)):
            raise
        print(f"viva {name}: {sentence}", file=sys.stderr)
        return error.exit_code if isinstance(error, Failure) else Failure.exit_code


def _parser(name: str) -> argparse.ArgumentParser:
    """A parser that knows all commands by name and the arguments of one."""
    parser = argparse.ArgumentParser(
        prog="viva", usage="viva COMMAND …", epilog=listing(),
        description="Homework that examines itself. `viva COMMAND --help` says more of each.",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True,
                                     help=argparse.SUPPRESS, prog="viva")
    for each in COMMANDS:
        if each != name:
            commands.add_parser(each, add_help=False)
            continue
        module = importlib.import_module(f"viva_examiner.cli.{each.replace('-', '_')}")
        own = commands.add_parser(each, description=module.HELP,
                                  epilog=f"example:\n  {module.EXAMPLE}",
                                  formatter_class=argparse.RawDescriptionHelpFormatter)
        module.arguments(own)
        own.set_defaults(run=module.run)
    return parser


def _course(args: argparse.Namespace, name: str) -> "Course | None":
    """The course of this folder, and all that the command names is in it."""
    if not COMMANDS[name].needs_course:
        return None
    from viva_examiner.cli import names
    from viva_examiner.course import Course

    course = Course.find()
    if COMMANDS[name].knows_names:
        names.check(args, course)
    return course


def _folder(named: Iterable[str]) -> Path | None:
    """The folder of the course that is graded: one that is named, else the one we are in."""
    here = Path.cwd()
    folders = (*(here / word for word in named), here, *here.parents)
    return next((each for each in folders if (each / "nbgrader_config.py").is_file()), None)


def _find_programs() -> None:
    """nbgrader starts alembic by its bare name when it makes a gradebook; it lies beside Python."""
    folder, path = os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)
    if folder not in path.split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([folder, path])
