"""What tests of the sandbox share; the fixtures themselves are in conftest.py."""

from viva_examiner.limits import Limits

QUICK = Limits(cell_seconds=10, question_seconds=5, submission_seconds=60)


def text_of(result, name="stdout"):
    """What a cell printed."""
    return "".join(o["text"] for o in result.outputs if o.get("name") == name)
