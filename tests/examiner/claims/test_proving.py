"""Claims that hold, claims that do not, and what is not tried again."""

import math
from types import SimpleNamespace

import pytest
from nbformat.v4 import new_code_cell

from viva_course.claiming import Claim
from viva_course.faults import StaffFault
from viva_examiner.claims.cells_needed import code_cells, needed
from viva_examiner.claims.kept_proofs import KeptProofs
from viva_examiner.claims.proof_table import problems, table
from viva_examiner.claims.proving import ClaimProof, prove

CELLS = ["import math", "def experiment(seed, gain=2.0):\n    return gain * (seed + 1)",
         "results = experiment(3)", "raise SystemExit('a figure that nothing rests on')"]


def claim(measure, kind="observation", **about):
    return Claim(measure.__name__, kind, "toy", "first", measure, **about)


def proof_of(measure, all_seeds=True, exercises=None, **about):
    return prove([claim(measure, **about)], CELLS[:3], exercises or {}, all_seeds)[0]


def test_a_claim_that_holds_for_every_seed():
    def grows(notebook, seed):
        return notebook.experiment(seed) - seed - 0.5

    proof = proof_of(grows)
    assert proof.holds and proof.margins == tuple(seed + 1.5 for seed in range(10))
    assert proof.margin == 1.5 and problems([proof]) == []
    assert "grows" in table("toy", [proof])[2] and "10/10" in table("toy", [proof])[2]


def test_nine_of_ten_seeds_are_enough_and_eight_are_not():
    def mostly(notebook, seed):
        return 1.0 if seed != 4 else -1.0

    def often(notebook, seed):
        return 1.0 if seed not in (4, 7) else -1.0

    assert proof_of(mostly).holds
    said, = problems([proof_of(often)])
    assert said == ("often: true for 8 of 10 seeds (not for 4, 7): "
                    "let the sentence say so, or change it")


def test_one_seed_is_tried_and_all_of_them_only_where_it_fails():
    def first_only_fails(notebook, seed):
        return seed - 0.5

    def fine(notebook, seed):
        return 1.0

    assert proof_of(fine, all_seeds=False).margins == (1.0,)
    assert len(proof_of(first_only_fails, all_seeds=False).margins) == 10


def test_a_cause_needs_its_control():
    def with_control(notebook, seed):
        return notebook.experiment(seed) - 1, 1 - notebook.experiment(seed, gain=0.0)

    def refuted(notebook, seed):
        return notebook.experiment(seed) - 1, 1 - notebook.experiment(seed, gain=2.0)

    def alone(notebook, seed):
        return notebook.experiment(seed)

    assert proof_of(with_control, kind="cause", control="gain 0").holds
    assert not proof_of(refuted, kind="cause", control="gain 0").holds
    assert "a cause needs a control" in proof_of(alone, kind="cause", control="gain 0").why
    with pytest.raises(StaffFault):
        claim(alone, kind="cause").margin(SimpleNamespace(experiment=float), 0)


def test_a_ratio_has_a_margin_of_two():
    def five_times(notebook, seed):
        return 7.0

    assert not proof_of(five_times, kind="ratio", stated=5, seeds=1).holds
    assert proof_of(five_times, kind="ratio", stated=3, seeds=1).holds


def test_a_claim_is_tried_with_an_accepted_variant_too():
    class Exercise:
        candidates = ("experiment",)

        class variant:
            candidates = (lambda seed: 0.0,)

        variants = (variant,)

    def grows(notebook, seed):
        return notebook.experiment(seed)

    proof = proof_of(grows, exercises={"experiment": Exercise}, variants=("experiment",))
    assert proof.margin > 0 and proof.variant == 0.0 and not proof.holds
    assert "not true with another right solution" in problems([proof])[0]


def test_nan_an_assertion_and_an_error_are_no_proof():
    def not_a_number(notebook, seed):
        return math.nan

    def asserts(notebook, seed):
        assert notebook.experiment(seed) > 100

    def breaks(notebook, seed):
        return notebook.no_such_name

    assert not proof_of(not_a_number).holds and not proof_of(asserts).holds
    assert "no_such_name" in proof_of(breaks).why and not proof_of(breaks).holds


def test_only_the_cells_that_a_claim_rests_on_are_run():
    cells = ["import math, os", "a = math.pi", "def f(x):\n    rng = x\n    return rng + a",
             "rng = 5", "for a in range(3):\n    print(a)", "b = f(2)"]
    assert needed(cells, frozenset({"b"})) == [cells[0], cells[1], cells[2], cells[5]]
    assert needed(cells, frozenset({"a"})) == [cells[4]]
    assert needed(["x = 1", "x = x + 1"], frozenset({"x"})) == ["x = 1", "x = x + 1"]
    notebook = type("Notebook", (), {"cells": [
        new_code_cell("x = 1"), new_code_cell("check(1)", metadata={"nbgrader": {"grade": True}})]})
    assert code_cells(notebook) == ["x = 1"]


def test_a_block_that_draws_is_not_run_and_one_that_makes_what_is_used_is():
    cell = ("def trained(seed):\n    return [seed]\n\n"
            "with look():\n    shown = trained(1)\n    draw(shown)")
    assert needed([cell], frozenset({"trained"})) == ["def trained(seed):\n    return [seed]\n"]
    assert needed([cell], frozenset({"shown"})) == [
        "def trained(seed):\n    return [seed]\n", "\n\n\nwith look():\n    shown = trained(1)\n"
        "    draw(shown)"]
    for fills in ("found.update(a=1)", "found |= {'a': 1}", "found['a'] = 1", "fill(found)"):
        parts = needed([f"found = {{}}\nwith look():\n    {fills}\nrest = 3"], frozenset({"found"}))
        assert parts == ["found = {}", f"\nwith look():\n    {fills}"]


def test_what_was_proven_is_kept_until_something_it_rests_on_changes(tmp_path):
    class course:
        root = tmp_path

    module = tmp_path / "first.py"
    module.write_text("one = 1")
    (tmp_path / "__init__.py").write_text("")
    proofs = [ClaimProof("good", "observation", "first", (1.0, -math.inf) + (1.0,) * 8),
              ClaimProof("bad", "observation", "first", (-1.0,))]
    KeptProofs(course, "toy", module, CELLS).keep(proofs)
    assert KeptProofs(course, "toy", module, CELLS).recall() == {"good": proofs[0]}
    assert KeptProofs(course, "toy", module, [*CELLS, "x = 1"]).recall() == {}
    module.write_text("one = 2")
    assert KeptProofs(course, "toy", module, CELLS).recall() == {}
