"""The desk by itself: a server on loopback with a token, until it is stopped."""

import logging
import os
import secrets
import socket
import webbrowser
from urllib.parse import urlencode

from jupyter_server.serverapp import ServerApp

from viva_examiner.course import Course
from viva_examiner.desk.app import Desk

LOOPBACK = "127.0.0.1"


def serve(course: Course, page: str = "", me: str = "", port: int = 0,
          browser: bool = True, query: dict[str, str] | None = None) -> None:
    """Serve the desk of a course; its first line of output is the address of `page`.

    page: the part of the address below /desk/, quoted; query: what follows it
    """
    token = secrets.token_urlsafe(24)
    port = port or _free()
    app = _server(course, me, port, token)
    address = f"http://{LOOPBACK}:{port}/desk/{page}?{urlencode({'token': token} | (query or {}))}"
    # after the server's own callbacks: then it listens
    app.io_loop.add_callback(_print_address, address, browser)
    app.start()


def _print_address(address: str, browser: bool) -> None:
    print(f"{address}\nCtrl-C ends it; what was saved is in the gradebook.", flush=True)
    if browser:
        webbrowser.open(address)


def _server(course: Course, me: str, port: int, token: str) -> ServerApp:
    words = [f"--ServerApp.ip={LOOPBACK}", f"--port={port}", "--ServerApp.port_retries=0",
             f"--IdentityProvider.token={token}", "--no-browser",
             "--ServerApp.answer_yes=True",  # Ctrl-C ends it, as the line below the address says
             "--ServerApp.log_level=ERROR", "--Desk.log_level=ERROR",
             "--ServerApp.terminals_enabled=False", "--ServerApp.allow_remote_access=False",
             f"--ServerApp.root_dir={course.root}", f"--Desk.course={course.root}",
             f"--Desk.me={me}", *(["--allow-root"] if os.getuid() == 0 else [])]
    logging.getLogger("tornado.access").setLevel(logging.ERROR)
    return Desk.initialize_server(argv=words)


def _free() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return probe.getsockname()[1]
