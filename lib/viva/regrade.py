"""A student asks for a second look at a mark: `regrade_request.json`, handed in like the homework.

It lies beside the log:

    {"schema": "viva-request/1", "kit": "3.0",
     "homeworks": {"kernel_attention": {
        "student": "ada",
        "requests": {"test_linear_attention": {"because": "…", "time": "2026-11-18T07:00:00Z"},
                     "written_why": {"withdrawn": true, "time": "…"}}}}}
"""

import json
import time
from pathlib import Path
from typing import Any

from viva import card, desk, hosted, log, tables, written
from viva.nearest import nearest
from viva.version import __version__
from viva.whole import write_whole

SCHEMA = "viva-request/1"
REQUEST_NAME = "regrade_request.json"
MAX_BECAUSE = 2_000  # characters of one reason
MAX_REQUESTS = 20  # of one homework in one file


def request(test: str, because: str = "", withdraw: bool = False) -> None:
    """Ask for a second look at a mark, with the reason; or take that back.

    test: the name of a test or of a written question, as the feedback has it
    """
    homework = desk.homework()
    if not homework:
        print('request: run the cell with begin("<homework>") before you ask')
        return
    try:
        said = _write(homework, test, because, withdraw)
    except ValueError as problem:
        print(f"request: {problem}")
        return
    except OSError as error:
        print(f"request: the file could not be written ({error.strerror}); nothing has changed")
        return
    print(said)
    if hosted.is_colab():
        hosted.offer([path().resolve()])


def path() -> Path:
    """Where the requests lie: beside the log."""
    return log.path().with_name(REQUEST_NAME)


def _write(homework: str, test: str, because: str, withdraw: bool) -> str:
    """Change the file and return what to say; ValueError says why not."""
    _known(homework, test)
    if not withdraw and (not isinstance(because, str) or not because.strip()):
        raise ValueError(f'say why: request("{test}", "because …")')
    if not withdraw and len(because) > MAX_BECAUSE:
        raise ValueError(f"your reason has {len(because)} characters, and {MAX_BECAUSE} are read: "
                         "say it in fewer words; nothing was written")
    stored = stored_requests()
    mine = stored.get(homework, {})
    if mine.get("student") != desk.student_id():
        mine = {}
    requests = dict(mine.get("requests", {}))
    if withdraw and test not in requests:
        raise ValueError(f"there is no request about {test} in {card.short(path().resolve())}")
    if len(requests.keys() | {test}) > MAX_REQUESTS:
        raise ValueError(f"there are {len(requests)} requests already, and no more are read: "
                         "ask about what matters most; nothing was written")
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    requests[test] = {"withdrawn": True, "time": now} if withdraw else {
        "because": because.strip(), "time": now}
    stored[homework] = {"student": desk.student_id(), "requests": requests}
    write_whole(path(), json.dumps({"schema": SCHEMA, "kit": __version__, "homeworks": stored},
                                   indent=1))
    done = "is withdrawn" if withdraw else "is written down"
    return (f"Your request about {test} {done}. Hand in {card.short(path().resolve())} as you "
            "handed in the homework, with the notebook as it was graded or alone.")


def _known(homework: str, test: str) -> None:
    """ValueError if the homework has no test or written question of this name."""
    names = [f"test_{name}" for name in tables.exercises_of(homework)]
    questions = [name for name in written.graded_cells(homework) if name.startswith("written_")]
    if test in names or test in questions:
        return
    if not questions and str(test).startswith("written_"):
        return  # no notebook lies here that could say; whoever reads the request can
    near = nearest(str(test), [*names, *questions])
    advice = f"did you mean {near!r}?" if near else f"there are {', '.join([*names, *questions])}"
    raise ValueError(f"{homework} has no test named {test!r}; {advice}")


def stored_requests() -> dict[str, dict[str, Any]]:
    """{homework: {student, requests}} of the file; {} if there is none that can be read."""
    try:
        stored = json.loads(path().read_text(encoding="utf-8"))
        if stored["schema"] != SCHEMA:
            return {}
        return {homework: each for homework, each in stored["homeworks"].items()
                if isinstance(each["requests"], dict)}
    except log.UNREADABLE:
        return {}
