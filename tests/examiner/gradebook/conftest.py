"""A course on each database that holds a gradebook."""

import pytest
from nbgrader.api import Gradebook
from sqlalchemy import text

import servers
from viva_examiner.course import Course

OURS = ("viva_ledger", "viva_requests", "viva_form")


@pytest.fixture(scope="module")
def postgresql():
    with servers.postgres() as (url, _):
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_course(request, tmp_path, empty_gradebook):
    """A course without homeworks, on each database in turn; the server is empty again after it."""
    line = ""
    if request.param == "sqlite":
        (tmp_path / "gradebook.db").write_bytes(empty_gradebook.read_bytes())
    else:
        line = f"c.CourseDirectory.db_url = {request.getfixturevalue('postgresql')!r}\n"
    (tmp_path / "nbgrader_config.py").write_text(
        f"c = get_config()\nc.CourseDirectory.course_id = 'l'\n{line}")
    course = Course(tmp_path)
    yield course
    with Gradebook(course.db_url, "l") as book:
        for table in OURS:
            book.db.execute(text(f"DROP TABLE IF EXISTS {table}"))
        book.db.execute(text("DELETE FROM student"))
        book.db.commit()
