"""`defend`: a question about the code in the notebook, and an answer that was run."""

import re

import pytest

from viva import desk, log
from viva.voce import defending

SOURCE = '''
import numpy as np
def linear_attention(phiQ, phiK, V):
    print("hello")
    U = phiK.swapaxes(-1, -2) @ V
    total = phiQ @ phiK.sum(axis=-2)[..., None]
    if not np.all(np.isfinite(total)) or np.any(total == 0):
        raise ValueError("a row of similarities sums to zero")
    return phiQ @ U / total
'''


@pytest.fixture
def notebook(monkeypatch, tmp_path):
    """The names of a notebook in which the exercise is solved."""
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    monkeypatch.setattr(defending, "WAITING", {})
    monkeypatch.setattr(defending, "ASKED", {})
    path = tmp_path / "cell.py"
    path.write_text(SOURCE, encoding="utf-8")
    names = {"defend": defending.defend, "__name__": "__main__"}
    exec(compile(SOURCE, str(path), "exec"), names)
    return names


def said(capsys, notebook, line):
    exec(line, notebook)
    return capsys.readouterr().out


def test_it_asks_and_says_at_once_whether_the_answer_was_right(notebook, capsys):
    asked = said(capsys, notebook, 'defend("linear_attention")')
    assert "return phiQ @ U / total" in asked and "hello" not in asked.replace('print("hello")', "")
    assert re.findall(r"^  ([abcd])\)", asked, re.M) == list("abcd")
    right = "abcd"[defending.WAITING["linear_attention"].answer]
    told = said(capsys, notebook, f'defend("linear_attention", "{right}")')
    assert told.startswith("Right. It was run: ")
    again = said(capsys, notebook, 'defend("linear_attention")')
    assert again != asked
    right = "abcd"[defending.WAITING["linear_attention"].answer]
    wrong = next(letter for letter in "abcd" if letter != right)
    told = said(capsys, notebook, f'defend("linear_attention", "{wrong}")')
    assert told.startswith(f"Not so: {right} is right.")


def test_a_slip_of_the_finger_loses_nothing(notebook, capsys):
    assert "asks one" in said(capsys, notebook, 'defend("linear_attention", "a")')
    said(capsys, notebook, 'defend("linear_attention")')
    assert "letters a, b" in said(capsys, notebook, 'defend("linear_attention", "7")')
    assert "linear_attention" in defending.WAITING
    assert "did you mean" in said(capsys, notebook, 'defend("linear_atention")').lower()


def test_nothing_is_asked_about_code_that_does_not_pass_or_is_not_there(notebook, capsys):
    notebook["linear_attention"] = lambda phiQ, phiK, V: V
    assert "after the check" in said(capsys, notebook, 'defend("linear_attention")')
    del notebook["linear_attention"]
    assert "Run the cell that defines" in said(capsys, notebook, 'defend("linear_attention")')


def test_it_is_silent_where_nobody_can_answer(notebook, capsys, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert said(capsys, notebook, 'defend("linear_attention")') == ""


def test_the_log_notes_that_it_was_tried_and_nothing_else(notebook, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    desk.record("linear_attention", "failed", [notebook["linear_attention"]])
    desk.record("linear_attention", "passed", [notebook["linear_attention"]])
    said(capsys, notebook, 'defend("linear_attention")')
    before = log.read("kernel_attention", "")
    said(capsys, notebook, 'defend("linear_attention", "a")')
    assert log.read("kernel_attention", "") == before
    assert before["tried"] == {"linear_attention": {"failed": 1, "defended": 1}}
    assert set(before) == {"schema", "homework", "student", "kit", "exercises", "tried"}


@pytest.mark.parametrize("told", [None, [], {"linear_attention": 3}, {"other": {"failed": 1}},
                                  {"linear_attention": {"failed": True, "defended": -1}},
                                  {"linear_attention": {"failed": 10**30, "words": "dear"}}])
def test_counts_of_another_form_are_none(told):
    assert log.tried_in({"exercises": {"linear_attention": {}}, "tried": told}) == {}
