"""Who of the platform's members is which student of the course."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from viva.whole import write_whole
from viva_examiner.collect.students import squashed
from viva_examiner.course import Course
from viva_examiner.lms.members import ASSISTANT, STUDENT, Member
from viva_examiner.lms.platform_failure import LmsFailure
from viva_examiner.lms.private import FOLDER, folder_of


@dataclass(frozen=True)
class Person:
    """A line of nbgrader's table of students."""

    id: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""


# What is compared, the surest first: (of a student, of a member).
RULES: tuple[tuple[Callable[[Person], str], Callable[[Member], str]], ...] = (
    (lambda person: person.id, lambda member: member.number),
    (lambda person: person.email.casefold(), lambda member: member.email.casefold()),
    (lambda person: person.id, lambda member: member.login),
    (lambda person: person.id.casefold(), lambda member: member.email.casefold().partition("@")[0]),
    (lambda person: squashed(person.first_name + person.last_name or person.id),
     lambda member: squashed(member.first_name + member.last_name)),
)


def matched(people: Iterable[Person], members: Iterable[Member],
            links: dict[str, str]) -> tuple[dict[str, Member], dict[str, str]]:
    """({student: member}, {student: why we cannot tell}). Nobody is matched by half.

    links: {user id: student} that an earlier `viva lms roster` found
    """
    open_members = {each.user_id: each for each in members if each.role == STUDENT}
    open_people = {each.id: each for each in people}
    found: dict[str, Member] = {}
    doubtful: dict[str, str] = {}
    for user_id, student in links.items():
        if user_id in open_members and student in open_people:
            found[student] = open_members.pop(user_id)
            open_people.pop(student)
    for of_person, of_member in RULES:
        ours, theirs = _by(open_people.values(), of_person), _by(open_members.values(), of_member)
        for word in ours.keys() & theirs.keys():
            if len(ours[word]) == len(theirs[word]) == 1:
                [person], [member] = ours[word], theirs[word]
                found[person.id] = member
                open_people.pop(person.id)
                open_members.pop(member.user_id)
            else:
                for person in ours[word]:
                    doubtful[person.id] = (f"{len(theirs[word])} members and {len(ours[word])} "
                                           "students have this name: give the student the "
                                           "e-mail of the LMS in nbgrader's table")
    return found, {name: why for name, why in doubtful.items() if name not in found}


def _by(people: Iterable, word: Callable[..., str]) -> dict[str, list]:
    found: dict[str, list] = {}
    for each in people:
        if word(each):
            found.setdefault(word(each), []).append(each)
    return found


def links(course: Course, connection: str) -> dict[str, str]:
    """{user id: student}, as the last roster left them."""
    return {user: about["student"] for user, about in _kept(course, connection).items()
            if about.get("student")}


def with_staff(course: Course, connection: str, members: Iterable[Member],
               words: Iterable[str]) -> list[Member]:
    """The members, where those named by `words`, now or before, are no students.

    Moodle calls everybody a learner who may not edit the course, its assistants too.
    words: logins, e-mail addresses, numbers or user ids; LmsFailure if one names nobody
    """
    members = list(members)
    staff = {user for user, about in _kept(course, connection).items() if about["role"] != STUDENT}
    for word in words:
        named = {each.user_id for each in members if word.casefold() in {
            known.casefold() for known in (each.user_id, each.number, each.login, each.email)}}
        if len(named) != 1:
            raise LmsFailure(f"{word} is the login, e-mail or number of {len(named)} members")
        staff |= named
    return [replace(each, role=ASSISTANT) if each.user_id in staff and each.role == STUDENT
            else each for each in members]


def keep(course: Course, connection: str, members: Iterable[Member],
         students: dict[str, Member]) -> None:
    """Remember who is who, and everybody's role and groups."""
    ids = {member.user_id: student for student, member in students.items()}
    known = {each.user_id: {"student": ids.get(each.user_id, ""), "role": each.role,
                           "name": each.shown, "groups": list(each.groups)} for each in members}
    before = {user: about for user, about in _kept(course, connection).items()
              if user not in known and about.get("student") not in students}
    write_whole(folder_of(course) / f"{connection}.members.json",
                json.dumps(before | known, indent=1, ensure_ascii=False), mode=0o600)


def _kept(course: Course, connection: str) -> dict[str, dict]:
    path = Path(course.root) / FOLDER / f"{connection}.members.json"
    try:
        known = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}
