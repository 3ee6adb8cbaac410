"""Marks to a platform: what is sent, what is left alone, and what an interruption leaves."""

import json
from pathlib import Path
from urllib.parse import parse_qs

import pytest

import marked_course
from viva_examiner.cli import main
from viva_examiner.lms import push
from viva_examiner.lms.columns import Wanted, find, make
from viva_examiner.lms.connect import service_of
from viva_examiner.lms.platform_failure import LmsFailure
from viva_examiner.lms.push_plan import (
    CHANGED,
    NEW,
    NOT_FINAL,
    OVERRIDDEN,
    REFUSED,
    UNCHANGED,
    UNKNOWN,
)


@pytest.fixture
def pushed(course, platform):
    """A function that pushes homework one as a fresh process would; (plan, what came of it)."""
    def run(force: bool = False, dry_run: bool = False):
        service = service_of(course, platform.connection())
        # the next push comes a minute later: no test waits for the second to pass
        service.clock = lambda base=service.clock: base() + platform.clock
        service.sleep = lambda seconds: None
        plan = push.prepare(course, "one", service)
        done = push.PushOutcome() if dry_run else push.send(course, service, plan, force)
        platform.clock += 60
        return plan, done
    return run


def kinds(plan) -> dict[str, str]:
    return {line.student: line.kind for line in plan.lines}


def there(platform) -> dict[str, float | None]:
    return {user: grade.score for (_, user), grade in platform.grades.items()}


def test_a_dry_run_sends_and_makes_nothing(pushed, platform):
    plan, _ = pushed(dry_run=True)
    assert set(kinds(plan).values()) == {NEW} and plan.column is None
    assert not platform.columns and not platform.grades


def test_a_class_is_pushed_once(pushed, platform):
    plan, done = pushed()
    assert there(platform) == {"11": 8, "12": 5, "13": 10}
    assert len(done.sent) == 3 and not done.refused and not done.differs and not done.stopped
    assert platform.columns[0] | {"id": ""} == {
        "id": "", "label": "one", "scoreMaximum": 10.0, "resourceId": "viva:m:one", "tag": "viva"}
    assert platform.grades["1", "11"].comment == "8 of 10"
    sent = platform.scores_sent()
    plan, done = pushed()
    assert set(kinds(plan).values()) == {UNCHANGED} and not done.sent
    assert platform.scores_sent() == sent and len(platform.columns) == 1


def test_what_is_sent_is_what_the_page_says(pushed, platform, course):
    """docs/lms.md, "What is sent, and what never is"."""
    pushed()
    sent = [(path.rpartition("/")[2], body) for path, body in platform.bodies if path != "/token"]
    fields = {what: set(json.loads(body)) for what, body in sent}
    assert fields == {
        "columns": {"label", "scoreMaximum", "resourceId", "tag"},
        "scores": {"userId", "scoreGiven", "scoreMaximum", "comment", "timestamp",
                   "activityProgress", "gradingProgress"}}
    said = " ".join(body for _, body in sent)
    for never in ("ada", "O'Neil", "@uni.example", "def ", "import "):
        assert never not in said
    form = {name for path, body in platform.bodies if path == "/token" for name in parse_qs(body)}
    assert form == {"grant_type", "client_assertion_type", "client_assertion", "scope"}


def test_only_what_changed_is_sent(pushed, platform, course):
    pushed()
    marked_course.hand_in(course, "one", "bob", 6, 3)
    sent = platform.scores_sent()
    plan, done = pushed()
    assert kinds(plan) == {"ada": UNCHANGED, "bob": CHANGED, "cyd": UNCHANGED}
    assert platform.scores_sent() == sent + 1 and there(platform)["12"] == 9
    assert platform.grades["1", "12"].comment == "9 of 10"


def test_a_mark_that_waits_for_a_person_is_never_sent(pushed, platform, course):
    marked_course.hand_in(course, "one", "ada", 6, None)
    marked_course.hand_in(course, "one", "bob", 6, 4, look=True)
    plan, done = pushed(force=True)
    assert kinds(plan) == {"ada": NOT_FINAL, "bob": NOT_FINAL, "cyd": NEW}
    assert there(platform) == {"13": 10}
    assert "written answers not graded yet" in plan.of(NOT_FINAL)[0].words


def test_a_mark_that_was_given_for_another_text_is_never_sent(pushed, platform, course):
    """A new attempt came by a way that does not tell us, as stock nbgrader's autograding."""
    pushed(dry_run=True)  # notes for which texts the marks were given
    own = Path(course.path("autograded", "ada", "one")) / "one.ipynb"
    own.write_text(marked_course.notebook("Something that nobody has read."))
    plan, _ = pushed()
    assert kinds(plan) == {"ada": NOT_FINAL, "bob": NEW, "cyd": NEW}
    assert "11" not in there(platform)


def test_a_mark_that_waits_again_leaves_what_stands_there(pushed, platform, course):
    pushed()
    marked_course.hand_in(course, "one", "ada", 6, None)
    plan, _ = pushed()
    assert kinds(plan)["ada"] == NOT_FINAL and "8 stands there" in plan.of(NOT_FINAL)[0].words
    assert there(platform)["11"] == 8


