"""`viva claims`: try what the lessons state."""

import argparse
import os

from viva_examiner.course import Course
from viva_examiner.failure import Failure

HELP = """Try what a lesson states. The cells of the staff's notebook that its claims rest on run
once, then every claim: on one seed, or on all of its seeds (ten, unless it says otherwise), and
where it asks for it with another right solution too. Ends in 0 only if every claim is true for nine
of ten seeds. What has not changed since it was proven is not tried again."""
EXAMPLE = "viva claims recurrent_models --all-seeds"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("homework", nargs="*", help="homeworks to try (default: all)")
    parser.add_argument("--all-seeds", action="store_true", help="every seed, not only the first")
    parser.add_argument("--claim", default="", metavar="NAME", help="only this claim")
    parser.add_argument("--again", action="store_true",
                        help="also what has not changed since it was proven")


def run(args: argparse.Namespace, course: Course) -> int:
    # Before the course imports torch: with more threads a fork would hang, and cores are shared.
    os.environ.update(OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")
    from viva_examiner.claims.proof_table import LEGEND, problems, table
    from viva_examiner.claims.proofs import proofs_of
    from viva_examiner.sandbox.inside.fork_server import warm_up

    if not hasattr(course.library, "claims_of"):
        raise Failure("this course's library knows no claims")
    warm_up(())  # once, not in every fork
    found, silent, proofs = [], [], []
    for homework in args.homework or course.homeworks():
        claims = course.library.claims_of(homework)
        if claims is None:
            silent.append(homework)
            continue
        own = proofs_of(course, homework, claims, args.all_seeds, args.claim, args.again)
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
