"""A class of 200 in formgrader, and its report: pages open, and they open fast."""

import csv
import dataclasses
import json
import os
import random
import re
import shutil
import time
from pathlib import Path

import nbformat
import pytest

from lab import TOKEN
from repository import ROOT
from viva_examiner.autograde.grading_run import autograde
from viva_examiner.cli import main
from viva_examiner.course import Course
from viva_examiner.demo import cohort, play
from viva_examiner.gradebook import autograded, submissions
from viva_examiner.release.releasing import release
from viva_examiner.report.report_page import write_report
from viva_examiner.report.student_links import LAB, running_lab

HOMEWORK = "purification"
STUDENTS = 200
# Different notebooks that are really graded, enough for a picture; the others are copies of them.
GRADED = 8 if os.environ.get("VIVA_SCREENSHOTS") else 2
MISTAKES, EMPTY = 6, 3  # a student's known mistakes and unwritten exercises, at most
MAX_FEEDBACK = 100  # seconds of processor time for two hundred pages, which take forty
PATIENCE = 20  # seconds for a page, of which it takes one or two on an idle machine


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """The course with 200 submissions in its rooms and in the gradebook."""
    course = play.prepare(Course(ROOT), tmp_path_factory.mktemp("large") / "course")
    release(course, HOMEWORK)
    names = [f"student-{number:03}" for number in range(STUDENTS)]
    for name, notebook in zip(names[:GRADED], notebooks(course), strict=True):
        folder = Path(course.path("submitted", name, HOMEWORK))
        folder.mkdir(parents=True)
        nbformat.write(notebook, folder / f"{HOMEWORK}.ipynb")
    autograde(course, HOMEWORK)
    models = {each.student: autograded.stored(course, each, HOMEWORK)
              for each in submissions.submissions(course, HOMEWORK)}
    rng = random.Random(8)
    copied = {name: rng.choice(names[:GRADED]) for name in names[GRADED:]}
    for name, model in copied.items():
        shutil.copytree(course.path("submitted", model, HOMEWORK),
                        course.path("submitted", name, HOMEWORK))

    def copies(jobs, order, count, started):
        for job in jobs:
            model = models[copied[job.student]]
            notebook = json.loads(model.text)
            notebook["metadata"][autograded.RECORD]["student"] = job.student
            yield dataclasses.replace(model, student=job.student, text=json.dumps(notebook))

    autograde(course, HOMEWORK, run=copies)
    return course


def notebooks(course):
    """Submissions with some of the exam's known mistakes, and some exercises left empty."""
    read = {room: nbformat.read(Path(course.path(room, ".", HOMEWORK)) / f"{HOMEWORK}.ipynb", 4)
            for room in ("source", "release")}
    right, rng = cohort.solutions(read["source"]), random.Random(8)
    exercises = course.library.exercises(HOMEWORK).values()
    wrong = {each.name: found for each in exercises if (found := usable(read["source"], each))}
    for _ in range(GRADED):
        answers = dict(right)
        for name in rng.sample(sorted(wrong), rng.randint(0, MISTAKES)):
            answers[name] = rng.choice(wrong[name])
        for name in rng.sample(sorted(wrong), rng.randint(0, EMPTY)):
            answers.pop(name, None)  # as released
        yield cohort.filled(read["release"], answers)


def usable(source, exercise) -> list[str]:
    """The solution cell of an exercise with each known mistake that a notebook can hold."""
    made = (cohort.mistake_code(source, exercise, mistake) for mistake in exercise.mistakes)
    return list(filter(None, made))


@pytest.mark.browser
def test_pages_of_a_large_class_open_fast(page, picture, serve, course, elsewhere):
    seconds = {}

    def opened(name, address, sign) -> None:
        began = time.monotonic()
        page.goto(address)
        page.locator(sign).first.wait_for()
        seconds[name] = round(time.monotonic() - began, 1)

    address = serve(course.root)
    page.goto(f"{address}/lab?token={TOKEN}")  # signs in
    elsewhere.clear()  # JupyterLab itself may look for news
    formgrader = f"{address}/formgrader"
    opened("submissions", f"{formgrader}/manage_submissions/{HOMEWORK}",
           "td.autograde a")
    opened("students", f"{formgrader}/manage_students", "text=student-007")
    opened("gradebook", f"{formgrader}/gradebook/{HOMEWORK}/{HOMEWORK}", "text=Submission #1")
    began = time.monotonic()
    page.get_by_text("Submission #1", exact=True).click()
    page.locator(".viva-rubric").first.wait_for()
    seconds["one submission"] = round(time.monotonic() - began, 1)
    page.locator("math msubsup, math msub").first.wait_for()  # formulas, no network
    assert elsewhere == []
    began = time.process_time()
    path, sheets = write_report(course, HOMEWORK)
    seconds["report written"] = round(time.process_time() - began, 1)
    opened("report", path.as_uri(), "text=What to teach tomorrow")
    assert f"{STUDENTS}\nsubmissions" in page.locator(".key").inner_text()
    below = page.get_by_text("Points lost per rubric item").bounding_box()["y"]
    picture(page, "report", clip={"x": 100, "y": 0, "width": 1000, "height": below - 30})
    print(seconds)
    assert max(seconds.values()) < PATIENCE, seconds


@pytest.fixture(scope="module")
def report(course):
    path, _ = write_report(course, HOMEWORK)
    return path


