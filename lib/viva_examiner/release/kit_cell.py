"""The optional first code cell of a released notebook: it installs the kit where it is missing.

For notebooks that are opened in a hosted service. Where the kit is there, and so on a student's own
machine and in the sandbox, the cell does nothing.
"""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Unicode

from viva_examiner.release.problems import Problem, ReleaseRefused

CELL_ID = "install-kit"
CELL = """\
# Installs the course's kit where it is missing, as in a hosted notebook; elsewhere it does nothing.
import importlib.util
import subprocess
import sys

if importlib.util.find_spec("viva") is None:
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "{url}"], check=True)
    importlib.invalidate_caches()"""


class AddKitCell(NbGraderPreprocessor):
    """A step of generate_assignment: puts the cell in front of the first code cell."""

    url = Unicode("", help="where students' machines can download the kit's wheel; empty: no cell"
                  ).tag(config=True)
    colab = Unicode("", help="where Google Colab finds the folder release/, for the buttons of "
                    "`make site`: https://colab.research.google.com/github/…/blob/main/release; "
                    "empty: no button").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        if problems := list(problems_of_address(self.url)):
            raise ReleaseRefused(resources["metadata"]["name"], problems)
        if self.url:
            cell = new_code_cell(CELL.format(url=self.url), id=CELL_ID)
            kinds = [each.cell_type for each in nb.cells]
            nb.cells.insert(kinds.index("code") if "code" in kinds else 0, cell)
        return nb, resources


def problems_of_address(url: str) -> Iterator[Problem]:
    """Why pip could not install from an address, or what of it would end the cell's string."""
    parts = urlsplit(url)
    plain = url.isascii() and url.isprintable() and not set(url) & set(" \"'\\")
    wheel = parts.scheme == "https" and parts.netloc and parts.path.endswith(".whl")
    if url and not (plain and wheel):
        yield Problem(f"the kit's address {url}", "is not the https address of a wheel",
                      "give where students can download viva_kit-….whl, the file in the bundle")


def problems_of_colab(settings: AddKitCell) -> Iterator[Problem]:
    """Why a button would lead nowhere in Colab, or to a notebook that cannot get the kit."""
    address = settings.colab
    form = r"https://colab\.research\.google\.com/[\w./%~-]*\w"
    if address and not re.fullmatch(form, address):
        yield Problem(f"c.AddKitCell.colab {address}", "is not an address of Google Colab",
                      "give https://colab.research.google.com/github/<owner>/<name>/blob/<branch>/"
                      "release, without a slash at its end")
    if address and not settings.url:
        yield Problem("c.AddKitCell.colab", "opens notebooks that cannot install the kit",
                      "set c.AddKitCell.url as well, and release again")
