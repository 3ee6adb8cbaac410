"""Claims that were proven and still hold, kept by a digest of all that they rest on.

They lie beside the audit's findings in `.viva-audit/`, which git does not see.
"""

import json
from dataclasses import asdict
from pathlib import Path

import viva_examiner.claims
from viva.whole import write_whole
from viva_examiner.audit.proven import FOLDER
from viva_examiner.claims.proving import ClaimProof
from viva_examiner.course import Course
from viva_examiner.examination.dependencies import kit_digest, libraries
from viva_examiner.files import digest, digest_of, files_of

OWN = Path(viva_examiner.claims.__file__).parent


class KeptProofs:
    """The proofs of one section of a homework.

    module: the file of its claims; rests_on: the notebook's cells that they use, and whatever else
    """

    def __init__(self, course: Course, homework: str, module: Path,
                 rests_on: list[str]) -> None:
        self.folder, self.section = course.root / FOLDER / homework, module.stem
        folder = module.parent
        key = digest(libraries(), kit_digest(homework), digest_of(OWN, files_of(OWN)),
                     digest_of(folder, [module, *_shared(module)]), *rests_on)
        self.path = self.folder / f"claims-{self.section}-{key}.json"

    def recall(self) -> dict[str, ClaimProof]:
        """{name: proof} of the claims that held, if nothing that they rest on has changed."""
        try:
            proofs = [ClaimProof.of_row(row) for row in json.loads(self.path.read_text())]
        except (OSError, ValueError, TypeError):
            return {}
        return {proof.name: proof for proof in proofs}

    def keep(self, proofs: list[ClaimProof]) -> None:
        """Remember those that hold."""
        for old in self.folder.glob(f"claims-{self.section}-*.json"):
            old.unlink()
        rows = [asdict(proof) for proof in proofs if proof.holds]
        write_whole(self.path, json.dumps(rows))


def _shared(module: Path) -> list[Path]:
    """The homework's package, and the modules beside this one that it imports from."""
    text = module.read_text()
    return [path for path in sorted(module.parent.glob("*.py"))
            if path.stem == "__init__" or f".{path.stem} import" in text]