@pytest.mark.browser
def test_a_number_of_the_report_opens_its_students_and_they_formgrader(
        page, serve, course, tmp_path, monkeypatch):
    """From the page on disk to one student's submission, without a script on the way."""
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    serve(course.root)
    address = running_lab(course.root)  # the server that runs on this course, as a TA opens it
    assert address != LAB
    page.goto(f"{address}/lab?token={TOKEN}")  # signs in
    path, _ = write_report(course, HOMEWORK)
    page.goto(path.as_uri())
    assert page.locator("script").count() == 0
    number = page.locator("section:has-text('Points lost per rubric item') td.n a").first
    number.click()
    panel = page.locator(".who:target")
    panel.wait_for()
    names = panel.locator("a:not(.close)")
    assert names.count() == int(number.inner_text())
    assert panel.bounding_box()["y"] > 0  # where the reader is
    student = names.first.inner_text()
    names.first.click()
    page.locator(".viva-rubric").first.wait_for()
    assert page.url.startswith(f"{address}/formgrader/submissions/")
    assert student in page.locator(".breadcrumb .name-shown").first.text_content()
    page.goto(path.as_uri())
    page.locator("svg a").last.click()  # a bar of the histogram
    page.locator(".who:target").wait_for()
    page.locator(".who:target .close").click()
    assert page.locator(".who:target").count() == 0


@pytest.mark.browser
def test_the_report_is_light_and_dark_and_prints_a_page_per_section(page, report):
    page.goto(report.as_uri())
    shades = {}
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        shades[scheme] = [brightness(page, each) for each in ("backgroundColor", "color")]
    assert shades["light"][0] > 200 > 60 > shades["light"][1]
    assert shades["dark"][0] < 60 < 180 < shades["dark"][1]
    page.emulate_media(color_scheme="light")
    chart = page.get_by_role("group", name="histogram of marks").bounding_box()
    for label in page.locator("svg text").all():  # none is cut at the edge
        box = label.bounding_box()
        assert box["x"] >= chart["x"]
        assert box["x"] + box["width"] <= chart["x"] + chart["width"], label.text_content()
    assert page.locator("td.share svg .bar").first.evaluate(
        "bar => getComputedStyle(bar).printColorAdjust") == "exact"
    for title in ("Slow cells", "Failing cells", "What the examiner noted"):  # of a busy machine
        for section in page.locator(f"section:has(h2:text-is('{title}'))").all():
            section.evaluate("section => section.remove()")
    sections = page.locator("section").count()
    printed = page.pdf(prefer_css_page_size=True)
    assert printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") == sections >= 4


def brightness(page, what: str) -> float:
    """0 to 255, of the page's own colour."""
    color = page.evaluate(f"getComputedStyle(document.body).{what}")
    return sum(map(float, re.findall(r"[\d.]+", color)[:3])) / 3


@pytest.mark.browser
def test_feedback_and_marks_of_a_large_class(page, course, monkeypatch):
    """Lines of two hundred, and pages, that agree: what waits for a TA is said, and is no zero."""
    monkeypatch.chdir(course.root)
    began = time.monotonic()
    assert main(["export", HOMEWORK, "--to", "marks.csv"]) == 0
    assert time.monotonic() - began < PATIENCE
    with (course.root / "marks.csv").open(newline="") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    assert len(rows) == STUDENTS and {row["score"] for row in rows.values()} == {""}
    began = time.process_time()
    assert main(["feedback", HOMEWORK]) == 0
    assert time.process_time() - began < MAX_FEEDBACK
    assert len(list(course.root.glob(f"feedback/*/{HOMEWORK}/{HOMEWORK}.html"))) == STUDENTS
    for name in ("student-000", f"student-{STUDENTS - 1}"):
        pages = Path(course.path("feedback", name, HOMEWORK))
        page.goto((pages / f"{HOMEWORK}.html").as_uri())
        said = f"{rows[name]['so_far']} of {rows[name]['of']}, {rows[name]['waits_for_a_ta']} wait"
        assert said in page.locator("body").inner_text()
        assert page.locator("#toc code").first.inner_text() in course.library.exercises(HOMEWORK)
        assert page.locator("math").count() > 10 and page.locator("script").count() == 0
        assert page.locator("h2").count() > 1  # headings, without the ids and links of old:
        assert page.locator("h2[id], .anchor-link").count() == 0  # a student writes headings too


@pytest.mark.browser
def test_a_mark_of_a_large_class_is_explained(page, course, monkeypatch):
    """One of two hundred asks why: a page for staff, and one to send, light, dark and printed."""
    monkeypatch.chdir(course.root)
    student = "student-001"
    for option, name in ((), student), (("--for-student",), f"{student}-to-send"):
        assert main(["explain", HOMEWORK, student, *option]) == 0
        page.goto((course.root / "reports" / "explained" / HOMEWORK / f"{name}.html").as_uri())
        shown = page.locator("body").inner_text()
        assert "Usual cause" in shown and ("For staff only" in shown) == (not option)
        assert ("asked" in page.locator("dt").all_inner_texts()) == (not option)
        widths = {round(each.bounding_box()["width"]) for each in page.locator(
            "th:nth-child(2)").all()}
        assert len(widths) == 1  # the columns of all tables stand below each other
        for scheme, (least, most) in {"light": (0, 60), "dark": (180, 255)}.items():
            page.emulate_media(color_scheme=scheme)
            assert least <= brightness(page, "color") <= most
        page.emulate_media(color_scheme="light")
        assert page.pdf().startswith(b"%PDF")
