"""Every page of the desk for everybody: axe finds no barrier, and every width is wide enough.

The class is graded for real, so that the pictures of docs/ta.md show what a TA sees.
"""

import json
from datetime import UTC, datetime
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook

import one_homework
from desk_server import desk
from servers import wait_for
from viva.log import LOG_NAME, SCHEMA
from viva_examiner.autograde.grading_run import autograde
from viva_examiner.cli import main
from viva_examiner.demo.pages import write_index
from viva_examiner.desk import runs
from viva_examiner.gradebook import class_roster
from viva_examiner.gradebook.request_intake import RequestFile, take_in
from viva_examiner.report.report_page import write_report
from viva_examiner.written.grading import WrittenGrading

pytestmark = pytest.mark.browser
HW = one_homework.HOMEWORK
ROOMS = {  # name of the picture: address
    "course": [""], "class": ["class", HW], "student": ["student", "ada"],
    "account": ["student", "cyd", HW], "written": ["written", HW], "report": ["report", HW],
    "similar": ["similar", HW], "pair": ["similar", f"{HW}?one=cyd&other=dan"],
    "run": ["run", HW], "requests": ["requests", HW], "voce": ["voce", HW],
    "questions": ["voce", HW, "ada"], "lms": ["lms"], "told": ["class", "nothing"],
}
FILES = (f"feedback/cyd/{HW}/{HW}.html", f"reports/explained/{HW}/cyd.html",
         f"reports/voce/{HW}/ada.html", f"reports/{HW}.html",
         "index.html")  # as they lie on the disk; the last is the demo's
WIDTHS = (360, 390, 1280, 1920)
GAPS = {  # of the second exercise
    "ada": one_homework.GAP, "eve": one_homework.GAP,
    "bob": "def min_score_gap(T, tol):\n    return float(np.log((T - 1) / tol))",
    "cyd": "def min_score_gap(T, tol):\n    share = (1 - tol) / tol\n    if T == 1:\n"
           "        return 0.0\n    return float(np.log(share * (T - 1)))",
    "dan": "def min_score_gap(T, tol):\n    part = (1 - tol) / tol\n    if T == 1:\n"
           "        return 0.0\n    return float(np.log(part * (T - 1)))",
}
NAMES = {"ada": ("Ada", "Lovelace"), "bob": ("Bob", "Okafor"), "cyd": ("Cyd", "Charisse"),
         "dan": ("Dan", "Dumile"), "eve": ("Eve", "Ensler"), "flo": ("Flo", "Nightingale")}


def hand_in(course, student: str, released, **answers) -> None:
    folder = Path(course.path("submitted", student, HW))
    folder.mkdir(parents=True)
    (folder / f"{HW}.ipynb").write_text(
        nbformat.writes(one_homework.answered(released, **answers)))


def story(course, student: str) -> None:
    entry = {"status": "passed", "time": "2026-11-16T20:31:00Z", "source": "", "outputs": {},
             "digest": ""}
    log = {"schema": SCHEMA, "homework": HW, "student": student, "kit": "1.0.0", "exercises": {
        "stable_softmax": entry | {"status": "failed", "turns": [
            ["2026-11-16T19:02:00Z", "error"], ["2026-11-16T19:10:00Z", "failed"]]},
        "min_score_gap": entry | {"turns": [["2026-11-16T20:04:00Z", "failed"],
                                            ["2026-11-16T20:31:00Z", "passed"]]}}}
    (Path(course.path("submitted", student, HW)) / LOG_NAME).write_text(json.dumps(log))


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Six students: right, wrong, two alike, one with a file that is no notebook, one absent."""
    course = one_homework.make(tmp_path_factory.mktemp("access") / "course")
    released = nbformat.read(Path(course.path("release", ".", HW)) / f"{HW}.ipynb", as_version=4)
    for student, gap in GAPS.items():
        wrong = {"stable_softmax": one_homework.WRONG_AXIS} if student in "bob cyd" else {}
        hand_in(course, student, released, min_score_gap=gap, **wrong,
                written_why=f"Because $e^{{x}}$ overflows, says {student}; subtract the maximum.")
    story(course, "cyd")
    (course.root / "submitted" / "gus" / HW).mkdir(parents=True)
    (course.root / "submitted" / "gus" / HW / f"{HW}.ipynb").write_text("not a notebook")
    with Gradebook(course.db_url, course.directory.course_id) as book:
        for student, (first, last) in NAMES.items():
            book.update_or_create_student(student, first_name=first, last_name=last)
    class_roster.change(course, lambda old: class_roster.Roster.of([
        *old.lines.values(),
        *(class_roster.RosterLine(name, HW, group="evening") for name in ("eve", "flo"))]))
    autograde(course, HW)
    grader = WrittenGrading(course, HW, "tina")
    for unit in grader.question(0)["units"][1:4]:  # the first is what is empty
        grader.grade(0, unit["rows"], None, "Say which number overflows.", 2.0)
    grader.close()
    said = {"because": "because my gap is right for every T that the text allows.",
            "time": "2026-11-17T07:00:00Z"}
    file = json.dumps({"schema": "viva-request/1", "kit": "3", "homeworks": {HW: {
        "student": "bob", "requests": {"test_min_score_gap": said}}}}).encode()
    take_in(course, HW, {"bob": RequestFile(file, datetime(2026, 11, 17, 8, tzinfo=UTC))})
    write_report(course, HW)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(course.root)
        assert main(["explain", HW, "cyd"]) == 0
        assert main(["voce", HW, "--student", "ada"]) == 0
        assert main(["feedback", HW]) == 0
    write_index(course.root, [{"homework": HW, "student": name, "score": score, "points": 10,
                               "reason": reason} for name, score, reason in (
        ("ada", 10, "everything is right"), ("cyd", 6.5, "the softmax is taken over columns"))])
    runs.start(course, "export-csv", HW, "tina")
    wait_for(lambda: runs.current(course).ended is not None, 300)
    return course


@pytest.fixture(scope="module")
def served(course):
    with desk(course, "--as", "tina") as served:
        yield served


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_serious_barrier(course, served, chromium, barriers, scheme):
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    page.goto(served.address)
    for name, path in ROOMS.items():
        reply = page.goto(served.at(*path))
        assert reply.status == (404 if name == "told" else 200), name
        page.wait_for_load_state("networkidle")
        assert barriers(page) == [], name
    for name in FILES:
        page.goto((course.root / name).as_uri())
        assert barriers(page) == [], name
    context.close()


def test_every_page_fits_from_a_telephone_to_a_wide_screen(course, served, chromium, picture):
    for width in WIDTHS:
        context = chromium.new_context(viewport={"width": width, "height": 900})
        page = context.new_page()
        errors = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda told: errors.append(told.text) if told.type == "error" else None)
        page.goto(served.address)
        for name, path in ROOMS.items():
            page.goto(served.at(*path))
            page.wait_for_load_state("networkidle")
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{name} is {wide} wide on a screen of {width}"
            if width >= 390 and name != "told":  # for docs/ta.md
                picture(page, f"desk-{name}-{width}", few_colours=True)
        for name in FILES:
            page.goto((course.root / name).as_uri())
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{name} is {wide} wide on a screen of {width}"
        context.close()
        assert [each for each in errors if "404" not in str(each)] == []


def test_the_first_tab_leads_past_the_navigation(served, page):
    page.goto(served.address)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "To the page"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")
