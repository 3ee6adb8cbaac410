"""`viva claims`: try what the lessons state."""

import argparse
import os
from dataclasses import asdict

from viva_examiner.course import Course
from viva_examiner.failure import Failure

HELP = """Test what a lesson states. The cells of the staff's notebook that its claims rest on run
once, then every claim: on one seed, or on all of its seeds (ten, unless it says otherwise), and
where it asks for it, with another right solution too. Exits with 0 only if every claim is true for
nine of ten seeds. What has not changed since it was proven is not tried again."""
EXAMPLE = "viva claims recurrent_models --all-seeds"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("homework", nargs="*", help="homeworks to try (default: all)")
    parser.add_argument("--all-seeds", action="store_true", help="every seed, not only the first")
    parser.add_argument("--claim", default="", metavar="NAME", help="only this claim")
    parser.add_argument("--again", action="store_true",
                        help="also what has not changed since it was proven")
    parser.add_argument("--jobs", type=int, default=0, metavar="N", help="homeworks at once")


def run(args: argparse.Namespace, course: Course) -> int:
    from viva_examiner.audit.staff_forks import in_forks
    from viva_examiner.claims.proof_table import LEGEND, problems, table
    from viva_examiner.claims.proofs import proofs_of
    from viva_examiner.claims.proving import ClaimProof
    from viva_examiner.sandbox.inside.fork_server import warm_up

    if not hasattr(course.library, "claims_of"):
        raise Failure("this course's library knows no claims")
    warm_up(())  # once, not in every fork
    wanted = args.homework or course.homeworks()
    claims = {homework: course.library.claims_of(homework) for homework in wanted}
    silent = [homework for homework in wanted if claims[homework] is None]
    found, proofs = [], []

    def work(homework: str) -> list[dict]:
        return [asdict(proof) for proof in proofs_of(course, homework, claims[homework],
                                                     args.all_seeds, args.claim, args.again)]

    stated = [homework for homework in wanted if homework not in silent]
    for homework, ended in in_forks(work, stated, args.jobs or os.cpu_count() or 1):
        if ended.value is None:
            raise Failure(f"{homework}: {ended.why}")
        own = [ClaimProof.of_row(row) for row in ended.value]
        print("\n".join([*table(homework, own), ""]), flush=True)
        proofs += own
        found += [f"{homework}: {problem}" for problem in problems(own)]
    if args.claim and not proofs:
        raise Failure(f"there is no claim {args.claim}")
    print(LEGEND)
    print("\n".join(f"  {problem}" for problem in found), end="\n" if found else "")
    if silent:
        print(f"no claims yet: {', '.join(silent)}")
    print(f"{len(proofs)} claims, {sum(each.seconds for each in proofs):.0f} s of processor time: "
          + (f"{len(found)} not true as stated" if found else "all hold"))
    return int(bool(found))
