"""Run what the claims of a homework rest on, once, and then every claim on its seeds."""

import os
import tempfile
import time
import types
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from viva_examiner.audit.staff_forks import in_forks

ENOUGH = 0.9  # of the seeds: a claim that holds for fewer must say so in its sentence


@dataclass(frozen=True)
class ClaimProof:
    """What came of one claim."""

    name: str
    kind: str
    section: str
    margins: tuple[float, ...] = ()  # one for each seed from 0 on; above 0: it held
    variant: float | None = None  # the margin with an accepted variant
    seconds: float = 0.0  # of processor time
    why: str = ""  # it could not be tried

    @classmethod
    def of_row(cls, row: dict) -> "ClaimProof":
        """From what `asdict` made, after a way through JSON."""
        return cls(**row | {"margins": tuple(row["margins"])})

    @property
    def held(self) -> int:
        """For how many seeds it held."""
        return sum(margin > 0 for margin in self.margins)

    @property
    def holds(self) -> bool:
        """Whether the sentence may stand as it is."""
        right = self.held >= ENOUGH * len(self.margins)
        return not self.why and right and (self.variant is None or self.variant > 0)

    @property
    def margin(self) -> float:
        """How far from false it is, with the seed that is nearest to it."""
        return min(self.margins, default=0.0)


def prove(claims: list, cells: list[str], exercises: dict, all_seeds: bool) -> list[ClaimProof]:
    """The proofs of a homework's claims, in their order, tried in a process of their own.

    cells: the sources that they rest on; exercises: the homework's, for their variants
    all_seeds: else one seed, and the others only where that one is not enough
    """

    def work(claims: list) -> list[dict]:
        os.environ["MPLBACKEND"] = "agg"
        with tempfile.TemporaryDirectory(prefix="viva-claims-") as folder:
            os.chdir(folder)  # what a notebook writes
            notebook = run(cells)
            return [asdict(_tried(each, notebook, exercises, all_seeds)) for each in claims]

    (_, ended), = in_forks(work, [claims])
    if ended.value is None:
        return [ClaimProof(each.name, each.kind, each.section, why=ended.why) for each in claims]
    return [ClaimProof.of_row(row) for row in ended.value]


def run(cells: list[str]) -> types.ModuleType:
    """The names that these cells of the staff's notebook make, as attributes."""
    notebook = types.ModuleType("__main__")
    for source in cells:
        exec(compile(source, "<notebook>", "exec"), vars(notebook))
    return notebook


def _tried(claim: Any, notebook: types.ModuleType, exercises: dict, all_seeds: bool) -> ClaimProof:
    margins: list[float] = []
    began, variant, why = time.process_time(), None, ""
    try:
        for seed in range(claim.seeds):
            margins.append(claim.margin(notebook, seed))
            if not all_seeds and margins[0] > 0:
                break
        if claim.variants and margins[:1] > [0]:
            with _replaced(notebook, claim.variants, exercises):
                variant = claim.margin(notebook, 0)
    except Exception as error:
        place = error.__traceback__
        assert place is not None  # it was raised here
        while place.tb_next is not None:
            place = place.tb_next
        why = (f"{type(error).__name__}: {error} ({place.tb_frame.f_code.co_name}, "
               f"line {place.tb_lineno})")
    return ClaimProof(claim.name, claim.kind, claim.section, tuple(margins), variant,
                      time.process_time() - began, why)


@contextmanager
def _replaced(notebook: types.ModuleType, names: tuple[str, ...],
              exercises: dict) -> Iterator[None]:
    """The notebook with accepted variants in the place of some exercises' solutions."""
    own = dict(vars(notebook))
    for name in names:
        exercise = exercises[name]
        vars(notebook).update(zip(exercise.candidates, exercise.variants[0].candidates,
                                  strict=True))
    try:
        yield
    finally:
        vars(notebook).update(own)
