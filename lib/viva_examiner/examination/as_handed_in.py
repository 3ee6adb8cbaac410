"""Outputs of cells that were not run: the student's own, cleaned like a run's, and marked."""

from collections.abc import Iterable
from typing import Any

from viva_examiner.notebook.reading import BadSubmission, parsed
from viva_examiner.sandbox.inside.protocol import Shown
from viva_examiner.sandbox.outputs import Collector

MARK = "(as handed in: no mark depends on this cell, and it was not run)\n"
KINDS = {"display_data": Shown.DISPLAY, "execute_result": Shown.RESULT, "error": Shown.ERROR}


def outputs_as_handed_in(data: bytes, sources: Iterable[str],
                         output_kb: int) -> dict[str, list[dict]]:
    """{source: outputs} of a submitted notebook's cells with these sources.

    data: the notebook as it was handed in; hostile, like everything in it
    """
    wanted, found = set(sources), {}
    try:
        cells = parsed(data)["cells"]
    except (BadSubmission, KeyError):
        return {}
    for cell in cells if isinstance(cells, list) else ():
        source = cell.get("source", "") if isinstance(cell, dict) else None
        source = "".join(map(str, source)) if isinstance(source, list) else source
        if not isinstance(source, str) or source not in wanted:
            continue
        wanted.discard(source)
        collector = Collector(output_kb)
        outputs = cell.get("outputs")
        for output in outputs if isinstance(outputs, list) else ():
            _add(collector, output)
        found[source] = collector.outputs
    return found


def marked(outputs: list[dict]) -> list[dict]:
    """The outputs, under a line that says where they come from."""
    return [{"output_type": "stream", "name": "stdout", "text": MARK}, *outputs]


def _add(collector: Collector, output: Any) -> None:
    kind = output.get("output_type") if isinstance(output, dict) else None
    if kind == "stream":
        collector.add({"o": Shown.STREAM, "name": output.get("name"),
                       "text": _joined(output.get("text"))})
    elif isinstance(kind, str) and kind in KINDS:
        bundle = output.get("data")
        bundle = {mime: _joined(value) for mime, value in bundle.items()} if isinstance(
            bundle, dict) else {}
        collector.add({**output, "o": KINDS[kind], "data": bundle})


def _joined(value: object) -> object:
    """Text that nbformat may keep as a list of lines."""
    return "".join(map(str, value)) if isinstance(value, list) else value
