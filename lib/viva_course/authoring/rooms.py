"""Where the parts of a homework lie, and which names are taken."""

import keyword
import re
from pathlib import Path

SECTIONS = re.compile(r"^SECTIONS = \((.*?)\)$", re.M | re.S)
DECLARES = re.compile(r'\bExercise\(\s*"(\w+)"')


class Slip(ValueError):
    """What an author asked for cannot be done; the message is one sentence."""

    viva_staff_fault = True


class Rooms:
    """The folders of one homework in a checkout of the course."""

    def __init__(self, root: Path, homework: str):
        self.root, self.homework = root, homework
        self.cases = root / "lib/viva/cases" / homework
        self.kit = root / "lib/viva/kits" / homework
        self.reference = root / "lib/viva_course/reference" / homework
        self.exams = root / "lib/viva_course/exams" / homework
        self.notebook = root / "source" / homework / f"{homework}.ipynb"
        self.tests = root / "tests/homeworks" / homework

    def code(self) -> list[Path]:
        """Every file of code that is this homework's alone."""
        folders = (self.cases, self.kit, self.reference, self.exams, self.tests)
        return [path for folder in folders for path in sorted(folder.rglob("*.py"))]

    def sections(self) -> list[str]:
        """The names of its sections, in order."""
        path = self.cases / "__init__.py"
        found = SECTIONS.search(path.read_text()) if path.is_file() else None
        return re.findall(r'"(\w+)"', found.group(1)) if found else []

    def write_sections(self, sections: list[str]) -> None:
        path = self.cases / "__init__.py"
        path.write_text(SECTIONS.sub(lambda _: sections_line(sections), path.read_text()))


def sections_line(sections: list[str]) -> str:
    """The tuple as a line below 100 columns, or as several."""
    words = [f'"{name}"' for name in sections]
    lines, line = [], "SECTIONS = ("
    for number, word in enumerate(words):
        last = number == len(words) - 1
        end = ",)" if last and len(words) == 1 else ")" if last else ","
        if len(line) + len(word) + len(end) + 1 > 100:
            lines.append(line.rstrip())
            line = " " * len("SECTIONS = (")
        line += word + end + ("" if last else " ")
    return "\n".join([*lines, line])


def exercises_in(root: Path) -> dict[str, str]:
    """{exercise: homework} of all that is declared, read off the files."""
    exams = root / "lib/viva_course/exams"
    return {name: path.relative_to(exams).parts[0] for path in sorted(exams.rglob("*.py"))
            for name in DECLARES.findall(path.read_text())}


def check_name(name: str, what: str) -> None:
    """Raises Slip unless a name can be a file, a function and a cell's id."""
    if not re.fullmatch(r"[a-zA-Z]\w*", name) or keyword.iskeyword(name):
        raise Slip(f"{name!r} cannot be the name of {what}: letters, digits and _, as in Python")


def check_free(name: str, root: Path) -> None:
    """Raises Slip if an exercise of this name exists."""
    taken = exercises_in(root)
    if name in taken:
        raise Slip(f"{name} is an exercise of {taken[name]} already: choose another name")
