"""A notebook in JupyterLab, used as a student uses it: click, type, Shift+Enter, read."""

ACTIVE = ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell.jp-mod-active"

# A known mistake in the first exercise: the argument axis is ignored.
WRONG = """def stable_softmax(scores, axis=-1):
    scores = np.asarray(scores)
    scores = scores.astype(float) if scores.dtype.kind in "iub" else scores
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return shares / shares.sum(axis=-1, keepdims=True)
"""


class Notebook:
    """An open notebook; cells are found by their id."""

    def __init__(self, page, address: str, token: str, path: str):
        self.page = page
        page.goto(f"{address}/lab/tree/{path}?token={token}")
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
