"""Runs cells in a real kernel, as a hosted service does; started with a student's Python.

    python run_in_kernel.py folder < cells.json

Prints a JSON list with the text that each cell showed.
"""

import json
import sys

import nbformat
from nbclient import NotebookClient


def text_of(output) -> str:
    if output.output_type == "stream":
        return output.text
    if output.output_type == "error":
        return f"{output.ename}: {output.evalue}\n"
    return output.data.get("text/plain", "") + "\n"


def main():
    cells = [nbformat.v4.new_code_cell(source) for source in json.load(sys.stdin)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    client = NotebookClient(notebook, timeout=300, kernel_name="python3", allow_errors=True,
                            resources={"metadata": {"path": sys.argv[1]}})
    client.execute()
    print(json.dumps(["".join(map(text_of, cell.outputs)) for cell in notebook.cells]))


if __name__ == "__main__":
    main()
