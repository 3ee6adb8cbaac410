"""Findings of the audit that still hold, kept by a digest of all that they rest on.

They lie in the course's `.viva-audit/`, which git does not see. Only what held is kept: an
exercise with problems is examined again every time.
"""

import json
from dataclasses import asdict
from pathlib import Path

import viva_examiner.audit
from viva.whole import write_whole
from viva_examiner.audit.exams import AuditFinding, AuditRow
from viva_examiner.course import Course
from viva_examiner.examination.dependencies import kit_digest, libraries
from viva_examiner.files import digest, digest_of, files_of
from viva_examiner.library import Exercise

FOLDER = ".viva-audit"
OWN = Path(viva_examiner.audit.__file__).parent


class Proven:
    """What earlier audits of a course have shown."""

    def __init__(self, course: Course, notebooks: dict, seeds: int) -> None:
        self.folder = course.root / FOLDER
        self.library, self.notebooks, self.seeds = course.library, notebooks, seeds

    def recall(self, exercise: Exercise) -> AuditFinding | None:
        """The finding of an earlier audit, if nothing that it rests on has changed."""
        try:
            rows = json.loads(self._path(exercise).read_text())
            return AuditFinding(exercise, AuditRow.back(rows))
        except (OSError, ValueError, TypeError):
            return None

    def keep(self, finding: AuditFinding) -> None:
        """Remember a finding without problems."""
        if not finding.problems():
            path = self._path(finding.exercise)
            for old in path.parent.glob(f"{finding.exercise.name}-*.json"):
                old.unlink()
            write_whole(path, json.dumps([asdict(row) for row in finding.rows]))

    def public_check(self, exercise: Exercise, again: bool = False) -> dict:
        """What the students' own check makes of an exercise's mistakes; of an earlier audit, if
        nothing has changed since."""
        path = self._path(exercise).with_suffix(".check")
        try:
            if not again:
                return json.loads(path.read_text())
        except (OSError, ValueError):
            pass
        row = self.library.noticed(exercise)
        for old in path.parent.glob(f"{exercise.name}-*.check"):
            old.unlink()
        write_whole(path, json.dumps(row))
        return row

    def _path(self, exercise: Exercise) -> Path:
        notebook = self.notebooks.get(exercise.homework)
        key = digest(libraries(), kit_digest(exercise.homework), self.library.digest(exercise.name),
                     digest_of(OWN, files_of(OWN)), notebook, self.seeds)
        return self.folder / exercise.homework / f"{exercise.name}-{key}.json"
