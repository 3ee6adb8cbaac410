"""What the check says to every known mistake, as JSON; run by a student's Python.

    python judge_mistakes.py lib homework ...

The staff's mistakes come from lib; the kit is that of the Python that runs this.
"""

import json
import sys
import warnings

import viva  # noqa: F401  the installed kit, before lib is on the path

sys.path.append(sys.argv[1])

from viva.checking import judge  # noqa: E402
from viva_course import exercises  # noqa: E402

OF_THE_LIBRARIES = "message"  # the row with the words of an exception, which are numpy's or torch's


def said(exercise, mistake) -> list:
    """Status, headline, causes and rows of the verdict."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        verdict = judge(exercise.name, *mistake.candidates)
    rows = [row for row in verdict.rows if row[0] != OF_THE_LIBRARIES]
    return [verdict.status, verdict.headline, verdict.causes, rows]


if __name__ == "__main__":
    print(json.dumps({f"{homework} {name} {mistake.slug}": said(exercise, mistake)
                      for homework in sys.argv[2:]
                      for name, exercise in exercises(homework).items()
                      for mistake in exercise.mistakes}))
