"""A week on a real JupyterHub: released, fetched, solved, handed in, graded, given back."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook

import formgrader
import hub
from lab import Notebook
from repository import ROOT

HOMEWORK = "ridge_attention"
TA, ADA, BOB = "viva-hub-ta", "viva-hub-ada", "viva-hub-bob"
STUDENTS = (ADA, BOB)
RIGHT, WRONG, QUESTION = "sherman_morrison", "RunningMean", "written_cost"
MISTAKE = """class RunningMean:
    def __init__(self):
        self.n, self.mean = 0, 0.0

    def update(self, x):
        self.n += 1
        self.mean = (self.mean + np.asarray(x, float)) / 2
        return self.mean
"""

pytestmark = [
    pytest.mark.hub,
    pytest.mark.skipif(os.geteuid() != 0, reason="makes local accounts: needs root"),
]


@pytest.fixture(scope="module")
def people():
    with hub.accounts(*STUDENTS, staff=TA) as homes:
        yield homes


@pytest.fixture(scope="module")
def folder():
    """A folder that every account may enter; pytest's own are for their owner only."""
    with tempfile.TemporaryDirectory(prefix="viva-hub-") as name:
        os.chmod(name, 0o755)
        yield Path(name)


@pytest.fixture(scope="module")
def home():
    """The environment, where the page has /opt/viva."""
    return hub.environment(HOMEWORK)


@pytest.fixture(scope="module")
def address(people, folder, home):
    """The hub, an empty exchange, and a course in the TA's home."""
    write(folder / "etc" / "nbgrader_config.py", "/etc/jupyter/nbgrader_config.py",
          ("/srv/nbgrader/exchange", folder / "exchange"))
    exchange, students = hub.lines("2. The exchange")
    [private] = hub.lines("3. The course, in the TA's home")
    [hidden_menu] = hub.lines("4. The hub")
    for line in (exchange, hidden_menu):
        hub.as_root(line, home, folder)
    course = people[TA] / "course"
    shutil.copytree(ROOT / "source" / HOMEWORK, course / "source" / HOMEWORK)
    write(course / "nbgrader_config.py", "~/course/nbgrader_config.py", ("/opt/viva", home))
    for name in ("nbgrader_config.py", "jupyter_server_config.py"):
        write(people[TA] / ".jupyter" / name, f"~/.jupyter/{name}")
    (course / "students.csv").write_text("\n".join(["id", *STUDENTS]))
    for top in (course, people[TA] / ".jupyter"):
        for path in (top, *top.rglob("*")):
            shutil.chown(path, TA, TA)
    hub.as_user(TA, private)
    hub.as_user(TA, hub.in_course(home, students))
    with hub.jupyterhub(folder, home) as address:
        yield address


def write(path: Path, name: str, *changes: tuple[str, Path]) -> None:
    """A file as docs/hub.md gives it, with the paths of this test."""
    text = hub.documented(name)
    for old, new in changes:
        assert old in text
        text = text.replace(old, str(new))
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)


class Desk:
    """A person's browser, signed in to the hub with a server that has started."""

    def __init__(self, chromium, address: str, name: str):
        self.context = chromium.new_context(viewport={"width": 1200, "height": 900})
        self.context.set_default_timeout(60_000)
        self.page, self.server = self.context.new_page(), f"{address}/user/{name}"
        self.page.goto(f"{address}/hub/login?next=/hub/spawn")
        self.page.fill("#username_input", name)
        self.page.fill("#password_input", hub.PASSWORD)
        self.page.click("#login_submit")
        self.page.wait_for_url(f"{self.server}/**")

    def formgrader(self, where: str) -> None:
        self.page.goto(f"{self.server}/formgrader/{where}")

    def room(self, *parts: str):
        """Open a room of the staff's desk; the answer of the server."""
        return self.page.goto("/".join([f"{self.server}/desk", *parts]))

    def run(self, name: str) -> str:
        """Start a run in the desk's room and wait until it is over; what it said."""
        self.room("run", HOMEWORK)
        self.page.get_by_role("button", name=name, exact=True).click()
        over = self.page.locator("#run:not([data-running]) #outcome")
        over.filter(has_text=re.compile("^(done|ended|stopped)")).wait_for(timeout=600_000)
        assert f"by {TA}" in self.page.locator("#run h2").inner_text()
        return f"{over.inner_text()}: {self.page.locator('#log').inner_text()}"

    def press(self, cell: str, expected: str, row: str = HOMEWORK) -> None:
        """Click a button in a row of formgrader's table and wait for the word that it worked."""
        self.page.locator("tr", has_text=row).locator(f"td.{cell} a").first.click()
        told = self.page.locator(".modal:visible")
        told.wait_for()
        assert expected in told.inner_text(), told.inner_text()
        self.page.reload()

    def assignments(self):
        """nbgrader's list of assignments, in JupyterLab."""
        self.page.goto(f"{self.server}/lab?reset")
        self.page.wait_for_function("window.jupyterapp?.commands.hasCommand("
                                    "'nbgrader:open-assignment-list')")
        self.page.evaluate("window.jupyterapp.commands.execute('nbgrader:open-assignment-list')")
        return self.page.locator("#nbgrader-assignment-list")

    def has_command(self, name: str) -> bool:
        return self.page.evaluate(f"window.jupyterapp.commands.hasCommand('{name}')")


