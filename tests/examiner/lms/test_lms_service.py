"""Tokens, pages, limits and keys, against a platform that checks signatures."""

import json
import stat
import subprocess
from datetime import datetime, timedelta
from email.utils import format_datetime

import pytest

from viva_examiner.cli import main
from viva_examiner.lms import connection as connections
from viva_examiner.lms.connect import service_of
from viva_examiner.lms.connection import Connection, key_path
from viva_examiner.lms.key_pair import make_key, public_jwk
from viva_examiner.lms.members import Member, members
from viva_examiner.lms.platform_failure import LmsFailure, RequestRefused, Unreachable
from viva_examiner.lms.platforms import PLATFORMS
from viva_examiner.lms.private import about_keys
from viva_examiner.lms.service import SCOPES


def test_members_come_with_names_as_people_write_them(service):
    found = {each.user_id: each for each in members(service)}
    assert (found["11"].first_name, found["11"].last_name) == ("Ada", "O'Neil & Sons")
    assert found["12"].last_name == "<b>Bold</b>" and found["12"].number == "bob"
    assert found["3"].role == "teacher" and found["13"].role == "student"


def test_who_has_left_or_has_no_part_is_no_member(service, platform):
    platform.members[0]["status"] = "Inactive"
    platform.members[1]["roles"] = ["http://purl.imsglobal.org/vocab/lis/v2/institution/person#Student"]
    assert {each.user_id for each in members(service)} == {"13", "3"}


def test_every_page_is_read(service, platform):
    platform.page = 1
    assert len(members(service)) == 4


def test_one_token_serves_many_requests_and_an_ended_one_is_renewed(service, platform):
    members(service)
    members(service)
    assert len(platform.tokens) == 1
    platform.clock += platform.lasts  # the platform ends it before we expect that
    assert len(members(service)) == 4
    assert len(platform.tokens) == 2


def test_a_token_is_renewed_before_its_end(course, platform):
    now = [1e9]
    service = service_of(course, platform.connection())
    service.clock = lambda: now[0]
    service.ahead = platform.now() - now[0]
    service.token()
    now[0] += platform.lasts - 30
    service.token()
    assert len(platform.tokens) == 2


@pytest.mark.parametrize("ahead", [-4000, 4000])
def test_a_clock_that_is_wrong_here_does_not_matter(service, platform, ahead):
    platform.clock = ahead
    assert len(members(service)) == 4
    assert abs(service.now() - platform.now()) < 5


def test_the_wrong_key_is_said(course, platform, service):
    path = key_path(course, "uni")
    path.unlink()
    make_key(path)
    with pytest.raises(RequestRefused, match="did not accept our key"):
        service_of(course, platform.connection()).token()


def test_what_was_not_granted_is_named(service, platform):
    platform.scopes = {scope for scope in SCOPES if "nrps" not in scope}
    with pytest.raises(LmsFailure, match="switch on: Names and Role"):
        service.token()


@pytest.mark.parametrize("said, waits", [("7", 7), ("", 1), ("date", 30)])
def test_a_limit_of_rate_is_waited_for(service, platform, said, waits):
    if said == "date":
        said = format_datetime(datetime.now().astimezone() + timedelta(seconds=30))
    platform.faults = [("members", 429, {"Retry_After": said})]
    slept = []
    service.sleep = slept.append
    assert len(members(service)) == 4
    assert len(slept) == 1 and slept[0] == pytest.approx(waits, abs=2)


def test_a_limit_without_end_is_told(service, platform):
    platform.faults = [("members", 429, {})] * 10
    service.sleep = lambda seconds: None
    with pytest.raises(RequestRefused, match="fewer requests"):
        members(service)


def test_canvas_says_403_for_a_limit_of_rate(service, platform):
    platform.faults = [("members", 403, {"X_Rate_Limit_Remaining": "0.0"})]
    slept = []
    service.sleep = slept.append
    assert len(members(service)) == 4 and slept


def test_a_platform_that_is_gone_is_a_sentence(service, platform):
    platform.dead = True
    with pytest.raises(Unreachable, match="does not answer"):
        service.token()


def test_a_token_goes_nowhere_else(service, platform):
    platform.page = 1
    real, platform.address = platform.address, "http://127.0.0.2:1"  # the next page's, as it says
    platform.tokens["t"] = platform.now() + 99
    service._token, service._until = "t", service.clock() + 99
    with pytest.raises(LmsFailure, match="not its own"):
        members(service)
    platform.address = real


def test_a_page_that_is_no_json_is_a_sentence(service, platform):
    platform.faults = [("members", 200, {"kind": "text/html"})]
    with pytest.raises(LmsFailure, match="another form"):
        members(service)


@pytest.mark.parametrize("site, why", [("http://moodle.example", "only by https"),
                                       ("ftp://moodle.example", "not an address")])
def test_grades_travel_only_by_https(site, why):
    told = {"site": site, "client_id": "c", "tool": "2", "course": "3"}
    with pytest.raises(LmsFailure, match=why):
        PLATFORMS["moodle"].build("uni", told).checked()


def test_moodles_addresses_are_built():
    told = {"site": "moodle.example/", "client_id": "c", "tool": "2", "course": "3"}
    made = PLATFORMS["moodle"].build("uni", told).checked()
    services = "https://moodle.example/mod/lti/services.php"
    assert made == Connection("uni", "moodle", "c", "https://moodle.example/mod/lti/token.php",
                              f"{services}/CourseSection/3/bindings/2/memberships",
                              f"{services}/3/lineitems")
    with pytest.raises(LmsFailure, match="number"):
        PLATFORMS["moodle"].build("uni", told | {"course": "view.php"})


