"""What a cell put on the page, checked and bounded: nbformat outputs from hostile messages."""

import base64
import binascii

import bleach
from bleach.css_sanitizer import CSSSanitizer

TEXT_TYPES = ("text/plain", "text/latex")
MARKUP_TYPES = ("text/html", "text/markdown")
IMAGE_TYPES = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}
IMAGES_TO_TEXT = 8  # pictures may take this many times the room of text
MAX_OUTPUTS = 1000
TAGS = frozenset(
    "b blockquote br caption center code col colgroup dd details div dl dt em h1 h2 h3 h4 h5 h6 "
    "hr i img li ol p pre s small span strong sub summary sup table tbody td tfoot th thead "
    "tr u ul".split())
ATTRIBUTES = {"*": ["class", "style", "title", "align", "role", "aria-label", "aria-hidden"],
              "img": ["src", "alt", "width", "height"],
              "td": ["colspan", "rowspan"], "th": ["colspan", "rowspan", "scope"],
              "details": ["open"]}


def clean(value, limit: int = 1 << 16) -> str:
    """Any claim of text as text that can be written as UTF-8, no longer than the limit."""
    text = value if type(value) is str else ""
    return text[:limit].encode("utf-8", "replace").decode()


def clean_markup(text: str) -> str:
    """HTML without scripts, handlers, frames or addresses that load anything."""
    return bleach.clean(text, tags=TAGS, attributes=ATTRIBUTES, protocols=["https", "data"],
                        css_sanitizer=CSSSanitizer(), strip=True)


class Collector:
    """Gathers the outputs of one cell in order, dropping what is not allowed or too much."""

    def __init__(self, output_kb: int, execution_count: int | None = None):
        self.outputs: list[dict] = []
        self.room = output_kb * 1024
        self.picture_room = IMAGES_TO_TEXT * output_kb * 1024
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

    def add(self, output) -> None:
        """One message of the candidate; nonsense is dropped."""
        if not isinstance(output, dict):
            return
        kind = output.get("o")
        if kind == "stream" and output.get("name") in ("stdout", "stderr"):
            self.stream(output["name"], output.get("text"))
        elif kind in ("display", "update", "result"):
            self._display(kind, output)
        elif kind == "error":
            self._error(output)
        elif kind == "clear":
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
        if kind == "update":
            for shown in self.displays.get(name, []):
                shown["data"] = data
            return
        made = {"output_type": "display_data", "data": data, "metadata": {}}
        if kind == "result":
            made = {**made, "output_type": "execute_result",
                    "execution_count": self.execution_count}
        if name:
            self.displays.setdefault(name, []).append(made)
        self._append(made)

    def _bundle(self, data) -> dict:
        found = {}
        for mime, value in data.items() if isinstance(data, dict) else ():
            if mime in IMAGE_TYPES and type(value) is str and self._is_image(mime, value):
                found[mime] = value
            elif mime in IMAGE_TYPES and type(value) is bytes:
                text = base64.b64encode(value).decode()
                if self._is_image(mime, text):
                    found[mime] = text
            elif mime in TEXT_TYPES + MARKUP_TYPES and type(value) is str:
                text = clean(value, max(self.room, 0) + 1)
                if len(text) <= self.room:
                    found[mime] = clean_markup(text) if mime in MARKUP_TYPES else text
                    self.room -= len(text)
        return found

    def _is_image(self, mime: str, text: str) -> bool:
        if len(text) > self.picture_room:
            return False
        try:
            head = base64.b64decode("".join(text[:64].split())[:16])
            base64.b64decode("".join(text.split()), validate=True)
        except (binascii.Error, ValueError):
            return False
        if not head.startswith(IMAGE_TYPES[mime]):
            return False
        self.picture_room -= len(text)
        return True

    def _error(self, output: dict) -> None:
        rows = output.get("traceback")
        rows = [clean(row, 1 << 14) for row in (rows if isinstance(rows, list) else [])[-60:]]
        self.error = {"ename": clean(output.get("ename"), 200) or "Exception",
                      "evalue": clean(output.get("evalue"), 1 << 14), "traceback": rows}
        self.clear_next = False
        self._append({"output_type": "error", **self.error})

    def fail(self, ename: str, evalue: str) -> None:
        """An error that the examiner itself states."""
        self.error = {"ename": ename, "evalue": evalue, "traceback": [f"{ename}: {evalue}"]}
        self.outputs.append({"output_type": "error", **self.error})
