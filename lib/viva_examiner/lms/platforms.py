"""What a person does on each platform so that this course may talk to it, and what comes back.

Moodle was tried (docs/lms.md). The others are as their documentation says, and say so.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from viva_examiner.lms.connection import Connection
from viva_examiner.lms.key_pair import public_jwk, public_jwks, public_pem
from viva_examiner.lms.platform_failure import LmsFailure

NOT_TRIED = "(From the platform's documentation; not tried by us.)"
# What follows the address of a Moodle or a Canvas in the link of one of its pages.
PAGE = re.compile(r"/(?:my/?|index\.php|(?:admin|course|grade|login|mod|my|report|user)/.*\.php"
                  r"|courses/\d+.*)$")
TICK = """   - Assignment and Grade Services: grades and column management
   - Names and Role Provisioning Services
   - share names and e-mail addresses"""


@dataclass(frozen=True)
class Platform:
    """How to connect to a kind of platform.

    asks: {name of an answer: the question}, in the order in which a person finds them
    steps: what to do there, with the public key; a function of the private key's path
    build: the connection from the answers
    tells: {name of an answer: the answer} as the link of a page has it; people paste links
    """

    asks: dict[str, str]
    steps: Callable[[Path], str]
    build: Callable[[str, dict[str, str]], Connection]
    tells: Callable[[str], dict[str, str]] = lambda link: {}


def _moodle_steps(key: Path) -> str:
    return f"""In Moodle, as a teacher of the course (no administrator is needed):
1. Course, More, LTI External tools, Add tool.
   - Tool name: Viva. Tool URL: any address, say that of your course's web page.
   - LTI version: LTI 1.3. Public key type: RSA key. Public key, with its first and last line:

{public_pem(key)}
   - Initiate login URL and redirection URIs stay empty.
   - Services (open it): IMS LTI Assignment and Grade Services: "Use this service for grade sync
     and column management"; IMS LTI Names and Role Provisioning: "Use this service to retrieve
     members' information as per privacy settings".
   - Privacy (open it): share launcher's name and e-mail: Always. Accept grades from the tool:
     Always. Save changes.
2. In the list of tools, open yours again: Actions (the three dots), Edit. That page shows the
   client id. Its address ends in course=…&typeid=…: paste the whole address below, and the ids of
   tool and course are known, too."""


def _moodle_link(link: str) -> dict[str, str]:
    """The tool's own page tells tool and course, a page of the course the course."""
    parts = urlsplit(link)
    answers = {name: values[0] for name, values in parse_qs(parts.query).items()}
    shows_course = parts.path.endswith(("/course/view.php", "/mod/lti/coursetools.php"))
    course = answers.get("id", "") if shows_course else answers.get("course", "")
    return {name: word for name, word in (("tool", answers.get("typeid", "")), ("course", course))
            if word.isdigit()}


def _moodle(name: str, answers: dict[str, str]) -> Connection:
    site = _site(answers["site"])
    course, tool = _digits(answers, "course"), _digits(answers, "tool")
    services = f"{site}/mod/lti/services.php"
    return Connection(name, "moodle", answers["client_id"], f"{site}/mod/lti/token.php",
                      f"{services}/CourseSection/{course}/bindings/{tool}/memberships",
                      f"{services}/{course}/lineitems")


def _canvas_steps(key: Path) -> str:
    return f"""In Canvas, as an administrator of the account {NOT_TRIED}
1. Admin, Developer Keys, Developer Key, LTI Key, method Manual Entry. Title, target link and
   OpenID Connect address: any https address. JWK method: Public JWK. Paste:

{json.dumps(public_jwk(key), indent=1)}
   Switch on the scopes of
{TICK}
2. Switch the key on. The long number in its details is the client id.
3. In the course: Settings, Apps, add an app By Client ID.
4. The course's id is the number in its link: /courses/…"""


def _canvas_link(link: str) -> dict[str, str]:
    found = re.search(r"/courses/(\d+)", link)
    return {"course": found[1]} if found else {}


def _canvas(name: str, answers: dict[str, str]) -> Connection:
    site, course = _site(answers["site"]), _digits(answers, "course")
    return Connection(name, "canvas", answers["client_id"], f"{site}/login/oauth2/token",
                      f"{site}/api/lti/courses/{course}/names_and_roles",
                      f"{site}/api/lti/courses/{course}/line_items")


def _keyset_steps(where: str) -> Callable[[Path], str]:
    def steps(key: Path) -> str:
        return f"""{where} {NOT_TRIED}
It reads the public key from a web page. Put this text on any page with an https address, as
keys.json, and give that address as the keyset (JWKS) URL:

{public_jwks(key)}

Switch on:
{TICK}
Deploy the tool to the course. The services' addresses are in what the platform sends when somebody
opens the tool (the claims lti-ags endpoint, lineitems; and namesroleservice,
context_memberships_url); an administrator can tell them."""
    return steps


def _other(kind: str) -> Callable[[str, dict[str, str]], Connection]:
    return lambda name, answers: Connection(name, kind, answers["client_id"], answers["token_url"],
                                         answers["members_url"], answers["columns_url"],
                                         answers.get("audience", ""))


CLIENT = {"client_id": "client id"}
SITE = {"site": "the platform's address (https://…)"}
ADDRESSES = {"token_url": "address for tokens", "audience": "audience (empty: the same address)",
             "members_url": "address of the members (context_memberships_url)",
             "columns_url": "address of the columns (lineitems)"}
COURSE = {"course": "course id"}
PLATFORMS = {
    "moodle": Platform({"site": "address of the tool's page, or of the site (https://…)"} | CLIENT
                       | {"tool": "tool id (typeid=)"} | COURSE, _moodle_steps, _moodle,
                       _moodle_link),
    "canvas": Platform(SITE | CLIENT | COURSE, _canvas_steps, _canvas, _canvas_link),
    "blackboard": Platform(CLIENT | ADDRESSES, _keyset_steps(
        "Register an application in Anthology's developer portal, then let an administrator of\n"
        "Blackboard add it (Admin, LTI Tool Providers, Register LTI 1.3 Tool)."),
        _other("blackboard")),
    "brightspace": Platform(CLIENT | ADDRESSES, _keyset_steps(
        "In Brightspace, as an administrator: Manage Extensibility, LTI Advantage, Register Tool,\n"
        "Standard. It shows the client id, the token's address and the audience."),
        _other("brightspace")),
    "other": Platform(CLIENT | ADDRESSES, _keyset_steps("Register a tool for LTI 1.3."),
                      _other("other")),
}
OPTIONAL = ("audience",)


def _site(text: str) -> str:
    """The site's own address; of the link of one of its pages, what stands before the page."""
    parts = urlsplit(text if "://" in text else f"https://{text}")
    return parts._replace(path=PAGE.sub("", parts.path).rstrip("/"), query="", fragment="").geturl()


def _digits(answers: dict[str, str], name: str) -> str:
    word = answers[name]
    if not word.isdigit():
        raise LmsFailure(f"the {name} id is a number, not {word!r}")
    return word
