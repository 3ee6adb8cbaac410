"""The desk as an application: by itself on loopback, beside formgrader, or on a JupyterHub.

Authentication, cross-site protection and the base of all addresses are the server's.
"""

import asyncio
from pathlib import Path

from jupyter_server.extension.application import ExtensionApp
from nbgrader.apps import NbGrader
from tornado.ioloop import IOLoop
from traitlets import Unicode

from viva_examiner.course import Course, NotACourse
from viva_examiner.desk import rooms
from viva_examiner.desk.layout import environment
from viva_examiner.desk.remembered import DeskState
from viva_examiner.gradebook.ledger import this_person
from viva_examiner.looks import SHEETS

HERE = Path(__file__).parent


async def warmed(kept: DeskState) -> None:
    """Read what was autograded while nobody asks; a request waits for one file at most."""
    for homework in kept.course.homeworks() if kept.course_or_none else ():
        for _ in kept.warming(homework):
            await asyncio.sleep(0)


class Desk(ExtensionApp):
    """`viva desk`."""

    name = "viva_desk"
    app_name = "viva desk"
    description = "One place where a TA's evening happens."
    extension_url = "/desk/"
    load_other_extensions = False  # by itself it is the desk and nothing else
    static_paths = [str(HERE / "static"), str(SHEETS)]

    course = Unicode("", help="the folder of the course; the server's own folder, or the one that "
                     "nbgrader's configuration names, if nothing is said").tag(config=True)
    me = Unicode("", help="whose name stands beside marks; the account's if nothing is said"
                 ).tag(config=True)

    @classmethod
    def get_extension_package(cls) -> str:
        return "viva_examiner.desk"  # jupyter_server would take the first word alone

    def initialize_settings(self) -> None:
        kept = DeskState(self._found(), self.me or this_person())
        self.settings[f"{self.name}_kept"] = kept
        IOLoop.current().add_callback(warmed, kept)
        self.settings[f"{self.name}_layout"] = environment()

    def initialize_handlers(self) -> None:
        self.handlers.extend(rooms.HANDLERS)

    def _found(self) -> Course | None:
        """The course of this server; None if it has none, which the pages then say."""
        here = self.serverapp.root_dir if self.serverapp else "."
        try:
            return Course.find(Path(self.course or here))
        except NotACourse:
            if self.course:
                return None
        nbgrader = NbGrader()  # as formgrader looks for it: ~/.jupyter/nbgrader_config.py
        nbgrader.load_config_file()
        named = nbgrader.config.CourseDirectory.get("root", "")
        try:
            return Course.find(Path(named)) if named else None
        except NotACourse:
            return None
