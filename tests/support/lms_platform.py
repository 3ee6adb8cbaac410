"""A learning platform of our own on loopback: LTI Advantage as 1EdTech specifies it, for tests.

Tokens for signed requests, members, columns, results (all in pages) and scores, with the habits
that Moodle was seen to have (docs/lms.md), and with faults that a test asks for.
"""

import contextlib
import html
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt

from viva_examiner.lms.connection import Connection
from viva_examiner.lms.service import JWT_BEARER, SCOPES

CLIENT = "client-7"
LEARNER = "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"
INSTRUCTOR = "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor"
MEMBERS = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
COLUMN = "application/vnd.ims.lis.v2.lineitem+json"
SCORE = "application/vnd.ims.lis.v1.score+json"


def member(user_id: str, first: str, last: str, role: str = LEARNER, **more) -> dict:
    """A member as Moodle tells it: names escaped as HTML."""
    return {"status": "Active", "user_id": user_id, "roles": [role],
            "given_name": html.escape(first), "family_name": html.escape(last),
            "name": html.escape(f"{first} {last}"), **more}


@dataclass
class Grade:
    score: float | None
    comment: str | None
    when: float


@dataclass
class Platform:
    """What the platform knows and how it behaves."""

    members: list[dict] = field(default_factory=list)
    public_key: str = ""
    columns: list[dict] = field(default_factory=list)
    grades: dict[tuple[str, str], Grade] = field(default_factory=dict)  # (column, user)
    locked: set[str] = field(default_factory=set)  # users whose grade is locked
    stubborn: set[str] = field(default_factory=set)  # users whose overridden grade stays, with 200
    scopes: set[str] = field(default_factory=lambda: set(SCOPES))
    page: int = 0  # so many of anything in one answer; 0: all
    filters: bool = True  # whether it knows ?resource_id=
    lasts: float = 3600.0  # seconds that a token holds
    clock: float = 0.0  # seconds that its clock is ahead of ours
    faults: list[tuple[str, int, dict]] = field(default_factory=list)  # (part of path, status, …)
    dies_after: int = -1  # scores taken before it answers nobody any more
    asked: list[tuple[str, str]] = field(default_factory=list)
    bodies: list[tuple[str, str]] = field(default_factory=list)  # (path, what was sent there)
    tokens: dict[str, float] = field(default_factory=dict)
    address: str = ""
    scores_taken: int = 0
    dead: bool = False

    def now(self) -> float:
        return time.time() + self.clock

    def connection(self, name: str = "uni") -> Connection:
        return Connection(name, "other", CLIENT, f"{self.address}/token",
                          f"{self.address}/course/members", f"{self.address}/course/columns")

    def scores_sent(self) -> int:
        return sum(path.endswith("/scores") for _, path in self.asked)

    def by_hand(self, user: str, score: float | None, comment: str = "", column: str = "1") -> None:
        """A teacher's edit."""
        self.grades[column, user] = Grade(score, comment, self.now())

    def token(self, form: dict) -> tuple[int, dict]:
        told = {name: values[0] for name, values in form.items()}
        try:
            assert told["grant_type"] == "client_credentials"
            assert told["client_assertion_type"] == JWT_BEARER
            claims = jwt.decode(
                told["client_assertion"], self.public_key, ["RS256"],
                audience=f"{self.address}/token",
                options={"require": ["exp", "iat", "jti"], "verify_iat": False,
                         "verify_exp": False})
            assert claims["iss"] == claims["sub"] == CLIENT
            assert claims["iat"] <= self.now() < claims["exp"]  # no leeway
        except (jwt.PyJWTError, AssertionError, KeyError):
            return 400, {"error": "invalid_client"}
        token = f"token-{len(self.tokens)}"
        self.tokens[token] = self.now() + self.lasts
        granted = self.scopes & set(told["scope"].split())
        return 200, {"access_token": token, "token_type": "Bearer", "expires_in": int(self.lasts),
                     "scope": " ".join(sorted(granted))}

    def take(self, column: dict, told: dict) -> int:
        """A score, with Moodle's rules."""
        user, when = told["userId"], datetime.fromisoformat(told["timestamp"]).timestamp()
        if user not in {each["user_id"] for each in self.members}:
            return 400
        if user in self.locked:
            return 500
        key = (column["id"], user)
        before = self.grades.get(key)
        if before and int(when) <= int(before.when):
            return 409
        self.scores_taken += 1
        if user in self.stubborn:
            return 200
        if told.get("gradingProgress") != "FullyGraded" or "scoreGiven" not in told:
            self.grades[key] = Grade(None, None, when)
            return 200
        share = min(max(told["scoreGiven"] / told["scoreMaximum"], 0.0), 1.0)
        score = round(share * column["scoreMaximum"], 5)
        self.grades[key] = Grade(score, told.get("comment"), when)
        return 200


