"""Files whose owner is known become uploads: what one student handed in at one time.

Where two readings name two people, or two people of a platform have the name of one student, the
files are not taken: a wrong owner is worse than a file that a person has to place.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from viva_examiner.collect.archives import ArchivedFile
from viva_examiner.collect.readings import Reading
from viva_examiner.collect.sources import Owners
from viva_examiner.collect.students import Students, WhoseFile, made_up_id
from viva_examiner.gradebook.handed_in import is_plain_name

ADD = "add them with `nbgrader db student add`, then collect again"
ALONE = "if it is a platform's export, collect it by itself"


@dataclass
class Upload:
    """What one student handed in at one time.

    how: by what the student was recognised
    person: (platform, who it is there)
    when: as the platform has it, not yet believed
    """

    student: str
    how: str
    sure: bool
    person: tuple[str, str]
    outer: str
    when: datetime | None = None
    late: bool = False
    files: list[ArchivedFile] = field(default_factory=list)
    about: list[ArchivedFile] = field(default_factory=list)  # the platform's own words


@dataclass
class SortedUploads:
    """All uploads, and what could not be given to anybody: "what: why", a line each."""

    uploads: list[Upload] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def uploads_of(files: list[tuple[str, Owners]], students: Students) -> SortedUploads:
    """Tell the owner of every file by itself, then put together what one person handed in."""
    found = SortedUploads()
    grouped: dict[tuple, Upload] = {}
    crowd = _crowd(files) if not students.is_a_table else {}
    newest_first = sorted(files, key=lambda file: -file[1][0][0].order)
    for outer, owners in newest_first:
        for ways in owners:
            reading, owner = _identified(ways, students, crowd)
            if owner.student and not is_plain_name(owner.student):
                owner = WhoseFile(why_not=f"{owner.student} cannot be the name of a folder")
            if not owner.student:
                found.refused.append(f"{outer}: {owner.why_not}")
                continue
            person = (reading.platform, reading.person)
            upload = grouped.setdefault((owner.student, person, reading.when), Upload(
                owner.student, _how(reading, owner), owner.sure, person, outer, reading.when))
            upload.late = upload.late or reading.late
            (upload.about if reading.is_about else upload.files).append(reading.file)
    for student, theirs in _by_student(grouped.values()).items():
        kept, why = _one_person(student, theirs)
        found.uploads += kept
        found.refused += [f"{each.outer}: {why}" for each in theirs if each not in kept]
    return found


def _identified(ways: list[Reading], students: Students,
          crowd: dict[str, set[tuple[str, str]]]) -> tuple[Reading, WhoseFile]:
    """The one way to read a name that is possible, and whom it names."""
    nobody = next((each for each in ways if each.nobody), None)
    if nobody:
        return nobody, WhoseFile(why_not=nobody.nobody)
    owners = [(each, students.identify(each.words)) for each in ways]
    people = {each.student for _, each in owners if each.student}
    if len(people) > 1:
        return ways[0], WhoseFile(why_not=f"could be {' or '.join(sorted(people))}")
    doubtful = next((each for _, each in owners if each.contradicts), None)
    if doubtful:
        return ways[0], doubtful
    if people:
        way, found = next((way, each) for way, each in owners if each.student)
        if way.needs_name and not students.agrees(found.student, way.words):
            return way, WhoseFile(why_not=f"could be {found.student}'s by a number in it, but the "
                                  "name is not theirs, and there are other numbers in it")
        return way, found
    if students.is_a_table:
        hint = ALONE if ways[0].platform == "archive" else ADD
        return ways[0], WhoseFile(
            why_not=f"{_words(ways[0])} is not in the table of students; {hint}")
    return ways[0], _made_up(ways, crowd)


def _made_up(ways: list[Reading], crowd: dict[str, set[tuple[str, str]]]) -> WhoseFile:
    """Without a table everybody is taken under the name that the platform has."""
    if len({each.person for each in ways}) > 1:
        return WhoseFile(why_not="its name can be read in two ways; fill the table of students: "
                            "`nbgrader db student import students.csv`")
    name = made_up_id(ways[0].words)
    if len(crowd.get(name, ())) > 1:
        name = made_up_id(ways[0].words, ways[0].person)
    if not name or not is_plain_name(name):
        return WhoseFile(
            why_not="no id can be made of this name; add the student to nbgrader's table")
    return WhoseFile(name, "no table of students", True)


def _crowd(files: list[tuple[str, Owners]]) -> dict[str, set[tuple[str, str]]]:
    """{id that would be made up: the people of a platform who would get it}."""
    found: dict[str, set[tuple[str, str]]] = {}
    for _, owners in files:
        for ways in owners:
            person = (ways[0].platform, ways[0].person)
            found.setdefault(made_up_id(ways[0].words), set()).add(person)
    return found


def _by_student(uploads: Iterable[Upload]) -> dict[str, list[Upload]]:
    found: dict[str, list[Upload]] = {}
    for upload in uploads:
        found.setdefault(upload.student, []).append(upload)
    return found


def _one_person(student: str, theirs: list[Upload]) -> tuple[list[Upload], str]:
    """The uploads that are surely one person's; of those by name only, none if they are two's."""
    surely = [each for each in theirs if each.sure]
    people = {each.person for each in theirs}
    if len({platform for platform, _ in people}) == len(people):
        return theirs, ""
    if len({each.person for each in surely}) == 1:
        return surely, f"has the name of {student}, whose own upload is known by more than a name"
    numbers = ", ".join(sorted(person for _, person in people))
    if surely:
        return [], f"two people on the platform have what only {student} should have ({numbers})"
    return [], (f"two people on the platform have the name of {student} ({numbers}); "
                "give Moodle's worksheet, or the numbers in the table of students")


def _how(reading: Reading, owner: WhoseFile) -> str:
    return f"{reading.platform}: {owner.how}"


def _words(reading: Reading) -> str:
    return next((word for _, word in reversed(reading.words)), "nobody")
