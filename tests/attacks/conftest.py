"""The stage for attacks: one warm interpreter, one examiner, a right submission after each."""

import os

import pytest

import assignment
from attempts import Examiner
from viva_examiner.examination.judges import Judges
from viva_examiner.sandbox import isolation
from viva_examiner.sandbox.interpreter import WarmInterpreter


@pytest.fixture(scope="module")
def examiner(request):
    container = "VIVA_TEST_OTHER_USER" in os.environ  # as in Gradescope's
    way = isolation.OTHER_USER if container else isolation.NAMESPACES
    with WarmInterpreter(limits=assignment.LIMITS, way=way) as warm:
        warm.judges = Judges(warm.preload, warm.hide, way, ("viva_course", "toy_course"))
        examiner = Examiner(warm)
        examiner.next_is_unaffected()
        yield examiner
