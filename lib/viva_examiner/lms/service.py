"""Requests to a platform's services: signed for a token, patient with limits, sparing with trust.

A token is asked for with a signed JWT (OAuth 2 client credentials), used until shortly before it
ends, and asked for again when the platform says it has ended. It is sent to the platform's own
addresses only, and no redirect is followed.
"""

import email.utils
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import jwt
import requests

from viva_examiner.lms.connection import Connection
from viva_examiner.lms.platform_failure import LmsFailure, RequestRefused, Unreachable

AGS, NRPS = "https://purl.imsglobal.org/spec/lti-ags/scope", "https://purl.imsglobal.org/spec/lti-nrps/scope"
SCOPES = {  # what we ask for, and what a person ticks to grant it
    f"{AGS}/lineitem": "Assignment and Grade Services with column management",
    f"{AGS}/result.readonly": "Assignment and Grade Services",
    f"{AGS}/score": "Assignment and Grade Services",
    f"{NRPS}/contextmembership.readonly": "Names and Role Provisioning Services",
}
JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
SECONDS = 30  # for one answer
BEHIND = 60  # seconds that a signature's time lies in the past: Moodle refuses one ahead of it
SIGNED_FOR = 300  # seconds that a signature holds
SPARE = 60  # seconds before its end at which a token counts as ended
TRIES = 5  # of one request that meets a limit of rate
LONGEST_WAIT = 120  # seconds; a platform that wants more is asked another day
MAX_PAGES = 500
BUSY = (429, 503)


