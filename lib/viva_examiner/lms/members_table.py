"""The platform's members into nbgrader's table of students: compared, shown, then written.

Nobody who has work is ever removed, and nobody at all unless it is asked for.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from nbgrader.api import Gradebook

from viva_examiner.course import Course
from viva_examiner.gradebook import class_roster as rosters
from viva_examiner.gradebook.database import gradebook_errors
from viva_examiner.gradebook.handed_in import is_plain_name
from viva_examiner.gradebook.submissions import submissions
from viva_examiner.lms import people
from viva_examiner.lms.members import STUDENT, Member
from viva_examiner.lms.people import Person, matched

FIELDS = ("first_name", "last_name", "email")


@dataclass
class RosterDifference:
    """What the platform says and the table does not."""

    matched: dict[str, Member] = field(default_factory=dict)  # by student, the new ones too
    new: dict[str, Member] = field(default_factory=dict)
    changed: dict[str, dict[str, tuple[str, str]]] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)  # not in the LMS, and nothing of theirs is here
    kept: list[str] = field(default_factory=list)  # not in the LMS, but they have work here
    doubtful: dict[str, str] = field(default_factory=dict)
    staff: list[Member] = field(default_factory=list)


def compare(course: Course, connection: str, members: list[Member]) -> RosterDifference:
    """The difference between the members and the course's table. Writes nothing."""
    table, busy = in_table(course)
    found, doubtful = matched(table, members, people.links(course, connection))
    taken = {each.id.casefold() for each in table}
    difference = RosterDifference(dict(found), doubtful=doubtful,
                                  staff=[each for each in members if each.role != STUDENT])
    known = {member.user_id for member in found.values()}
    for member in members:
        if member.role == STUDENT and member.user_id not in known:
            student = _new_id(member, taken)
            taken.add(student.casefold())
            difference.new[student] = difference.matched[student] = member
    for person in table:
        if person.id in found:
            theirs = found[person.id]
            differs = {name: (getattr(person, name), getattr(theirs, name)) for name in FIELDS
                       if getattr(theirs, name) not in ("", getattr(person, name))}
            if differs:
                difference.changed[person.id] = differs
        elif person.id not in doubtful:
            (difference.kept if person.id in busy else difference.gone).append(person.id)
    return difference


def write(course: Course, connection: str, members: list[Member], difference: RosterDifference,
          remove: bool = False) -> None:
    """Put the difference into the table, in one transaction; remember who is who."""
    with gradebook_errors(), Gradebook(course.db_url, course.directory.course_id) as book:
        for student, member in difference.matched.items():
            fields = {name: value for name in FIELDS if (value := getattr(member, name))}
            if student in difference.new or student in difference.changed:
                book.update_or_create_student(student, **fields)
        busy = in_table(course)[1] if remove else set()  # somebody may have handed in meanwhile
        for student in difference.gone if remove else ():
            if student not in busy:
                book.remove_student(student)
    people.keep(course, connection, members, difference.matched)


def group_lines(difference: RosterDifference, homework: str) -> list[rosters.RosterLine]:
    """Lines of the course's roster: who shares a group on the platform shares this homework."""
    found = []
    for student, member in difference.matched.items():
        if len(member.groups) == 1:  # of several, nobody can say which one works together
            found.append(rosters.RosterLine(student, homework, group=f"lms {member.groups[0]}"))
    return found


def add_lines(course: Course, lines: Iterable[rosters.RosterLine]) -> None:
    rosters.change(course, lambda now: rosters.Roster(now.lines | {
        line.key: now.lines[line.key].merged(line) if line.key in now.lines else line
        for line in lines}))


def in_table(course: Course) -> tuple[list[Person], set[str]]:
    """(nbgrader's table of students, who of them has work in the gradebook or in submitted/)."""
    busy = {each.student for each in submissions(course, "*")}
    with gradebook_errors(), Gradebook(course.db_url, course.directory.course_id) as book:
        attempts = rosters.read(course)
        rows = [row for row in book.students if not attempts.is_attempt(row.id)]
        busy |= {row.id for row in rows if row.submissions}
        return [Person(row.id, row.first_name or "", row.last_name or "", row.email or "")
                for row in rows], busy


def _new_id(member: Member, taken: set[str]) -> str:
    """The institution's number, else the login, else the e-mail's first part, else the name."""
    words = (member.number, member.login, member.email.partition("@")[0],
             "_".join(f"{member.first_name} {member.last_name}".split()))
    for word in words:
        plain = is_plain_name(word) and all(sign.isalnum() or sign in "_.@+-" for sign in word)
        if plain and word[0] not in ".-" and word.casefold() not in taken:
            return word
    return f"member-{''.join(sign for sign in member.user_id if sign.isalnum())[:60]}"
