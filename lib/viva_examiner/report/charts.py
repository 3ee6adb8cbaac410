"""Charts as inline SVG: one ink, every bar labelled with its number, legible in print."""

from html import escape

INK, BAR = "#1a1a1a", "#5b7c99"
ROW = 26  # height of a row of bars


def histogram(values: list[float], top: float, bins: int = 10) -> str:
    """How many values lie in each tenth of [0, top]."""
    counts = [0] * bins
    for value in values:
        share = min(max(value / top, 0.0), 1.0) if top else 0.0
        counts[min(int(share * bins), bins - 1)] += 1
    width, height, left, bottom = 640, 230, 40, 40
    wide, tall = (width - left - 10) / bins, height - bottom - 24
    most = max([*counts, 1])
    parts = []
    for i, count in enumerate(counts):
        x, h = left + i * wide, tall * count / most
        y = height - bottom - h
        parts.append(f'<rect x="{x + 2:.1f}" y="{y:.1f}" width="{wide - 4:.1f}" '
                     f'height="{h:.1f}" fill="{BAR}"/>')
        if count:
            parts.append(_text(x + wide / 2, y - 5, str(count), "middle"))
        if i % 2 == 0:
            parts.append(_text(x, height - bottom + 16, f"{top * i / bins:.3g}", "middle"))
    parts.append(_text(width - 10, height - bottom + 16, f"{top:g}", "middle"))
    parts.append(_line(left, height - bottom, width - 10, height - bottom))
    parts.append(_text(left + (width - left) / 2, height - 6, "points of the automatic tests",
                       "middle"))
    parts.append(f'<text x="14" y="{height / 2:.0f}" transform="rotate(-90 14 {height / 2:.0f})" '
                 f'text-anchor="middle" font-size="13" fill="{INK}">students</text>')
    return _svg(width, height, "histogram of marks", parts)


def bars(rows: list[tuple[str, float, str]], axis: str, top: float = 0.0) -> str:
    """Horizontal bars: (label, length, words at the end of the bar), longest possible: top."""
    if not rows:
        return ""
    width, left, right = 760, 270, 190
    top = top or max(length for _, length, _ in rows) or 1.0
    height = ROW * len(rows) + 30
    parts = []
    for i, (label, length, words) in enumerate(rows):
        y = 4 + i * ROW
        long = (width - left - right) * max(length, 0.0) / top
        parts.append(_text(left - 8, y + 15, _short(label, 40), "end"))
        parts.append(f'<rect x="{left}" y="{y + 2}" width="{long:.1f}" height="{ROW - 8}" '
                     f'fill="{BAR}"/>')
        parts.append(_text(left + long + 6, y + 15, words, "start"))
    parts.append(_line(left, 2, left, ROW * len(rows) + 4))
    parts.append(_text(left, height - 6, axis, "start"))
    return _svg(width, height, axis, parts)


def _svg(width, height, title, parts) -> str:
    return (f'<svg viewBox="0 0 {width} {height}" width="{width}" role="img" '
            f'aria-label="{escape(title, quote=True)}" xmlns="http://www.w3.org/2000/svg">'
            f'<title>{escape(title)}</title>{"".join(parts)}</svg>')


def _text(x, y, words, anchor) -> str:
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="13" '
            f'fill="{INK}">{escape(words)}</text>')


def _line(x1, y1, x2, y2) -> str:
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{INK}"/>'


def _short(words: str, limit: int) -> str:
    return words if len(words) <= limit else words[: limit - 1] + "…"
