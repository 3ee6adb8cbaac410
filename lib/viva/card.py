"""What a student sees: a small HTML card in a notebook, plain text in a terminal."""

import base64
import html
import io
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from viva.verdict import Verdict, row_lines

SIGNS = {"passed": "✓ passed", "failed": "✗ not yet", "error": "✗ error", "missing": "○ to do"}
WRITTEN = {"answered": "✓ answered", "empty": "○ empty"}  # as the notebook was last saved
# A border says what the sign says, at 3:1 or more on white and on a dark theme's background.
BORDERS = {"passed": "#2e7d32", "failed": "#d32f2f", "error": "#d32f2f", "missing": "#757575"}
CODE_WORDS = re.compile(r"`([^`\n]+)`")
FADED = 0.75  # opacity of a label; the text colour is the theme's own
LEFT = "style='text-align:left;padding:2px 12px 2px 0'"  # JupyterLab's tables lean right
CODE = ("try it", "in your cell")  # rows whose text is code
LINKED = ("see also",)  # in HTML a link stands for this row
WIDTH, HEIGHT = 160, 120  # pixels of such a picture
FROM_SIZE = 16  # entries from which a picture of the difference says more than a number


class Card:
    """Text and HTML of one message; IPython shows whichever its frontend can."""

    def __init__(self, text: str, markup: str) -> None:
        self.text = text
        self.markup = markup

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.markup


def show(verdict: Verdict, progress: tuple[int, int]) -> None:
    """Show the verdict of a check."""
    done, total = progress
    count = f"{done} of {total} exercises pass" if total else ""
    lines = row_lines("progress", count) if count else []
    text = "\n".join([*verdict.lines, *lines])
    body = "".join(_row(*row) for row in verdict.rows if row[0] not in LINKED)
    if verdict.status in ("failed", "error"):
        body += _hints(verdict.exercise)
    title = f"{SIGNS[verdict.status]}: {html.escape(verdict.title)}"
    markup = _frame(verdict.status, title, body + _picture(verdict) + _meter(done, total))
    _display(Card(text, markup))


def show_submission(homework: str, student: str, states: dict, hand_in: str) -> None:
    """Show the state of every exercise and written answer, and what to hand in."""
    width, signs = max(map(len, states)), SIGNS | WRITTEN
    rows = [f"  {name:<{width}}  {signs[state]}" for name, state in states.items()]
    exercises = [state for state in states.values() if state in SIGNS]
    verdict = f"{exercises.count('passed')} of {len(exercises)} exercises pass"
    empty = list(states.values()).count("empty")
    if empty:
        verdict += f", {empty} written answer{'s are' if empty > 1 else ' is'} empty"
    advice = [] if student else ["  Your student id is not set: write it into begin(...)."]
    advice.append(f"  {hand_in}")
    text = "\n".join([f"{homework}: {verdict}", *rows, *advice])
    table = "".join(
        f"<tr><td {LEFT}><code>{name}</code></td><td {LEFT}>{signs[state]}</td></tr>"
        for name, state in states.items()
    )
    below = "".join(f"<div>{html.escape(line.strip())}</div>" for line in advice)
    body = f"<table style='margin:4px 0'>{table}</table>{below}"
    done = set(states.values()) <= {"passed", "answered"}
    status = "passed" if done else "failed"
    _display(Card(text, _frame(status, html.escape(f"{homework}: {verdict}"), body)))


def with_code(words: str) -> str:
    """Words as HTML: what stands between backticks as code, everything else exactly as it is."""
    return CODE_WORDS.sub(r"<code>\1</code>", html.escape(words))


def _frame(status: str, title: str, body: str) -> str:
    # No background and no text colour of our own: readable in light and in dark themes.
    style = f"border-left:6px solid {BORDERS[status]};padding:4px 12px;margin:4px 0"
    opening = f"<div class='viva-card' data-status='{status}' style='{style}'>"
    return f"{opening}<b>{title}</b>{body}</div>"


