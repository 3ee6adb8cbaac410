"""Check and exam on wrong solutions that are in no catalogue: the files beside this one.

GOAL is in percent: of those that the text does not leave to the exam, those noticed; of these,
those with a cause; of all, those that the exam takes points from.
"""

from pathlib import Path

import pytest

import advice
from advice import shares, solutions, told
from shown import Shown, exams_of

HERE = Path(__file__).parent
FILES = [path for path in sorted(HERE.glob("*.py")) if not path.name.startswith("test_")]
GOAL = {"noticed": 97, "cause": 80, "rejected": 99}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_a_student_is_told(path):
    shown = Shown(path.stem, "advice", path, Path(__file__), Path(advice.__file__),
                  *exams_of(path.stem))
    if shown.before:
        return
    found = [told(one) for one in solutions(path)]
    assert len(found) >= 30, "thirty for each homework"
    for each in found:
        name = f"{each.wrong.exercise}/{each.wrong.slug}"
        assert not each.machinery, f"{name}: {each.machinery}"
        assert not each.misled, f"{name} is misled by {each.misled}"
    measured = shares(found)
    lost = {"noticed": [each for each in found if not each.noticed and not each.wrong.announced],
            "cause": [each for each in found if each.noticed and not each.hints],
            "rejected": [each for each in found if not each.rejected]}
    for what, bar in GOAL.items():
        named = ", ".join(f"{each.wrong.exercise}/{each.wrong.slug}" for each in lost[what])
        assert measured[what] >= bar, f"{what}: {measured[what]:.0f}%, not {bar}%: {named}"
    shown.keep()
