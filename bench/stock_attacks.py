"""Stock nbgrader and the examiner on the same attacks: the marks each gives, side by side.

    python bench/stock_attacks.py [part of an attack's name]

Only attacks marked `Stock: safe` are handed to stock nbgrader, which runs them in an ordinary
kernel on this machine: they patch, pretend and compare, but touch no file, process or socket of
anybody else. Prints a table for docs/security.md and the two ratios.
"""

import sys
import tempfile
from pathlib import Path

import nbformat

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

import torch  # noqa: E402, F401

import assignment  # noqa: E402
import attempts  # noqa: E402
import courses  # noqa: E402
from viva_examiner.examination.grade import grade  # noqa: E402
from viva_examiner.records import Work  # noqa: E402
from viva_examiner.sandbox.interpreter import WarmInterpreter  # noqa: E402

LEFT_OUT = "test_centre"  # asks a rubric that a stock kernel does not have
POINTS = assignment.POINTS - assignment.TESTS[LEFT_OUT][0]


def source_notebook():
    """The attacks' homework as staff would write it for nbgrader."""
    notebook = assignment.submission(assignment.RIGHT)
    for cell in notebook["cells"]:
        if cell["id"] in assignment.TESTS:
            cell["source"] = assignment.TESTS[cell["id"]][1]
    notebook["cells"] = [c for c in notebook["cells"] if c["id"] != LEFT_OUT]
    work = next(c for c in notebook["cells"] if c["id"] == "work")
    work["source"] = f"### BEGIN SOLUTION\n{work['source']}\n### END SOLUTION"
    return nbformat.from_dict(notebook)


def by_stock(attacks: dict[str, dict]) -> dict[str, float]:
    """Points that stock `nbgrader autograde` gives."""
    with tempfile.TemporaryDirectory() as root:
        course = courses.make(Path(root) / "course", "attacks", source_notebook(), examined=False)
        for name, notebook in attacks.items():
            notebook = {**notebook, "cells": [c for c in notebook["cells"] if c["id"] != LEFT_OUT]}
            courses.hand_in(course, "attacks", name, assignment.as_bytes(notebook))
        for name in attacks:  # one by one: a run that is given up loses nobody else's marks
            courses.nbgrader(course.root, "autograde", "attacks", "--student", name)
            print(f"stock: {name}", file=sys.stderr, flush=True)
        found = dict.fromkeys(attacks, 0.0)
        for (name, _), (score, *_) in courses.grades(course, "attacks").items():
            found[name] += score or 0.0
        return found


def by_examiner(attacks: dict[str, dict]) -> dict[str, float]:
    """Points that the examiner gives, on the same tests."""
    found = {}
    with WarmInterpreter(limits=assignment.LIMITS) as warm:
        for name, notebook in attacks.items():
            data = assignment.as_bytes(notebook)
            graded = grade(warm, assignment.released(), Work(data, student=name), assignment.LIMITS)
            found[name] = sum(mark.score or 0.0 for cell, mark in graded.marks.items()
                              if cell != LEFT_OUT)
    return found


def main() -> None:
    part = sys.argv[1] if len(sys.argv) > 1 else ""
    attacks, tries = {}, {}
    for path in attempts.ATTACKS:
        head, notebook, _ = attempts.build(path)
        name = f"{path.parent.name}_{path.stem}"
        if head.get("Stock") == "safe" and part in name:
            attacks[name], tries[name] = notebook, head["Tries"]
    stock, ours = by_stock(attacks), by_examiner(attacks)
    print(f"| attack | tries | stock nbgrader, of {POINTS:g} | the examiner, of {POINTS:g} |")
    print("|---|---|---|---|")
    for name in attacks:
        print(f"| {name} | {tries[name]} | {stock[name]:g} | {ours[name]:g} |")
    gained = [sum(score > 0 for score in marks.values()) for marks in (stock, ours)]
    print(f"\nattacks that gained points: stock {gained[0]} of {len(attacks)}, "
          f"the examiner {gained[1]} of {len(attacks)}")
    if gained[1]:
        sys.exit(1)


if __name__ == "__main__":
    main()
