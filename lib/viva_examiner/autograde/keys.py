"""Keys of everything a mark depends on, per submission and test: equal keys, equal marks."""

import json

from viva_examiner.examination.dependencies import (
    exam_digest,
    examiner_digest,
    kit_digest,
    libraries,
)
from viva_examiner.files import digest
from viva_examiner.notebook.metadata import graded, is_test
from viva_examiner.notebook.released import Released
from viva_examiner.notebook.restore import BadSubmission, restore


def submission_keys(data: bytes, files: dict[str, bytes], released: Released, library,
                    settings: dict, secret: str) -> tuple[str, dict[str, str]]:
    """(key of the submission, {grade_id: key of the test cell}).

    The keys are a chain: a test's key covers every cell above it and every exam on the way, for
    a question may leave its trace in the student's process. So a changed exam asks for its own
    test and those below it to be examined again, and for nothing else.
    """
    beside = [part for item in sorted(files.items()) for part in item]
    link = digest(json.dumps(settings, sort_keys=True), secret, libraries(), examiner_digest(),
                  kit_digest(released.homework), *beside,
                  json.dumps(released.imports, sort_keys=True))
    try:
        notebook, remarks = restore(data, released)
    except BadSubmission:
        return digest(link, data), {}
    keys = {}
    for cell in notebook.cells:
        owned = json.dumps(graded(cell), sort_keys=True)
        link = digest(link, cell.cell_type, cell.source, owned)
        if is_test(cell):
            link = digest(link, exam_digest(cell.source, library))
            keys[cell.metadata.nbgrader.grade_id] = link
    return digest(link, *remarks), keys
