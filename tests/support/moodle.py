"""A real Moodle on loopback, for `make test-moodle`: set up by script, gone when the block ends.

Moodle's source is a folder that the caller has; it is not ours, and it is not changed.
"""

import contextlib
import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import requests

from servers import free_port, postgres, processes, wait_for_page

PASSWORD = "Homework-2026"
SEED = Path(__file__).with_name("moodle_seed.php")
PHP = ["php", "-d", "max_input_vars=5000", "-d", "memory_limit=512M", "-d", "error_reporting=0",
       "-d", "upload_max_filesize=64M", "-d", "post_max_size=64M"]


@dataclass
class Moodle:
    """A server with one course. `database` is a URL for psycopg."""

    folder: Path
    database: str
    address: str
    start: object
    server: object = None
    made: dict = field(default_factory=dict)  # what the seed made: ids

    def run(self) -> None:
        """Serve; again after `stop`."""
        port = self.address.rpartition(":")[2]
        self.server = self.start(*PHP, "-S", f"127.0.0.1:{port}", "-t", str(self.folder),
                                 cwd=self.folder, env=os.environ | {"PHP_CLI_SERVER_WORKERS": "3"},
                                 start_new_session=True)
        wait_for_page(f"{self.address}/login/index.php")

    def stop(self) -> None:
        """As a machine that is switched off: with its workers, which PHP leaves behind."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.server.pid, 9)
        self.server.wait()

    def seed(self, wanted: dict) -> dict:
        told = self.folder.parent / "wanted.json"
        told.write_text(json.dumps(wanted | {"password": PASSWORD}))
        run = subprocess.run([*PHP, SEED, self.folder, told], capture_output=True, text=True)
        assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-2000:]
        self.made = json.loads(run.stdout[run.stdout.index("{"):])
        return self.made

    def rows(self, query: str, *values) -> list[tuple]:
        """Of Moodle's own tables, as they are."""
        import psycopg

        with psycopg.connect(self.database) as connection:
            return connection.execute(query, values).fetchall()

    def change(self, query: str, *values) -> None:
        import psycopg

        with psycopg.connect(self.database) as connection:
            connection.execute(query, values)

    def grades(self, label: str) -> dict[str, tuple[float, str]]:
        """{login: (final grade, comment)} of a column, from Moodle's own gradebook."""
        found = self.rows("""SELECT u.username, g.finalgrade, g.feedback FROM mdl_grade_grades g
            JOIN mdl_grade_items i ON i.id = g.itemid JOIN mdl_user u ON u.id = g.userid
            WHERE i.itemname = %s AND g.finalgrade IS NOT NULL""", label)
        return {login: (float(grade), comment or "") for login, grade, comment in found}


@contextlib.contextmanager
def moodle(source: Path) -> Iterator[Moodle]:
    """A fresh Moodle from a folder with its source."""
    import psycopg

    with contextlib.ExitStack() as stack:
        url, _ = stack.enter_context(postgres())
        plain = url.replace("postgresql+psycopg", "postgresql")
        with psycopg.connect(plain, autocommit=True) as connection:
            connection.execute("CREATE DATABASE moodle ENCODING 'UTF8' TEMPLATE template0")
        room = Path(stack.enter_context(tempfile.TemporaryDirectory(
            prefix="viva-moodle-", dir=source.resolve().parent)))
        folder = room / "moodle"
        subprocess.run(["cp", "-al", source.resolve(), folder], check=True)  # links, no copies
        (folder / "config.php").unlink(missing_ok=True)
        start = stack.enter_context(processes())
        port, server = free_port(), plain.rpartition("@")[2].partition("/")[0]
        database = plain.rpartition("/")[0] + "/moodle"
        made = Moodle(folder, database, f"http://127.0.0.1:{port}", start)
        install = subprocess.run([
            *PHP, "admin/cli/install.php", "--non-interactive", "--agree-license",
            f"--wwwroot={made.address}", f"--dataroot={room / 'data'}", "--dbtype=pgsql",
            "--dbhost=127.0.0.1", f"--dbport={server.partition(':')[2]}", "--dbname=moodle",
            "--dbuser=viva", "--dbpass=none", "--fullname=Test", "--shortname=test",
            "--adminuser=admin", f"--adminpass={PASSWORD}", "--adminemail=admin@example.org",
        ], cwd=folder, capture_output=True, text=True)
        assert install.returncode == 0, install.stdout[-2000:] + install.stderr[-2000:]
        made.run()
        stack.callback(made.stop)
        yield made


