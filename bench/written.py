"""Grading the written answers of a class: `viva written` against formgrader, in one run.

    python bench/written.py                        # 40 students, two questions; two minutes
    python bench/written.py --students 200

One script gives the same marks and comments twice, in a real Chromium: once on formgrader's pages,
student by student, once on the page of `viva written`, group by group. An interaction is a page
load, a click or a key; a comment counts as one, however long. As in a real class, half of the
answers are word for word somebody else's, and some are empty. Ends in 1 if formgrader needs less
than three times as many interactions per answer.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))
os.environ["PATH"] = str(Path(sys.executable).parent) + os.pathsep + os.environ["PATH"]
os.environ.setdefault("JUPYTER_PLATFORM_DIRS", "1")

from nbgrader.api import Gradebook  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

import courses  # noqa: E402
from lab import TOKEN, jupyter_lab  # noqa: E402
from written_course import HOMEWORK, QUESTIONS, write_course  # noqa: E402

WANTED = 3.0
COMMENT = "Name the inequality."
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"]


def class_of(count: int) -> dict[str, str]:
    """{student: answer}: a tenth empty, half equal to another, the rest of their own."""
    answers = {}
    for number in range(count):
        kind = number % 10
        text = "" if kind == 0 else f"Answer {number // 20}: because." if kind < 6 else (
            f"Answer of number {number}: since $a<b$.")
        answers[f"student{number:03}"] = text
    return answers


class Counter:
    """A page that counts what a person does on it."""

    def __init__(self, page):
        self.page, self.count = page, 0

    def load(self, address: str) -> None:
        self.count += 1
        self.page.goto(address)

    def key(self, key: str) -> None:
        self.count += 1
        self.page.keyboard.press(key)

    def click(self, locator) -> None:
        self.count += 1
        locator.click()

    def write(self, text: str) -> None:
        self.count += 1
        self.page.keyboard.type(text)


def by_formgrader(page: Counter, address: str, course, answers: dict) -> None:
    """Every student's page; in each written cell a score, and a comment where it is not full."""
    page.page.goto(f"{address}/lab?token={TOKEN}")  # signs in
    with Gradebook(course.db_url, "w") as book:
        ids = {each.student.id: each.notebooks[0].id
               for each in book.assignment_submissions(HOMEWORK)}
    for student, text in answers.items():
        page.load(f"{address}/formgrader/submissions/{ids[student]}")
        for name in QUESTIONS:
            score = page.page.locator(f"input.score#{name}")
            score.wait_for()
            page.click(score)
            page.key("0" if not text else "1")
            with page.page.expect_response(lambda reply: "/api/grade/" in reply.url):
                page.key("Tab")
            if text:
                page.click(page.page.locator(f"#{name}-comment, textarea.comment").first)
                page.write(COMMENT)
                page.key("Tab")


def by_written(page: Counter, address: str, course, answers: dict) -> None:
    """Every question; for each group of equal answers its ticks, and a comment."""
    page.load(address)
    for number in range(len(QUESTIONS)):
        if number:
            page.key("]")
        page.page.locator("#where").get_by_text("1 of").wait_for()
        while True:
            groups = int(page.page.locator("#where").inner_text().split(" of ")[1].split(",")[0])
            if "(empty)" in page.page.locator("#text").inner_text():
                page.key("0")
            else:
                page.key("Digit2")
                page.key("c")
                page.write(COMMENT)
            page.key("Control+Enter")
            if groups == 1:
                page.page.get_by_text("Every answer to this question is graded").wait_for()
                break
            page.page.locator("#where").get_by_text(f"1 of {groups - 1}").wait_for()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--students", type=int, default=40)
    answers = class_of(parser.parse_args().students)
    rows = {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        folder = Path(folder)
        empty = folder / "empty.db"
        empty.write_bytes(courses.empty_gradebook())
        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for name, grade in (("formgrader", by_formgrader), ("viva written", by_written)):
            course = write_course(folder / name.replace(" ", "-"), empty, answers)
            page = Counter(browser.new_context().new_page())
            page.page.set_default_timeout(60_000)
            with _served(name, course, folder) as address:
                began = time.monotonic()
                grade(page, address, course, answers)
                rows[name] = page.count, time.monotonic() - began
        browser.close()
    total = len(answers) * len(QUESTIONS)
    for name, (count, seconds) in rows.items():
        print(f"{name:14} {count / total:6.2f} interactions and {seconds / total:6.2f} s of "
              f"machine time for an answer ({total} answers)")
    ratio = rows["formgrader"][0] / rows["viva written"][0]
    faster = rows["formgrader"][1] / rows["viva written"][1]
    print(f"{ratio:.1f} times fewer interactions (bar: {WANTED:g}), "
          f"{faster:.1f} times less waiting")
    return int(ratio < WANTED)


class _served:
    """The address of formgrader's lab, or of `viva written`, while the block runs."""

    def __init__(self, name: str, course, folder: Path):
        self.name, self.course, self.folder = name, course, folder

    def __enter__(self) -> str:
        if self.name == "formgrader":
            self.lab = jupyter_lab(self.course.root, self.folder)
            return self.lab.__enter__()
        words = [sys.executable, "-m", "viva_examiner.cli", "written", HOMEWORK, "--no-browser"]
        self.server = subprocess.Popen(words, cwd=self.course.root, stdout=subprocess.PIPE,
                                       text=True)
        return self.server.stdout.readline().strip()

    def __exit__(self, *exception) -> None:
        if self.name == "formgrader":
            self.lab.__exit__(*exception)
        else:
            self.server.terminate()
            self.server.wait()


if __name__ == "__main__":
    sys.exit(main())
