"""The progress bar: silent for quick loops and while grading, truthful for slow ones."""

import pytest

from viva import waiting
from viva.waiting import bar


@pytest.fixture()
def shown(monkeypatch):
    """What a slow loop shows: the clock jumps at every look."""
    calls, now = [], iter(range(0, 20_000, 2))
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    monkeypatch.setattr(waiting.time, "monotonic", lambda: next(now))
    monkeypatch.setattr(waiting, "_show", lambda *facts: calls.append(facts[:3]) or "handle")
    return calls


def test_all_steps_come_through_in_order(shown):
    assert list(bar(range(5))) == [0, 1, 2, 3, 4]


def test_a_slow_loop_shows_how_far_it_is(shown):
    list(bar(range(3), "training"))
    assert shown[0] == (1, 3, "training") and shown[-1] == (3, 3, "training")


def test_a_quick_loop_shows_nothing(monkeypatch, capsys):
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    list(bar(range(100)))
    assert capsys.readouterr().out == ""


def test_grading_shows_nothing(shown, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    list(bar(range(3)))
    assert shown == []


def test_the_bar_is_updated_in_place_and_says_the_same_as_text(monkeypatch):
    sent = []
    monkeypatch.setattr("IPython.display.DisplayHandle.display", lambda self, data, raw: None)
    monkeypatch.setattr("IPython.display.DisplayHandle.update",
                        lambda self, data, raw: sent.append(data))
    handle = waiting._show(1, 3, "it's", None)
    assert waiting._show(2, 3, "it's", handle) is handle
    assert sent[0]["text/plain"] == "it's 2 of 3"
    assert sent[0]["text/html"].endswith("</progress> it&#x27;s 2 of 3")
    assert "aria-label='it&#x27;s 2 of 3'" in sent[0]["text/html"]
