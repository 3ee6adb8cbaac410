"""Every command that README.md, CONTRIBUTING.md, docs/ and the student bundle's page give."""

import re

from repository import ROOT
from viva_examiner.release.bundle_text import README

PAGES = {str(path.relative_to(ROOT)): path.read_text() for path in
         (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))}
BUNDLE = "the bundle's README.md"
PROGRAMS = ("viva", "make", "nbgrader", "python", "python3", "python3.11", "py", "pip", "git",
            "jupyter", "conda", "npm", "sudo", "sysctl", "source", "ruff", "chmod", "chgrp",
            "mkdir", "cp", "ls", "cd", "apt", "docker", ".ci/run", "dask", "createuser", "createdb",
            "systemctl", "systemd-analyze", "nginx", "tar", "crontab")
HOMEWORKS = {path.name for path in (ROOT / "source").iterdir()}
ALONE = ("make", ".ci/run")  # commands of one word; else a word alone only names a program
VARIABLE = re.compile(r"[A-Z_]+=\S+ ")  # VIVA_LOAD=200 make soak
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.S | re.M)


def commands() -> dict[str, list[str]]:
    """{command, with HW for any homework: the pages that give it}.

    A line of a block without a language or of `sh`, or what stands between backticks in a sentence
    and begins with the name of a program.
    """
    found: dict[str, list[str]] = {}
    for page, text in (PAGES | {BUNDLE: README.replace("{torch}", "2.13.0")}).items():
        for command in [*in_blocks(text), *in_sentences(text)]:
            found.setdefault(plain(command), []).append(page)
    return found


def in_blocks(text: str) -> list[str]:
    lines = [line for language, block in BLOCK.findall(text) if language in ("", "sh")
             for line in block.splitlines() if line]
    return [re.split(r"\s{2,}", line)[0] for line in lines]  # what follows explains it


def in_sentences(text: str) -> list[str]:
    said = [" ".join(each.split()) for each in re.findall(r"`!?([^`]+)`", BLOCK.sub("", text))]
    return [each for each in said if program_of(each) in PROGRAMS
            and (" " in each or each in ALONE)]


def program_of(command: str) -> str:
    """`pip` of /opt/viva/bin/pip; `viva` of .venv\\Scripts\\viva."""
    first = VARIABLE.sub("", command).split()[0]
    return first if first in PROGRAMS else re.split(r"[/\\]", first)[-1]


def plain(command: str) -> str:
    """Without a comment, and with HW for the homework."""
    command = command.split(" #")[0].strip()
    for word in set(re.findall(r"\w+", command)) & HOMEWORKS:
        command = re.sub(rf"\b{word}\b", "HW", command)
    return command
