"""Text without halves of characters.

JSON can hold a half of a character (`"\\ud800"`), and so can a Python string. It cannot be written
as UTF-8: whoever writes it down later fails. So text of a student loses its halves where it is
read, and no later code has to think of them.
"""

import json
import re
from typing import Any

HALF = re.compile("[\ud800-\udfff]")
ESCAPED = re.compile(rb"\\u[dD][89a-fA-F]")  # in JSON; whole characters may look so as well


def unbroken(text: str) -> str:
    """The text, with a question mark for each half of a character."""
    return text if text.isascii() else HALF.sub("?", text)


def unbroken_tree(node: Any) -> Any:
    """A tree of JSON, all its texts and keys unbroken. Raises RecursionError if it is too deep."""
    if isinstance(node, str):
        return unbroken(node)
    if isinstance(node, list):
        return [unbroken_tree(child) for child in node]
    if isinstance(node, dict):
        return {unbroken(key): unbroken_tree(child) for key, child in node.items()}
    return node


def read_json(data: bytes, **options: Any) -> Any:
    """What JSON in UTF-8 holds, unbroken. Raises ValueError or RecursionError; `options` as json's.
    """
    node = json.loads(data.decode(), **options)  # loads itself would let halves in UTF-8 pass
    return unbroken_tree(node) if ESCAPED.search(data) else node
