"""What the marks of a submission depend on, before anything of it is run: equal keys, equal marks.

Read off what was handed in, as it is. Whoever grades it brings it into the released form, once,
and follows the chain of the tests from there (`examination.dependencies.test_keys`).
"""

import json
from dataclasses import replace

from viva_examiner.examination.beside import released_files
from viva_examiner.examination.dependencies import (
    exam_digest,
    examiner_digest,
    kit_digest,
    libraries,
)
from viva_examiner.files import digest
from viva_examiner.notebook.reading import read_essence
from viva_examiner.notebook.released import Released
from viva_examiner.records import Keys, Work

SETTINGS = ("limits", "isolation")


def keys_of(work: Work, released: Released, library, order: dict) -> Keys:
    """The keys of one notebook under an order for workers."""
    staff = released_files(released.folder)
    beside = [part for files in (work.files, staff) for item in sorted(files.items())
              for part in item]
    exams = {cell.name: digest(cell.source, exam_digest(cell.source, library))
             for cell in released.cells
             if cell.grade and not cell.solution}
    rests_on = {
        **{name: order[name] for name in SETTINGS},
        "secret": digest(order["secret"]), "libraries": libraries(),
        "examiner": examiner_digest(), "kit": kit_digest(released.homework),
        "release": digest(replace(released, folder="").to_json()), "exams": exams,
        "handed in": digest(read_essence(work.notebook), work.other, *work.remarks, *beside),
    }
    general = {name: part for name, part in rests_on.items()
               if name not in ("exams", "release", "handed in")}
    link = digest(json.dumps(general, sort_keys=True), *beside,
                  json.dumps([released.imports, released.reads, released.changes,
                              released.second_opinion], sort_keys=True))
    whole = digest(json.dumps(rests_on, sort_keys=True), work.log)  # no mark depends on the log
    return Keys(whole, link, exams, rests_on)
