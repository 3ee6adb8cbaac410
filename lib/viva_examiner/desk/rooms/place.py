"""Where a room is found."""

from dataclasses import dataclass

NAME = "([^/]+)"  # a homework or a student in an address; tornado takes the quoting away


@dataclass(frozen=True)
class RoomLink:
    """A line of the navigation: the first word of the address, and what a person reads."""

    word: str
    title: str
    of_homework: bool = False
