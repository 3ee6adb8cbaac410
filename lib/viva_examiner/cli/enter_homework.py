"""A released homework that the gradebook does not know yet, as in a fresh clone."""

import filecmp
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from viva_examiner.course import Course
from viva_examiner.gradebook.released_rows import Unreleased

Answer = TypeVar("Answer")


def or_enter_homework(course: Course, homework: str, act: Callable[[], Answer]) -> Answer:
    """What `act()` returns; if it needs the homework in the gradebook, that is done first."""
    try:
        return act()
    except Unreleased:
        enter(course, homework)
        return act()


def enter(course: Course, homework: str) -> None:
    """Put a released homework into the gradebook, without touching release/.

    Only if release/ is what source/ gives today: else students had another notebook than the
    hidden tests are for, and `Unreleased` says so.
    """
    from viva_examiner.release.refusals import read_source
    from viva_examiner.release.releasing import generate

    released = Path(course.path("release", ".", homework))
    if not released.is_dir() or homework not in course.homeworks():
        raise Unreleased(f"{homework} has not been released: run `viva release {homework}` first")
    with tempfile.TemporaryDirectory(prefix="viva-enter-") as staging:
        opened = [read_source(path) for path in course.notebooks(homework)]
        generate(course, homework, staging, False, opened)
        made = Path(staging) / homework
        names = [path.relative_to(made) for path in made.rglob("*") if path.is_file()]
        _, differ, missing = filecmp.cmpfiles(made, released, names, shallow=False)
        if differ or missing:
            raise Unreleased(f"release/{homework} is not what source/{homework} gives: run "
                             f"`viva release {homework}` first")
        generate(course, homework, staging, True, opened)
