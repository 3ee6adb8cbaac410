"""What every page of the desk shares: who may see it, what a browser may do with it, its frame."""

import functools
import json
import os
from collections.abc import Awaitable, Callable
from typing import Any

from jinja2 import Environment
from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.extension.handler import ExtensionHandlerMixin
from jupyter_server.utils import url_path_join
from tornado import web

from viva_examiner.course import Course
from viva_examiner.desk.layout import quoted
from viva_examiner.desk.remembered import DeskState
from viva_examiner.failure import Failure, sentence_of
from viva_examiner.gradebook.handed_in import is_plain_name
from viva_examiner.gradebook.ledger import this_person

POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
          "font-src data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; "
          "form-action 'self'; frame-ancestors 'self'")
NO_COURSE = ("There is no course here: start the server in a folder with nbgrader_config.py, or "
             "set c.Desk.course in jupyter_server_config.py.")


class Page(ExtensionHandlerMixin, JupyterHandler):
    """A handler of the desk. Methods are wrapped by `signed_in`, which also shows failures."""

    auth_resource = "viva_desk"

    def initialize(self, name: str = "viva_desk", **options: Any) -> None:
        super().initialize(name=name, **options)

    @property
    def kept(self) -> DeskState:
        return self.settings[f"{self.name}_kept"]

    @property
    def course(self) -> Course:
        if self.kept.course_or_none is None:
            raise Failure(NO_COURSE)
        return self.kept.course_or_none

    @property
    def me(self) -> str:
        """Who grades: on a hub whoever signed in, else whose desk it is."""
        if "JUPYTERHUB_API_URL" in os.environ and self.kept.me == this_person():
            return getattr(self.current_user, "username", "") or self.kept.me
        return self.kept.me

    @property
    def content_security_policy(self) -> str:
        return POLICY

    def set_default_headers(self) -> None:
        super().set_default_headers()
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "same-origin")
        self.set_header("Cache-Control", "no-store")

    def at(self, *parts: str) -> str:
        """The address of a page of the desk; each part is one step of the path."""
        return url_path_join(self.base_url, "desk", *map(quoted, parts))

    def homework(self, name: str) -> str:
        """The homework that an address names."""
        if name not in self.course.homeworks():
            raise web.HTTPError(404, f"there is no homework {name}")
        return name

    def student(self, name: str) -> str:
        """The student that an address names; its quoting may hide strokes and dots."""
        if not is_plain_name(name):
            raise web.HTTPError(404, "no student can have this name")
        return name

    def shown(self, template: str, **facts: Any) -> str:
        """A page of the desk around these facts."""
        from viva_examiner.desk import rooms

        layout: Environment = self.settings[f"{self.name}_layout"]
        frame = {"at": self.at, "static": self.static_url, "me": self.me, "homework": None,
                 "here": "", "xsrf": self.xsrf_token.decode(), "said": "", "wide": False,
                 "course_rooms": rooms.of_course(), "homework_rooms": rooms.of_homework(),
                 "homeworks": self.course.homeworks() if self.kept.course_or_none else []}
        return layout.get_template(f"{template}.html").render(frame | facts)

    def show(self, template: str, **facts: Any) -> None:
        self.set_header("Content-Type", "text/html; charset=UTF-8")
        self.finish(self.shown(template, **facts))

    def show_message(self, sentence: str, status: int = 400) -> None:
        """A page, or for a script an answer, that says what is in the way."""
        self.set_status(status)
        if self.request.headers.get("Accept", "").startswith("application/json"):
            self.finish({"why": sentence})
        else:
            self.show("told", sentence=sentence)

    def write_error(self, status_code: int, **about: Any) -> None:
        error = about.get("exc_info", (None, None, None))[1]
        said = getattr(error, "log_message", None) or self._reason
        self.set_header("Content-Type", "text/plain; charset=UTF-8")
        if not self.current_user:  # nobody who is not signed in sees a page of the course
            self.finish(f"{status_code}: sign in first")
            return
        try:
            self.set_status(status_code)
            self.show_message(f"{said} ({status_code})", status_code)
        except Exception:  # the frame itself is what fails
            self.finish(f"{status_code}")

    def body(self) -> dict[str, Any]:
        """The JSON object that a script sent."""
        try:
            found = json.loads(self.request.body)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise web.HTTPError(400, "not a JSON object")
        return found


def signed_in(method: Callable[..., Any]) -> Callable[..., Awaitable[None] | None]:
    """Only for who is signed in; what the course refuses is said in a sentence."""

    @web.authenticated
    @authorized
    @functools.wraps(method)
    async def answered(self: Page, *words: str) -> None:
        try:
            made = method(self, *words)
            if made is not None:
                await made
        except web.HTTPError:
            raise
        except Exception as error:
            if not (sentence := sentence_of(error)):
                raise
            self.show_message(sentence)

    return answered
