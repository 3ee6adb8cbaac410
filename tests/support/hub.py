"""A JupyterHub of our own on loopback: its environment, local accounts, nbgrader's exchange.

Servers run as the accounts they belong to, not as root, in an environment that every account can
read, with the course installed as a wheel: what an instructor's machine has.
"""

import contextlib
import hashlib
import os
import pwd
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import servers
from repository import ROOT
from viva_examiner.release.wheels import course_wheel

PASSWORD = "viva on loopback"
PROXY = "configurable-http-proxy@5.3.0"
HUB = "jupyterhub==6.1.1"

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


def documented(page: str, name: str) -> str:
    """The block of a documentation page below the line that names a file."""
    text = (ROOT / "docs" / page).read_text()
    return text.split(f"**`{name}`**", 1)[1].split("```python\n", 1)[1].split("```", 1)[0]


def environment() -> Path:
    """Everything of the lock, the hub and this course, in a place that every account can read."""
    wanted = hashlib.sha256((ROOT / "requirements.lock").read_bytes() + HUB.encode()
                            + PROXY.encode()).hexdigest()[:12]
    home = Path(tempfile.gettempdir()) / f"viva-hub-{wanted}"
    python = home / "bin" / "python"
    if not (home / "ready").exists():
        shutil.rmtree(home, ignore_errors=True)
        subprocess.run([_python_for_all(), "-m", "venv", home], check=True)
        home.chmod(0o755)
        pip = [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
        subprocess.run([*pip, "-r", ROOT / "requirements.lock", HUB], check=True)
        subprocess.run(["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix",
                        home / "proxy", PROXY], check=True)
        (home / "ready").touch()
    with tempfile.TemporaryDirectory(prefix="viva-wheel-") as work:
        wheel = course_wheel(ROOT, Path(work))
        subprocess.run([python, "-m", "pip", "install", "-qq", "--disable-pip-version-check",
                        "--no-deps", "--force-reinstall", wheel], check=True)
    return home


def _python_for_all() -> str:
    """A Python 3.11 that other accounts may run: ours, or the system's."""
    for python in (os.path.realpath(sys.executable), shutil.which("python3.11", path="/usr/bin")):
        if python and all(folder.stat().st_mode & stat.S_IXOTH for folder in Path(python).parents):
            return python
    raise AssertionError("no Python 3.11 here that another account may run: apt install python3")


@contextlib.contextmanager
def accounts(*names: str):
    """Local accounts with a home directory, until the test is over: {name: home}."""
    made = []
    try:
        for name in names:
            subprocess.run(["useradd", "--create-home", "--shell", "/bin/bash", name], check=True)
            made.append(name)
        yield {name: Path(pwd.getpwnam(name).pw_dir) for name in names}
    finally:
        for name in made:
            subprocess.run(["pkill", "-KILL", "-u", name])
            subprocess.run(["userdel", "--remove", "--force", name], capture_output=True)
            shutil.rmtree(Path(tempfile.gettempdir()) / f"torchinductor_{name}", ignore_errors=True)


def as_user(name: str, *command, **options) -> subprocess.CompletedProcess:
    """Run a command as a local account."""
    who = pwd.getpwnam(name)
    home = {"HOME": who.pw_dir, "USER": name, "LOGNAME": name}
    return subprocess.run(command, user=who.pw_uid, group=who.pw_gid, extra_groups=[],
                          env=os.environ | home, check=True, **options)


@contextlib.contextmanager
def jupyterhub(folder: Path, home: Path):
    """The address of a running hub; `folder` holds its files, `home` its environment."""
    port, hub_port, proxy_port = (servers.free_port() for _ in range(3))
    config = folder / "jupyterhub_config.py"
    config.write_text(CONFIG.format(
        documented=documented("hub.md", "jupyterhub_config.py"), port=port, hub_port=hub_port,
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
