"""The page of an explanation, every word of it escaped."""

from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from viva.card import with_code
from viva.whole import write_whole
from viva_examiner import looks
from viva_examiner.course import Course

FOLDER = "explained"


def write_page(course: Course, page: dict) -> Path:
    """Write reports/explained/<homework>/<student>.html, or <student>-to-send.html.

    The staff's page holds secret inputs and right answers: its owner alone can read it.
    """
    name = f"{page['student']}.html" if page["secret"] else f"{page['student']}-to-send.html"
    path = course.root / "reports" / FOLDER / page["homework"] / name
    write_whole(path, render(page), 0o600 if page["secret"] else 0o644)
    return path


def render(page: dict) -> str:
    layout = Environment(loader=PackageLoader("viva_examiner.explain", "."), autoescape=True,
                         undefined=StrictUndefined)
    layout.filters["with_code"] = lambda words: Markup(with_code(words))
    return layout.get_template("page.html.j2").render(page, style=Markup(looks.sheet())) + "\n"