class Service:
    """One conversation with a platform."""

    def __init__(self, connection: Connection, key: str, key_id: str = "",
                 clock: Callable[[], float] = time.time,
                 sleep: Callable[[float], None] = time.sleep):
        """key: the private key as PEM text"""
        self.connection, self.key, self.key_id = connection.checked(), key, key_id
        self.clock, self.sleep = clock, sleep
        self.ahead = 0.0  # seconds by which the platform's clock is ahead of ours
        self.session = requests.Session()
        self.session.auth = self._sign  # also keeps a .netrc from signing in our place
        self._token, self._until = "", 0.0

    def now(self) -> float:
        """The time on the platform's clock, as far as it told us."""
        return self.clock() + self.ahead

    def pages(self, url: str, accept: str) -> Iterator[Any]:
        """The parsed JSON of an address and of every page that it says comes next."""
        for _ in range(MAX_PAGES):
            answer = self.ask("GET", url, headers={"Accept": accept})
            yield _json(answer)
            url = answer.links.get("next", {}).get("url", "")
            if not url:
                return
        raise LmsFailure(f"the platform's list has more than {MAX_PAGES} pages")

    def send(self, method: str, url: str, body: bytes, kind: str) -> Any:
        """Send JSON of a media type; what came back as JSON, or None."""
        answer = self.ask(method, url, data=body, headers={"Content-Type": kind, "Accept": kind})
        return _json(answer) if answer.content.strip() else None

    def ask(self, method: str, url: str, **options: Any) -> requests.Response:
        """A good answer; Refused or Unreachable else. A token that has ended is renewed once."""
        if not self.connection.is_ours(url):
            raise LmsFailure("the platform points to an address that is not its own; nothing was "
                             "sent there")
        self.token()
        answer = self._patient(method, url, **options)
        if answer.status_code == 401:
            self._token = ""
            self.token()
            answer = self._patient(method, url, **options)
        if answer.status_code // 100 != 2:
            raise RequestRefused(answer.status_code, _words(answer.status_code))
        return answer

    def token(self) -> str:
        """A token that still holds; asked for only if there is none."""
        if not self._token or self.clock() > self._until:
            answer = self._ask_for_token()
            if answer.status_code == 400 and abs(self.ahead) > BEHIND / 2:
                answer = self._ask_for_token()  # signed by the platform's clock now
            if answer.status_code // 100 != 2:
                raise RequestRefused(answer.status_code, self._no_token(answer.status_code))
            reply = _json(answer)
            if not isinstance(reply, dict) or not isinstance(reply.get("access_token"), str):
                raise LmsFailure("the platform's answer contains no token: is this the right "
                                 "address?")
            granted = str(reply.get("scope", " ".join(SCOPES))).split()
            missing = {what for scope, what in SCOPES.items() if scope not in granted}
            if missing:
                raise LmsFailure("the platform does not grant everything; switch on: "
                                 + ", ".join(sorted(missing)))
            self._token = reply["access_token"]
            lasts = reply.get("expires_in")
            self._until = self.clock() + (float(lasts) if isinstance(lasts, int | float) else 600
                                          ) - SPARE
        return self._token

    def _no_token(self, status: int) -> str:
        """Why there is no token."""
        if status in (400, 401, 403):
            return (f"the platform did not accept our key (HTTP {status}): compare the client id, "
                    "and paste the public key again (`viva lms connect NAME` without options shows "
                    "it)")
        if status // 100 == 3 or status in (404, 405):
            return (f"{self.connection.token_url} gives no tokens (HTTP {status}): compare the "
                    "platform's address")
        return _words(status)

    def _ask_for_token(self) -> requests.Response:
        now = int(self.now())
        connection = self.connection
        claims = {"iss": connection.client_id, "sub": connection.client_id,
                  "aud": connection.audience or connection.token_url, "iat": now - BEHIND,
                  "exp": now + SIGNED_FOR, "jti": uuid.uuid4().hex}
        headers = {"kid": self.key_id} if self.key_id else None
        signed = jwt.encode(claims, self.key, algorithm="RS256", headers=headers)
        form = {"grant_type": "client_credentials", "client_assertion_type": JWT_BEARER,
                "client_assertion": signed, "scope": " ".join(SCOPES)}
        answer = self._patient("POST", connection.token_url, data=form,
                               headers={"Accept": "application/json"})
        date = email.utils.parsedate_tz(answer.headers.get("Date", ""))
        if date:
            self.ahead = email.utils.mktime_tz(date) - self.clock()
        return answer

    def _patient(self, method: str, url: str, **options: Any) -> requests.Response:
        """The answer, after as much waiting as the platform asks for."""
        pause = 1.0
        for attempt in range(TRIES):
            try:
                answer = self.session.request(method, url, timeout=SECONDS, allow_redirects=False,
                                              **options)
            except requests.RequestException as error:
                raise Unreachable(f"{urlsplit(url).netloc} does not answer "
                                  f"({type(error).__name__}): is the address right? Else try again "
                                  "later") from None
            if not _is_busy(answer) or attempt == TRIES - 1:
                return answer
            wait = self._wait(answer, pause)
            if wait > LONGEST_WAIT:
                return answer
            self.sleep(wait)
            pause *= 2
        raise AssertionError("the loop returns")

    def _wait(self, answer: requests.Response, pause: float) -> float:
        """The seconds that Retry-After says, as a number or as a date; else `pause`."""
        said = answer.headers.get("Retry-After", "").strip()
        if said.isdigit():
            return float(said)
        date = email.utils.parsedate_tz(said)
        return max(0.0, email.utils.mktime_tz(date) - self.now()) if date else pause

    def _sign(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if self._token and request.url != self.connection.token_url:
            request.headers["Authorization"] = f"Bearer {self._token}"
        return request


def _is_busy(answer: requests.Response) -> bool:
    """Too many requests; Canvas says so with 403 and a bucket that is empty."""
    empty = answer.headers.get("X-Rate-Limit-Remaining", "1").partition(".")[0] in ("0", "-0")
    return answer.status_code in BUSY or answer.status_code == 403 and empty


def _words(status: int) -> str:
    known = {400: "the platform refused the request",
             401: "the platform does not allow this: another tool's id, or a service that is "
                  "not switched on",
             403: "the platform does not let this tool into this course",
             404: "the platform knows no such address: compare the course's and the tool's id",
             409: "the platform has a newer grade",
             429: "the platform wants fewer requests: try again later",
             503: "the platform is closed for now: try again later"}
    return f"{known.get(status, 'the platform failed')} (HTTP {status})"


def _json(answer: requests.Response) -> Any:
    """Moodle labels its token as HTML: the label is not asked."""
    try:
        return answer.json()
    except ValueError:
        raise LmsFailure("the platform answered with something that is not JSON: a login page, or "
                         "another address than its services'") from None
