"""A real Moodle, from the roster to the grade that a student sees. `make test-moodle MOODLE=…`

The tests are the steps of one walk: each goes on where the one before ended.
"""

import os
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook

import one_homework
from moodle import PASSWORD, Person, moodle
from moodle_class import groups, students, teachers
from one_homework import HOMEWORK
from viva_examiner.cli import main
from viva_examiner.lms import push
from viva_examiner.lms.connect import key_for, opened
from viva_examiner.lms.connection import key_path
from viva_examiner.lms.key_pair import public_pem

LABEL = "HW 11"
ABSENT = ("user28", "user29")  # hand in nothing
WAITS = "user27"  # whose written answer nobody grades
pytestmark = pytest.mark.moodle


class World:
    """The course here, the course in Moodle, and who is who."""

    def __init__(self, course, server):
        self.course, self.moodle = course, server
        self.teacher = Person(server, "teach")

    def student(self, login: str) -> str:
        """The id in the course: the institution's number, else the login."""
        return next(each["number"] or each["login"] for each in students()
                    if each["login"] == login)

    def marks(self) -> dict[str, float]:
        """{login: final mark} as the gradebook here has them."""
        from viva_examiner.gradebook.results import Results

        with Gradebook(self.course.db_url, self.course.directory.course_id) as book:
            found = {each.student.id: each.standing.score
                     for each in Results(book, self.course).of(HOMEWORK)}
        return {each["login"]: score for each in students()
                if (score := found.get(self.student(each["login"]))) is not None}

    def write(self, login: str, points: float | None) -> None:
        """A TA's mark for the written answer."""
        with Gradebook(self.course.db_url, self.course.directory.course_id) as book:
            grade = book.find_grade("written_why", HOMEWORK, HOMEWORK, self.student(login))
            grade.manual_score, grade.needs_manual_grade = points, points is None
            book.db.commit()

    def grades(self) -> dict[str, float]:
        """{login: grade} from Moodle's own tables."""
        return {login: grade for login, (grade, _) in self.moodle.grades(LABEL).items()}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    source = os.environ.get("MOODLE", "")
    if not (Path(source) / "mod" / "lti").is_dir():
        pytest.fail("MOODLE names no folder with Moodle's source: make test-moodle MOODLE=…")
    extra = f'c.Examiner.columns = {{"{HOMEWORK}": "{LABEL} (12345)"}}'
    course = one_homework.make(tmp_path_factory.mktemp("moodle") / "course", extra)
    with moodle(Path(source)) as server:
        key_for(course, "uni")
        server.seed({"people": students() + teachers(), "groups": groups(), "teacher": "teach",
                     "key": public_pem(key_path(course, "uni"))})
        print(f"\nMoodle {server.made['release']}")
        world = World(course, server)
        world.teacher.sign_in()
        hand_in(world)
        yield world


def hand_in(world: World) -> None:
    """By Moodle's web service: right answers, every fifth with a mistake."""
    released = nbformat.read(
        f"{world.course.path('release', '.', HOMEWORK)}/{HOMEWORK}.ipynb", 4)
    right = nbformat.writes(one_homework.answered(released)).encode()
    wrong = nbformat.writes(one_homework.answered(
        released, stable_softmax=one_homework.WRONG_AXIS)).encode()
    made = world.moodle.made["assignments"]
    for number, each in enumerate(students()):
        if each["login"] not in ABSENT:
            files = {f"{HOMEWORK}.ipynb": wrong if number % 5 == 0 else right}
            Person(world.moodle, each["login"]).hand_in(made["plain"]["id"], files)
    Person(world.moodle, "user05").hand_in(made["blind"]["id"], {f"{HOMEWORK}.ipynb": right})


@pytest.fixture
def viva(world, monkeypatch, capfd):
    """viva(*words) -> (exit code, what it said), in the course's folder."""
    monkeypatch.chdir(world.course.root)

    def run(*words: str) -> tuple[int, str]:
        code = main(list(words))
        said = capfd.readouterr()
        with capfd.disabled():
            print(f"\n$ viva {' '.join(map(str, words))}\n{said.out}{said.err}".rstrip())
        return code, said.out + said.err
    return run


