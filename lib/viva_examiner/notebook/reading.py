"""Read a submitted file as a notebook: any version and encoding, bounded before it is parsed."""

import json
from typing import Any

import nbformat

from viva.unbroken import unbroken
from viva_examiner.harmless import harmless_attachments
from viva_examiner.limits import MAX_NOTEBOOK_BYTES

MAX_CELLS = 3000
MAX_TEXT = 8 * 2**20  # characters of all cells together
MAX_CODE = 2**20  # characters of all code cells together
# A list or an object of three bytes takes two hundred in memory. Text may hold these signs as well.
MAX_CONTAINERS, MAX_COMMAS = 1_000_000, 5_000_000
FIELDS: dict[str, dict[str, Any]] = {
    "code": {"execution_count": None, "outputs": []}, "markdown": {}, "raw": {}}
SubmittedCell = tuple[str, str, str, dict, dict]  # type, id, source, metadata, attachments


class BadSubmission(Exception):
    """The file cannot be read as a notebook. The message is for the student and the TA."""


def read_submission(data: bytes) -> list[SubmittedCell]:
    """The cells of a submitted file as (type, id, source, metadata, attachments), any version."""
    if not data.strip():
        raise BadSubmission("the file is empty or was not handed in")
    raw = parsed(data)
    if raw.get("nbformat") != 4:
        raw = _upgraded(raw)
    if not isinstance(raw.get("cells"), list):
        raise BadSubmission("the file is not a notebook: it has no cells")
    if len(raw["cells"]) > MAX_CELLS:
        raise BadSubmission(f"the notebook has {len(raw['cells'])} cells, more than {MAX_CELLS}")
    cells = [cell for cell in map(_cell, raw["cells"]) if cell is not None]
    if sum(len(cell[2]) for cell in cells) > MAX_TEXT:
        raise BadSubmission(f"the cells hold more than {MAX_TEXT >> 20} MB of text")
    if sum(len(cell[2]) for cell in cells if cell[0] == "code") > MAX_CODE:
        raise BadSubmission(f"the code cells hold more than {MAX_CODE >> 20} MB of text")
    return cells


def read_essence(data: bytes) -> str | bytes:
    """All that `restore` looks at, as one text: the same for other outputs, views and counters."""
    try:
        return json.dumps([(kind, cell_id, source, metadata.get("nbgrader"), attachments)
                           for kind, cell_id, source, metadata, attachments
                           in read_submission(data)], sort_keys=True)
    except Exception:  # no notebook, or a fault of ours: the worker that grades it will tell
        return data


def parsed(data: bytes) -> dict:
    """The JSON object in a file. Raises BadSubmission, also for what would take too much memory."""
    if len(data) > MAX_NOTEBOOK_BYTES:
        raise BadSubmission(f"the file has {len(data) / 2**20:.0f} MB; clear its outputs")
    if data.count(b"[") + data.count(b"{") > MAX_CONTAINERS or data.count(b",") > MAX_COMMAS:
        raise BadSubmission("the file has too many small parts; clear its outputs")
    try:
        raw = json.loads(_text(data))
    except (ValueError, RecursionError):
        raise BadSubmission("the file is not a notebook: it is not JSON") from None
    if not isinstance(raw, dict):
        raise BadSubmission("the file is not a notebook: it is JSON of another kind")
    return raw


def _text(data: bytes) -> str:
    """As JSON says (UTF-8, 16 or 32), or as older editors write it."""
    try:
        return data.decode(json.detect_encoding(data))
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _upgraded(raw: dict) -> dict:
    try:
        old = nbformat.from_dict(raw)
        return nbformat.convert(old, 4)
    except Exception:  # nbformat raises whatever it trips over
        raise BadSubmission("the notebook's format is too old or too new to be read") from None


def _cell(raw: Any) -> SubmittedCell | None:
    kind = raw.get("cell_type") if isinstance(raw, dict) else None
    if not isinstance(kind, str) or kind not in FIELDS:
        return None
    source = raw.get("source", "")
    if isinstance(source, list):
        source = "".join(map(str, source))
    metadata = raw.get("metadata")
    cell_id = raw.get("id")
    return (
        kind,
        cell_id if isinstance(cell_id, str) else "",
        unbroken(str(source)),
        metadata if isinstance(metadata, dict) else {},
        nbformat.from_dict(harmless_attachments(raw.get("attachments"))),
    )