@pytest.mark.parametrize("score, comment", [(9.5, "8 of 10"), (8.0, "well done"), (None, None)])
def test_what_a_teacher_did_there_is_left_alone_without_force(pushed, platform, course, score,
                                                              comment):
    """Another grade, another comment, or a grade taken away."""
    pushed()
    platform.by_hand("11", score, comment)
    marked_course.hand_in(course, "one", "ada", 6, 3)
    plan, done = pushed()
    assert kinds(plan)["ada"] == OVERRIDDEN and not done.sent
    assert there(platform)["11"] == score
    plan, done = pushed(force=True)
    assert there(platform)["11"] == 9 and len(done.sent) == 1
    assert kinds(pushed()[0])["ada"] == UNCHANGED


def test_a_grade_that_somebody_else_gave_first_is_left_alone(pushed, platform, course):
    wanted = Wanted("viva:m:one", "one", 10.0)
    make(service_of(course, platform.connection()), wanted)
    platform.by_hand("11", 3.0)
    plan, _ = pushed()
    assert kinds(plan) == {"ada": OVERRIDDEN, "bob": NEW, "cyd": NEW}
    assert "not pushed from here" in plan.of(OVERRIDDEN)[0].words and there(platform)["11"] == 3


def test_an_edit_between_reading_and_sending_wins(course, platform):
    """Our time is older than the teacher's, so the platform refuses ours."""
    service = service_of(course, platform.connection())
    plan = push.prepare(course, "one", service)
    platform.columns.append({"id": "1", "label": "one", "scoreMaximum": 10.0,
                             "resourceId": "viva:m:one", "tag": "viva"})
    plan.column = find(service, plan.wanted)
    platform.clock += 30
    platform.by_hand("11", 1.0)
    done = push.send(course, service, plan)
    assert [line.student for line, _ in done.refused] == ["ada"]
    assert "newer grade" in done.refused[0][1] and there(platform)["11"] == 1


def test_a_platform_that_dies_half_way_is_gone_on_with(pushed, platform, course):
    platform.dies_after = 2
    plan, done = pushed()
    assert done.stopped and there(platform) == {"11": 8, "12": 5}
    platform.dies_after, platform.dead = -1, False
    marked_course.hand_in(course, "one", "bob", 6, 3)  # changed meanwhile: 5 there is still ours
    plan, done = pushed()
    assert kinds(plan) == {"ada": UNCHANGED, "bob": CHANGED, "cyd": NEW}
    assert not done.stopped and there(platform) == {"11": 8, "12": 9, "13": 10}


def test_a_token_that_ends_half_way_is_renewed(pushed, platform):
    platform.faults = [("scores", 401, {})]
    _, done = pushed()
    assert len(done.sent) == 3 and len(platform.tokens) == 2


def test_a_limit_of_rate_half_way_is_waited_for(pushed, platform):
    platform.faults = [("scores", 429, {"Retry_After": "3"})]
    _, done = pushed()
    assert len(done.sent) == 3 and not done.stopped


def test_a_locked_grade_is_a_line_and_tried_again(pushed, platform, course):
    pushed()
    platform.locked = {"11"}
    marked_course.hand_in(course, "one", "ada", 6, 4)
    marked_course.hand_in(course, "one", "bob", 6, 4)
    _, done = pushed()
    assert [(line.student, "locked" in why) for line, why in done.refused] == [("ada", True)]
    assert there(platform) == {"11": 8, "12": 10, "13": 10}
    plan, _ = pushed(dry_run=True)
    assert kinds(plan) == {"ada": REFUSED, "bob": UNCHANGED, "cyd": UNCHANGED}
    assert "locked" in plan.of(REFUSED)[0].words and "8 becomes 10" in plan.of(REFUSED)[0].words
    platform.locked = set()
    _, done = pushed()
    assert len(done.sent) == 1 and there(platform)["11"] == 10
    assert kinds(pushed()[0])["ada"] == UNCHANGED


def test_who_was_refused_and_taken_later_is_changed_like_anybody(pushed, platform, course):
    platform.locked = {"11"}
    pushed()
    assert kinds(pushed(dry_run=True)[0])["ada"] == REFUSED
    platform.locked = set()
    pushed()
    marked_course.hand_in(course, "one", "ada", 6, 4)
    assert kinds(pushed()[0])["ada"] == CHANGED


def test_a_student_whom_the_platform_does_not_know_is_a_line(pushed, platform, course):
    marked_course.hand_in(course, "one", "zoe", 6, 4)
    plan, done = pushed()
    assert kinds(plan)["zoe"] == UNKNOWN and len(done.sent) == 3


def test_somebody_who_left_while_we_sent_is_a_line(course, platform):
    service = service_of(course, platform.connection())
    plan = push.prepare(course, "one", service)
    platform.members = [each for each in platform.members if each["user_id"] != "11"]
    done = push.send(course, service, plan)
    assert [line.student for line, _ in done.refused] == ["ada"] and len(done.sent) == 2