def test_connect(world, viva):
    made = world.moodle.made
    code, said = viva("lms", "connect", "uni", "--site", world.moodle.address, "--client-id",
                      made["client_id"], "--tool", str(made["tool"]), "--course",
                      str(made["course"]))
    assert code == 0 and "31 students, 1 of the staff" in said  # one of them only assists


def test_roster(world, viva):
    code, said = viva("lms", "roster", "--dry-run")
    assert "31 new" in said
    code, said = viva("lms", "roster", "--staff", "assist@uni.example", "--yes")
    assert code == 0 and "30 new" in said and "Assi Stant (assistant)" in said
    with Gradebook(world.course.db_url, world.course.directory.course_id) as book:
        table = {each.id: (each.first_name, each.last_name, each.email) for each in book.students}
    for each in students():
        first, last, email = table[world.student(each["login"])]
        assert email == each["email"]
        if "<" not in each["first"]:  # Moodle itself takes tags out of names
            assert (first, last) == (each["first"], each["last"])
    assert "30 unchanged" in viva("lms", "roster", "--dry-run")[1]


def test_collect(world, viva, tmp_path):
    cmid = world.moodle.made["assignments"]["plain"]["cmid"]
    worksheet = tmp_path / "worksheet.csv"
    worksheet.write_bytes(world.teacher.worksheet(cmid))
    taken = {}
    for name, folders in (("folders", True), ("flat", False)):
        archive = tmp_path / f"{name}.zip"
        archive.write_bytes(world.teacher.download(cmid, folders))
        code, said = viva("collect", HOMEWORK, str(archive), "--worksheet", str(worksheet), "--yes")
        assert code == 0, said
        taken[name] = {path.parent.name for path in world.course.root.glob("submitted/*/*")}
    everybody = {world.student(each["login"]) for each in students()
                 if each["login"] not in ABSENT}
    assert taken == {"folders": everybody, "flat": everybody}
    kept = world.course.root / "downloaded" / HOMEWORK / "archive"
    kept.mkdir(parents=True)
    (tmp_path / "folders.zip").rename(kept / "folders.zip")
    worksheet.rename(kept.parent / "worksheet.csv")


def test_collect_what_was_marked_blind(world, viva, tmp_path):
    archive = tmp_path / "blind.zip"
    archive.write_bytes(world.teacher.download(
        world.moodle.made["assignments"]["blind"]["cmid"], True))
    code, said = viva("collect", HOMEWORK, str(archive), "--dry-run")
    assert code == 1 and "blind" in said


def test_grade(world, viva):
    assert viva("autograde", HOMEWORK)[0] == 0
    for each in students():
        if each["login"] not in (*ABSENT, WAITS):
            world.write(each["login"], 2.0)
    marks = world.marks()
    assert len(marks) == 27 and len(set(marks.values())) > 1


def test_push(world, viva):
    code, said = viva("lms", "push", HOMEWORK, "--dry-run")
    assert code == 0 and f'a new column "{LABEL}"' in said and "new: 27" in said
    assert not world.grades()
    code, said = viva("lms", "push", HOMEWORK)
    assert code == 0 and "27 of 27 grades were sent and read back" in said
    assert world.grades() == pytest.approx(world.marks()) and WAITS not in world.grades()
    _, comment = world.moodle.grades(LABEL)["user01"]
    assert " of " in comment


def test_push_again_sends_nothing(world, viva):
    code, said = viva("lms", "push", HOMEWORK)
    assert code == 0 and "unchanged: 27" in said and "Nothing to send." in said
    [[count]] = world.moodle.rows("SELECT count(*) FROM mdl_grade_items WHERE itemname = %s", LABEL)
    assert count == 1


def test_push_one_change(world, viva):
    world.write("user01", 3.0)
    code, said = viva("lms", "push", HOMEWORK)
    assert code == 0 and "changed: 1" in said and "1 of 1 grades" in said
    assert world.grades() == pytest.approx(world.marks())


