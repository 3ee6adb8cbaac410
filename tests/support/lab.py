"""A JupyterLab of our own, and a notebook in it, used as a student uses it: click, type, read."""

import contextlib
import os
import subprocess
import sys
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
             "--expose-app-in-browser", "--JupyterNotebookApp.expose_app_in_browser=True"]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    settings = home / "settings"
    quiet = settings / "@jupyterlab" / "apputils-extension" / "notification.jupyterlab-settings"
    quiet.parent.mkdir(parents=True)
    quiet.write_text('{"fetchNews": "false", "checkForUpdates": false}')
    environment = os.environ | {"PATH": path, "HOME": str(home), "OMP_NUM_THREADS": "1",
                                "JUPYTERLAB_SETTINGS_DIR": str(settings)}
    for name in ("NBGRADER_EXECUTION", "MPLBACKEND"):  # the kernel is a student's, not a test's
        environment.pop(name, None)
    with servers.processes() as start, (home / "lab.log").open("w") as log:
        start(*words, cwd=folder, env=environment, stderr=log, stdout=subprocess.DEVNULL)
        address = f"http://127.0.0.1:{port}"
        servers.wait_for_page(f"{address}/api?token={TOKEN}")
        yield address


class Notebook:
    """An open notebook, in JupyterLab or in Notebook 7; cells are found by their id."""

    def __init__(self, page, address: str, path: str, view: str = "lab/tree"):
        self.page = page
        page.goto(f"{address}/{view}/{path}?token={TOKEN}")
        page.wait_for_selector(".jp-NotebookPanel .jp-Cell")
        page.evaluate("window.jupyterapp.shell.currentWidget.revealed")  # settings may redraw it
        page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']")

    def choose(self, cell_id: str) -> None:
        """Bring a cell into view and make it the active one."""
        self.page.wait_for_function(
            """async (id) => {
                const notebook = window.jupyterapp.shell.currentWidget?.content;
                const index = notebook?.widgets?.findIndex(w => w.model.id === id) ?? -1;
                if (index < 0) return false;
                notebook.activeCellIndex = index;
                await notebook.scrollToItem(index, 'start');
                return true;
            }""", arg=cell_id)
        self.page.wait_for_selector(ACTIVE)

    def run(self, cell_id: str):
        """Run a cell and wait until it is done; the element of its outputs."""
        self.choose(cell_id)
        self.page.evaluate(  # forget an earlier run
            "window.jupyterapp.shell.currentWidget.content.activeCell.model.executionCount = null")
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

    def answer(self, cell_id: str, words: str) -> None:
        """Replace the text of a Markdown cell, which is shown as a page until it is opened."""
        self.choose(cell_id)
        self.page.locator(f"{ACTIVE} .jp-MarkdownOutput").dblclick()
        self.write(cell_id, words)

    def restart(self) -> None:
        """Restart the kernel, and wait until it is there again."""
        self.page.evaluate(
            "window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
        self.page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']")

    def save(self) -> None:
        """Save the notebook, so that the page may be left."""
        self.page.evaluate("window.jupyterapp.shell.currentWidget.context.save()")

    def theme(self, name: str) -> None:
        """Choose a theme of JupyterLab, as the Settings menu does."""
        self.page.evaluate(
            "(theme) => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", name)
        self.page.wait_for_selector(f"body[data-jp-theme-name='{name}']", state="attached")
