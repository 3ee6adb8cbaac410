"""Environments as students have them: the oldest and the newest libraries that the kit asks for,
and those of a hosted service.

Each is made by the commands of the bundle's own README, in .kit-sets/, and kept for the next time.
KIT_PYTHON names another Python to make them with than this one.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

from repository import ROOT
from student_machine import COURSE
from viva_examiner.release.student_bundle import bundle

ROOM = ROOT / ".kit-sets"
PYTHON = shutil.which(os.environ.get("KIT_PYTHON") or sys.executable)
SETS = ("oldest", "newest")
# What the registry has for a Python that is younger than a library's oldest version.
YOUNGER = {"3.13": {"numpy": "2.1", "torch": "2.5", "matplotlib": "3.9"}}
KERNEL = {"ipykernel": "6.17"}  # not the kit's, but what runs it where IPython is that old
# What Google Colab had when this was written.
HOSTED = {"numpy": "2.1.3", "torch": "2.11.0", "ipython": "7.34.0", "ipykernel": "6.17.1"}


def python_version() -> str:
    """The 3.x of the Python that the environments are made with."""
    told = subprocess.run([PYTHON, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
                          check=True, capture_output=True, text=True)
    return told.stdout.strip()


def needed() -> list[str]:
    """What the kit asks for."""
    return tomllib.loads((ROOT / "lib/pyproject.toml").read_text())["project"]["dependencies"]


def oldest() -> dict[str, str]:
    """{library: the lower bound that the kit states, or the oldest that this Python can have}."""
    bounds = dict(re.match(r"([\w-]+)>=([\d.]+)", text).groups() for text in needed())
    return bounds | KERNEL | YOUNGER.get(python_version(), {})


def bounds_of(name: str) -> dict[str, str]:
    """{library: the version that a set must have, or its first numbers}; none for the newest."""
    return {"oldest": oldest, "hosted": lambda: HOSTED, "newest": dict}[name]()


def commands(readme: str, system: str) -> list[str]:
    """The set-up commands that the bundle's README gives for a system."""
    [block] = re.findall(rf"^### {system}.*?```\n(.*?)```", readme, re.S | re.M)
    return block.splitlines()


def set_up(name: str) -> Path:
    """The folder of the unpacked bundle, with the environment of this set in .venv.

    The line that takes torch from its own index is left out: torch then comes from where pip is
    configured to look, with its CUDA libraries if that has no other build.
    """
    room = ROOM / f"{name}-{python_version()}"
    room.mkdir(parents=True, exist_ok=True)
    path = bundle(COURSE, room)
    folder = room / path.stem
    for old in folder.iterdir() if folder.is_dir() else ():
        if old.name != ".venv":
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    zipfile.ZipFile(path).extractall(room)
    bounds = bounds_of(name)
    (room / "constraints.txt").write_text("".join(f"{each}=={version}.*\n"
                                                  for each, version in bounds.items()))
    env = {**os.environ, "PIP_CONSTRAINT": str(room / "constraints.txt"), "PIP_QUIET": "2"}
    asked = f"{commands((folder / 'README.md').read_text(), 'Linux')} {bounds} {needed()}"
    made = folder / ".venv" / "made-for.txt"
    if not made.is_file() or made.read_text() != asked:
        shutil.rmtree(folder / ".venv", ignore_errors=True)
        for line in commands((folder / "README.md").read_text(), "Linux"):
            program, *words = shlex.split(line)
            if "--index-url" not in words:
                program = PYTHON if program == "python3" else program
                subprocess.run([program, *words], cwd=folder, env=env, check=True)
        made.write_text(asked)
    [wheel] = folder.glob("*.whl")  # pip keeps a kit of the same version
    subprocess.run([".venv/bin/python", "-m", "pip", "install", "--force-reinstall", "--no-deps",
                    wheel], cwd=folder, env=env, check=True)
    return folder


def versions(folder: Path) -> dict[str, str]:
    """{library: version} of a set, with Python's own."""
    names = list(oldest())
    script = ("import json, platform; from importlib.metadata import version; "
              f"print(json.dumps({{name: version(name) for name in {names!r}}} "
              "| {'Python': platform.python_version()}))")
    told = subprocess.run([folder / ".venv/bin/python", "-c", script], check=True,
                          capture_output=True, text=True)
    return json.loads(told.stdout)
