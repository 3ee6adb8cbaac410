"""The desk of a course in a process of its own, and what a browser would send to it."""

import contextlib
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

import requests

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Served:
    """A running desk."""

    address: str  # as it was printed, with the token
    pid: int
    browser: requests.Session = field(default_factory=requests.Session)

    @property
    def origin(self) -> str:
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.netloc}"

    def at(self, *parts: str) -> str:
        return "/".join([f"{self.origin}/desk", *(quote(part, safe="?=&") for part in parts)])

    def sign_in(self) -> "Served":
        self.browser.get(self.address).raise_for_status()
        return self

    def get(self, *parts: str) -> requests.Response:
        return self.browser.get(self.at(*parts))

    def post(self, *parts: str, **options) -> requests.Response:
        """As a form of a page that this browser was shown sends it."""
        headers = {"X-XSRFToken": self.browser.cookies.get("_xsrf", "")}
        return self.browser.post(self.at(*parts), headers=headers | options.pop("headers", {}),
                                 **options)

    @property
    def seconds(self) -> float:
        """The processor time that the server has used so far."""
        words = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / TICKS


@contextlib.contextmanager
def desk(course, *words: str, command: tuple[str, ...] = ("desk",)):
    """A desk on a course, until the block is over. The browser is signed in."""
    line = [sys.executable, "-m", "viva_examiner.cli", *command, "--no-browser", *words]
    with subprocess.Popen(line, cwd=course.root, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield Served(server.stdout.readline().strip(), server.pid).sign_in()
        finally:
            server.terminate()
