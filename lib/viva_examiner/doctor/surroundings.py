"""What grading needs besides the machine: a course, its gradebook, and on a hub the exchange."""

import os
from pathlib import Path

from nbgrader.exchange.default import Exchange
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from viva.doctor import Finding
from viva_examiner.course import Course
from viva_examiner.gradebook.upgrading import wanted_form

SQLITE = "sqlite:///"


def about_course(course: Course) -> Finding:
    """Whether there is anything to grade, and with which library."""
    names = course.homeworks()
    library = f", exams in {course.settings.course}" if course.settings.course else ""
    many = "homework" if len(names) == 1 else "homeworks"
    what = f"{len(names)} {many} in {course.root}{library}"
    return Finding("course", what, "" if names else "Put a notebook into source/<name>/"
                   ", or run `viva new`.")


def about_database(url: str) -> Finding:
    """Whether the gradebook can be opened, written, and has the form that nbgrader expects."""
    shown = url.rpartition("@")[2]  # no password
    file = Path(url.removeprefix(SQLITE)) if url.startswith(SQLITE) else None
    if file is not None and not file.exists():
        return Finding("gradebook", f"{shown}: not there yet, the first release makes it")
    if file is not None and not os.access(file, os.W_OK):
        return Finding("gradebook", f"{shown} cannot be written",
                       "Give the file to the account that grades.")
    try:
        engine = create_engine(url)
        with engine.connect() as connection:
            tables = inspect(connection).get_table_names()
            found = (connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
                     if "alembic_version" in tables else None)
        engine.dispose()
    except (SQLAlchemyError, ImportError) as error:
        line = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        return Finding("gradebook", f"{shown} cannot be opened: {line}",
                       "Look at c.CourseDirectory.db_url, and whether the server runs.")
    if tables and found != wanted_form():
        return Finding("gradebook", f"{shown} was made by another version of nbgrader",
                       "Run `viva upgrade`; it tries it on a copy first.")
    return Finding("gradebook", shown)


def about_hub(course: Course) -> Finding:
    """Inside a hub's single-user server: whether its exchange can be used; elsewhere nothing."""
    user = os.environ.get("JUPYTERHUB_USER")
    if not user:
        return Finding("hub", "this is not a JupyterHub's server")
    root = Path(Exchange(coursedir=course.directory, config=course.config).root)
    what = f"server of {user}, user id {os.getuid()}; exchange {root}"
    if not root.is_dir():
        return Finding("hub", f"{what} is not there", f"As root: mkdir -p {root}; chmod a+rwx "
                       f"{root}", fatal=False)
    if not os.access(root, os.R_OK | os.W_OK | os.X_OK):
        return Finding("hub", f"{what} cannot be written", f"As root: chmod a+rwx {root}",
                       fatal=False)
    return Finding("hub", what)
