"""docs/adopt.md, followed literally with nbgrader's own example course."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

from courses import nbgrader_here
from repository import ROOT
from viva_examiner import cli

PAGE = (ROOT / "docs" / "adopt.md").read_text()


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


def follow(block: str, monkeypatch) -> None:
    """Each line of a block of commands, where a person would type it."""
    for line in block.splitlines():
        program, *words = shlex.split(line)
        if program == "cd":
            monkeypatch.chdir(words[0])
        elif program == "nbgrader":
            nbgrader_here(Path.cwd(), words[0], *words[1:])
        elif program == "viva" and words[0] != "autograde":
            assert cli.main(words) == 0, line
        else:  # autograde starts from a process of its own
            ours = [sys.executable, "-m", "viva_examiner.cli"]
            command = [*(ours if program == "viva" else [program]), *words]
            done = subprocess.run(command, capture_output=True, text=True)
            assert done.returncode == 0, f"{line}\n{done.stderr}"
            print(done.stdout)


def lines_like(text: str) -> list[str]:
    """The lines of a shown output as patterns: an ellipsis stands for anything."""
    return [".*".join(map(re.escape, line.split("…"))) for line in text.splitlines() if line]


def test_the_page_from_the_first_command_to_the_last(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    trying, week = blocks("sh")
    tried, _, graded = blocks("text")
    [config] = blocks("python")

    follow(trying, monkeypatch)
    told = capsys.readouterr().out
    for line in lines_like(tried):
        assert re.search(f"^{line}$", told, re.MULTILINE), f"{line}\n{told}"
    assert told.rstrip().endswith(config.rstrip()), "the page shows the lines that it prints"
    assert sorted(path.name for path in Path("course101").iterdir()) == [
        "nbgrader_config.py", "source"], "nothing is added to the course"

    with Path("course101/nbgrader_config.py").open("a") as file:
        file.write(f"\n{config}")
    follow(week, monkeypatch)
    told = capsys.readouterr().out
    assert graded.strip() in told.splitlines()
    pages = {path.name for path in Path("feedback/bitdiddle/ps1").glob("*.html")}
    assert pages == {"problem1.html", "problem2.html"}
    assert Path("reports/ps1.html").is_file() and "bitdiddle" in Path(
        "exports/ps1-csv.csv").read_text()
