"""`viva roster`: extensions, late days, groups, which attempt counts, and who grades."""

import argparse
from pathlib import Path

from viva.nearest import did_you_mean
from viva_examiner.course import Course
from viva_examiner.gradebook.class_roster import Roster, RosterLine

HELP = """Show or change extensions, late days, groups, attempts and graders. They are kept in
roster.csv beside the gradebook: a line per student and homework, `*` for all of them; the more
specific line counts.

  extension_days  how much later the homework is due
  late_days       for all homeworks: the student's budget; for one: at most so many of it there
  group           students with the same word hand in one work, and its mark is everybody's
  attempt_of      this submission is another attempt of that student
  counts          which of several submissions counts, best or last (the default)
  grader          who grades the written answers; with --question, those of one question

Late penalties, `viva feedback` and `viva export` follow it. Late days are used automatically, on
the homework that is due first. With --in, the lines of a CSV file with these columns are added; a
file with a fault changes nothing."""
EXAMPLE = "viva roster ada kernel_attention --extension 2"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("person", nargs="?", metavar="STUDENT", help="an id, or * for everybody")
    parser.add_argument("work", nargs="?", default="*", metavar="HOMEWORK", help="default: all")
    parser.add_argument("--extension", dest="extension_days", metavar="DAYS")
    parser.add_argument("--late-days", metavar="N")
    parser.add_argument("--group", metavar="NAME")
    parser.add_argument("--attempt-of", metavar="STUDENT")
    parser.add_argument("--counts", metavar="best|last")
    parser.add_argument("--grader", metavar="NAME", help="who grades; as `viva written` calls them")
    parser.add_argument("--question", metavar="CELL", help="with --grader: only this question")
    parser.add_argument("--remove", action="store_true", help="forget this line")
    parser.add_argument("--in", dest="take", type=Path, metavar="CSV", help="add these lines")
    parser.add_argument("--out", type=Path, metavar="CSV", help="write all lines to a file")


def run(args: argparse.Namespace, course: Course) -> int:
    from viva_examiner.cli.names import students_of
    from viva_examiner.gradebook import class_roster

    students, homeworks = students_of(course), set(course.homeworks())
    before = class_roster.read(course)
    known = {*students, *(line.student for line in before.lines.values() if line.attempt_of)}
    if args.remove:
        if before.lines.get((args.person, args.work)) is None:
            raise class_roster.RosterFault([f"there is no line of {args.person} and {args.work}"])
        after = class_roster.change(course, lambda now: class_roster.Roster.of(
            line for key, line in now.lines.items() if key != (args.person, args.work)))
    elif lines := _asked(args, known, homeworks):
        after = class_roster.change(course, lambda now: merged(now, lines))
    else:
        after = before
        if args.person and args.person not in {"*", *known, *(who for who, _ in before.lines)}:
            raise class_roster.RosterFault([
                f"there is no student {args.person}{did_you_mean(args.person, known)}"])
    if args.out:
        class_roster.write_whole(args.out, after.text())
        print(f"{args.out}: {len(after.lines)} lines")
        return 0
    print("\n".join(shown(course, after, args.person)))
    return 0


def merged(roster: Roster, lines: list[RosterLine]) -> Roster:
    """The roster with newer lines; what they do not say stays. Checked as a whole."""
    from viva_examiner.gradebook.class_roster import parsed

    found = dict(roster.lines)
    for line in lines:
        found[line.key] = found[line.key].merged(line) if line.key in found else line
    return Roster.of(parsed(Roster(found).text()))


def _asked(args: argparse.Namespace, students: set[str], homeworks: set[str]) -> list[RosterLine]:
    """The lines to add: of a file, or the one that the options say."""
    from viva_examiner.gradebook.class_roster import VALUES, RosterFault, checked, parsed

    if args.take:
        try:
            text = args.take.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            raise RosterFault([f"{args.take} is not UTF-8 text: {error.reason}"]) from None
        return parsed(text, students, homeworks)
    values = {name: value for name in VALUES if (value := getattr(args, name))}
    if args.question:
        if not args.grader:
            raise RosterFault(["--question goes with --grader"])
        values["grader"] = f"{args.question}={args.grader}"
    if not values:
        return []
    if not args.person:
        raise RosterFault(["which student? Name one before the options, or '*' for everybody"])
    try:
        return [checked({"student": args.person, "homework": args.work} | values,
                        students, homeworks)]
    except ValueError as error:
        raise RosterFault([str(error)]) from None


def shown(course: Course, roster: Roster, student: str | None) -> list[str]:
    """The lines as a table, and the late days that are left."""
    from viva_examiner.gradebook.database import gradebook_errors
    from viva_examiner.gradebook.results import Results

    lines = [line for _, line in sorted(roster.lines.items())
             if student in (None, "*", line.student)]
    if not lines:
        return ["The roster says nothing" + (f" of {student}." if student else " yet.")]
    table = [_words(line) for line in lines]
    people = [name for name in dict.fromkeys(line.student for line in lines)
              if name != "*" and roster.budget(name)]
    if people:
        from nbgrader.api import Gradebook

        with gradebook_errors(), Gradebook(course.db_url, course.directory.course_id) as gradebook:
            results = Results(gradebook, course)
            for name in people:
                spent = results.late_days(name)
                used = ", ".join(f"{days} on {homework}" for homework, days in spent.items())
                left = roster.budget(name) - sum(spent.values())
                table.append(f"{name}: {left} of {_days(roster.budget(name), 'late day')} left"
                             + (f" ({used})" if used else ""))
    return table


def _words(line: RosterLine) -> str:
    """A line of the roster in words."""
    from viva_examiner.gradebook import graders

    who = "everybody" if line.student == "*" else line.student
    where = "all homeworks" if line.homework == "*" else line.homework
    said = []
    if line.extension_days is not None:
        said.append(f"due {_days(line.extension_days)} later")
    if line.late_days is not None:
        most = "at most " if line.homework != "*" else ""
        said.append(f"{most}{_days(line.late_days, 'late day')}")
    if line.group:
        said.append(f"group {line.group}")
    if line.attempt_of:
        said.append(f"an attempt of {line.attempt_of}")
    if line.counts:
        said.append(f"the {line.counts} submission counts")
    for question, name in graders.read(line.grader).items():
        said.append(f"{name} grades {question or 'the written answers'}")
    return f"{who}, {where}: {', '.join(said) or 'nothing'}"


def _days(count: float, word: str = "day") -> str:
    return f"{count:g} {word}{'s' if count != 1 else ''}"
