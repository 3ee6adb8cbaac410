"""What the demo shows at its end: the table of marks, and one page that leads to all others."""

import textwrap
from itertools import groupby
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from viva.whole import write_whole
from viva_examiner import looks

WIDTH = 110


def table(rows: list[dict], width: int = WIDTH) -> str:
    """The closing table; a long reason goes on below itself."""
    lines = []
    widest = max(len(row["student"]) for row in rows)
    for homework, students in groupby(rows, key=lambda row: row["homework"]):
        lines += ["", homework]
        for row in students:
            mark = f"{row['score']:g} / {row['points']:g}"
            head = f"  {row['student']:<{widest}}  {mark:>11}  "
            lines += textwrap.wrap(head + row["reason"], width, break_long_words=False,
                                   subsequent_indent=" " * len(head), break_on_hyphens=False)
    return "\n".join(lines)


def write_index(folder: Path, rows: list[dict]) -> Path:
    """Write index.html: every class report, every feedback page, why everybody has these marks."""
    homeworks = []
    for homework, students in groupby(rows, key=lambda row: row["homework"]):
        shown = [row | {"feedback": _link(folder, f"feedback/{row['student']}/{homework}/"
                                                 f"{homework}.html")} for row in students]
        homeworks.append({"name": homework.replace("_", " "), "rows": shown,
                          "report": _link(folder, f"reports/{homework}.html")})
    layout = Environment(loader=PackageLoader("viva_examiner.demo", "."), autoescape=True,
                         undefined=StrictUndefined)
    path = folder / "index.html"
    write_whole(path, layout.get_template("index.html.j2").render(
        homeworks=homeworks, style=Markup(looks.sheet())) + "\n")
    return path


def _link(folder: Path, name: str) -> str:
    """The relative address of a page, empty if it was not made."""
    return name if (folder / name).is_file() else ""
