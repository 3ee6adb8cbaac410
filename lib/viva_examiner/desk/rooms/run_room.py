"""Run: collect, autograde, regrade, feedback, export and push, with progress, a log and a stop."""

from itertools import islice
from pathlib import Path

from tornado import web

from viva.whole import write_whole
from viva_examiner.desk import runs
from viva_examiner.desk.handlers import Page, signed_in
from viva_examiner.desk.rooms.place import NAME, RoomLink
from viva_examiner.gradebook.handed_in import is_plain_name
from viva_examiner.lms.connection import names as connections

AT_ONCE = 30  # files that are read for one look at a run
PLACE = RoomLink("run", "Run", of_homework=True)
STEPS = (  # as an evening goes
    ("Collect", ("collect-look", "collect")),
    ("Autograde", ("autograde",)),
    ("Regrade, after the exam has changed", ("regrade-look", "regrade")),
    ("Publish", ("feedback", "export-csv", "export-canvas", "export-moodle")),
    ("The learning platform", ("push-look", "push")),
)


def archives(page: Page, homework: str) -> list[Path]:
    """What lies in downloaded/HOMEWORK/archive: exports of a learning platform."""
    folder = _folder(page, homework)
    return sorted(path for path in folder.glob("*") if is_plain_name(path.name)
                  and not path.name.startswith("."))


def _folder(page: Page, homework: str) -> Path:
    return page.course.root / "downloaded" / homework / "archive"


def exports(page: Page, homework: str) -> list[Path]:
    """What was exported of a homework."""
    found = (page.course.root / "exports").glob(f"{homework}-*")
    return sorted(path for path in found if path.is_file() and not path.is_symlink())


class RunRoom(Page):
    @signed_in
    def get(self, homework: str) -> None:
        homework = self.homework(homework)
        connected = bool(connections(self.course))
        steps = [(title, [(name, runs.KINDS[name]) for name in kinds]) for title, kinds in STEPS
                 if connected or "push" not in kinds]
        self.show("run", here="run", homework=homework, steps=steps, run=runs.current(self.course),
                  archives=[path.name for path in archives(self, homework)],
                  exports=[path.name for path in exports(self, homework)])


class StartRun(Page):
    @signed_in
    def post(self, homework: str) -> None:
        homework = self.homework(homework)
        kind = self.get_body_argument("kind")
        if kind not in runs.KINDS:
            raise web.HTTPError(404, "there is no such run")
        archive, student = "", ""
        if "ARCHIVE" in runs.KINDS[kind].words:
            archive = self._archive(homework)
        if "STUDENT" in runs.KINDS[kind].words:
            student = self.student(self.get_body_argument("student"))
            if not Path(self.course.path("submitted", student, homework)).is_dir():
                raise web.HTTPError(404, "this student has not handed it in")
        try:
            runs.start(self.course, kind, homework, self.me, archive, student)
        except runs.Busy as busy:
            self.show_message(str(busy), 409)
            return
        back = self.get_body_argument("back", "")
        self.redirect(self.at("student", student, homework) if back == "student" and student
                      else self.at("run", homework))

    def _archive(self, homework: str) -> str:
        """The archive that was chosen; all that lie there if none was."""
        chosen = self.get_body_argument("archive", "")
        found = {path.name: path for path in archives(self, homework)}
        if not found:
            raise web.HTTPError(400, "there is no archive yet: choose a file first")
        return str(found[chosen]) if chosen in found else str(_folder(self, homework))


class UploadArchive(Page):
    """An export of a learning platform, from the TA's browser to downloaded/."""

    @signed_in
    def post(self, homework: str) -> None:
        homework = self.homework(homework)
        files = self.request.files.get("archive", [])
        if not files:
            raise web.HTTPError(400, "choose a file first")
        for file in files:
            name = file["filename"].replace("\\", "/").rpartition("/")[2]
            if not is_plain_name(name) or name.startswith("."):
                raise web.HTTPError(400, "a file of this name cannot be kept: rename it")
            write_whole(_folder(self, homework) / name, file["body"])
        self.redirect(self.at("run", homework))


class StopRun(Page):
    @signed_in
    def post(self, homework: str) -> None:
        if not runs.stop(self.course, self._began()):
            self.show_message("Nothing was stopped: the run that this page showed is over, or has "
                              "only just begun. Look again.", 409)
            return
        self.redirect(self.at("run", self.homework(homework)))

    def _began(self) -> float:
        try:
            return float(self.get_body_argument("began"))
        except ValueError:
            raise web.HTTPError(400, "no run has this time") from None


class State(Page):
    """How the run is, for the page that shows it."""

    @signed_in
    def get(self) -> None:
        run = runs.current(self.course)
        if run is not None and run.homework in self.course.homeworks():  # at hand when it is over
            for _ in islice(self.kept.warming(run.homework), AT_ONCE):
                pass
        self.finish({"running": False} if run is None else {
            "running": run.running, "outcome": run.outcome, "done": run.done, "total": run.total,
            "lines": run.lines, "began": run.began})


class Exported(Page):
    """A file of exports/, to be saved."""

    @signed_in
    def get(self, homework: str, name: str) -> None:
        path = next((each for each in exports(self, self.homework(homework))
                     if each.name == name), None)
        if path is None:
            raise web.HTTPError(404, "there is no such file")
        self.set_header("Content-Type", "application/octet-stream")
        self.set_header("Content-Disposition", f'attachment; filename="{path.name}"')
        self.finish(path.read_bytes())


HANDLERS = [
    (r"/run-state", State), (rf"/run/{NAME}", RunRoom), (rf"/run/{NAME}/start", StartRun),
    (rf"/run/{NAME}/stop", StopRun), (rf"/run/{NAME}/upload", UploadArchive),
    (rf"/run/{NAME}/exports/{NAME}", Exported),
]
