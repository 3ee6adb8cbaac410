"""What a mark by hand is for, as it stands in autograded/, and when two texts are the same.

A written answer is itself. A test is for the code that it asks: the cell of its exercise (`name` of
`test_name`), or all the student's code where no cell has that name.
"""

import json
from pathlib import Path
from typing import ClassVar

from viva_examiner.course import Course
from viva_examiner.files import digest
from viva_examiner.notebook.metadata import graded

PLACEHOLDER = "YOUR ANSWER HERE"


def normal(answer: str) -> str:
    """What counts of an answer when two are compared: its words, not their spacing or case."""
    text = " ".join(answer.split())
    return "" if text in ("", PLACEHOLDER) else text.casefold().rstrip(".")


def text_digest(answer: str) -> str:
    """Equal for answers that are graded together, and only for these."""
    return digest(normal(answer))


def texts_in(notebook: str) -> dict[str, str]:
    """{grade_id: text} of a graded notebook's cells that have marks; {} if it is unreadable."""
    try:
        cells = json.loads(notebook)["cells"]
    except (ValueError, KeyError, TypeError):
        return {}
    found, code, tests = {}, {}, []
    for number, cell in enumerate(cells):
        about, source = graded(cell), cell.get("source", "")
        source = "".join(source) if isinstance(source, list) else source
        if about.get("grade") and about.get("solution"):
            found[about["grade_id"]] = source
        elif about.get("grade"):
            tests.append(about["grade_id"])
        elif cell.get("cell_type") == "code" and not about.get("locked"):
            code[about.get("grade_id") or f" {number}"] = source
    everything = "\n\n".join(code.values())
    return found | {name: code.get(name.removeprefix("test_"), everything) for name in tests}


def other_texts(notebook: str, given: dict[str, str]) -> set[str]:
    """The cells whose texts are not those that a person gave a mark for.

    given: {grade_id: digest of the text that was graded}
    """
    texts = texts_in(notebook) if given else {}
    return {name for name, graded_for in given.items()
            if graded_for and name in texts and text_digest(texts[name]) != graded_for}


class Texts:
    """The texts of a homework in autograded/, read again only when a file has changed.

    What was read is known to all that look in this process: the pages of a server, one by one.
    """

    known: ClassVar[dict[Path, tuple[tuple[int, int], dict[str, str]]]] = {}

    def __init__(self, course: Course, homework: str) -> None:
        self.course, self.homework = course, homework

    def of(self, student: str, notebook: str) -> dict[str, str]:
        """{grade_id: text} of one student's notebook; {} if it is not there."""
        path = Path(self.course.path("autograded", student, self.homework)) / f"{notebook}.ipynb"
        try:
            about = path.stat()
            stamp = (about.st_mtime_ns, about.st_size)
            if path not in self.known or self.known[path][0] != stamp:
                self.known[path] = stamp, texts_in(path.read_text())
        except (OSError, UnicodeDecodeError):
            return {}
        return self.known[path][1]