TOOL = "mod/lti/coursetooledit.php?course=3&typeid=2"


@pytest.mark.parametrize("site", ["moodle.example", "https://moodle.example/course/view.php?id=3",
                                  f"https://moodle.example/{TOOL}", "https://moodle.example/my/"])
def test_the_site_of_a_page_is_enough(site):
    told = {"site": site, "client_id": "c", "tool": "2", "course": "3"}
    assert PLATFORMS["moodle"].build("uni", told).token_url \
        == "https://moodle.example/mod/lti/token.php"


def test_a_site_below_a_path_keeps_it():
    told = {"site": f"https://uni.example/moodle/{TOOL}", "client_id": "c", "tool": "2",
            "course": "3"}
    assert PLATFORMS["moodle"].build("uni", told).token_url \
        == "https://uni.example/moodle/mod/lti/token.php"


@pytest.mark.parametrize("platform, link, told", [
    ("moodle", f"https://moodle.example/{TOOL}", {"tool": "2", "course": "3"}),
    ("moodle", "https://moodle.example/course/view.php?id=3&section=1", {"course": "3"}),
    ("moodle", "https://moodle.example/mod/assign/view.php?id=9", {}),  # not the course's id
    ("moodle", "client-7", {}),
    ("canvas", "https://canvas.example/courses/77/settings", {"course": "77"}),
])
def test_a_link_tells_the_ids_in_it(platform, link, told):
    assert PLATFORMS[platform].tells(link) == told


def test_what_a_link_tells_is_not_asked(course, monkeypatch, capsys):
    monkeypatch.chdir(course.root)
    asked, tried = [], []
    answers = iter([f"https://moodle.example/{TOOL}", "client-7"])
    monkeypatch.setattr("builtins.input", lambda question: asked.append(question) or next(answers))

    def members_of(course, connection):
        tried.append(connection)
        return [Member("11", "7001"), Member("12", "7002")]

    monkeypatch.setattr("viva_examiner.lms.connect.tried", members_of)
    assert main(["lms", "connect", "third"]) == 0
    assert len(asked) == 2 and "/CourseSection/3/bindings/2/" in tried[0].members_url
    said = capsys.readouterr().out
    assert "tells no names" in said and "tells no e-mail" in said


def test_an_answer_that_was_wrong_need_not_cost_the_others(course, platform, monkeypatch, capsys):
    monkeypatch.chdir(course.root)
    words = ["lms", "connect", "uni", "--site", platform.address, "--client-id", "client-7",
             "--tool", "2", "--course", "3"]
    platform.faults = [("token.php", 404, {})]
    assert main(words) == 2
    said = capsys.readouterr()
    assert " ".join(["viva", *words]) in said.out
    assert "gives no tokens (HTTP 404)" in said.err and "compare the platform's address" in said.err


def test_canvas_is_given_a_key_that_is_json(course):
    said = PLATFORMS["canvas"].steps(key_path(course, "uni"))
    key = json.loads(said[said.index("{"):said.index("}") + 1])
    assert key == public_jwk(key_path(course, "uni"))


def test_connect_makes_a_key_says_what_to_paste_and_keeps_what_works(
        course, platform, monkeypatch, capsys):
    monkeypatch.chdir(course.root)
    connection = platform.connection("second")
    words = ["lms", "connect", "second", "--platform", "other", "--audience", "",
             "--token-url", connection.token_url, "--members-url", connection.members_url,
             "--columns-url", connection.columns_url]
    monkeypatch.setattr("builtins.input", lambda question: "")
    assert main(words) == 1  # the client id comes later
    said = capsys.readouterr().out
    assert '"kid"' in said and "PRIVATE KEY" not in said and "Come back" in said
    path = key_path(course, "second")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    key = path.read_bytes()
    assert main([*words, "--client-id", "client-7"]) == 2  # the platform has the other key
    assert not (path.with_suffix(".json")).exists()
    from viva_examiner.lms.key_pair import public_pem
    platform.public_key = public_pem(path)
    capsys.readouterr()
    assert main([*words, "--client-id", "client-7"]) == 0
    assert "3 students, 1 of the staff" in capsys.readouterr().out
    assert path.read_bytes() == key and connections.names(course) == ["second", "uni"]
    assert (path.parent / ".gitignore").read_text() == "*\n"
    assert main(["lms", "roster", "--dry-run"]) == 2
    assert "second, uni" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["moodle", "canvas", "blackboard", "brightspace", "other"])
def test_the_steps_show_the_public_half_only(course, name):
    said = PLATFORMS[name].steps(key_path(course, "uni"))
    assert "PRIVATE" not in said
    assert ("not tried" in said) == (name != "moodle")


def test_a_key_that_others_may_read_is_refused_and_seen_by_the_doctor(course, platform):
    path = key_path(course, "uni")
    assert [each.remedy for each in about_keys(course)] == [""]
    path.chmod(0o644)
    with pytest.raises(LmsFailure, match="chmod 600"):
        service_of(course, platform.connection())
    [finding] = about_keys(course)
    assert "chmod 600" in finding.remedy


def test_a_key_in_git_is_seen_by_the_doctor(course):
    path = key_path(course, "uni")

    def git(*words):
        return subprocess.run(["git", *words], cwd=course.root, check=True, capture_output=True,
                              text=True).stdout

    git("init", "-q")
    git("add", "-A")
    assert ".viva-lms" not in git("ls-files")  # nobody adds it by accident
    assert [each.remedy for each in about_keys(course)] == [""]
    git("add", "-f", str(path))
    [finding] = about_keys(course)
    assert "is in git" in finding.what and "make a new key" in finding.remedy
