"""Runs as root in the container of the Gradescope tests: grades attacks on one warm interpreter.

Beside it lie the attacks' homework, their examiner and the toy exercise; the engine
and the course are those that the zip installed. A notebook per line in, what came of it per line
out.
"""

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path

import assignment
import attempts
import toy
from viva_course import rubric
from viva_examiner.limits import Limits
from viva_examiner.sandbox.interpreter import WarmInterpreter
from viva_examiner.sandbox.isolation import OTHER_USER


def main(root: Path) -> None:
    replies, sys.stdout = sys.stdout, sys.stderr  # a candidate may print while a question is asked
    os.environ["VIVA_SECRET"] = json.loads((root / "source" / "order.json").read_text())["secret"]
    rubric.EXERCISES["centre"] = toy.toy
    with WarmInterpreter(limits=assignment.LIMITS, way=OTHER_USER) as warm:
        examiner = attempts.Examiner(warm)
        examiner.next_is_unaffected()
        print("ready", file=replies, flush=True)
        for line in sys.stdin:
            wanted = json.loads(line)
            attempt = examiner.grade(wanted["notebook"], Limits(**wanted["limits"]))
            examiner.next_is_unaffected()
            print(json.dumps(asdict(attempt)), file=replies, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
