"""How the course reaches its platform: addresses and names, kept as JSON beside the key."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from viva.nearest import did_you_mean
from viva.whole import write_whole
from viva_examiner.course import Course
from viva_examiner.lms.platform_failure import LmsFailure
from viva_examiner.lms.private import FOLDER, folder_of

LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class Connection:
    """One course on one platform."""

    name: str
    platform: str  # moodle, canvas, blackboard, brightspace or other
    client_id: str
    token_url: str
    members_url: str
    columns_url: str  # LTI calls a column of the gradebook a line item
    audience: str = ""  # whom our signature is for; the token's address if empty

    def checked(self) -> "Connection":
        """Itself; LmsFailure if an address is none, or would send the key's work in the clear."""
        for url in (self.token_url, self.members_url, self.columns_url):
            parts = urlsplit(url)
            if not parts.hostname or parts.scheme not in ("http", "https"):
                raise LmsFailure(f"{url or 'an empty line'} is not an address: it must start with https://")
            if parts.scheme == "http" and parts.hostname not in LOOPBACK:
                raise LmsFailure(f"{url}: grades travel only by https")
        if not self.client_id:
            raise LmsFailure("the client id is missing")
        return self

    def is_ours(self, url: str) -> bool:
        """Whether an address belongs to the platform; a token is sent nowhere else."""
        known = (self.token_url, self.members_url, self.columns_url)
        return _origin(url) in {_origin(each) for each in known}


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


def key_path(course: Course, name: str) -> Path:
    return Path(course.root) / FOLDER / f"{name}.pem"


def kept_in(course: Course, name: str) -> Path:
    return Path(course.root) / FOLDER / f"{name}.json"


def keep(course: Course, connection: Connection) -> Path:
    path = folder_of(course) / f"{connection.name}.json"
    write_whole(path, json.dumps(asdict(connection), indent=1) + "\n", mode=0o600)
    return path


def names(course: Course) -> list[str]:
    """The connections that the course has."""
    found = (Path(course.root) / FOLDER).glob("*.json")
    return sorted(path.stem for path in found if "." not in path.stem)


def load(course: Course, name: str = "") -> Connection:
    """A connection by name; without one, the only one that there is."""
    known = names(course)
    if not known:
        raise LmsFailure("this course is connected to no platform: run `viva lms connect NAME`")
    if not name and len(known) > 1:
        raise LmsFailure(f"which platform? Give --lms one of: {', '.join(known)}")
    name = name or known[0]
    if name not in known:
        raise LmsFailure(f"there is no connection {name}{did_you_mean(name, known)}")
    path = kept_in(course, name)
    try:
        return Connection(**json.loads(path.read_text())).checked()
    except (OSError, ValueError, TypeError):
        raise LmsFailure(f"{path} cannot be read: run `viva lms connect {name}` again") from None
