"""The rooms of the desk. A room is one module with PLACE and HANDLERS, and its template.

PLACE says where the room is found in the navigation: of the course, of a homework, or nowhere (it
is reached from another room). HANDLERS are pairs of a pattern below `/desk` and a handler.
"""

from viva_examiner.desk.rooms import (
    class_room,
    course_room,
    files_room,
    lms_room,
    report_room,
    requests_room,
    run_room,
    similar_room,
    student_room,
    voce_room,
    written_room,
)
from viva_examiner.desk.rooms.place import RoomLink

ROOMS = (course_room, class_room, student_room, written_room, requests_room,
         report_room, similar_room, voce_room, run_room,
         lms_room, files_room)
HANDLERS = [(rf"/desk{pattern}", handler) for room in ROOMS for pattern, handler in room.HANDLERS]


def of_course() -> list[RoomLink]:
    """The rooms that are about the whole course."""
    return [room.PLACE for room in ROOMS if room.PLACE and not room.PLACE.of_homework]


def of_homework() -> list[RoomLink]:
    """The rooms that each homework has."""
    return [room.PLACE for room in ROOMS if room.PLACE and room.PLACE.of_homework]
