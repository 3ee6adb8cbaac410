"""Whatever a notebook holds, to read it takes little time and memory, or it is refused at once."""

import json
import time
import tracemalloc

import pytest

from viva_examiner.examination import needed
from viva_examiner.harmless import MAX_MARKDOWN, harmless_markdown
from viva_examiner.notebook import cells, reading
from viva_examiner.notebook.reading import BadSubmission, parsed, read_submission
from viva_examiner.notebook.released import Released, ReleasedCell
from viva_examiner.notebook.restoring import restore

RELEASED = Released("hw", "hw", (ReleasedCell("f", "code", "def f(x):\n    pass\n", "", False,
                                              solution=True),
                                 ReleasedCell("test_f", "code", "assert f(2) == 4", "", True,
                                              grade=True, points=1)))


def notebook(*sources, kind="code") -> bytes:
    made = [{"cell_type": kind, "source": source, "metadata": {}} for source in sources]
    return json.dumps({"nbformat": 4, "cells": made}).encode()


@pytest.mark.parametrize("data, why", [
    (b'{"cells": [' + b"[]," * 1_100_000 + b"[]]}", "small parts"),
    (b'{"cells": [' + b"{}," * 1_100_000 + b"{}]}", "small parts"),
    (b'{"cells": [' + b"1," * 6_000_000 + b"1]}", "small parts"),
    (b'{"cells":' * 200_000, "not JSON"),
    (notebook(*[""] * (reading.MAX_CELLS + 1), kind="raw"), "cells, more than"),
    (notebook("0;" * 4_500_000, kind="raw"), "of text"),
    (notebook("0;" * 600_000), "code cells"),
], ids=["lists", "objects", "numbers", "deep", "cells", "text", "code"])
def test_too_much_is_refused_before_it_takes_memory(data, why):
    tracemalloc.start()
    try:
        with pytest.raises(BadSubmission, match=why):
            read_submission(data)
        assert tracemalloc.get_traced_memory()[1] < 50 * 2**20
    finally:
        tracemalloc.stop()


def test_a_large_notebook_of_a_real_student_is_read():
    """Many megabytes of figures, and printed arrays full of brackets and commas."""
    image = {"output_type": "display_data", "data": {"image/png": "iVBOR" + "A" * 2_000_000}}
    text = {"output_type": "stream", "text": ["[[0.1, 0.2], [0.3, 0.4]]\n"] * 50_000}
    cell = {"cell_type": "code", "source": "x", "outputs": [image, text], "metadata": {}}
    assert len(read_submission(json.dumps({"nbformat": 4, "cells": [cell] * 5}).encode())) == 5


@pytest.mark.parametrize("sources", [
    ["".join(f"def f{i}():0\n" for i in range(8_000))] * 9,  # 20,000 took 245 s in one cell
    ["".join(f"a{i};" for i in range(n, n + 100)) for n in range(0, 120_000, 100)],
    ["0;" * 45_000] * 10, ["def " + "(" * 9_000] * 100, [f"def f(x): return {'x+' * 40_000}x"] * 10,
], ids=["definitions", "names", "statements", "brackets", "sum"])
def test_all_that_is_asked_of_a_cell_takes_seconds(sources):
    began = time.process_time()
    restored, _ = restore(notebook(*sources), RELEASED)
    for cell in restored.cells:
        cells.judges(cell.source)
    for _ in range(100):  # tests that name a student's work
        cells.definition([cell.source for cell in restored.cells], "f")
    assert time.process_time() - began < 20


@pytest.mark.parametrize("source", [
    " " * 99_000 + "x", "\n" * 99_000 + "x", " \n" * 49_000 + "x", "x = " + " " * 99_000 + "1",
    "a? " * 33_000 + "x", "a" + "?" * 99_000 + "x", "a " * 49_000 + "x", "%time" + " " * 90_000],
    ids=["spaces", "lines", "both", "behind a sign", "help", "signs", "words", "timed"])
def test_the_layout_of_code_is_read_in_the_time_of_its_length(source):
    """A line of 100,000 spaces took seconds each time it was looked at, lines half a minute."""
    began = time.process_time()
    cells.tree_of(source)
    needed.MAGIC.search(source)
    needed.LOOKS_UP.search(source)
    assert time.process_time() - began < 1


SLOW = ("\\begin{a}", "[", "![", "<", "<a ", "`x", "*a ", "> ", "- a\n", "[a](", "&#", "~~a", "$$",
        "1. a\n ", "[]()", "**a** *", "*******a", "<b></b>", "```\n", "<p>x</p>\n\n")


@pytest.mark.parametrize("text", SLOW)
def test_a_text_is_looked_at_in_little_time(text):
    """At four times the length some of these took the renderer forty seconds."""
    source = (text * MAX_MARKDOWN)[: MAX_MARKDOWN - 10] + " <b>x</b>"
    began = time.process_time()
    harmless_markdown(source)
    assert time.process_time() - began < 5


def test_the_sum_of_texts_that_are_looked_at_is_bounded():
    essay = "# Essay\n" + "[a](https://example.org) text " * 1_000
    restored, notes = restore(notebook(*[essay] * 100, kind="markdown"), RELEASED)
    shown = [cell.source.startswith("```") for cell in restored.cells if "Essay" in cell.source]
    assert shown[0] is False and shown[-1] is True
    assert any("too long to check" in line for line in notes) and len(notes) < 50


def test_a_definition_is_found_in_lines_of_any_kind():
    source = "x = 1\r\n@wrap\r\ndef f(x):\r\n    return '\x0c'\r\ny = 2\nclass F: pass  # short\n"
    assert cells.definition([source], "F") == "class F: pass  # short"
    assert cells.definition(["def g():\n    return 1\n\nz = 3"], "g") == "def g():\n    return 1"
    assert cells.definition([source], "z") == ""


def test_parsed_takes_the_encodings_that_editors_write():
    for encoding in ("utf-8", "utf-16", "latin-1"):
        assert parsed('{"ü": 1}'.encode(encoding)) == {"ü": 1}
