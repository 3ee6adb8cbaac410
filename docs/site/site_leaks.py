"""What a site may not show: an answer, a hidden test, a line of the reference, a staff figure."""

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path

from viva_examiner.course import Course
from viva_examiner.release.problems import Problem
from viva_examiner.release.refusals import read
from viva_examiner.release.released_faults import COMMONPLACE, INSIDE, secret_lines, squeeze

STAFF_LINE = 40  # characters of code that two people do not write alike by chance
STAFF_ROOMS = ("reference", "exams", "claims")
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg")
REMEDY = "take it out of docs/, README.md or source/"


def problems_of_files(course: Course, *folders: Path) -> Iterator[Problem]:
    """Everything secret in these folders: what Sphinx read, with formulas as written, and what it
    made of it.
    """
    secrets = secrets_of(course)
    pictures = [path.read_bytes() for path in (course.root / "docs" / "pictures").iterdir()]
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            place = str(path.relative_to(folder))
            text = squeeze(text_of(path))
            for line in [line for line in secrets if line in text]:
                yield Problem(place, f"shows a line of {secrets[line]}: {line}", REMEDY)
            drawn = path.suffix in PICTURES and not place.startswith("_static/")
            if drawn and path.read_bytes() not in pictures or 'src="data:image' in text:
                yield Problem(place, "has a picture that docs/pictures has not", REMEDY)


def secrets_of(course: Course) -> dict[str, str]:
    """{squeezed line: where it comes from} of what students must not see, minus what they may."""
    read_by_all = squeeze("\n".join(text_of(path) for room in ("release", "lib/viva")
                                    for path in (course.root / room).rglob("*")
                                    if path.suffix in (".py", ".ipynb")))
    found = {line: f"{name}: {origin}" for name in course.homeworks()
             for path in course.notebooks(name)
             for line, _, origin in secret_lines(read(path)) if len(line) >= INSIDE}
    library = course.root / "lib" / "viva_course"
    for path in [path for room in STAFF_ROOMS for path in (library / room).rglob("*.py")]:
        for line in map(str.strip, path.read_text().splitlines()):
            if len(squeeze(line)) >= STAFF_LINE and not COMMONPLACE.fullmatch(line):
                found[squeeze(line)] = str(path.relative_to(course.root))
    public = (read_by_all, read_by_all.replace("`", ""))  # as written, and as a page shows it
    return {line: origin for line, origin in found.items()
            if not any(line in text for text in public)}


def text_of(path: Path) -> str:
    """What a file says to a reader; nothing for one that holds no text."""
    if path.suffix == ".ipynb":
        cells = json.loads(path.read_text())["cells"]
        outputs = [output for cell in cells for output in cell.get("outputs", ())]
        return "\n".join(["".join(cell["source"]) for cell in cells] + [json.dumps(outputs)])
    if path.suffix == ".html":
        return html.unescape(re.sub(r"<(?!img)[^>]*>", "", path.read_text()))
    return path.read_text() if path.suffix in (".md", ".py", ".js", ".txt") else ""
