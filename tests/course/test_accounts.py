"""The account of a question: its first wrong call, beside what the reference answers."""

import numpy as np
import pytest

from viva.examples import Call
from viva_course import accounts, exercises, kept, records
from viva_course.examining import rubric_json


@pytest.fixture
def watched(monkeypatch):
    monkeypatch.setattr(accounts, "_on", [True])


@pytest.fixture
def softmax():
    return exercises("hand_design_transformer")["stable_softmax"]


def wrong(x, axis=-1):
    e = np.exp(np.asarray(x, float))
    return e / e.sum()


def test_without_a_witness_nothing_is_noted(softmax):
    report = softmax.examine((wrong,), "secret")
    assert not report.public and all(o.account is None for o in report.outcomes)
    assert "account" not in str(rubric_json(report))


def test_an_account_changes_no_mark(softmax, watched, monkeypatch):
    told = softmax.examine((wrong,), "secret")
    monkeypatch.setattr(accounts, "_on", [])
    assert told.outcomes == softmax.examine((wrong,), "secret").outcomes
    assert {o.item for o in told.outcomes if o.account} == {
        o.item for o in told.outcomes if not o.passed}
    assert dict(told.public)["the public check says"]


def test_the_first_wrong_call_is_told(softmax):
    calls = [Call("stable_softmax", (np.zeros(2),), {}, np.array([0.5, 0.5])),
             Call("stable_softmax", (np.eye(2),), {"axis": 0}, np.ones((2, 2)))]
    told = accounts.account(softmax, calls)
    assert told["call"].startswith("stable_softmax(\n    float64[2x2]") and "axis=0" in told["call"]
    assert told["answer"] == "float64[2x2] [[1., 1.], [1., 1.]]"
    assert told["expected"].startswith("float64[2x2] [[0.73")


def test_large_answers_do_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(accounts, "_on", [True])
    calls = accounts.notes()
    note = accounts.noting(calls)
    for _ in range(100):
        note("f", (1,), {}, [np.zeros((1024, 1024))])
    assert calls == []
    for _ in range(100):
        note("f", (1,), {}, "short")
    assert len(calls) == accounts.CALLS


def test_a_long_value_is_cut_and_a_deep_one_told():
    assert len(accounts.text("x" * 10_000)) < 800
    assert len(accounts.text([np.zeros((100, 100))] * 100)) < 800
    assert accounts.text((np.ones(1), 2)) == "(float64[1] [1.], 2)"


def test_answers_are_kept_for_their_owner_until_something_changes(tmp_path, monkeypatch):
    monkeypatch.setattr(kept, "_places", [])
    monkeypatch.setattr(kept, "WORTH_SECONDS", -1.0)
    folder, asked = tmp_path / "answers", []

    def compute():
        asked.append(1)
        return {"value": np.arange(3.0)}

    name = "stable_softmax"
    kept.kept(name, "right-rows", "secret", compute)
    assert not folder.exists(), "off until a grader asks for it"
    kept.keep_answers(folder, "the kit")
    first = kept.kept(name, "right-rows", "secret", compute)
    again = kept.kept(name, "right-rows", "secret", compute)
    assert len(asked) == 2 and np.array_equal(first["value"], again["value"])
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    assert folder.stat().st_mode & 0o777 == 0o700
    kept.kept(name, "right-rows", "another secret", compute)
    kept.keep_answers(folder, "another kit")
    kept.kept(name, "right-rows", "another secret", compute)
    assert len(asked) == 4 and len(list(folder.iterdir())) == 1, "the old answer went"
    next(folder.iterdir()).write_bytes(b"torn")
    assert np.array_equal(kept.kept(name, "right-rows", "another secret", compute)["value"],
                          np.arange(3.0)) and len(asked) == 5


def test_kept_answers_are_the_answers(tmp_path, monkeypatch, softmax):
    """From disk and computed anew: the same report, hint included."""
    monkeypatch.setattr(kept, "WORTH_SECONDS", -1.0)
    monkeypatch.setattr(kept, "_places", [])
    plain = softmax.examine((wrong,), "a secret of its own")
    for run in range(2):  # the second reads what the first wrote
        kept.keep_answers(tmp_path, "the kit")
        records.reference_record.cache_clear()
        records.mistake_records.cache_clear()
        report = softmax.examine((wrong,), "a secret of its own")
        assert (report.outcomes, report.hint) == (plain.outcomes, plain.hint), run
    assert any("mistakes" in path.name for path in tmp_path.iterdir())
    records.reference_record.cache_clear()
    records.mistake_records.cache_clear()


def test_a_call_without_an_answer_is_not_shown_as_the_answer_none(softmax):
    told = accounts.account(softmax, [Call("stable_softmax", (np.zeros(2),), {}, None)])
    assert told["answer"] == accounts.NOTHING and told["expected"].startswith("float64[2]")


def test_a_long_value_ends_with_a_whole_number():
    shown = accounts.text(tuple(np.full(20, number / 7) for number in range(20)))
    assert len(shown) <= accounts.LONG + 2
    last = shown.removesuffix(" …").rpartition(" ")[2].strip("[(,)]")
    assert last in accounts.text(np.full(20, float(last)))