def test_a_platform_that_says_404_of_one_student_goes_on_with_the_others(pushed, platform):
    platform.faults = [("scores", 404, {})]
    _, done = pushed()
    assert [why for _, why in done.refused] == ["the LMS has no such member (HTTP 404)"]
    assert len(done.sent) == 2 and not done.stopped


def test_a_column_that_is_deleted_meanwhile_ends_the_push(course, platform):
    service = service_of(course, platform.connection())
    plan = push.prepare(course, "one", service)
    plan.column = make(service, plan.wanted)
    platform.columns[0] |= {"resourceId": "viva:m:another"}
    platform.faults = [("scores", 404, {})]
    done = push.send(course, service, plan)
    assert "the column is gone" in done.stopped and not done.sent and not done.refused


def test_two_with_the_same_name_are_not_guessed(pushed, platform, course):
    for each in platform.members[:2]:
        each |= {"given_name": "Sam", "family_name": "Same"}
        each |= {"email": "", "lis_person_sourcedid": ""}
    from nbgrader.api import Gradebook
    with Gradebook(course.db_url, "m") as book:
        for name in ("ada", "bob"):
            book.update_or_create_student(name, first_name="Sam", last_name="Same")
    plan, _ = pushed()
    assert kinds(plan) == {"ada": UNKNOWN, "bob": UNKNOWN, "cyd": NEW}
    assert "have this name" in plan.of(UNKNOWN)[0].words


def test_what_the_platform_makes_of_a_grade_is_said_once(pushed, platform, course):
    """Moodle keeps an overridden grade of an activity and answers 200 all the same."""
    pushed()
    platform.stubborn = {"11"}
    marked_course.hand_in(course, "one", "ada", 6, 4)
    _, done = pushed()
    assert [line.student for line, _ in done.differs] == ["ada"]
    assert "10 was sent, and the LMS shows 8" in done.differs[0][1]


def test_extra_credit_that_the_platform_cuts_is_not_sent_for_ever(pushed, platform, course):
    marked_course.hand_in(course, "one", "cyd", 6, 4)
    from nbgrader.api import Gradebook
    with Gradebook(course.db_url, "m") as book:
        grade = book.find_grade("test_sum", "one", "one", "cyd")
        grade.extra_credit = 2.0
        book.db.commit()
    _, done = pushed()
    assert "12 was sent, and the LMS shows 10" in done.differs[0][1]
    plan, done = pushed()
    assert kinds(plan)["cyd"] == UNCHANGED and not done.sent


def test_a_column_with_another_maximum_keeps_it(pushed, platform):
    pushed()
    platform.columns[0]["scoreMaximum"] = 20.0
    for grade in platform.grades.values():
        grade.score *= 2  # as Moodle rescales them
    plan, _ = pushed()
    assert set(kinds(plan).values()) == {UNCHANGED} and plan.column.maximum == 20


@pytest.mark.parametrize("filters, page", [(True, 0), (False, 1)])
def test_a_column_is_found_among_others(pushed, platform, filters, page):
    platform.filters, platform.page = filters, page
    platform.columns += [
        {"id": "1", "label": "one", "scoreMaximum": 10.0, "resourceId": "", "tag": ""},
        {"id": "2", "label": "one", "scoreMaximum": 5.0, "resourceId": "viva:m:two", "tag": "viva"}]
    pushed()
    plan, _ = pushed()
    assert len(platform.columns) == 3 and set(kinds(plan).values()) == {UNCHANGED}


def test_two_columns_for_one_homework_are_told(pushed, platform):
    pushed()
    platform.columns.append(platform.columns[0] | {"id": "2"})
    with pytest.raises(LmsFailure, match="2 columns for this homework"):
        pushed()


def test_a_second_push_within_the_second_waits_for_the_clock(course, platform):
    slept = []
    for test in (4, 5):
        marked_course.hand_in(course, "one", "ada", test, 0)
        service = service_of(course, platform.connection())
        service.clock = lambda: 1.9e9 + sum(slept)
        platform.now = service.clock
        service.sleep = slept.append
        plan = push.prepare(course, "one", service)
        assert not push.send(course, service, plan).refused
    assert slept and sum(slept) <= 1 and there(platform)["11"] == 5


def test_the_command_says_first_then_sends(course, platform, monkeypatch, capsys):
    monkeypatch.chdir(course.root)
    (course.root / "nbgrader_config.py").write_text(
        marked_course.CONFIG + 'c.Examiner.columns = {"one": "HW 1 (12345)"}\n')
    marked_course.hand_in(course, "one", "zoe", 6, 4)
    assert main(["lms", "push", "one", "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert 'a new column "HW 1", 10 points' in said and "new: 3" in said
    assert "zoe: the LMS has no such member" in said
    assert not platform.grades
    platform.locked = {"12"}
    assert main(["lms", "push", "one"]) == 1
    said = capsys.readouterr().out
    assert "2 of 3 grades were sent and read back" in said and "is the grade locked?" in said
    platform.dead = True
    assert main(["lms", "push", "one"]) == 2
    assert "does not answer" in capsys.readouterr().err
    assert main(["lms", "push", "onne"]) == 2
    assert "did you mean one" in capsys.readouterr().err
