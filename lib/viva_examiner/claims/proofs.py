"""The proofs of a homework's claims: tried now, or from an earlier run where nothing changed."""

import inspect
import sys
from pathlib import Path
from typing import Any

import nbformat

from viva_examiner.claims.cells_needed import code_cells, names_of, needed
from viva_examiner.claims.kept_proofs import KeptProofs
from viva_examiner.claims.proving import ClaimProof, prove
from viva_examiner.course import Course


def proofs_of(course: Course, homework: str, claims: dict, all_seeds: bool = False,
              only: str = "", again: bool = False) -> list[ClaimProof]:
    """In the order of the claims. What must be tried shares one run of the cells that it rests on,
    so that a network is trained once for all that is said of it.

    all_seeds: else the first seed alone, where that is enough
    only: the name of one claim; again: also what has not changed since it was proven
    """
    cells = [cell for path in course.notebooks(homework)
             for cell in code_cells(nbformat.read(path, as_version=4))]
    wanted = {name: claim for name, claim in claims.items() if only in ("", name)}
    sections = [_Section(course, cells, [each for each in wanted.values() if each.section == name])
                for name in dict.fromkeys(claim.section for claim in wanted.values())]
    left = [(section, missing) for section in sections
            if (missing := section.missing(all_seeds, again))]
    fresh: dict[str, ClaimProof] = {}
    if left:
        names = frozenset().union(*(section.names for section, _ in left))
        proven = prove([claim for _, missing in left for claim in missing], needed(cells, names),
                       course.library.exercises(homework), all_seeds)
        fresh = {proof.name: proof for proof in proven}
        for section, missing in left:
            section.keep([fresh[claim.name] for claim in missing])
    known = {name: proof for section in sections for name, proof in section.known.items()}
    return [(known | fresh).get(name) or ClaimProof(name, claim.kind, claim.section)
            for name, claim in wanted.items()]


class _Section:
    """The claims of one module, and what was proven of them before."""

    def __init__(self, course: Course, cells: list[str], claims: list) -> None:
        homework, section = claims[0].homework, claims[0].section
        module = sys.modules[f"{course.settings.course}.claims.{homework}.{section}"]
        path = Path(module.__file__ or "")
        self.claims, self.names = claims, names_of(path)
        measuring = Path(inspect.getfile(type(claims[0]))).read_text()
        variants = sorted({name for claim in claims for name in claim.variants})
        self.kept = KeptProofs(course, homework, path, [
            *needed(cells, self.names), measuring, *map(course.library.digest, variants)])
        self.known = self.kept.recall()

    def missing(self, all_seeds: bool, again: bool) -> list[Any]:
        """The claims that must be tried. The literature is read by people."""
        return [claim for claim in self.claims if claim.kind != "literature"
                and (again or not self._is_proven(claim, claim.seeds if all_seeds else 1))]

    def _is_proven(self, claim: Any, seeds: int) -> bool:
        return claim.name in self.known and len(self.known[claim.name].margins) >= seeds

    def keep(self, proofs: list[ClaimProof]) -> None:
        """Remember these beside what was known; ten seeds are not forgotten for one."""
        for proof in proofs:
            old = self.known.get(proof.name)
            if old is None or not proof.holds or len(proof.margins) >= len(old.margins):
                self.known[proof.name] = proof
        self.kept.keep([*self.known.values()])
