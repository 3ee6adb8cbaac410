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
from viva_examiner.examination.judges import Judges
from viva_examiner.gradescope.task import Task
from viva_examiner.limits import Limits
from viva_examiner.sandbox.interpreter import WarmInterpreter
from viva_examiner.sandbox.isolation import OTHER_USER


def main(root: Path) -> None:
    replies, sys.stdout = sys.stdout, sys.stderr  # a candidate may print while a question is asked
    os.environ["VIVA_SECRET"] = Task.from_plain(
        json.loads((root / "source" / "task.json").read_text())).order.secret
    with WarmInterpreter(limits=assignment.LIMITS, way=OTHER_USER) as warm:
        warm.judges = Judges(warm.preload, warm.hide, warm.way, ("viva_course", "toy_course"))
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
