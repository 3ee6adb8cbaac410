"""A student's words in a TA's browser: every channel, every rendering, and nothing runs.

Each channel tries to set `window.canary`, to take the place of something that the page binds, or to
ask another address. The pages are formgrader's, feedback, the class report, an explanation,
every room of the desk and JupyterLab's view of the autograded notebook; and lists of students.
"""

import base64
import json
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell
from nbgrader.api import Gradebook

import courses
import one_homework
from desk_server import desk
from lab import TOKEN
from viva_examiner.autograde.grading_run import autograde
from viva_examiner.cli import main
from viva_examiner.report.report_page import write_report

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
TEST = "test_stable_softmax"
ELSEWHERE = "https://elsewhere.invalid/x.png"
PREFIXES = ("", "files/", "/files/", "files/files/", " files/", "FILES/", "//files/", "./",
            "&#102;iles/", "attachment:")
TEXTS = [  # one Markdown cell each
    *(f"[cover]({prefix}javascript:{RUN})" for prefix in PREFIXES),
    *(f"<a href='{prefix}javascript:{RUN}' style='position:fixed;inset:0'>cover</a>"
      for prefix in PREFIXES),
    f"[by name][y]\n\n[y]: files/javascript:{RUN}",
    f"<div class='nbgrader_cell'><b id='{TEST}' class='score full-credit'>press me</b></div>",
    f"# {TEST}", f"## {TEST}\n\n# words", "<p id=statusmessage>x</p>", "<a name='formgrader'>x</a>",
    "![x](/logout)", "<img src='/logout'>", "![x](files/logout)", f"![x]({ELSEWHERE})",
    f"<img srcset='{ELSEWHERE}'>", f"![x][y]\n\n[y]: {ELSEWHERE}",
    f"<table background='{ELSEWHERE}'><tr><td>x</td></tr></table>",
    f"<b style='background:url({ELSEWHERE})'>x</b>",
    f"&#36;&#92;href{{javascript:{RUN}}}{{press me}}&#36;",
    f"&bsol;(&bsol;url{{javascript:{RUN}}}&bsol;)",
    rf"$\text{{{SCRIPT}}}$", rf"$$\text{{<svg/onload={RUN}>}}$$",
    rf"$\mbox{{<iframe/onload={RUN}>}}$",
    f"$\\gdef\\leq{{\\href{{javascript:{RUN}}}{{x}}}}$", "$\\gdef\\leq{\\geq}$", "\\\\(" * 16_000,
    f"```mermaid\ngraph LR; A-->B; click A href \"javascript:{RUN}\"\n```",
    f"```mermaid\n{IMAGE}\n```",
]
ANSWERS = {  # of each student
    "mallory": f"My answer. {SCRIPT} {IMAGE} {LINK} {MATHS}",
    IMAGE: f"My answer.\n\n# words\n\n# {TEST}\n\n# points\n\n# text\n\n# items",
    ATTRIBUTE: "My answer. <div id='words' class='full-credit'>x</div> ![x](/logout)",
    "named": "My answer. $\\gdef\\leq{\\geq}$ and $a\\leq b$",
}
DRAWN = (f"<div class='nbgrader_cell'><b id='{TEST}' class='full-credit' style='margin:-9em'>x</b>"
         f"<p style='background:image-set(\"/logout\" 1x)'>x</p>"
         f"<p style='background:image-set(\"//elsewhere.invalid/x.png\" 1x)'>x</p>"
         f"<img src='/logout'><img src='{ELSEWHERE}'></div>")
SVG = base64.b64encode(DRAWING.encode()).decode()


def hostile(released, student):
    """A submission that tries every channel that a notebook has."""
    notebook = one_homework.answered(released, written_why=ANSWERS[student])
    notebook.cells[:0] = map(new_markdown_cell, TEXTS)
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
        new_code_cell(f"display(HTML({DRAWN!r}), Markdown({TEXTS[1] + DRAWN!r}))"),
        *(new_code_cell(f"display(Markdown({text!r}), Latex({text!r}))") for text in TEXTS[:4]),
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
        (folder / f"{HOMEWORK}.ipynb").write_text(json.dumps(hostile(released, student)))
        (folder / f"{IMAGE.replace('/', '')}.txt").write_text("x")
        (folder / "submission_log.json").write_text(json.dumps(LOG))
    graded = autograde(course, HOMEWORK).results
    assert {each.student for each in graded} == set(STUDENTS)
    with Gradebook(course.db_url, course.directory.course_id) as gradebook:
        gradebook.update_or_create_student("named", first_name=SCRIPT, last_name=IMAGE)
    courses.nbgrader_here(course.root, "generate_feedback", HOMEWORK)
    return course


@pytest.fixture
def asked(page):
    """Every address that the pages ask for."""
    addresses = []
    page.on("request", lambda request: addresses.append(request.url))
    return addresses


def assert_nothing_ran(page, asked, elsewhere) -> None:
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(500)  # a script that waits gets half a second
    for frame in page.frames:
        links = frame.evaluate(
            "[...document.querySelectorAll('a')].map(a => a.href.baseVal ?? a.href)")
        assert not [link for link in links if link.lower().startswith("javascript:win")]
        frame.evaluate("""() => {
            window.open = () => null;
            for (const each of document.querySelectorAll('a'))
                if (/press me|cover|by name/.test(each.textContent)) each.click();
        }""")
        assert frame.evaluate("window.canary") is None
        events = frame.evaluate("[...document.querySelectorAll('[onerror],[onload],[ontoggle]')]"
                                ".map(each => each.outerHTML)")
        assert not [each for each in events if "canary" in each]
    assert not [address for address in asked if "logout" in address]
    assert elsewhere == []