def test_a_grade_that_a_teacher_changed_stays(world, viva):
    world.teacher.override(LABEL, "user02", 1.5)
    assert world.grades()["user02"] == 1.5
    world.write("user02", 3.0)
    code, said = viva("lms", "push", HOMEWORK)
    assert "overridden by hand in the LMS (left alone): 1" in said and "1.5 stands there" in said
    assert world.grades()["user02"] == 1.5
    code, said = viva("lms", "push", HOMEWORK, "--force")
    assert code == 0 and world.grades()["user02"] == world.marks()["user02"]


def test_a_token_that_ends_is_renewed(world):
    world.write("user03", 1.0)
    service = opened(world.course)
    plan = push.prepare(world.course, HOMEWORK, service)
    world.moodle.change("UPDATE mdl_lti_access_tokens SET validuntil = 1")
    done = push.send(world.course, service, plan)
    assert [line.student for line in done.sent] == [world.student("user03")] and not done.stopped
    assert world.grades()["user03"] == world.marks()["user03"]


def test_locked_suspended_and_unknown_are_lines(world, viva):
    for login in ("user04", "user06"):
        world.write(login, 1.0)
    world.moodle.change("""UPDATE mdl_grade_grades SET locked = 1 FROM mdl_grade_items i, mdl_user u
        WHERE i.id = itemid AND u.id = userid AND i.itemname = %s AND u.username = %s""",
                        LABEL, "user04")
    world.moodle.change("""UPDATE mdl_user_enrolments SET status = 1 WHERE userid = %s""",
                        world.moodle.made["people"]["user06"])
    code, said = viva("lms", "push", HOMEWORK)
    assert code == 1 and "locked" in said
    assert f"{world.student('user06')}: the LMS has no such member" in said
    world.moodle.change("UPDATE mdl_grade_grades SET locked = 0")
    world.moodle.change("UPDATE mdl_user_enrolments SET status = 0")
    code, said = viva("lms", "push", HOMEWORK)
    assert code == 0 and "refused by the LMS last time, tried again: 1" in said
    assert world.grades()["user04"] == world.marks()["user04"]


def test_a_server_that_stops_half_way_is_gone_on_with(world, viva):
    for each in students():
        if each["login"] not in (*ABSENT, WAITS):
            world.write(each["login"], 2.5)
    service = opened(world.course)
    plan = push.prepare(world.course, HOMEWORK, service)
    assert len(plan.to_send()) == 27
    seen = []

    def switch_off(line) -> None:
        seen.append(line)
        if len(seen) == 10:
            world.moodle.stop()

    done = push.send(world.course, service, plan, on_line=switch_off)
    assert len(done.sent) == 10 and done.stopped
    world.moodle.run()
    code, said = viva("lms", "push", HOMEWORK)
    assert code == 0 and "17 of 17 grades were sent and read back" in said
    assert world.grades() == pytest.approx(world.marks())


def test_feedback_comes_back_to_each_student(world, viva):
    downloaded = world.course.root / "downloaded" / HOMEWORK
    code, said = viva("feedback", HOMEWORK, "--for", "moodle", "--worksheet",
                      str(downloaded / "worksheet.csv"))
    assert code == 0 and "the pages of 28, for moodle" in said
    archive = world.course.root / "exports" / f"{HOMEWORK}-feedback-moodle.zip"
    made = world.moodle.made["assignments"]["plain"]
    world.teacher.give_feedback(made["cmid"], archive.read_bytes())
    for login in ("user00", "user01", "user12", WAITS):
        person = Person(world.moodle, login)
        status = person.call("mod_assign_get_submission_status", assignid=made["id"])
        plugins = {each["type"]: each for each in status["feedback"]["plugins"]}
        [[file]] = [each["files"] for each in plugins["file"]["fileareas"]]
        assert file["filename"] == f"{HOMEWORK}.html"
        page = person.get(file["fileurl"].removeprefix(world.moodle.address),
                          token=person.token()).text
        own = world.course.root / "feedback" / world.student(login) / HOMEWORK
        assert page == (own / f"{HOMEWORK}.html").read_text()


