"""`viva lms`: roster in, grades out, straight to the learning platform."""

import argparse
import shlex
from typing import TYPE_CHECKING

from viva_examiner.course import Course

if TYPE_CHECKING:
    from pathlib import Path

    from viva_examiner.lms.members_table import RosterDifference
    from viva_examiner.lms.platforms import Platform
    from viva_examiner.lms.push import PushPlan

HELP = """Talk to the course's learning platform with a key of its own: no public server, no launch,
and on Moodle no administrator. docs/lms.md walks through it.

  connect NAME  make a key, say what to paste where, try the connection, keep it
  roster        the platform's members into nbgrader's table of students
  push HW       marks into the platform's gradebook: only final ones, only differences

What a person gave by hand on the platform is never overwritten without --force."""
EXAMPLE = "viva lms push kernel_attention --dry-run"
SHOWN = 8  # names in a line


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(homework=None)
    actions = parser.add_subparsers(dest="action", metavar="connect|roster|push", required=True)
    connect = actions.add_parser("connect", help="make a key and try the connection")
    connect.add_argument("name", metavar="NAME", help="your name for this platform, say uni")
    connect.add_argument("--platform", default="moodle",
                         choices=("moodle", "canvas", "blackboard", "brightspace", "other"))
    for option in ("site", "client-id", "tool", "course", "token-url", "audience", "members-url",
                   "columns-url"):
        connect.add_argument(f"--{option}", metavar="…", help="instead of being asked")
    roster = actions.add_parser("roster", help="members into the table of students")
    roster.add_argument("--dry-run", action="store_true", help="show the difference, and stop")
    roster.add_argument("--yes", action="store_true", help="write without asking")
    roster.add_argument("--remove", action="store_true",
                        help="also remove who has left and has handed in nothing")
    roster.add_argument("--staff", nargs="+", default=[], metavar="WHO",
                        help="logins or e-mails of assistants whom Moodle takes for students")
    roster.add_argument("--groups", metavar="HW", help="the platform's groups hand HW in together")
    push = actions.add_parser("push", help="marks into the platform's gradebook")
    push.add_argument("homework")
    push.add_argument("--dry-run", action="store_true", help="say what would be sent, and stop")
    push.add_argument("--force", action="store_true",
                      help="overwrite grades that were given by hand there, too")
    for each in (roster, push):
        each.add_argument("--lms", default="", metavar="NAME", help="which platform, of several")


def run(args: argparse.Namespace, course: Course) -> int:
    return {"connect": connect, "roster": roster, "push": push}[args.action](args, course)


def connect(args: argparse.Namespace, course: Course) -> int:
    from viva_examiner.lms import connection as connections
    from viva_examiner.lms.connect import key_for, tried
    from viva_examiner.lms.members import STUDENT
    from viva_examiner.lms.platform_failure import LmsFailure
    from viva_examiner.lms.platforms import PLATFORMS

    if not args.name.replace("-", "").isalnum():
        raise LmsFailure(f"a name of letters and digits, please, not {args.name!r}")
    platform = PLATFORMS[args.platform]
    fresh = key_for(course, args.name)
    answers = _answers(args, platform, fresh, connections.key_path(course, args.name))
    if answers is None:
        print(f"Come back with it: `viva lms connect {args.name}` uses the same key again.")
        return 1
    try:
        connection = platform.build(args.name, answers)
        members = tried(course, connection)
    except LmsFailure:
        print("It does not work yet. With the answers so far, to change and to type again:\n  "
              + _once_more(args, answers))
        raise
    path = connections.keep(course, connection)
    students = [each for each in members if each.role == STUDENT]
    print(f"It works. In the course: {len(students)} students, {len(members) - len(students)} of "
          f"the staff. Kept in {path.relative_to(course.root)}.")
    for what, missing in (("names", not any(each.last_name for each in students)),
                          ("e-mail addresses", not any(each.email for each in students))):
        if students and missing:
            print(f"The platform tells no {what}: share them with the tool there (privacy).")
    print("Next: `viva lms roster`, who is who.")
    return 0


def _answers(args: argparse.Namespace, platform: "Platform", fresh: bool,
             key: "Path") -> dict[str, str] | None:
    """What the platform asks for, by options or from the keyboard; None if something is missing."""
    from viva_examiner.lms.platforms import OPTIONAL

    answers: dict[str, str] = {}

    def take(name: str, answer: str) -> None:
        found = platform.tells(answer)
        answers[name] = found.pop(name, answer)
        answers.update(found | answers)

    for name in platform.asks:
        if getattr(args, name) is not None:
            take(name, getattr(args, name).strip())
    if fresh or any(name not in answers for name in platform.asks if name not in OPTIONAL):
        print(f"{'A new key' if fresh else 'The key'}: {key} (private; it stays here)\n")
        print(platform.steps(key), end="\n\n")
    for name, question in platform.asks.items():
        if name not in answers:
            take(name, _asked(f"{question}: "))
        if not answers[name] and name not in OPTIONAL:
            return None
    return answers


