"""What a cell put on the page, checked and bounded: nbformat outputs from hostile messages."""

import base64
from dataclasses import dataclass, field
from typing import Any

from viva.unbroken import unbroken
from viva_examiner.allowed import harmless_html
from viva_examiner.harmless import ACTIVE_TEX, PICTURES, harmless_output, is_picture
from viva_examiner.sandbox.inside.protocol import Shown

TEXT_TYPES = ("text/plain", "text/latex")
MARKUP_TYPES = {"text/html": harmless_html, "text/markdown": harmless_output}
IMAGES_TO_TEXT = 8  # pictures may take this many times the room of text
MAX_OUTPUTS = 1000
MAX_ALT = 1000  # characters that describe a picture
MAX_MARKUP = 1 << 17  # characters of HTML and Markdown that are looked at in one cell


def clean(value: object, limit: int = 1 << 16) -> str:
    """Any claim of text as text that can be written as UTF-8, no longer than the limit."""
    text = value if type(value) is str else ""
    return unbroken(text[:limit])


def _described(metadata: object, data: dict) -> dict:
    """The alt text that the candidate gave its picture, as metadata for nbconvert's pages."""
    found = metadata.get("image/png") if isinstance(metadata, dict) else None
    alt = clean(found.get("alt"), MAX_ALT) if isinstance(found, dict) else ""
    plain = "".join(" " if sign in "<>&\"'" else sign for sign in alt)
    return {"image/png": {"alt": plain}} if plain and "image/png" in data else {}


@dataclass
class CellResult:
    """What running one cell gave."""

    outputs: list = field(default_factory=list)  # nbformat v4 outputs
    error: dict | None = None  # ename, evalue, traceback
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    timed_out: bool = False
    died: bool = False


class Collector:
    """Gathers the outputs of one cell in order, dropping what is not allowed or too much."""

    def __init__(self, output_kb: int, execution_count: int | None = None) -> None:
        self.outputs: list[dict] = []
        self.room = output_kb * 1024
        self.picture_room = IMAGES_TO_TEXT * output_kb * 1024
        self.markup_room = MAX_MARKUP
        self.limit_kb, self.execution_count = output_kb, execution_count
        self.displays: dict[str, list[dict]] = {}
        self.full = self.clear_next = False
        self.error: dict | None = None

    def raw(self, name: str, data: bytes) -> None:
        """Output written to a file descriptor."""
        self.stream(name, data.decode("utf-8", "replace"))

    def stream(self, name: str, text: str) -> None:
        text = clean(text, 1 << 26)
        if not self._begin() or not text:
            return
        if len(text) > self.room:
            text = text[: self.room] + f"\n... cut here: a cell may print {self.limit_kb} KB\n"
            self.full = True
        self.room -= len(text)
        last = self.outputs[-1] if self.outputs else {}
        if last.get("output_type") == "stream" and last["name"] == name:
            last["text"] += text
        else:
            self._append({"output_type": "stream", "name": name, "text": text})

    def add(self, output: Any) -> None:
        """One message of the candidate; nonsense is dropped."""
        kind = output.get("o") if isinstance(output, dict) else None
        if type(kind) is not str:
            return
        if kind == Shown.STREAM:
            name = output.get("name")
            if type(name) is str and name in ("stdout", "stderr"):
                self.stream(name, output.get("text"))
        elif kind in (Shown.DISPLAY, Shown.UPDATE, Shown.RESULT):
            self._display(kind, output)
        elif kind == Shown.ERROR:
            self._error(output)
        elif kind == Shown.CLEAR:
            self.clear_next = True
            if output.get("wait") is not True:
                self._begin()

    def _begin(self) -> bool:
        if self.clear_next:
            self.clear_next, self.outputs, self.displays = False, [], {}
        return not self.full

    def _append(self, output: dict) -> None:
        if len(self.outputs) < MAX_OUTPUTS:
            self.outputs.append(output)

    def _display(self, kind: str, output: dict) -> None:
        data = self._bundle(output.get("data"))
        if not data or not self._begin():
            return
        name = clean(output.get("display_id"), 200)
        if kind == Shown.UPDATE:
            for shown in self.displays.get(name, []):
                shown["data"] = data
            return
        made: dict[str, Any] = {"output_type": "display_data", "data": data,
                                "metadata": _described(output.get("metadata"), data)}
        if kind == Shown.RESULT:
            made |= {"output_type": "execute_result", "execution_count": self.execution_count}
        if name:
            self.displays.setdefault(name, []).append(made)
        self._append(made)

    def _bundle(self, data: object) -> dict:
        found = {}
        for mime, value in data.items() if isinstance(data, dict) else ():
            if mime in PICTURES and type(value) is str and self._is_image(mime, value):
                found[mime] = value
            elif mime in PICTURES and type(value) is bytes:
                text = base64.b64encode(value).decode()
                if self._is_image(mime, text):
                    found[mime] = text
            elif mime in TEXT_TYPES and type(value) is str:
                text = clean(value, max(self.room, 0) + 1)
                active = mime == "text/latex" and ACTIVE_TEX.search(text)
                if len(text) <= self.room and not active:
                    found[mime] = text
                    self.room -= len(text)
            elif mime in MARKUP_TYPES and type(value) is str and len(value) <= self.markup_room:
                self.markup_room -= len(value)
                if text := MARKUP_TYPES[mime](clean(value, 1 << 20)):
                    found[mime] = text
        return found

    def _is_image(self, mime: str, text: str) -> bool:
        if len(text) > self.picture_room or not is_picture(mime, text):
            return False
        self.picture_room -= len(text)
        return True

    def _error(self, output: dict) -> None:
        rows = output.get("traceback")
        rows = [clean(row, 1 << 12) for row in (rows if isinstance(rows, list) else [])[-60:]]
        self.error = {"ename": clean(output.get("ename"), 200) or "Exception",
                      "evalue": clean(output.get("evalue"), 1 << 14), "traceback": rows}
        self.clear_next = False
        self._append({"output_type": "error", **self.error})

    def fail(self, ename: str, evalue: str) -> None:
        """An error that the examiner itself states."""
        self.error = {"ename": ename, "evalue": evalue, "traceback": [f"{ename}: {evalue}"]}
        self.outputs.append({"output_type": "error", **self.error})
