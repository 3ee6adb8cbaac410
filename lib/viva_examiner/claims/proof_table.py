"""The proofs of a homework's claims as a table, and why a sentence may not stand."""

import math

from viva_examiner.claims.proving import ClaimProof

HEAD = f"{'claim':44} {'kind':12} {'held':>6}  {'margin':>8} {'variant':>8} {'seconds':>8}"
LEGEND = ("held: seeds for which it is true · margin: how far from false at the worst of them, 0 "
          "is the edge · variant: the same with another right solution")


def table(homework: str, proofs: list[ClaimProof]) -> list[str]:
    """A line for each claim."""
    width = max([44, *(len(proof.name) for proof in proofs)])
    lines = [homework, HEAD.replace("claim".ljust(44), "claim".ljust(width))]
    for proof in proofs:
        held = f"{proof.held}/{len(proof.margins)}" if proof.margins else "-"
        margin = _number(proof.margin if proof.margins else None)
        lines.append(f"{proof.name:{width}} {proof.kind:12} {held:>6}  {margin:>8} "
                     f"{_number(proof.variant):>8} {proof.seconds:8.1f}".rstrip())
    return lines


def problems(proofs: list[ClaimProof]) -> list[str]:
    """A sentence for each claim that may not stand as it is."""
    found = []
    for proof in proofs:
        if proof.why:
            found.append(f"{proof.name}: could not be tried: {proof.why}")
        elif proof.variant is not None and proof.variant <= 0:
            found.append(f"{proof.name}: not true with another right solution of the exercise "
                         f"(margin {_number(proof.variant)})")
        elif not proof.holds:
            lost = [seed for seed, margin in enumerate(proof.margins) if not margin > 0]
            found.append(f"{proof.name}: true for {proof.held} of {len(proof.margins)} seeds (not "
                         f"for {', '.join(map(str, lost))}): let the sentence say so, or change it")
    return found


def _number(margin: float | None) -> str:
    if margin is None:
        return ""
    return "none" if math.isinf(margin) and margin < 0 else f"{margin:.2g}"
