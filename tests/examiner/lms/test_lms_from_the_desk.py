"""The desk's room for the platform, with a platform: look, push, what was refused, who came."""

import re

import pytest

from desk_server import desk
from servers import wait_for
from viva_examiner.desk import runs
from viva_examiner.lms.connection import key_path


@pytest.fixture
def served(course):
    with desk(course, "--as", "tina") as served:
        yield served


@pytest.fixture
def after(course, served):
    """after(*address, **form): the LMS room once the run that a button starts is over."""
    def press(*address: str, **form: str) -> str:
        began = getattr(runs.current(course), "began", 0.0)
        assert served.post(*address, data=form).status_code == 200

        def is_over() -> bool:
            run = runs.current(course)
            return run.began > began and not run.running and run.ended is not None

        wait_for(is_over, 120)
        return served.get("lms").text
    return press


def test_a_look_then_a_push_then_who_was_refused(course, platform, served, after):
    page = served.get("lms").text
    assert "<b>uni</b>: " in page and "127.0.0.1" in page and "since <time" in page
    platform.locked = {"12"}
    page = after("run", "one", "start", kind="push-look")
    assert "new: 3" in page and not platform.grades and "by tina" not in page
    page = after("run", "one", "start", kind="push")
    assert {user for _, user in platform.grades} == {"11", "13"}
    assert "by tina" in page and re.search(r">bob</a>: the LMS failed: is the grade locked", page)
    platform.locked, platform.clock = set(), 60
    page = after("run", "one", "start", kind="push")
    assert {user for _, user in platform.grades} == {"11", "12", "13"}
    assert ">bob</a>:" not in page and '<td class="n">3</td>' in page
    secret = key_path(course, "uni").read_text().splitlines()[1]
    assert secret not in page and "PRIVATE KEY" not in page


def test_who_came_and_who_left(course, platform, served, after):
    platform.members[0] |= {"given_name": "Ada &lt;script&gt;alert(1)&lt;/script&gt;"}
    page = after("lms", "roster")
    assert "3 students in the LMS" in page and "changed: ada" in page
    assert "<script>alert" not in page
    assert "Who came, who left?" in served.get("run", "one").text  # the last run of the course
    assert served.get().status_code == 200
