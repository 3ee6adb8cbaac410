"""What a person does on each platform so that this course may talk to it, and what comes back.

Moodle was tried (docs/lms.md). The others are as their documentation says, and say so.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from viva_examiner.lms.connection import Connection
from viva_examiner.lms.failure import LmsFailure
from viva_examiner.lms.keys import public_jwk, public_jwks, public_pem

NOT_TRIED = "(From the platform's documentation; not tried by us.)"
TICK = """   - Assignment and Grade Services: grades and column management
   - Names and Role Provisioning Services
   - share names and e-mail addresses"""


@dataclass(frozen=True)
class Platform:
    """How to connect to a kind of platform.

    asks: {name of an answer: the question}, in the order in which a person finds them
    steps: what to do there, with the public key; a function of the private key's path
    build: the connection from the answers
    """

    asks: dict[str, str]
    steps: Callable[[Path], str]
    build: Callable[[str, dict[str, str]], Connection]


def _moodle_steps(key: Path) -> str:
    return f"""In Moodle, as a teacher of the course (no administrator is needed):
1. Course, More, LTI External tools, Add tool.
   - Tool name: Viva. Tool URL: any address, say that of your course's web page.
   - LTI version: LTI 1.3. Public key type: RSA key. Public key, with its first and last line:

{public_pem(key)}
   - Services: IMS LTI Assignment and Grade Services: "Use this service for grade sync and column
     management"; IMS LTI Names and Role Provisioning: "Use this service to retrieve members'
     information as per privacy settings".
   - Privacy: share launcher's name and e-mail: Always. Accept grades from the tool: Always.
   - Initiate login URL and redirection URIs stay empty. Save.
2. Open the tool again (Edit): it shows the client id, and its link has typeid=, the tool's id.
3. The course's id is in the link of the course: course/view.php?id="""


def _moodle(name: str, told: dict[str, str]) -> Connection:
    site = _site(told["site"])
    course, tool = _digits(told, "course"), _digits(told, "tool")
    services = f"{site}/mod/lti/services.php"
    return Connection(name, "moodle", told["client_id"], f"{site}/mod/lti/token.php",
                      f"{services}/CourseSection/{course}/bindings/{tool}/memberships",
                      f"{services}/{course}/lineitems")


def _canvas_steps(key: Path) -> str:
    return f"""In Canvas, as an administrator of the account {NOT_TRIED}
1. Admin, Developer Keys, Developer Key, LTI Key, method Manual Entry. Title, target link and
   OpenID Connect address: any https address. JWK method: Public JWK. Paste:

{public_jwk(key)}
   Switch on the scopes of
{TICK}
2. Switch the key on. The long number in its details is the client id.
3. In the course: Settings, Apps, add an app By Client ID.
4. The course's id is the number in its link: /courses/…"""


def _canvas(name: str, told: dict[str, str]) -> Connection:
    site, course = _site(told["site"]), _digits(told, "course")
    return Connection(name, "canvas", told["client_id"], f"{site}/login/oauth2/token",
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
    return lambda name, told: Connection(name, kind, told["client_id"], told["token_url"],
                                         told["members_url"], told["columns_url"],
                                         told.get("audience", ""))


CLIENT = {"client_id": "client id"}
SITE = {"site": "the platform's address (https://…)"}
ADDRESSES = {"token_url": "address for tokens", "audience": "audience (empty: the same address)",
             "members_url": "address of the members (context_memberships_url)",
             "columns_url": "address of the columns (lineitems)"}
COURSE = {"course": "course id"}
PLATFORMS = {
    "moodle": Platform(SITE | CLIENT | {"tool": "tool id (typeid=)"} | COURSE, _moodle_steps,
                       _moodle),
    "canvas": Platform(SITE | CLIENT | COURSE, _canvas_steps, _canvas),
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
    site = text.strip().rstrip("/")
    return site if "://" in site else f"https://{site}"


def _digits(told: dict[str, str], name: str) -> str:
    word = told[name].strip()
    if not word.isdigit():
        raise LmsFailure(f"the {name} id is a number, not {word!r}")
    return word
