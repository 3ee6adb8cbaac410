"""Public nbgrader courses: each instructor's own solution, graded by stock nbgrader and by us.

    python bench/adopters.py DIR… [--stock FILE] [--cells] [--only PART]

DIR: folders with instructor notebooks (as `source/` of a course). Every automatic test is compared:
equal marks, marks that are open for a TA with a reason, and marks below stock's that nobody is told
about, of which there must be none. --stock keeps stock's marks in a file, for the next run. The
notebooks run on this machine, stock's without a sandbox: only point it at courses that you trust.
"""

import argparse
import json
import sys
from pathlib import Path

import nbformat

from viva_examiner.adopt import both_ways
from viva_examiner.examination.engine import Engine
from viva_examiner.examination.work_folder import released_files
from viva_examiner.limits import Limits
from viva_examiner.notebook.metadata import is_test
from viva_examiner.notebook.released import released_from
from viva_examiner.records import Order, Work
from viva_examiner.sandbox.preload import PRELOAD

ROOMS = {"release", "submitted", "autograded", "feedback", ".ipynb_checkpoints", "exchange"}


def notebooks_of(folder: Path) -> list[Path]:
    """Instructor notebooks with automatic tests, below a folder."""
    found = []
    for path in sorted(folder.rglob("*.ipynb")):
        if ROOMS.isdisjoint(path.relative_to(folder).parts) and '"grade_id"' in path.read_text():
            found.append(path)
    return found


def read(path: Path):
    """The notebook with today's metadata; None if it has no automatic test.

    A test that is worth nothing would be equal whatever happens: here it is worth a point.
    """
    notebook = both_ways.upgrade(nbformat.read(path, as_version=4))
    tests = [cell for cell in notebook.cells if is_test(cell)]
    for cell in tests:
        cell.metadata.nbgrader.points = cell.metadata.nbgrader.points or 1
    return notebook if tests else None


def by_stock(path: Path) -> dict:
    """Stock's marks, plain enough for a file."""
    stock = both_ways.by_stock(read(path), released_files(str(path.parent)))
    return vars(stock)


def by_us(engine: Engine, path: Path, opinion: str) -> both_ways.WayMarks:
    """What the examiner gives."""
    notebook = read(path)
    released = released_from(notebook, path.stem, path.stem, folder=str(path.parent),
                             second_opinion=opinion)
    return both_ways.by_examiner(
        engine, released, notebook, Work(b"{}", student="instructor", notebook=path.stem))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--stock", type=Path, help="a file that keeps stock's marks")
    parser.add_argument("--cells", action="store_true", help="name the tests that differ, and why")
    parser.add_argument("--only", default="", help="notebooks with this in their path")
    parser.add_argument("--second-opinion", default="open", choices=("open", "examiner", "stock"))
    wanted = parser.parse_args()
    kept = json.loads(wanted.stock.read_text()) if wanted.stock and wanted.stock.exists() else {}
    total = dict.fromkeys(both_ways.KINDS, 0)
    spent = {"stock": 0.0, "examiner": 0.0}
    print(f"{'equal':>6} {'more':>5} {'open':>8} {'lost':>5}  stock s  ours s  notebook")
    limits = Limits(cell_seconds=both_ways.SECONDS, question_seconds=both_ways.SECONDS)
    with Engine(Order((), limits, "", preload=PRELOAD)) as engine:
        for path in [p for folder in wanted.folders for p in notebooks_of(folder)]:
            if wanted.only not in str(path) or read(path) is None:
                continue
            stock = kept.get(str(path)) or by_stock(path)
            kept[str(path)] = stock
            if wanted.stock:
                wanted.stock.write_text(json.dumps(kept))
            stock = both_ways.WayMarks(**stock)
            ours = by_us(engine, path, wanted.second_opinion)
            found = both_ways.compare(stock, ours)
            row = {kind: sum(test.kind == kind for test in found) for kind in total}
            total = {kind: total[kind] + row[kind] for kind in total}
            spent["stock"] += stock.seconds
            spent["examiner"] += ours.seconds
            print(f"{row['equal']:6} {row['more']:5} {row['open']:8} {row['lost']:5} "
                  f"{stock.seconds:8.1f} {ours.seconds:7.1f}  {path.name}", flush=True)
            for test in found:
                if wanted.cells and test.kind != both_ways.EQUAL:
                    print(f"    {test.kind}: {test.test}: stock {test.stock} of {test.points:g}, "
                          f"ours {test.ours}: {test.reason[:160]!r}")
    count = sum(total.values()) or 1
    print(f"{count} tests: " + ", ".join(f"{kind} {n} ({n / count:.1%})"
                                         for kind, n in total.items()))
    print(f"seconds: stock {spent['stock']:.0f}, examiner {spent['examiner']:.0f}, ratio "
          f"{spent['stock'] / max(spent['examiner'], 0.1):.1f}")
    sys.exit(1 if total["lost"] else 0)


if __name__ == "__main__":
    main()
