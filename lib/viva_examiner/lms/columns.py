"""The column of a homework in the platform's gradebook: found, or made once (LTI: line item)."""

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

from viva_examiner.harmless import one_line
from viva_examiner.lms.platform_failure import LmsFailure
from viva_examiner.lms.service import Service

ONE = "application/vnd.ims.lis.v2.lineitem+json"
MANY = "application/vnd.ims.lis.v2.lineitemcontainer+json"
TAG = "viva"


@dataclass(frozen=True)
class Wanted:
    """What a homework's column is to be."""

    resource: str  # our name for it, the same for ever: course and homework
    label: str
    maximum: float


@dataclass(frozen=True)
class Column:
    """A column that is there. `url` is its own address."""

    url: str
    label: str
    maximum: float

    def below(self, part: str) -> str:
        """The address of its scores or results: the path goes before a question mark."""
        parts = urlsplit(self.url)
        return urlunsplit(parts._replace(path=f"{parts.path}/{part}"))


def find(service: Service, wanted: Wanted) -> Column | None:
    """The homework's column; None if there is none yet.

    Platforms that do not know the filter answer with all columns, so each is looked at here.
    """
    parts = urlsplit(service.connection.columns_url)
    query = "&".join(filter(None, (parts.query, urlencode({"resource_id": wanted.resource}))))
    found = []
    for page in service.pages(urlunsplit(parts._replace(query=query)), MANY):
        for entry in page if isinstance(page, list) else []:
            if isinstance(entry, dict) and entry.get("resourceId") == wanted.resource \
                    and entry.get("tag") == TAG:
                found.append(_column(entry))
    if len(found) > 1:
        raise LmsFailure(f"the platform has {len(found)} columns for this homework "
                         f"({', '.join(each.label for each in found)}): delete all but one there")
    return found[0] if found else None


def make(service: Service, wanted: Wanted) -> Column:
    """A new column; found again afterwards, so that two who make it at once learn of it."""
    body = {"label": wanted.label, "scoreMaximum": wanted.maximum, "resourceId": wanted.resource,
            "tag": TAG}
    made = service.send("POST", service.connection.columns_url, json.dumps(body).encode(), ONE)
    return find(service, wanted) or _column(made)


def _column(entry: Any) -> Column:
    try:
        return Column(str(entry["id"]), one_line(str(entry["label"]), 200),
                      float(entry["scoreMaximum"]))
    except (TypeError, KeyError, ValueError):
        raise LmsFailure("the platform describes a column in another form than LTI's") from None
