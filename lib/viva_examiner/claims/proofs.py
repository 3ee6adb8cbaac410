"""The proofs of a homework's claims: tried now, or from an earlier run where nothing changed."""

import sys
from pathlib import Path

import nbformat

from viva_examiner.claims.cells import code_cells, names_of, needed
from viva_examiner.claims.kept import KeptProofs
from viva_examiner.claims.proving import ClaimProof, prove
from viva_examiner.course import Course


def proofs_of(course: Course, homework: str, claims: dict, all_seeds: bool = False,
              only: str = "", again: bool = False) -> list[ClaimProof]:
    """In the order of the claims, section by section.

    all_seeds: else the first seed alone, where that is enough
    only: the name of one claim; again: also what has not changed since it was proven
    """
    cells = [cell for path in course.notebooks(homework)
             for cell in code_cells(nbformat.read(path, as_version=4))]
    found: dict[str, ClaimProof] = {}
    for section in dict.fromkeys(claim.section for claim in claims.values()):
        mine = {name: claim for name, claim in claims.items()
                if claim.section == section and only in ("", name)}
        module = f"{course.settings.course}.claims.{homework}.{section}"
        path = Path(sys.modules[module].__file__ or "")
        resting = needed(cells, names_of(path))
        kept = KeptProofs(course, homework, path, resting)
        known = kept.recall()
        enough = {} if again else {
            name: proof for name, proof in known.items() if name in mine
            and len(proof.margins) >= (mine[name].seeds if all_seeds else 1)}
        missing = [claim for name, claim in mine.items()
                   if name not in enough and claim.kind != "literature"]
        fresh = {}
        if missing:
            exercises = course.library.exercises(homework)
            fresh = {proof.name: proof for proof in prove(missing, resting, exercises, all_seeds)}
            kept.keep([*(known | fresh).values()])
        unread = {name: ClaimProof(name, claim.kind, section) for name, claim in mine.items()}
        found |= unread | enough | fresh
    return [found[name] for name in claims if name in found]
