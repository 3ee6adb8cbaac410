"""The templates of the desk: escaped by default, and a name that is missing is an error."""

from datetime import UTC, datetime
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from viva.card import with_code
from viva_examiner.rendered import rendered


def environment() -> Environment:
    layout = Environment(loader=PackageLoader("viva_examiner.desk", "templates"), autoescape=True,
                         undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    layout.filters.update(
        points=points, plural=plural, words=words, day=day, moment=moment, quoted=quoted,
        with_code=lambda text: Markup(with_code(text)),
        rendered=lambda text: Markup(rendered(text)))
    return layout


def points(number: float | None) -> str:
    return "–" if number is None else f"{round(number, 6):g}"


def plural(count: int, word: str, several: str = "") -> str:
    return f"{count} {word if count == 1 else several or word + 's'}"


def words(name: str) -> str:
    """A homework's or an exercise's name as one says it."""
    return name.replace("_", " ")


def quoted(name: str) -> str:
    """A name as one part of an address, whatever signs it has."""
    return quote(name, safe="")


def day(when: datetime | None) -> str:
    return "" if when is None else f"{when:%Y-%m-%d %H:%M}"


def moment(when: datetime | None) -> Markup:
    """A time for people and for programs. What the gradebook holds is UTC."""
    if when is None:
        return Markup("")
    full = when if when.tzinfo else when.replace(tzinfo=UTC)
    return Markup('<time datetime="{}">{}</time>').format(full.isoformat(), day(when))
