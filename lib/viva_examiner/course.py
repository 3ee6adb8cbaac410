"""A course as the examiner sees it: a directory with `nbgrader_config.py`, and what that says."""

import functools
import importlib
import logging
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

from nbgrader.coursedir import CourseDirectory
from traitlets import Bool, Dict, Enum, Float, Integer, List, Unicode
from traitlets.config import Config, Configurable, PyFileConfigLoader

from viva_examiner.failure import Failure
from viva_examiner.limits import Limits

CONFIG = "nbgrader_config.py"


class LimitSettings(Configurable):
    """The limits of one submission as settings: what `Limits` has, with its defaults."""

    locals().update({
        each.name: (Float if each.type is float else Integer)(
            getattr(Limits, each.name), help=each.metadata["help"]).tag(config=True)
        for each in fields(Limits)})


class Examiner(LimitSettings):
    """The examiner's settings, all from `nbgrader_config.py` (`c.Examiner.…`)."""

    course = Unicode(
        "", help="module of the staff's course library, with `exercises`; may be empty"
    ).tag(config=True)
    jobs = Integer(0, help="submissions graded at once; 0: one per core").tag(config=True)
    second_opinion = Enum(
        ("", "examiner", "stock", "open"), "",
        help="whose mark counts where stock nbgrader would give more points: the examiner's; "
        "stock's, which is not tamper-proof; or nobody's, and the cell is open for a TA. Empty: "
        "examiner for a course with a library of its own, open for any other",
    ).tag(config=True)
    columns = Dict(
        help="{homework: name of its column on the learning platform}; the homework's own name by "
        'default. Canvas meets an existing assignment by its number: "HW 11 (12345)"',
        value_trait=Unicode(), key_trait=Unicode(),
    ).tag(config=True)
    term = List(
        Unicode(), help="homeworks in the order of the term, for pages that list them; those that "
        "it does not name follow by name",
    ).tag(config=True)
    requests_per_homework = Integer(
        3, help="how many requests for a second look a student can make about one homework"
    ).tag(config=True)
    requests_until = Dict(
        help='{homework, or "*" for the others: when requests about it close}, "2026-12-01" (to '
        'the end of that day) or "2026-12-01 18:00", in UTC; nothing said: never',
        value_trait=Unicode(), key_trait=Unicode(),
    ).tag(config=True)
    trusted_machine = Bool(
        False, help="grade without isolation where the system refuses it; every mark says so"
    ).tag(config=True)


class NotACourse(Failure):
    """No nbgrader_config.py here or above."""


class Course:
    """A course on disk. Everything is read when first asked for."""

    def __init__(self, root: Path):
        self.root = Path(root).resolve()

    @classmethod
    def find(cls, start: Path | None = None) -> "Course":
        """The course that a directory belongs to."""
        start = Path(start or Path.cwd()).resolve()
        for folder in (start, *start.parents):
            if (folder / CONFIG).is_file():
                return cls(folder)
        raise NotACourse(f"no {CONFIG} in {start} or above it: run this inside a course")

    @functools.cached_property
    def config(self) -> Config:
        return PyFileConfigLoader(CONFIG, path=str(self.root)).load_config()

    @functools.cached_property
    def directory(self) -> CourseDirectory:
        """nbgrader's own view: paths of source, submitted, autograded, and the database's URL."""
        silent = logging.Logger("viva.course")
        return CourseDirectory(config=self.config, root=str(self.root), log=silent)

    @functools.cached_property
    def settings(self) -> Examiner:
        return Examiner(config=self.config)

    @functools.cached_property
    def limits(self) -> Limits:
        """What one submission may use, as far as the configuration says."""
        return Limits(**{each.name: getattr(self.settings, each.name) for each in fields(Limits)})

    @property
    def second_opinion(self) -> str:
        """Whose mark counts where stock nbgrader would give more."""
        return self.settings.second_opinion or ("examiner" if self.settings.course else "open")

    @property
    def secret(self) -> str:
        """The course's secret seed, where its library has one."""
        return self.library.course_secret() if hasattr(self.library, "course_secret") else ""

    @property
    def db_url(self) -> str:
        return self.directory.db_url

    @functools.cached_property
    def library(self) -> Any:
        """The staff's course library, or None for a course of plain hidden tests."""
        name = self.settings.course
        return importlib.import_module(name) if name else None

    def column(self, homework: str, numbered: bool = False) -> str:
        """The name of a homework's column on the learning platform, with Canvas's number or not."""
        name = self.settings.columns.get(homework, homework)
        return name if numbered else re.sub(r" \(\d+\)$", "", name)

    def homeworks(self) -> list[str]:
        """The homeworks: folders of source/ that hold a notebook."""
        found = Path(self.path("source", ".", "*")).parent.glob("*/*.ipynb")
        return sorted({path.parent.name for path in found})

    def term(self) -> list[str]:
        """The homeworks in the order in which they are taught."""
        order = {name: at for at, name in enumerate(self.settings.term)}
        return sorted(self.homeworks(), key=lambda name: (order.get(name, len(order)), name))

    def notebooks(self, homework: str) -> list[Path]:
        """The source notebooks of a homework: the one of its own name, else all in its folder."""
        folder = Path(self.path("source", ".", homework))
        own = folder / f"{homework}.ipynb"
        return [own] if own.is_file() else sorted(folder.glob("*.ipynb"))

    def path(self, room: str, student: str, homework: str) -> str:
        """nbgrader's path of a homework in a room: source, release, submitted, autograded..."""
        folder = getattr(self.directory, f"{room}_directory")
        return str(self.root / self.directory.format_path(folder, student, homework))