def _once_more(args: argparse.Namespace, answers: dict[str, str]) -> str:
    """The command with the answers that were given."""
    words = ["viva", "lms", "connect", args.name]
    if args.platform != "moodle":
        words += ["--platform", args.platform]
    for name, answer in answers.items():
        words += [f"--{name.replace('_', '-')}", answer]
    return shlex.join(words)


def _asked(question: str) -> str:
    try:
        return input(question).strip()
    except EOFError:
        return ""


def roster(args: argparse.Namespace, course: Course) -> int:
    from viva_examiner.lms import members_table as rosters
    from viva_examiner.lms.connect import opened
    from viva_examiner.lms.members import members
    from viva_examiner.lms.people import with_staff

    if args.groups:
        from viva_examiner.cli.names import check_homework
        check_homework(course, args.groups)
    service = opened(course, args.lms)
    name = service.connection.name
    found = with_staff(course, name, members(service), args.staff)
    difference = rosters.compare(course, name, found)
    lines = rosters.group_lines(difference, args.groups) if args.groups else []
    print("\n".join(said(difference, args.remove)))
    for line in lines:
        print(f"  {line.student}: {line.group}, for {line.homework}")
    if args.groups and not lines:
        print("  no groups: the platform tells none, or nobody is in exactly one")
    if args.dry_run:
        return 0
    if not args.yes and _asked("Write this? [y/N] ").lower() not in ("y", "yes"):
        print("Nothing was written.")
        return 1
    rosters.write(course, name, found, difference, args.remove)
    if lines:
        rosters.add_lines(course, lines)
    print(f"Written: {len(difference.new)} new, {len(difference.changed)} changed.")
    return 0


def said(difference: "RosterDifference", remove: bool) -> list[str]:
    """The difference in words."""
    same = len(difference.matched) - len(difference.new) - len(difference.changed)
    lines = [f"{len(difference.matched)} students in the LMS: {len(difference.new)} new, "
             f"{len(difference.changed)} changed, {same} unchanged"]
    for student, member in sorted(difference.new.items()):
        mail = f", {member.email}" if member.email else ""
        lines.append(f"  new: {student} ({member.shown}{mail})")
    for student, fields in sorted(difference.changed.items()):
        what = ", ".join(f"{name.replace('_', ' ')} {old or 'nothing'} becomes {new}"
                         for name, (old, new) in fields.items())
        lines.append(f"  changed: {student}: {what}")
    for student, why in sorted(difference.doubtful.items()):
        lines.append(f"  left alone: {student}: {why}")
    if difference.kept:
        lines.append(f"  not in the LMS, with work here, kept: {_names(difference.kept)}")
    if difference.gone:
        what = "removed" if remove else "kept (--remove)"
        lines.append(f"  not in the LMS, without work, {what}: {_names(difference.gone)}")
    if difference.staff:
        lines.append("  staff: " + _names([f"{each.shown} ({each.role})"
                                           for each in difference.staff]))
    return lines


def push(args: argparse.Namespace, course: Course) -> int:
    from viva_examiner.cli.enter_homework import or_enter_homework
    from viva_examiner.gradebook.released_rows import load
    from viva_examiner.lms import push as pushing
    from viva_examiner.lms.connect import opened

    or_enter_homework(course, args.homework, lambda: load(course, args.homework))
    service = opened(course, args.lms)
    plan = pushing.prepare(course, args.homework, service)
    print("\n".join(planned(plan, args.force)))
    if args.dry_run:
        return 0
    todo = len(plan.to_send(args.force))
    done = pushing.send(course, service, plan, args.force)
    for line, why in (*done.refused, *done.differs):
        print(f"  {line.student}: {why}")
    good = len(done.sent) - len(done.differs)
    if done.stopped:
        print(f"{len(done.sent)} of {todo} grades were sent, then it stopped: {done.stopped}\n"
              "Run the same command again: it goes on from there.")
    else:
        print(f"{good} of {todo} grades were sent and read back" if todo else "Nothing to send.")
    return int(bool(done.stopped or done.refused or done.differs))


def planned(plan: "PushPlan", force: bool) -> list[str]:
    """What a push would do, in words; the unchanged are only counted."""
    from viva_examiner.lms.push_plan import KINDS, OVERRIDDEN, UNCHANGED

    column = plan.column
    there = f'column "{column.label}"' if column else f'a new column "{plan.wanted.label}"'
    lines = [f"{plan.homework}: {there}, {plan.wanted.maximum:g} points"]
    if column and column.maximum != plan.wanted.maximum:
        lines[0] += f"; it shows them out of {column.maximum:g}, as it was made or set there"
    for kind in KINDS:
        found = plan.of(kind)
        if not found:
            continue
        note = (" (overwritten)" if force else " (left alone)") if kind == OVERRIDDEN else ""
        lines.append(f"{kind}{note}: {len(found)}")
        if kind != UNCHANGED:
            lines += [f"  {line.student}: {line.words or format(line.mark.score, 'g')}"
                      for line in found]
    return lines


def _names(words: list[str]) -> str:
    more = f" and {len(words) - SHOWN} more" if len(words) > SHOWN else ""
    return ", ".join(words[:SHOWN]) + more
