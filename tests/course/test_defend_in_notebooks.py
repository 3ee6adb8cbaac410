"""`defend` stands in the notebooks, after the check of two exercises each."""

import re

import nbformat
import pytest

from viva import tables


def defended(homework):
    """The exercises that a source notebook lets students defend, and the cell before each."""
    cells = nbformat.read(f"source/{homework}/{homework}.ipynb", 4).cells
    return {match[1]: before.source for before, cell in zip(cells, cells[1:], strict=False)
            if (match := re.search(r'^defend\("(\w+)"\)$', cell.source, re.MULTILINE))}


@pytest.mark.parametrize("homework", tables.homeworks())
def test_two_exercises_can_be_defended_after_their_check(homework):
    found = defended(homework)
    assert len(found) == 2 and set(found) <= set(tables.exercises_of(homework))
    for exercise, before in found.items():
        assert before.startswith(f'check("{exercise}"')
