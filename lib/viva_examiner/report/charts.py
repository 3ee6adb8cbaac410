"""The histogram of a class's marks as inline SVG: round bins, every bar labelled and linked."""

import math
from collections.abc import Callable
from html import escape

WIDTH, HEIGHT, LEFT, RIGHT, BOTTOM = 640, 230, 40, 20, 40


def round_step(top: float, most: int = 12) -> float:
    """The smallest width of 1, 2 or 5 times a power of ten that needs no more bins than `most`."""
    if top <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(top / most))
    return next(power * digit for digit in (1, 2, 5, 10, 20) if top / (power * digit) <= most)


def binned(marks: dict[str, float], top: float) -> list[tuple[float, float, list[str]]]:
    """[(from, to, students)] over [0, top]; a bin holds its lower end, the last one both."""
    step = round_step(top)
    count = max(1, math.ceil(top / step - 1e-9))
    bins: list[tuple[float, float, list[str]]] = [
        (step * i, step * (i + 1), []) for i in range(count)]
    for student, mark in marks.items():
        bins[min(max(int(mark / step + 1e-9), 0), count - 1)][2].append(student)
    return bins


def histogram(marks: dict[str, float], top: float,
              link: Callable[[list[str], str], str] = lambda students, title: "") -> str:
    """How many students lie in each bin; `link` gives the address of the list for a bar."""
    bins = binned(marks, top)
    wide, tall = (WIDTH - LEFT - RIGHT) / len(bins), HEIGHT - BOTTOM - 24
    most = max(max(len(students) for *_, students in bins), 1)
    parts, floor = [], HEIGHT - BOTTOM
    for number, (low, high, students) in enumerate(bins):
        x, height = LEFT + number * wide, tall * len(students) / most
        bar = (f'<rect class="bar" x="{x + 2:.1f}" y="{floor - height:.1f}" '
               f'width="{wide - 4:.1f}" height="{height:.1f}"/>')
        if students:
            bar += _text(x + wide / 2, floor - height - 5, str(len(students)))
            if address := link(students, f"{low:g} to {high:g} points"):
                bar = f'<a href="{escape(address, quote=True)}">{bar}</a>'
        parts += [bar, _text(x, floor + 16, f"{low:g}")]
    parts.append(_text(WIDTH - RIGHT, floor + 16, f"{bins[-1][1]:g}"))
    parts.append(f'<line x1="{LEFT}" y1="{floor}" x2="{WIDTH - RIGHT}" y2="{floor}"/>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(_text(middle, HEIGHT - 6, "points of the automatic tests"))
    parts.append(f'<text x="14" y="{HEIGHT / 2:.0f}" text-anchor="middle" '
                 f'transform="rotate(-90 14 {HEIGHT / 2:.0f})">students</text>')
    return (f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="group" '
            f'aria-label="histogram of marks" xmlns="http://www.w3.org/2000/svg">'
            f'<title>histogram of marks</title>{"".join(parts)}</svg>')


def _text(x: float, y: float, words: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{escape(words)}</text>'
