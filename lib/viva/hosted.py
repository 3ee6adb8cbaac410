"""Google Colab, where a student works in a browser and files are forgotten with the session.

The log goes to the student's drive if it is mounted, and `submit` offers notebook and log as
downloads. Elsewhere, and while a notebook is graded, nothing here does anything.
"""

import json
import os
import sys
from pathlib import Path

NAME = "Google Colab"
DRIVE = Path("/content/drive/MyDrive")  # where the service mounts it
FOLDER = "viva"  # the course's folder in the drive
MOUNT = 'from google.colab import drive; drive.mount("/content/drive")'
SECONDS = 20  # for the notebook, which the browser sends


def is_colab() -> bool:
    """Whether this notebook runs there: the service's kernel imports its own library."""
    return "google.colab" in sys.modules and not os.environ.get("NBGRADER_EXECUTION")


def kept_folder(homework: str) -> Path:
    """A folder that survives the session: in the drive if there is one, else this folder."""
    if not is_colab() or not DRIVE.is_dir():
        return Path()
    folder = DRIVE / FOLDER / homework
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path()
    return folder


def advice(folder: Path) -> str:
    """What a student should know there of where the log lies."""
    if folder != Path():
        return f"Your progress is kept in your drive, in {folder.relative_to(DRIVE)}."
    return (f"{NAME} forgets your progress when the session ends. To keep it in your drive, run\n"
            f"    {MOUNT}\nand then this cell again.")


def fetch_notebook(homework: str, folder: Path) -> Path | None:
    """The notebook as it is in the browser now, saved into a folder; None if it was not sent."""
    if not is_colab():
        return None
    try:
        from google.colab import _message

        notebook = _message.blocking_request("get_ipynb", timeout_sec=SECONDS)["ipynb"]
        path = folder / f"{homework}.ipynb"
        path.write_text(json.dumps(notebook), encoding="utf-8")
        return path
    except Exception:  # of a library that is not ours: the student then downloads it by the menu
        return None


def offer(paths: list[Path]) -> None:
    """Let the browser download these files."""
    try:
        from google.colab import files

        for path in paths:
            files.download(str(path))
    except Exception as error:  # the files are named on the card, and can be fetched by hand
        print(f"The download did not start ({error}): take the files from the Files pane.")
