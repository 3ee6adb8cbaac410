"""A step of generate_assignment: the marks of claims stay with the staff."""

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from viva_examiner.notebook.claim_marks import without_claims


class StripClaims(NbGraderPreprocessor):
    """Takes the marks around claims out of Markdown cells; the words stay."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple:
        for cell in nb.cells:
            if cell.cell_type == "markdown":
                cell.source = without_claims(cell.source)
        return nb, resources
