"""Similarity: pairs of submissions with much structure in common, and two of them side by side."""

import json
from dataclasses import dataclass
from pathlib import Path

from tornado import web

from viva_examiner.desk.handlers import Page, signed_in
from viva_examiner.desk.rooms.place import NAME, RoomLink
from viva_examiner.gradebook import autograded
from viva_examiner.notebook.canonical import text
from viva_examiner.notebook.metadata import grade_id, is_solution
from viva_examiner.report.report_page import who_is_alike
from viva_examiner.report.similar import shared_lines

PLACE = RoomLink("similar", "Similarity", of_homework=True)


@dataclass(frozen=True)
class PairSide:
    """One student's cell in lines, each with whether the other has its structure."""

    lines: list[tuple[str, bool]]

    @property
    def shared(self) -> int:
        return sum(is_shared for _, is_shared in self.lines)


@dataclass(frozen=True)
class SideBySide:
    """One exercise of two students."""

    name: str
    one: PairSide
    other: PairSide


def solutions(page: Page, student: str, homework: str) -> dict[str, str]:
    """{solution cell: source} of an autograded submission."""
    folder = Path(page.course.path("autograded", student, homework))
    found: dict[str, str] = {}
    for path in sorted(folder.glob("*.ipynb")):
        read = autograded.read(path)
        for cell in read[1]["cells"] if read else ():
            if is_solution(cell) and cell["cell_type"] == "code":
                found[grade_id(cell)] = text(cell["source"])
    return found


def side_by_side(one: dict[str, str], other: dict[str, str], known: set[int]) -> list[SideBySide]:
    """The cells that both have, those that share most first."""
    found = []
    for name in one:
        if name in other:
            mine, theirs = shared_lines(one[name], other[name], known)
            found.append(SideBySide(name, _side(one[name], mine), _side(other[name], theirs)))
    return sorted(found, key=lambda pair: -(pair.one.shared + pair.other.shared))


def _side(source: str, marked: set[int]) -> PairSide:
    return PairSide([(line, number in marked)
                 for number, line in enumerate(source.splitlines(), start=1)])


class SimilarRoom(Page):
    @signed_in
    def get(self, homework: str) -> None:
        path = who_is_alike(self.course, self.homework(homework))
        kept = json.loads(path.read_text()) if path.is_file() else None
        one = self.get_query_argument("one", "")
        other = self.get_query_argument("other", "")
        pair: list[SideBySide] = []
        if one or other:
            cells = [solutions(self, self.student(name), homework) for name in (one, other)]
            if not all(cells):
                raise web.HTTPError(404, "one of the two has no autograded submission")
            pair = side_by_side(cells[0], cells[1], set(kept["known"]) if kept else set())
        self.show("similar", here="similar", homework=homework, kept=kept, one=one, other=other,
                  pair=pair, wide=bool(pair))


HANDLERS = [(rf"/similar/{NAME}", SimilarRoom)]
