"""What the marks of a submission depend on, before anything of it is run: equal keys, equal marks.

Read off what was handed in, as it is. Whoever grades it brings it into the released form, once,
and follows the chain of the tests from there (`examination.dependencies.test_keys`).
"""

import json
from dataclasses import replace
from types import ModuleType

from viva_examiner.examination.dependencies import (
    exam_digest,
    examiner_digest,
    kit_digest,
    libraries,
    versions,
)
from viva_examiner.examination.work_folder import released_files
from viva_examiner.files import digest
from viva_examiner.gradebook.handed_in import EXCHANGE
from viva_examiner.notebook.reading import read_essence
from viva_examiner.notebook.released import Released
from viva_examiner.records import Keys, Order, Work
from viva_examiner.sandbox.isolation import NAMESPACES


def keys_of(work: Work, released: Released, library: ModuleType | None, order: Order) -> Keys:
    """The keys of one notebook under an order for workers."""
    staff = released_files(released.folder)
    files = _parts(work.files) + _parts(staff)
    own = {name: data for name, data in work.files.items() if name != EXCHANGE}
    exams = {cell.name: digest(cell.source, exam_digest(cell.source, library))
             for cell in released.cells
             if cell.grade and not cell.solution}
    rests_on = {
        "limits": order.limits.as_dict(), "isolation": order.isolation or NAMESPACES,
        "secret": digest(order.secret), "libraries": libraries(), "versions": versions(),
        "examiner": examiner_digest(), "kit": kit_digest(released.homework),
        "release": digest(replace(released, folder="").to_json()), "exams": exams,
        "handed in": digest(read_essence(work.data), work.other, *map(str, work.remarks),
                            *_parts(own), *_parts(staff)),
    }
    general = {name: part for name, part in rests_on.items()
               if name not in ("exams", "release", "handed in", "versions")}
    link = digest(json.dumps(general, sort_keys=True), *files,
                  json.dumps([released.imports, released.reads, released.changes,
                              released.second_opinion], sort_keys=True))
    # no mark depends on the log, nor on how an exchange finds the way back to the student
    whole = digest(json.dumps(rests_on, sort_keys=True), work.log, work.files.get(EXCHANGE, b""))
    return Keys(whole, link, exams, rests_on)


def _parts(files: dict[str, bytes]) -> list[str | bytes]:
    return [part for item in sorted(files.items()) for part in item]
