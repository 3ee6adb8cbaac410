"""A JupyterHub of our own on loopback: its environment, local accounts, nbgrader's exchange.

Servers run as the accounts they belong to, not as root, in an environment that every account can
read, with the course installed as a wheel: what an instructor's machine has.
"""

import contextlib
import hashlib
import os
import pwd
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import page_commands
import servers
from repository import ROOT

PASSWORD = "viva on loopback"
PAGE = (ROOT / "docs" / "hub.md").read_text()
FILES = ("pyproject.toml", "LICENSE", "README.md", "requirements.lock", "nbgrader_config.py")

# What docs/hub.md gives an instructor, and beside it what only a test on loopback needs.
CONFIG = """c = get_config()
{documented}
c.JupyterHub.bind_url = "http://127.0.0.1:{port}"
c.JupyterHub.hub_bind_url = "http://127.0.0.1:{hub_port}"
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{proxy_port}"
c.ConfigurableHTTPProxy.command = ["{proxy}"]
c.JupyterHub.authenticator_class = "shared-password"
c.SharedPasswordAuthenticator.user_password = "{password}"
c.Authenticator.allow_all = True
c.JupyterHub.cookie_secret_file = "{folder}/cookie"
c.JupyterHub.db_url = "sqlite:///{folder}/hub.sqlite"
c.Spawner.http_timeout = 120
c.Spawner.args += ["--LabApp.expose_app_in_browser=True"]
c.Spawner.environment |= {{"JUPYTER_CONFIG_PATH": "{folder}/etc", "OMP_NUM_THREADS": "1"}}
"""


def documented(name: str) -> str:
    """The block of docs/hub.md below the line that names a file."""
    return PAGE.split(f"**`{name}`**", 1)[1].split("```python\n", 1)[1].split("```", 1)[0]


def lines(chapter: str) -> list[str]:
    """The commands that a chapter of docs/hub.md gives, in a block or in a sentence."""
    text = PAGE.split(f"\n## {chapter}", 1)[1].split("\n## ", 1)[0]
    said = page_commands.in_sentences(text)
    typed = ("/opt/viva/bin/", "nbgrader db ", "chmod ", "ls ", "viva doctor")
    return page_commands.in_blocks(text) + [line for line in said if line.startswith(typed)]


def environment(homework: str) -> Path:
    """Everything of the lock, the hub and this course with one homework, in a place that every
    account can read: made by the lines of docs/hub.md, and kept for the next time."""
    *libraries, course, group, mode = lines("1. One environment for everybody")
    wanted = hashlib.sha256((ROOT / "requirements.lock").read_bytes()
                            + "".join(libraries).encode()).hexdigest()[:12]
    home = Path(tempfile.gettempdir()) / f"viva-hub-{wanted}"
    if not (home / "ready").exists():
        shutil.rmtree(home, ignore_errors=True)
    clone(home / "course", homework)
    if not (home / "ready").exists():
        for line in libraries:
            as_root(line, home, home / "course")
        home.chmod(0o755)
        (home / "ready").touch()
    for line in (course, group, mode):
        as_root(line, home, home / "course")
    return home


def clone(folder: Path, homework: str) -> None:
    """What pip and the TA need of a clone of this repository."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "lib", folder / "lib",
                    ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    shutil.copytree(ROOT / "source" / homework, folder / "source" / homework)
    for name in FILES:
        shutil.copy(ROOT / name, folder)


def as_root(line: str, home: Path, folder) -> None:
    """A command of docs/hub.md, with the environment of this test in the place of /opt/viva and its
    folder in the place of /srv/nbgrader."""
    line = line.replace("/opt/viva", str(home)).replace("/srv/nbgrader", str(folder))
    line = re.sub("^python3.11 ", f"{_python_for_all()} ", line)
    subprocess.run(line, shell=True, cwd=folder, check=True, stdout=subprocess.DEVNULL,
                   env=os.environ | {"PIP_QUIET": "2", "PIP_DISABLE_PIP_VERSION_CHECK": "1"})


def _python_for_all() -> str:
    """A Python 3.11 that other accounts may run: ours, or the system's."""
    for python in (os.path.realpath(sys.executable), shutil.which("python3.11", path="/usr/bin")):
        if python and all(folder.stat().st_mode & stat.S_IXOTH for folder in Path(python).parents):
            return python
    raise AssertionError("no Python 3.11 here that another account may run: apt install python3")


@contextlib.contextmanager
def accounts(*names: str, staff: str):
    """Local accounts with a home directory, until the test is over: {name: home}."""
    made = []
    names = (staff, *names)
    try:
        for name in names:
            groups = ["--groups", "staff"] if name == staff else []
            subprocess.run(["useradd", "--create-home", "--shell", "/bin/bash", *groups, name],
                           check=True)
            made.append(name)
        yield {name: Path(pwd.getpwnam(name).pw_dir) for name in names}
    finally:
        for name in made:
            subprocess.run(["pkill", "-KILL", "-u", name])
            subprocess.run(["userdel", "--remove", "--force", name], capture_output=True)
            shutil.rmtree(Path(tempfile.gettempdir()) / f"torchinductor_{name}", ignore_errors=True)


def as_user(name: str, line: str, **options) -> subprocess.CompletedProcess:
    """Run a command as a local account, in its home."""
    who = pwd.getpwnam(name)
    home = {"HOME": who.pw_dir, "USER": name, "LOGNAME": name}
    return subprocess.run(["bash", "-c", line], cwd=who.pw_dir, user=who.pw_uid, group=who.pw_gid,
                          extra_groups=os.getgrouplist(name, who.pw_gid),
                          env=os.environ | home, check=True, **options)


def in_course(home: Path, line: str) -> str:
    """A command as it is typed in the terminal of a TA's server."""
    return f"export PATH={home}/bin:$PATH && cd ~/course && {line}"


@contextlib.contextmanager
def jupyterhub(folder: Path, home: Path):
    """The address of a running hub; `folder` holds its files, `home` its environment."""
    port, hub_port, proxy_port = (servers.free_port() for _ in range(3))
    config = folder / "jupyterhub_config.py"
    config.write_text(CONFIG.format(
        documented=documented("jupyterhub_config.py"), port=port, hub_port=hub_port,
        proxy_port=proxy_port, proxy=home / "proxy/node_modules/.bin/configurable-http-proxy",
        password=PASSWORD, folder=folder))
    path = os.pathsep.join([str(home / "bin"), os.environ["PATH"]])
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    address = f"http://127.0.0.1:{port}"
    with servers.processes() as start, (folder / "hub.log").open("w") as log:
        start(home / "bin/jupyterhub", "-f", config, cwd=folder, stdout=log, stderr=log,
              env=settings | {"PATH": path})
        servers.wait_for_page(f"{address}/hub/api")
        yield address
