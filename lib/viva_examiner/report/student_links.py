"""The students of a number: a link next to it, and a list that opens where the reader is."""

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from markupsafe import Markup

LAB = "http://localhost:8888"  # where `make lab` serves formgrader, if nothing else is known


@dataclass
class StudentLinks:
    """Collects the lists of one page.

    lab: the address of the JupyterLab that serves formgrader
    pages: {student: id of the submitted notebook in formgrader}
    """

    homework: str
    lab: str = LAB
    pages: dict[str, str] = field(default_factory=dict)
    lists: dict[tuple[str, ...], tuple[str, str]] = field(default_factory=dict)  # (anchor, title)
    leads: str = "their names lead to formgrader while `make lab` runs"

    def address(self, students: list[str], title: str) -> str:
        """The place on this page that lists these students."""
        key = tuple(students)
        if key not in self.lists:
            self.lists[key] = f"who-{len(self.lists) + 1}", title
        return f"#{self.lists[key][0]}"

    def number(self, words: object, students: list[str], title: str) -> Markup:
        """A number that leads to its students; plain where there are none."""
        if not students:
            return Markup.escape(words)
        return Markup('<a href="{}">{}</a>').format(self.address(students, title), words)

    def student(self, name: str) -> Markup:
        """A student's name, which leads to the submission in formgrader."""
        page = self.pages.get(name)
        target = (f"{self.lab}/formgrader/submissions/{quote(page)}" if page else
                  f"{self.lab}/formgrader/gradebook/{quote(self.homework)}")
        return Markup('<a href="{}">{}</a>').format(target, name)

    def pair(self, words: str, one: str, other: str) -> Markup:
        """A number about two students; a file has no page to lead to."""
        return Markup.escape(words)

    def all(self) -> list[dict]:
        """Every list, for the end of the page."""
        return [{"anchor": anchor, "title": title, "students": list(map(self.student, students))}
                for students, (anchor, title) in self.lists.items()]


@dataclass
class DeskLinks(StudentLinks):
    """The same for a page of the desk, at `/desk/report/<homework>`."""

    leads: str = "their names lead to the student"

    def student(self, name: str) -> Markup:
        target = f"../student/{quote(name, safe='')}/{quote(self.homework, safe='')}"
        return Markup('<a href="{}">{}</a>').format(target, name)

    def pair(self, words: str, one: str, other: str) -> Markup:
        target = (f"../similar/{quote(self.homework, safe='')}?one={quote(one, safe='')}"
                  f"&other={quote(other, safe='')}")
        return Markup('<a href="{}">{}</a>').format(target, words)


def running_lab(root: Path) -> str:
    """The address of a Jupyter server on this course, if one runs; else where one would."""
    from jupyter_server.serverapp import list_running_servers

    try:
        for server in list_running_servers():
            if Path(server["root_dir"]).resolve() == root.resolve():
                return server["url"].rstrip("/")
    except (OSError, KeyError, ValueError):
        pass  # a broken record of a server that is gone
    return LAB