class Person:
    """Somebody who uses Moodle: by its web service, and by its pages."""

    def __init__(self, moodle: Moodle, login: str):
        self.moodle, self.login = moodle, login
        self.session = requests.Session()

    def sign_in(self) -> "Person":
        page = self.get("/login/index.php")
        token = re.search(r'name="logintoken" value="(\w+)"', page.text)[1]
        answer = self.session.post(f"{self.moodle.address}/login/index.php", timeout=120, data={
            "username": self.login, "password": PASSWORD, "logintoken": token})
        assert "loginerrors" not in answer.text, f"{self.login} could not sign in"
        return self

    def get(self, path: str, **query) -> requests.Response:
        answer = self.session.get(f"{self.moodle.address}{path}", params=query, timeout=300)
        assert answer.status_code == 200, (path, answer.status_code, answer.text[:500])
        return answer

    def token(self) -> str:
        return self.get("/login/token.php", username=self.login, password=PASSWORD,
                        service="moodle_mobile_app").json()["token"]

    def upload(self, files: dict[str, bytes]) -> int:
        """Files into a draft area; its number."""
        token, area = self.token(), 0
        for name, data in files.items():
            answer = self.session.post(f"{self.moodle.address}/webservice/upload.php", timeout=120,
                                       data={"token": token, "itemid": area},
                                       files={"file": (name, data)}).json()
            area = answer[0]["itemid"]
        return area

    def call(self, function: str, **arguments):
        answer = self.session.post(
            f"{self.moodle.address}/webservice/rest/server.php", timeout=120,
            data={"wstoken": self.token(), "wsfunction": function, "moodlewsrestformat": "json",
                  **arguments}).json()
        assert not (isinstance(answer, dict) and "exception" in answer), answer
        return answer

    def hand_in(self, assignment: int, files: dict[str, bytes]) -> None:
        self.call("mod_assign_save_submission", assignmentid=assignment,
                  **{"plugindata[files_filemanager]": self.upload(files)})

    def download(self, cmid: int, folders: bool) -> bytes:
        """All submissions as the teacher's button gives them."""
        self.moodle.change(
            "DELETE FROM mdl_user_preferences WHERE userid = %s AND name = %s",
            self.moodle.made["people"][self.login], "assign_downloadasfolders")
        self.moodle.change(
            "INSERT INTO mdl_user_preferences (userid, name, value) VALUES (%s, %s, %s)",
            self.moodle.made["people"][self.login], "assign_downloadasfolders", str(int(folders)))
        fresh = Person(self.moodle, self.login).sign_in()  # preferences live in the session
        data = fresh.get("/mod/assign/view.php", id=cmid, action="downloadall").content
        assert data[:2] == b"PK", data[:300]
        return data

    def worksheet(self, cmid: int) -> bytes:
        return self.get("/mod/assign/view.php", id=cmid, plugin="offline", action="viewpluginpage",
                        pluginsubtype="assignfeedback", pluginaction="downloadgrades").content

    def give_feedback(self, cmid: int, archive: bytes) -> str:
        """Upload a zip of feedback files by Moodle's form, and confirm; what it says then."""
        page = self.get("/mod/assign/view.php", id=cmid, plugin="file", action="viewpluginpage",
                        pluginsubtype="assignfeedback", pluginaction="uploadzip").text
        form = _hidden(page, "assignfeedback_file_upload_zip_form")
        form["feedbackzip"] = str(self.upload({"feedback.zip": archive}))
        page = self._post(form, submitbutton="Import")
        form = _hidden(page, "assignfeedback_file_import_zip_form")
        return self._post(form, submitbutton="Confirm")

    def override(self, label: str, login: str, grade: float) -> None:
        """Change a student's grade by the form behind the pencil in the gradebook."""
        [[number]] = self.moodle.rows(
            """SELECT g.id FROM mdl_grade_grades g JOIN mdl_grade_items i ON i.id = g.itemid
            JOIN mdl_user u ON u.id = g.userid WHERE i.itemname = %s AND u.username = %s""",
            label, login)
        path = "/grade/edit/tree/grade.php"
        page = self.get(path, courseid=self.moodle.made["course"], id=number).text
        form = _hidden(page, "edit_grade_form") | {"finalgrade": str(grade), "overridden": "1"}
        self._post(form, path, submitbutton="Save changes")

    def _post(self, form: dict, path: str = "/mod/assign/view.php", **more) -> str:
        answer = self.session.post(f"{self.moodle.address}{path}", timeout=300,
                                   data=form | more)
        assert answer.status_code == 200, answer.text[:500]
        return answer.text


def _hidden(page: str, form: str) -> dict[str, str]:
    """The hidden fields of a form, found by the mark that Moodle puts in it."""
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(page, "html.parser")
    for each in soup.find_all("form"):
        fields = {field["name"]: field.get("value", "") for field in
                  each.find_all("input", type="hidden") if field.get("name")}
        if f"_qf__{form}" in fields:
            return fields
    raise AssertionError(f"no form {form} in the page: {soup.text[:2000]}")
