"""The words of the seam stand in one module, and both sides know all of them."""

import re
from pathlib import Path

from viva_examiner.sandbox.attendant import Attendant
from viva_examiner.sandbox.inside import protocol
from viva_examiner.sandbox.inside.operations import Operations

EXAMINER = Path(protocol.__file__).parents[2]
OF_A_CANDIDATE = ("start", "append", "files", "read", "cell", "resolve", "call", "gradients_of",
                  "gradient")
OF_A_JUDGE = ("fork", "family", "signal", "left", "tighten", "loosen", "bury")


def words(of: type) -> set[str]:
    return {value for name, value in vars(of).items() if not name.startswith("_")}


def test_every_operation_of_the_examiner_has_a_method_in_the_agent():
    methods = {name.removeprefix("do_") for name in vars(Operations) if name.startswith("do_")}
    assert methods == set(OF_A_CANDIDATE) and methods < words(protocol.Op)


def test_a_judge_may_ask_its_worker_for_these_things_and_no_others():
    methods = {name.removeprefix("do_") for name in vars(Attendant) if name.startswith("do_")}
    assert methods == set(OF_A_JUDGE) and methods < words(protocol.Control)


def test_no_module_spells_a_word_of_the_seam_itself():
    literal = re.compile(r'"(?:op|k|o)": "')
    spelled = [str(path.relative_to(EXAMINER)) for path in EXAMINER.rglob("*.py")
               if literal.search(path.read_text())]
    assert spelled == []
