"""A progress bar for cells that take a while: it shows itself only when they do."""

import html
import os
import time
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

Step = TypeVar("Step")

APPEARS_AFTER = 1.0  # seconds
EVERY = 0.2  # seconds between two updates


def bar(steps: Sequence[Step], label: str = "") -> Iterator[Step]:
    """Iterate over `steps` (a sequence or range) and show how far it is.

    Nothing is shown for a loop that is done within a second, nor while a notebook is graded.
    """
    total, handle = len(steps), None
    silent = bool(os.environ.get("NBGRADER_EXECUTION"))
    shown = time.monotonic() + APPEARS_AFTER - EVERY
    for done, step in enumerate(steps):
        yield step
        if not silent and time.monotonic() - shown > EVERY:
            shown = time.monotonic()
            handle = _show(done + 1, total, label, handle)
    if handle is not None:
        _show(total, total, label, handle)


def _show(done: int, total: int, label: str, handle: Any) -> Any:
    from IPython.display import DisplayHandle

    words = f"{label} {done} of {total}".strip()
    safe = html.escape(words)
    data = {
        "text/plain": words,
        "text/html": f"<progress value='{done}' max='{total}' aria-label='{safe}'></progress> "
        f"{safe}",
    }
    if handle is None:
        handle = DisplayHandle()
        handle.display(data, raw=True)
    else:
        handle.update(data, raw=True)
    return handle
