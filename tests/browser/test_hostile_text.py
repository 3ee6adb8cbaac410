"""A student's words in a TA's browser: every channel, every rendering, and nothing runs.

Each channel tries to set `window.canary`. The pages are formgrader's, the feedback page, the class
report and JupyterLab's view of the autograded notebook; and lists of students.
"""

import base64
import json
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell
from nbgrader.api import Gradebook

import courses
import one_homework
from lab import TOKEN
from viva_examiner.autograde.run import autograde
from viva_examiner.report.page import write_report

pytestmark = pytest.mark.browser
HOMEWORK = one_homework.HOMEWORK
RUN = "window.canary=1"
IMAGE = f"<img src=x onerror='{RUN}'>"
SCRIPT = f"<script>{RUN}</script>"
LINK = f"[press me](javascript:{RUN})"
MATHS = r"$\href{javascript:window.canary=1}{x}$"
DRAWING = f"<svg xmlns='http://www.w3.org/2000/svg' onload='{RUN}'/>"
KINDS = {"application/vnd.jupyter.widget-view+json": {"model_id": SCRIPT}, "text/latex": MATHS,
         "application/javascript": RUN, "application/json": {IMAGE: SCRIPT}, "text/plain": SCRIPT}
LOG = {"schema": SCRIPT, "student": IMAGE, "homework": LINK, IMAGE: [SCRIPT]}
ATTRIBUTE = f"x\"><svg onload='{RUN}'>"
STUDENTS = ("mallory", IMAGE, ATTRIBUTE, "named")  # a folder's name is a student's id
SVG = base64.b64encode(DRAWING.encode()).decode()


def hostile(released):
    """A submission that tries every channel that a notebook has."""
    words = f"My answer. {SCRIPT} {IMAGE} {LINK} {MATHS}"
    notebook = one_homework.answered(released, written_why=words)
    attached = new_markdown_cell("![a picture](attachment:a.svg)")
    attached.attachments = {"a.svg": {"image/svg+xml": SVG, "text/html": SCRIPT}}
    named = new_markdown_cell("x")
    named.metadata["nbgrader"] = {"grade_id": IMAGE, "grade": True, "solution": True, "points": 1,
                                  "locked": False, "task": False, "schema_version": 3,
                                  "cell_type": "markdown"}
    notebook.cells += [
        new_markdown_cell(f"<details open ontoggle='{RUN}'>{IMAGE}</details>"),
        new_markdown_cell(f"[x][y]\n\n[y]: javascript:{RUN}"), attached, named,
        new_raw_cell(SCRIPT, metadata={"raw_mimetype": "text/html", "format": "text/html"}),
        new_code_cell("from IPython.display import HTML, Latex, Markdown, Javascript, display\n"
                      f"display(HTML({SCRIPT + IMAGE!r}), Markdown({LINK + IMAGE!r}), "
                      f"Latex({MATHS!r}), Javascript({RUN!r}))\nprint({SCRIPT!r})"),
        new_code_cell(f"display({{'image/svg+xml': {DRAWING!r}, 'text/html': {SCRIPT!r}}}, "
                      "raw=True)"),
        new_code_cell(f"display({KINDS!r}, raw=True)"),
        new_code_cell(f"raise ValueError({SCRIPT + IMAGE!r})"),
    ]
    notebook.metadata["title"] = SCRIPT
    return notebook


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    course = one_homework.make(tmp_path_factory.mktemp("course"), names=("stable_softmax",))
    release = Path(course.path("release", ".", HOMEWORK)) / f"{HOMEWORK}.ipynb"
    for student in STUDENTS:
        folder = Path(course.path("submitted", student, HOMEWORK))
        folder.mkdir(parents=True)
        released = nbformat.read(release, as_version=4)
        (folder / f"{HOMEWORK}.ipynb").write_text(json.dumps(hostile(released)))
        (folder / f"{IMAGE.replace('/', '')}.txt").write_text("x")
        (folder / "submission_log.json").write_text(json.dumps(LOG))
    graded = autograde(course, HOMEWORK).results
    assert {each.student for each in graded} == set(STUDENTS)
    with Gradebook(course.db_url, course.directory.course_id) as gradebook:
        gradebook.update_or_create_student("named", first_name=SCRIPT, last_name=IMAGE)
    courses.nbgrader_here(course.root, "generate_feedback", HOMEWORK)
    return course


def assert_nothing_ran(page) -> None:
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(500)  # a script that waits gets half a second
    for frame in page.frames:
        assert frame.evaluate("window.canary") is None
        links = frame.evaluate(
            "[...document.querySelectorAll('a')].map(a => a.href.baseVal ?? a.href)")
        assert not [link for link in links if link.lower().startswith("javascript:win")]
        events = frame.evaluate("[...document.querySelectorAll('[onerror],[onload],[ontoggle]')]"
                                ".map(each => each.outerHTML)")
        assert not [each for each in events if "canary" in each]


def test_nothing_a_student_wrote_runs_in_any_page(course, serve, page):
    address = serve(course.root)
    page.goto(f"{address}/lab?token={TOKEN}")  # signs in
    for lists in (f"manage_submissions/{HOMEWORK}", "manage_students", f"gradebook/{HOMEWORK}"):
        page.goto(f"{address}/formgrader/{lists}")
        assert_nothing_ran(page)
    for number in range(len(STUDENTS)):
        page.goto(f"{address}/formgrader/gradebook/{HOMEWORK}/{HOMEWORK}")
        page.get_by_text(f"Submission #{number + 1}").click()
        page.get_by_text("My answer").first.wait_for()
        assert_nothing_ran(page)

    for student in STUDENTS:
        feedback = course.root / "feedback" / student / HOMEWORK / f"{HOMEWORK}.html"
        page.goto(feedback.as_uri())
        page.get_by_text("My answer").first.wait_for()
        assert_nothing_ran(page)

    report, _ = write_report(course, HOMEWORK)
    page.goto(Path(report).as_uri())
    assert_nothing_ran(page)

    notebook = f"autograded/mallory/{HOMEWORK}/{HOMEWORK}.ipynb"
    page.goto(f"{address}/lab/tree/{notebook}")
    page.locator(".jp-Notebook .jp-Cell").first.wait_for()
    assert_nothing_ran(page)