def _row(label: str, text: str) -> str:
    words = f"<code>{html.escape(text)}</code>" if label in CODE else with_code(text)
    return f"<div><span style='opacity:{FADED}'>{html.escape(label)}:</span> {words}</div>"


def _hints(exercise: str) -> str:
    """A link to the notebook's cell <exercise>-hints; where links do not work, words."""
    name = html.escape(exercise)
    return f"<div><a href='#cell-id={name}-hints'>Hints for {name}</a>, below this exercise</div>"


def short(path: Path) -> str:
    """A path as people write it: ~ for their home."""
    home = Path.home()
    return f"~{os.sep}{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def _meter(done: int, total: int) -> str:
    if not total:
        return ""
    words = f"{done} of {total} exercises pass"
    return (
        f"<div style='margin-top:4px'><progress value='{done}' max='{total}' "
        f"aria-label='{words}'></progress> {words}</div>"
    )


def _picture(verdict: Verdict) -> str:
    """Your array, the expected one and their difference, where that says more than a number."""
    pair = next(_differing(verdict.got, verdict.expected), None)
    if pair is None or pair[0].size < FROM_SIZE:
        return ""
    got, expected = pair
    gap = got - expected
    low, high = min(got.min(), expected.min()), max(got.max(), expected.max())
    most = np.abs(gap).max()  # no difference is white
    maps = (("yours", got, "viridis", low, high), ("expected", expected, "viridis", low, high),
            ("difference", gap, "PuOr", -most, most))
    return f"<div style='margin-top:6px'>{''.join(_heat_map(*each) for each in maps)}</div>"


def _heat_map(name: str, matrix: np.ndarray, colours: str, low: float, high: float) -> str:
    """A matrix as a picture, a rectangle per entry: a figure would take fifty times as long."""
    from matplotlib.image import imsave

    rows, columns = matrix.shape
    few = matrix[:: -(-rows // HEIGHT), :: -(-columns // WIDTH)]
    dots = few.repeat(-(-HEIGHT // len(few)), 0).repeat(-(-WIDTH // len(few[0])), 1)
    buffer = io.BytesIO()
    imsave(buffer, dots, cmap=colours, vmin=low, vmax=high, format="png")
    data = base64.b64encode(buffer.getvalue()).decode()
    words = f"{name}, {low:.3g} to {high:.3g}"
    return (f"<div style='display:inline-block;margin-right:12px'><div style='opacity:{FADED}'>"
            f"{words}</div><img alt='heat map of {rows} by {columns} entries: {words}' "
            f"width='{WIDTH}' height='{HEIGHT}' src='data:image/png;base64,{data}'></div>")


def _differing(got: Any, expected: Any) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The pairs of arrays in two answers that differ, as matrices of one shape."""
    if isinstance(got, dict) and isinstance(expected, dict):
        got, expected = ([tree[key] for key in got if key in expected] for tree in (got, expected))
    if isinstance(got, list | tuple) and isinstance(expected, list | tuple):
        for one, other in zip(got, expected, strict=False):
            yield from _differing(one, other)
        return
    one, other = _matrix(got), _matrix(expected)
    if one is not None and other is not None and one.shape == other.shape:
        if not np.allclose(one, other):
            yield one, other


def _matrix(value: Any) -> np.ndarray | None:
    """An array as a matrix of finite floats, or None."""
    if hasattr(value, "detach"):
        value = value.detach().cpu().numpy()
    if not isinstance(value, np.ndarray) or value.ndim < 2 or value.dtype.kind not in "fiub":
        return None
    matrix = value.reshape(-1, value.shape[-1]).astype(float)
    return matrix if matrix.size and np.isfinite(matrix).all() else None


def _display(shown: Card) -> None:
    try:
        from IPython import get_ipython
        from IPython.display import display
    except ImportError:
        get_ipython = None
    if get_ipython and get_ipython() is not None:
        display(shown)
    else:
        print(shown.text)