@pytest.fixture
def browse(world, page, elsewhere):
    """browse(login): a page of somebody who has signed in; nothing outside this machine answers."""
    def sign_in(login: str):
        page.context.clear_cookies()
        page.goto(f"{world.moodle.address}/login/index.php")
        page.fill("#username", login)
        page.fill("#password", PASSWORD)
        page.click("#loginbtn")
        page.wait_for_url(lambda url: "/login/" not in url)
        return page
    return sign_in


def test_the_teacher_sees_the_column(world, browse, picture):
    page = browse("teach")
    course = world.moodle.made["course"]
    page.goto(f"{world.moodle.address}/grade/report/grader/index.php?id={course}")
    header = page.locator(f".gradeitemheader[title='{LABEL}']")
    header.wait_for()
    row = page.locator("tr", has_text="person01@uni.example")
    assert f"{world.marks()['user01']:.2f}" in row.inner_text()
    header.scroll_into_view_if_needed()
    picture(page, "moodle-gradebook")


def test_the_student_sees_grade_comment_and_feedback(world, browse, picture):
    page = browse("user01")
    course = world.moodle.made["course"]
    page.goto(f"{world.moodle.address}/grade/report/user/index.php?id={course}")
    row = page.locator("tr", has=page.get_by_text(LABEL, exact=True)).last
    row.wait_for()
    mark = world.marks()["user01"]
    assert f"{mark:.2f}" in row.inner_text() and f"{mark:g} of 14" in row.inner_text()
    picture(page, "moodle-student-grade")
    made = world.moodle.made["assignments"]["plain"]
    page.goto(f"{world.moodle.address}/mod/assign/view.php?id={made['cmid']}")
    link = page.get_by_role("link", name=f"{HOMEWORK}.html")
    link.first.wait_for()
    picture(page, "moodle-student-feedback", full_page=True)
    with page.expect_download() as download:  # Moodle shows no HTML of others on its own pages
        link.first.click()
    own = world.course.root / "feedback" / world.student("user01") / HOMEWORK
    assert Path(download.value.path()).read_text() == (own / f"{HOMEWORK}.html").read_text()


def test_a_teacher_adds_the_tool_as_connect_says(world, viva, browse, monkeypatch):
    """No administrator: the form behind Course, More, LTI External tools."""
    monkeypatch.setattr("builtins.input", lambda question: "")
    code, said = viva("lms", "connect", "second")
    assert code == 1
    pem = said[said.index("-----BEGIN PUBLIC KEY"):].partition("KEY-----\n\n")[0] + "KEY-----\n"
    course = str(world.moodle.made["course"])
    page = browse("teach")
    page.goto(f"{world.moodle.address}/mod/lti/coursetools.php?id={course}")
    page.get_by_role("link", name="Add tool").click()
    page.locator("#id_lti_typename").wait_for()
    page.evaluate("document.querySelectorAll('.collapse').forEach(e => e.classList.add('show'))")
    page.fill("#id_lti_typename", "Viva again")
    page.fill("#id_lti_toolurl", "https://course.example")
    page.select_option("#id_lti_ltiversion", "1.3.0")
    page.select_option("#id_lti_keytype", "RSA_KEY")
    page.fill("#id_lti_publickey", pem)
    page.select_option("#id_ltiservice_gradesynchronization", "2")
    page.select_option("#id_ltiservice_memberships", "1")
    for field in ("lti_sendname", "lti_sendemailaddr", "lti_acceptgrades"):
        page.select_option(f"#id_{field}", "1")
    page.click("#id_submitbutton")
    edit = page.locator("tr", has_text="Viva again").locator("a[href*='coursetooledit.php']").first
    page.goto(edit.get_attribute("href"))
    client = page.locator("#id_lti_clientid_disabled").input_value()
    answers = iter([page.url, client])  # what a person copies; the page tells tool and course
    monkeypatch.setattr("builtins.input", lambda question: next(answers))
    code, said = viva("lms", "connect", "second")
    assert code == 0 and "31 students" in said