class Handler(BaseHTTPRequestHandler):
    """One request; `self.server.platform` knows everything."""

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def log_message(self, *words) -> None:
        pass

    def _answer(self) -> None:
        platform, url = self.server.platform, urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        platform.asked.append((self.command, url.path))
        if body:
            platform.bodies.append((url.path, body.decode()))
        if platform.dead:
            self.close_connection = True
            return  # nothing comes back
        for fault in platform.faults:
            if fault[0] in url.path:
                platform.faults.remove(fault)
                return self._say(fault[1], {"error": "asked for"}, **fault[2])
        if url.path == "/token":
            return self._say(*platform.token(parse_qs(body.decode())), kind="text/html")
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if platform.tokens.get(token, 0.0) <= platform.now():
            return self._say(401, {})
        self._serve(platform, url, body)

    def _serve(self, platform: Platform, url, body: bytes) -> None:
        query, kind = parse_qs(url.query), self.headers.get("Content-Type", "")
        match url.path.strip("/").split("/"), self.command:
            case ["course", "members"], "GET":
                if self.headers.get("Accept") != MEMBERS:
                    return self._say(406, {})
                self._pages(platform.members, url, query, lambda some: {"members": some})
            case ["course", "columns"], "GET":
                wanted = query.get("resource_id", [None])[0] if platform.filters else None
                found = [self._shown(each) for each in platform.columns
                         if wanted in (None, each["resourceId"])]
                self._pages(found, url, query, lambda some: some)
            case ["course", "columns"], "POST":
                if kind != COLUMN:
                    return self._say(415, {})
                column = json.loads(body) | {"id": str(len(platform.columns) + 1)}
                platform.columns.append(column)
                self._say(201, self._shown(column), kind=COLUMN)
            case ["course", "columns", number, "results"], "GET":
                found = [{"userId": user} if grade.score is None else
                         {"userId": user, "resultScore": grade.score, "comment": grade.comment,
                          "resultMaximum": 1} for (column, user), grade
                         in platform.grades.items() if column == number]
                self._pages(found, url, query, lambda some: some)
            case ["course", "columns", number, "scores"], "POST":
                column = next(c for c in platform.columns if c["id"] == number)
                if kind != SCORE:
                    return self._say(415, {})
                status = platform.take(column, json.loads(body))
                platform.dead = 0 <= platform.dies_after <= platform.scores_taken
                self._say(status, None)
            case _:
                self._say(404, {})

    def _shown(self, column: dict) -> dict:
        """As Moodle shows it: its address has a question mark."""
        return column | {"id": f"{self.server.platform.address}/course/columns/{column['id']}?t=1"}

    def _pages(self, everything: list, url, query: dict, form) -> None:
        size, start = self.server.platform.page, int(query.get("from", ["0"])[0])
        some = everything[start:start + size] if size else everything
        more = {}
        if size and start + size < len(everything):
            following = {name: values[0] for name, values in query.items()} | {"from": start + size}
            address = f"{self.server.platform.address}{url.path}?{urlencode(following)}"
            more["Link"] = f'<{address}>; rel="next"'
        self._say(200, form(some), **more)

    def _say(self, status: int, told, kind: str = "application/json", **headers) -> None:
        data = b"" if told is None else json.dumps(told).encode()
        self.send_response_only(status)
        self.send_header("Date", formatdate(self.server.platform.now(), usegmt=True))
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)


@contextlib.contextmanager
def served(platform: Platform) -> Iterator[Platform]:
    """The platform with an address, until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.platform = platform
    platform.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield platform
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
