"""A JupyterLab of our own, and a notebook in it, used as a student uses it: click, type, read."""

import contextlib
import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import servers

TOKEN = "viva"

ACTIVE = ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell.jp-mod-active"

# A known mistake in the first exercise: the argument axis is ignored.
WRONG = """def stable_softmax(scores, axis=-1):
    scores = np.asarray(scores)
    scores = scores.astype(float) if scores.dtype.kind in "iub" else scores
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return shares / shares.sum(axis=-1, keepdims=True)
"""


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


class Notebook:
    """An open notebook; cells are found by their id."""

    def __init__(self, page, address: str, path: str):
        self.page = page
        page.goto(f"{address}/lab/tree/{path}?token={TOKEN}")
        page.wait_for_selector(".jp-NotebookPanel .jp-Cell")
        page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']")

    def choose(self, cell_id: str) -> None:
        """Bring a cell into view and make it the active one."""
        found = self.page.evaluate(
            """async (id) => {
                const notebook = window.jupyterapp.shell.currentWidget.content;
                const index = notebook.widgets.findIndex(w => w.model.id === id);
                if (index < 0) return false;
                notebook.activeCellIndex = index;
                await notebook.scrollToItem(index, 'start');
                return true;
            }""", cell_id)
        assert found, f"no cell {cell_id}"
        self.page.wait_for_selector(ACTIVE)

    def run(self, cell_id: str):
        """Run a cell and wait until it is done; the element of its outputs."""
        self.choose(cell_id)
        self.page.locator(f"{ACTIVE} .cm-content").click()
        self.page.keyboard.press("Control+Enter")
        self.page.wait_for_function(
            """(id) => {
                const notebook = window.jupyterapp.shell.currentWidget.content;
                const cell = notebook.widgets.find(w => w.model.id === id);
                return cell.model.executionCount && cell.model.executionState !== 'running';
            }""", arg=cell_id)
        return self.page.locator(f"{ACTIVE} .jp-Cell-outputArea")

    def write(self, cell_id: str, code: str) -> None:
        """Replace the text of a cell by typing over it."""
        self.choose(cell_id)
        self.page.locator(f"{ACTIVE} .cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(code)
