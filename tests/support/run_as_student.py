"""Runs a notebook as a student's kernel would; started by test_bundle.py with a student's Python.

    python run_as_student.py notebook.ipynb

Works in the notebook's folder. Prints one line of JSON: a list with, for each code cell, its id,
the error it ended in ("" if none) and what it wrote.
"""
import json
import os
import sys
from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output


def main(path):
    os.chdir(path.parent)
    shell = InteractiveShell.instance()
    shell.history_manager.enabled = False
    report = []
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] != "code":
            continue
        with capture_output() as written:
            result = shell.run_cell("".join(cell["source"]), store_history=True)
        error = result.error_in_exec or result.error_before_exec
        report.append({"id": cell["id"], "error": repr(error) if error else "",
                       "stdout": written.stdout, "stderr": written.stderr})
    print(json.dumps(report))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
