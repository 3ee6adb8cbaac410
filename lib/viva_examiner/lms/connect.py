"""A first conversation with a platform: everything that a push will need is tried, once."""

from viva_examiner.course import Course
from viva_examiner.lms import connection as connections
from viva_examiner.lms.columns import MANY
from viva_examiner.lms.connection import Connection, key_path
from viva_examiner.lms.key_pair import key_id, make_key
from viva_examiner.lms.members import Member, members
from viva_examiner.lms.private import folder_of, private_key
from viva_examiner.lms.service import Service


def key_for(course: Course, name: str) -> bool:
    """Whether a key had to be made; one that is there is used again."""
    folder_of(course)
    path = key_path(course, name)
    if path.exists():
        private_key(path)  # complains if others may read it
        return False
    make_key(path)
    return True


def service_of(course: Course, connection: Connection) -> Service:
    path = key_path(course, connection.name)
    return Service(connection, private_key(path), key_id(path))


def tried(course: Course, connection: Connection) -> list[Member]:
    """The members, after token and columns were seen to work. Raises LmsFailure."""
    service = service_of(course, connection.checked())
    service.token()
    found = members(service)
    for _ in service.pages(connection.columns_url, MANY):
        break
    return found


def opened(course: Course, name: str = "") -> Service:
    """The platform that a command works with."""
    return service_of(course, connections.load(course, name))
