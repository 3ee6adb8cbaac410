"""A real JupyterLab and a real Chromium. Tests wait on what is visible, never on time."""

import contextlib
import os
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

import servers

TOKEN = "viva"
PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"]


@contextlib.contextmanager
def jupyter_lab(folder: Path, home: Path):
    """The address of a JupyterLab that serves a folder."""
    port = servers.free_port()
    words = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}",
             "--ServerApp.port_retries=0", f"--IdentityProvider.token={TOKEN}",
             "--expose-app-in-browser"]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    settings = home / "settings"
    quiet = settings / "@jupyterlab" / "apputils-extension" / "notification.jupyterlab-settings"
    quiet.parent.mkdir(parents=True)
    quiet.write_text('{"fetchNews": "false", "checkForUpdates": false}')
    environment = os.environ | {"PATH": path, "HOME": str(home), "OMP_NUM_THREADS": "1",
                                "JUPYTERLAB_SETTINGS_DIR": str(settings)}
    environment.pop("NBGRADER_EXECUTION", None)
    with servers.processes() as start, (home / "lab.log").open("w") as log:
        start(*words, cwd=folder, env=environment, stderr=log, stdout=subprocess.DEVNULL)
        address = f"http://127.0.0.1:{port}"

        def answers() -> bool:
            with contextlib.suppress(OSError):
                with urllib.request.urlopen(f"{address}/api?token={TOKEN}", timeout=5) as reply:
                    return reply.status == 200
            return False

        servers.wait_for(answers, 120)
        yield address


@pytest.fixture(scope="session")
def chromium():
    if CHROMIUM is None:
        pytest.fail("no Chromium here: install Debian's package chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture()
def page(chromium, request):
    """A fresh page; when the test fails, what it showed is kept in screenshots/."""
    context = chromium.new_context(viewport={"width": 1200, "height": 900})
    context.set_default_timeout(120_000)
    page = context.new_page()
    yield page
    if getattr(request.node, "failed", False):
        folder = Path(__file__).parents[2] / "screenshots"
        folder.mkdir(exist_ok=True)
        page.screenshot(path=folder / f"{request.node.name}.png")
    context.close()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    item.failed = outcome.get_result().failed


@pytest.fixture(scope="session")
def picture():
    """Keep a picture for the documentation, when `make screenshots` asks for it."""

    def keep(shown, name: str) -> None:
        if os.environ.get("VIVA_SCREENSHOTS"):
            PICTURES.mkdir(exist_ok=True)
            shown.screenshot(path=PICTURES / f"{name}.png")

    return keep