@pytest.fixture()
def desk(chromium, address, folder, request):
    desks = []

    def sit_down(name: str) -> Desk:
        desks.append(Desk(chromium, address, name))
        return desks[-1]

    yield sit_down
    for number, each in enumerate(desks):
        if getattr(request.node, "failed", False):
            each.page.screenshot(path=ROOT / "screenshots" / f"hub-{number}.png")
            shutil.copy(folder / "hub.log", ROOT / "screenshots")
        each.context.close()


def cells() -> dict[str, object]:
    """The staff's cells by their name for nbgrader."""
    notebook = nbformat.read(ROOT / "source" / HOMEWORK / f"{HOMEWORK}.ipynb", as_version=4)
    return {cell.metadata.nbgrader.grade_id: cell for cell in notebook.cells
            if "nbgrader" in cell.metadata}


def work(desk: Desk, path: str) -> None:
    """One right answer and one wrong one."""
    staff = cells()
    notebook = Notebook(desk.page, desk.server, path)
    notebook.write(staff[RIGHT].id, staff[RIGHT].source)
    notebook.write(staff[WRONG].id, MISTAKE)
    notebook.run("setup")
    notebook.run(staff[RIGHT].id)
    card = notebook.run(staff[f"check_{RIGHT}"].id).locator(".viva-card")
    card.wait_for()
    assert card.get_attribute("data-status") == "passed"
    notebook.run(staff[WRONG].id)
    card = notebook.run(staff[f"check_{WRONG}"].id).locator(".viva-card")
    assert card.get_attribute("data-status") == "failed"
    notebook.answer(staff[QUESTION].id, "Because one row costs D squared.")
    notebook.save()


def test_what_the_page_tells_to_check(home, address):
    """The answers and the course are the staff's alone, and the TA's account can grade."""
    doctor, course, clone = hub.lines("What to check")
    told = hub.as_user(TA, hub.in_course(home, doctor), capture_output=True, text=True)
    assert "This machine can grade." in told.stdout
    refusals = {
        course.replace("~ta/", f"~{TA}/"): b"Permission denied",
        clone.replace("/opt/viva", str(home)): b"Permission denied",
        f"{home}/bin/python -c 'import viva; from viva_course import examine'":
            b"cannot import name"}
    for command, reason in refusals.items():
        hub.as_user(TA, command, capture_output=True)
        for name in STUDENTS:
            with pytest.raises(subprocess.CalledProcessError) as refused:
                hub.as_user(name, command, capture_output=True)
            assert reason in refused.value.stderr, refused.value.stderr


