"""The room of the learning platform: what is connected, and what the ledger says was pushed."""

import marked_course
from desk_server import desk
from viva_examiner.gradebook import ledger
from viva_examiner.lms import connection as connections
from viva_examiner.lms.connection import Connection
from viva_examiner.lms.pushed import SENDING, STANDS, record_push


def test_connection_and_last_push(tmp_path, empty_gradebook, monkeypatch):
    course = marked_course.write_course(tmp_path / "course", empty_gradebook)
    marked_course.hand_in(course, "one", "ada", 6, 3)
    monkeypatch.setenv("VIVA_GRADER", "tom")
    with desk(course, "--as", "tina") as served:
        assert "connected to no platform" in served.get("lms").text
        assert "Push marks" not in served.get("run", "one").text
        place = "https://moodle.example/mod/lti"
        connections.keep(course, Connection("uni", "moodle", "client", f"{place}/token.php",
                                            f"{place}/members", f"{place}/columns"))
        row = {"student": "ada", "score": 9.0, "comment": "", "when": 1.0, "user": "11",
               "maximum": 10.0}
        record_push(course, "uni", "one", SENDING, [row])
        page = served.get("lms").text
        assert "moodle.example" in page and "by tom" not in page  # sent, and not read back
        record_push(course, "uni", "one", STANDS, [row | {"stood": 9.0}])
        page = served.get("lms").text
        assert "by tom" in page and "What would be pushed?" in page
        assert "Push marks" in served.get("run", "one").text
        assert "--lms NAME" not in page
        connections.keep(course, Connection("second", "moodle", "client", f"{place}/token.php",
                                            f"{place}/members", f"{place}/columns"))
        assert "--lms NAME" in served.get("lms").text
        (course.root / ".viva-lms" / "uni.json").write_text("{")
        assert "cannot be read" in served.get("lms").text
    with ledger.opened(course) as book:
        assert len(book.entries(ledger.PUSHED)) == 2
