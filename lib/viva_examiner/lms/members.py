"""Who is in the course on the platform (Names and Role Provisioning Services)."""

import html
from dataclasses import dataclass
from typing import Any

from viva_examiner.harmless import one_line
from viva_examiner.lms.platform_failure import LmsFailure
from viva_examiner.lms.service import Service

ACCEPT = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
CONTEXT_ROLES = "http://purl.imsglobal.org/vocab/lis/v2/membership"
STUDENT, TEACHER, ASSISTANT = "student", "teacher", "assistant"
ROLES = {"Learner": STUDENT, "Student": STUDENT, "Instructor": TEACHER, "Teacher": TEACHER,
         "TeachingAssistant": ASSISTANT}
MAX_FIELD = 200  # characters of a name or an address


@dataclass(frozen=True)
class Member:
    """One person as the platform describes them; fields that it does not share are empty."""

    user_id: str  # the platform's, opaque
    number: str = ""  # the institution's, say a matriculation number
    login: str = ""
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    role: str = STUDENT
    groups: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        return f"{self.first_name} {self.last_name}".strip() or self.email or self.user_id


def members(service: Service) -> list[Member]:
    """Everybody who is active in the course, staff too, by user id."""
    found: dict[str, Member] = {}
    for page in service.pages(service.connection.members_url, ACCEPT):
        people = page.get("members") if isinstance(page, dict) else None
        if not isinstance(people, list):
            raise LmsFailure("the platform's list of members has another form than LTI's")
        for entry in people:
            member = _member(entry) if isinstance(entry, dict) else None
            if member is not None:
                found[member.user_id] = member
    return sorted(found.values(), key=lambda each: (len(each.user_id), each.user_id))


def _member(entry: dict[str, Any]) -> Member | None:
    """None for somebody who has left, or has no part in the course."""
    user_id, role = _text(entry.get("user_id")), _role(entry.get("roles"))
    if not user_id or not role or str(entry.get("status", "Active")) != "Active":
        return None
    first, last = _text(entry.get("given_name")), _text(entry.get("family_name"))
    if not first and not last:
        first, _, last = _text(entry.get("name")).rpartition(" ")
    enrolled = entry.get("group_enrollments")
    groups = [_text(each.get("group_id")) for each in enrolled if isinstance(each, dict)
              ] if isinstance(enrolled, list) else []
    return Member(user_id, _text(entry.get("lis_person_sourcedid")),
                  _text(entry.get("ext_user_username")), first, last, _text(entry.get("email")),
                  role, tuple(filter(None, groups)))


def _text(value: Any) -> str:
    """A field as one printable line; Moodle escapes names as HTML."""
    text = str(value) if isinstance(value, str | int) else ""
    return one_line(html.unescape(text), MAX_FIELD)


def _role(roles: Any) -> str:
    """The part in this course; roles in the institution do not count. Teaching before learning."""
    found = set()
    for role in roles if isinstance(roles, list) else []:
        place, _, word = str(role).rpartition("#")
        if not place or place.startswith(CONTEXT_ROLES):
            found.add(ROLES.get(word, ""))
    return next((each for each in (ASSISTANT, TEACHER, STUDENT) if each in found), "")