def assert_nothing_is_bound_to_a_students_words(page) -> None:
    """Formgrader finds a test's field by its id, and its buttons by their class."""
    page.wait_for_function("window.formgrader?.grades?.loaded")
    for name in (TEST, "written_why"):
        assert page.evaluate("name => document.getElementById(name).tagName", name) == "INPUT"
        assert page.locator(f"[id={name}]").count() == 1
    assert set(page.eval_on_selector_all(
        ".full-credit, .no-credit, .mark-graded", "all => all.map(e => e.tagName)")) == {"BUTTON"}
    assert page.locator(".nbgrader_cell .nbgrader_cell").count() == 0
    texts = page.locator(".text_cell_render")
    assert texts.locator("[style], [id], [name], script").count() == 0


def test_nothing_a_student_wrote_runs_in_formgrader(course, serve, page, asked, elsewhere):
    address = serve(course.root)
    page.goto(f"{address}/lab?token={TOKEN}")  # signs in
    for lists in (f"manage_submissions/{HOMEWORK}", "manage_students", f"gradebook/{HOMEWORK}"):
        page.goto(f"{address}/formgrader/{lists}")
        assert_nothing_ran(page, asked, elsewhere)
    for number in range(len(STUDENTS)):
        page.goto(f"{address}/formgrader/gradebook/{HOMEWORK}/{HOMEWORK}")
        page.get_by_text(f"Submission #{number + 1}").click()
        page.get_by_text("My answer").first.wait_for()
        assert_nothing_ran(page, asked, elsewhere)
        assert_nothing_is_bound_to_a_students_words(page)

    notebook = f"autograded/mallory/{HOMEWORK}/{HOMEWORK}.ipynb"
    page.goto(f"{address}/lab/tree/{notebook}")
    page.locator(".jp-Notebook .jp-Cell").first.wait_for()
    assert_nothing_ran(page, asked, elsewhere)


def test_nothing_a_student_wrote_runs_in_pages_of_ours(course, page, asked, elsewhere, monkeypatch):
    for student in STUDENTS:
        feedback = course.root / "feedback" / student / HOMEWORK / f"{HOMEWORK}.html"
        page.goto(feedback.as_uri())
        page.get_by_text("My answer").first.wait_for()
        assert_nothing_ran(page, asked, elsewhere)
        assert page.locator(f"[id={TEST}]").count() == 1

    report, _ = write_report(course, HOMEWORK)
    page.goto(Path(report).as_uri())
    assert_nothing_ran(page, asked, elsewhere)

    monkeypatch.chdir(course.root)
    assert main(["explain", HOMEWORK, "mallory"]) == 0
    page.goto((course.root / "reports" / "explained" / HOMEWORK / "mallory.html").as_uri())
    assert_nothing_ran(page, asked, elsewhere)


def test_nothing_a_student_wrote_runs_at_the_desk(course, page, asked, elsewhere):
    write_report(course, HOMEWORK)
    rooms = [["class", HOMEWORK], ["report", HOMEWORK], ["similar", HOMEWORK], ["run", HOMEWORK],
             *(["student", student] for student in STUDENTS),
             *(["student", student, HOMEWORK] for student in STUDENTS)]
    with desk(course) as served:
        page.goto(served.address)
        for room in rooms:
            reply = page.goto(served.at(*room))
            assert reply.status == 200, room
            assert_nothing_ran(page, asked, elsewhere)
            assert page.locator("main [onclick], main script, main style, main iframe").count() == 0
            assert page.locator("#main").count() == 1  # what the page calls so, and nothing else
        page.get_by_text("My answer").first.wait_for()
        page.goto(served.at("similar", HOMEWORK))
        page.get_by_label("One student").fill(IMAGE)
        page.get_by_label("another").fill(ATTRIBUTE)
        page.get_by_role("button", name="Side by side").click()
        page.get_by_role("heading", level=1).get_by_text(IMAGE).wait_for()
        assert_nothing_ran(page, asked, elsewhere)
        feedback = served.get("feedback", "mallory", HOMEWORK, HOMEWORK)
        assert "sandbox" in feedback.headers["Content-Security-Policy"]


def test_nothing_a_student_wrote_runs_where_answers_are_graded(course, page, asked, elsewhere):
    words = [sys.executable, "-m", "viva_examiner.cli", "written", HOMEWORK, "--no-browser"]
    with subprocess.Popen(words, cwd=course.root, stdout=subprocess.PIPE, text=True) as server:
        page.goto(server.stdout.readline().strip())
        for _ in STUDENTS:
            page.get_by_text("My answer").first.wait_for()
            assert_nothing_ran(page, asked, elsewhere)
            for name, tag in {"words": "TEXTAREA", "points": "INPUT", "items": "OL"}.items():
                assert page.evaluate("name => document.getElementById(name).tagName", name) == tag
            page.keyboard.press("c")
            page.keyboard.type("a0a")  # words for the comment, not keys that grade
            assert page.locator("textarea#words").input_value().endswith("a0a")
            page.keyboard.press("Escape")
            page.keyboard.press("n")
        server.terminate()
    assert page.evaluate("document.querySelectorAll('script').length") == 1
