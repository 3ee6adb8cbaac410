"""A TA's evening at the desk, from an archive to published feedback, without a terminal.

Once with the mouse and once by keyboard alone: then nothing is clicked, everything is reached with
Tab and done with Enter, Space and the keys that the page names.
"""

import contextlib
import re
import zipfile
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import TimeoutError

import one_homework
from desk_server import desk
from viva_examiner.gradebook import ledger, published

pytestmark = pytest.mark.browser
HOMEWORK = one_homework.HOMEWORK
WORDS = HOMEWORK.replace("_", " ")
MANY = 80  # steps of Tab on one page
TRIES = 10  # to open what chooses a file


@pytest.fixture
def course(tmp_path):
    return one_homework.make(tmp_path / "course", names=("stable_softmax",))


@pytest.fixture
def archive(course, tmp_path) -> Path:
    """What a platform gives: a folder per student; ada is right, bob is wrong."""
    path = Path(course.path("release", ".", HOMEWORK)) / f"{HOMEWORK}.ipynb"
    released = nbformat.read(path, as_version=4)
    answers = {"ada": {"stable_softmax": one_homework.SOFTMAX},
               "bob": {"stable_softmax": one_homework.WRONG_AXIS}}
    target = tmp_path / "export.zip"
    with zipfile.ZipFile(target, "w") as opened:
        for student, cells in answers.items():
            said = f"Because, says {student}."
            notebook = one_homework.answered(released, **cells, written_why=said)
            opened.writestr(f"{student}/{HOMEWORK}.ipynb", nbformat.writes(notebook))
    return target


class Mouse:
    def __init__(self, page):
        self.page = page

    def press(self, role: str, name: str) -> None:
        """Every link and button that is pressed so leads to another page."""
        with self.page.expect_navigation():
            self.page.get_by_role(role, name=name, exact=True).first.click()

    def give(self, label: str, file: Path) -> None:
        self.page.get_by_label(label).set_input_files(file)


class Keyboard:
    """Tab, and Enter where that brings one."""

    def __init__(self, page):
        self.page = page

    def press(self, role: str, name: str) -> None:
        self.reach(lambda: self.page.get_by_role(role, name=name, exact=True).first)
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")

    def give(self, label: str, file: Path) -> None:
        self.reach(lambda: self.page.get_by_label(label))
        for _ in range(TRIES):  # a busy Chromium now and then opens none at the first press
            with contextlib.suppress(TimeoutError):
                with self.page.expect_file_chooser(timeout=10_000) as chosen:
                    self.page.keyboard.press("Space")
                chosen.value.set_files(file)
                return
        raise AssertionError("nothing to choose a file opens")

    def reach(self, wanted) -> None:
        wanted().wait_for()
        for _ in range(MANY):
            self.page.keyboard.press("Tab")
            if wanted().evaluate("each => each === document.activeElement"):
                return
        raise AssertionError("Tab does not lead there")


def run(act, name: str) -> str:
    """Start a run, wait until it is over, and read its log."""
    act.press("button", name)
    over = act.page.locator("#run:not([data-running]) #outcome")
    over.filter(has_text=re.compile("^(done|ended|stopped)")).wait_for()
    return act.page.locator("#log").inner_text()


@pytest.mark.parametrize("hand", [Mouse, Keyboard])
def test_from_an_archive_to_published_feedback(course, archive, page, elsewhere, hand):
    with desk(course, "--as", "tina") as served:
        act = hand(page)
        page.goto(served.address)
        act.press("link", WORDS)
        act.press("link", "Run")
        act.give("What the learning platform gave you", archive)
        act.press("button", "Put it into downloaded/")
        assert "2 submissions" in run(act, "See what the archive holds")
        assert not Path(course.path("submitted", "ada", HOMEWORK)).exists()
        assert "ada" in run(act, "Take it into submitted/")
        assert "2 graded, 0 unchanged" in run(act, "Autograde")

        act.press("link", "Course")
        assert "grade the written answers of 2" in page.locator(".next").inner_text()
        act.press("link", "grade the written answers of 2")
        for left in (2, 1):
            page.locator("#where").get_by_text(f"1 of {left}").wait_for()
            if hand is Mouse:
                page.locator("#points").fill("2")
                page.locator("#save").click()
            else:
                page.keyboard.press("c")
                page.keyboard.type("Well said")
                page.keyboard.press("Shift+Tab")
                page.keyboard.type("2")
                page.keyboard.press("Control+Enter")
        page.get_by_text("Every answer to this question is graded.").wait_for()

        act.press("link", "Class")
        assert page.locator("table.class tbody tr").count() == 2
        act.press("link", "Run")
        assert "feedback pages of 2" in run(act, "Make feedback pages")
        act.press("link", "Course")
        assert "Nothing waits for you" in page.locator(".next").inner_text()
        act.press("link", WORDS)
        act.press("link", "bob")
        assert "Where points were lost" in page.content() and "axis" in page.content()
        act.press("link", "feedback as the student sees it")
        page.get_by_text("Your answer").first.wait_for()
    assert elsewhere == []
    with ledger.opened(course) as book:
        shown = published.last_published(book, HOMEWORK)
        assert {student for _, student in shown} == {"ada", "bob"}
        marks = book.entries(ledger.MARK, homework=HOMEWORK)
    assert {(entry.student, entry.author, entry.payload["score"]) for entry in marks} == {
        ("ada", "tina", 2.0), ("bob", "tina", 2.0)}
