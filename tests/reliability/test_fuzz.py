"""Hostile input: whatever a file or a frame holds, the trusted side answers with its own words."""

import json
from pathlib import Path

import nbformat
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import plain_course
from viva import plain
from viva_examiner.notebook.reading import BadSubmission
from viva_examiner.notebook.released import Released, ReleasedCell, imports_of
from viva_examiner.notebook.restoring import restore

CORPUS = Path(__file__).parent / "corpus"
MANY = settings(max_examples=4000, deadline=None, suppress_health_check=list(HealthCheck))
SOME = settings(MANY, max_examples=1500)  # whole notebooks take nbformat 20 ms each to validate

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner,
                                                                max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from([*plain_course.TESTS, "squares", "essay", "task", "", "unknown"])
OWNED = st.fixed_dictionaries({}, optional={
    "grade_id": NAMES | JSON, "grade": JSON, "solution": JSON, "locked": JSON, "points": JSON,
    "schema_version": JSON, "task": JSON, "checksum": JSON,
})
CELLS = st.fixed_dictionaries({}, optional={
    "cell_type": st.sampled_from(["code", "markdown", "raw", "heading"]) | JSON,
    "id": st.text(max_size=70) | JSON,
    "source": st.text() | st.lists(st.text()) | JSON,
    "metadata": st.fixed_dictionaries({}, optional={"nbgrader": OWNED | JSON}) | JSON,
    "attachments": JSON, "outputs": JSON, "execution_count": JSON,
}) | JSON
NOTEBOOKS = st.fixed_dictionaries(
    {"cells": st.lists(CELLS, max_size=5) | JSON},
    optional={"nbformat": st.sampled_from([2, 3, 4, 5]) | JSON, "nbformat_minor": JSON,
              "metadata": JSON, "worksheets": JSON},
)


def released_plain_course() -> Released:
    source = plain_course.source_notebook()
    cells = []
    for cell in source.cells:
        if owned := cell.metadata.get("nbgrader"):
            locked = owned["locked"] or (owned["grade"] and not owned["solution"])
            cells.append(ReleasedCell(
                owned["grade_id"], cell.cell_type, cell.source, "", locked, owned["grade"],
                owned["solution"], owned["task"], float(owned.get("points", 0))))
    return Released("plain", "plain", tuple(cells), imports_of(source))


@pytest.fixture(scope="module")
def released():
    return released_plain_course()


def read_or_refused(data: bytes, released) -> None:
    """A notebook that is valid and whole, or BadSubmission. Nothing else."""
    try:
        notebook, remarks = restore(data, released)
    except BadSubmission:
        return
    nbformat.validate(notebook)
    names = [c.metadata["nbgrader"]["grade_id"] for c in notebook.cells
             if "nbgrader" in c.metadata]
    graded = {cell.name for cell in released.cells if cell.grade}
    assert graded <= set(names) and len(names) == len(set(names))
    assert all(isinstance(remark, str) for remark in remarks)


@SOME
@given(NOTEBOOKS)
@example({"cells": [{"cell_type": "code", "metadata": {"nbgrader": {"grade_id": ["x"]}}}],
          "nbformat": 4})
def test_any_json_is_read_or_refused(released, notebook):
    read_or_refused(json.dumps(notebook).encode(), released)


@MANY
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(released, data):
    read_or_refused(data, released)


@SOME
@given(position=st.integers(0, 10_000), byte=st.integers(0, 255), cut=st.integers(0, 40))
def test_a_damaged_notebook_is_read_or_refused(released, position, byte, cut):
    data = bytearray(plain_course.submission("half"))
    position %= len(data)
    data[position : position + cut] = bytes([byte])
    read_or_refused(bytes(data), released)


@MANY
@given(position=st.integers(0, 10_000), byte=st.integers(0, 255), cut=st.integers(0, 8))
def test_a_damaged_frame_is_read_or_malformed(position, byte, cut):
    import numpy as np

    frame = bytearray(plain.pack({"op": "reply", "value": [np.arange(6.0).reshape(2, 3), "x", None],
                                  "deep": {"a": (1, 2.5), "b": [np.float32(1)]}}))
    position %= len(frame)
    frame[position : position + cut] = bytes([byte])
    try:
        plain.unpack(bytes(frame))
    except plain.Malformed:
        pass


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.json")), ids=lambda path: path.stem)
def test_what_was_found_once_stays_found(released, path):
    read_or_refused(path.read_bytes(), released)
