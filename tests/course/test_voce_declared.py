"""Probes and whys of every homework: about exercises that exist, complete, and able to run."""

import ast
import re

import pytest

from viva import tables
from viva.voce import probes
from viva_course import exercises, whys


@pytest.mark.parametrize("homework", tables.homeworks())
def test_probes_are_about_functions_of_their_exercise_and_can_be_filled(homework):
    for name, exercise in exercises(homework).items():
        calls = [call for candidate in exercise.candidates
                 for call, _ in probes.growths_of(name, candidate)]
        for lines in [*probes.probes_of(name), *calls]:
            assert any(re.search(rf"\b{each}\b", lines) for each in exercise.candidates), lines
            text = probes.filled(lines, "seed").lines
            *_, last = ast.parse(text).body
            assert isinstance(last, ast.Expr), lines
            assert "\n" not in text[len("\n".join(text.splitlines()[:-1])) + 1:]
    assert all(tables.find(each) for each in [*probes.PROBES, *probes.GROWTHS])


@pytest.mark.parametrize("homework", tables.homeworks())
def test_whys_are_complete(homework):
    for name, exercise in exercises(homework).items():
        for each in exercise.whys:
            assert each in whys.WHYS[name]
            assert each.question.endswith("?") and each.answer.endswith(".")
            for words in (each.good, each.partial, each.wrong):
                assert words and not words.endswith(".") and words[0].islower()