def test_a_week_on_a_hub(desk, people, home):
    ta = desk(TA)
    ta.formgrader("manage_assignments")
    ta.press("assign", "Successfully created the student version")
    ta.press("release", "Successfully released")

    for name in STUDENTS:
        student = desk(name)
        listed = student.assignments()
        assert not student.has_command("nbgrader:open-formgrader")
        listed.get_by_role("button", name="Fetch").click()
        listed.get_by_role("button", name="Submit").wait_for()
        if name == ADA:
            work(student, f"{HOMEWORK}/{HOMEWORK}.ipynb")
            listed = student.assignments()
        listed.get_by_role("button", name="Submit").click()
        listed.locator("#submitted_assignments_list").get_by_text(HOMEWORK).first.wait_for()

    ta.formgrader("manage_assignments")
    ta.press("collect", "Successfully collected")
    for name in STUDENTS:
        ta.formgrader(f"manage_submissions/{HOMEWORK}")
        ta.press("autograde", "Successfully autograded", row=name)
    with Gradebook(f"sqlite:///{people[TA]}/course/gradebook.db", "viva") as gradebook:
        marks = {name: gradebook.find_submission(HOMEWORK, name).score for name in STUDENTS}
        worth = {name: gradebook.find_grade_cell(f"test_{name}", HOMEWORK, HOMEWORK).max_score
                 for name in (RIGHT, WRONG)}
    assert worth[RIGHT] <= marks[ADA] < worth[RIGHT] + worth[WRONG]
    assert marks[BOB] == 0

    at_the_desk(ta)
    assert desk(ADA).room("").status == 404, "students have no desk of their own"
    strangers = desk(BOB)
    strangers.server = ta.server
    assert strangers.room("class", HOMEWORK).status == 403

    ta.formgrader(f"gradebook/{HOMEWORK}/{HOMEWORK}")
    ta.page.get_by_text("Submission #1").click()
    ta.page.locator(".viva-rubric").first.wait_for()
    formgrader.give(ta.page, 2)
    ta.formgrader("manage_assignments")
    ta.press("generate-feedback", "Successfully generated feedback")
    ta.press("release-feedback", "Successfully released feedback")

    student = desk(ADA)
    listed = student.assignments()
    listed.get_by_role("button", name="Fetch Feedback").click()
    listed.get_by_text("view feedback").wait_for()
    [page] = (people[ADA] / HOMEWORK / "feedback").rglob(f"{HOMEWORK}.html")
    student.page.goto(page.as_uri())
    text = student.page.locator("body").inner_text()
    assert f"check_{WRONG}" not in text and "examine(" not in text
    assert "viva-rubric" in page.read_text() and "lost" in text

    asks_for_a_second_look(student, ta, people, home)


def at_the_desk(ta: Desk) -> None:
    """The TA's desk in the TA's own server: rooms, a run, and a mark under the hub's name."""
    assert ta.room("").status == 200
    assert "grade the written answers of 1" in ta.page.locator(".next").inner_text()
    assert ta.page.locator(".me").inner_text() == TA
    ta.room("class", HOMEWORK)
    assert ta.page.locator("table.class tbody tr").count() == len(STUDENTS)
    ta.page.get_by_role("link", name=ADA, exact=True).click()
    ta.page.get_by_role("heading", name="Where points were lost").wait_for()
    assert WRONG in ta.page.locator("main").inner_text().replace(" ", "")
    assert ta.run("Export for a spreadsheet").startswith("done")
    ta.room("written", HOMEWORK)
    ta.page.locator("#where").get_by_text("1 of").wait_for()
    ta.page.keyboard.press("0")
    ta.page.keyboard.press("Enter")
    ta.page.get_by_text(f"graded by {TA}").wait_for()
    ta.room("student", ADA, HOMEWORK)
    assert TA in ta.page.locator(".history").first.inner_text()


def asks_for_a_second_look(student: Desk, ta: Desk, people, home: Path) -> None:
    """A request goes through the exchange with the notebook, and is answered at the desk."""
    folder = people[ADA] / HOMEWORK
    hub.as_user(ADA, f"cd {folder} && {home}/bin/python -c 'import viva; "
                f"viva.begin(\"{HOMEWORK}\", \"{ADA}\"); "
                f"viva.request(\"test_{WRONG}\", \"because a mean may forget\")'")
    with student.page.expect_response(lambda reply: "/assignments/submit" in reply.url) as sent:
        student.assignments().get_by_role("button", name="Submit").click()
    assert sent.value.ok
    ta.formgrader("manage_assignments")
    ta.press("collect", "Successfully collected")
    assert ta.run("Autograde").startswith("done")
    ta.room("requests", HOMEWORK)
    asked = ta.page.get_by_role("article")
    assert "because a mean may forget" in asked.inner_text() and ADA in asked.inner_text()
    asked.get_by_role("textbox").fill("A mean forgets nothing.")
    asked.get_by_role("button", name="Decline").click()
    ta.page.get_by_text("Nobody waits for an answer.").wait_for()
    assert f"declined by {TA}" in ta.page.locator("main").inner_text()
