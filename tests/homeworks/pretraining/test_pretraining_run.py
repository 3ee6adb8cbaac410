"""The world of `pretraining`, training in pieces, and the full run that ships with it."""

import importlib.util
from collections import Counter

import pytest
import torch

from doubling import ROOT
from viva.kits.pretraining import World, full_run, in_pieces, training_wanted
from viva.kits.pretraining.world import PLACE_FIRST, PLACE_SECOND
from viva_course.reference import pretraining as reference


@pytest.fixture(scope="module")
def bench():
    spec = importlib.util.spec_from_file_location("bench", ROOT / "bench/pretraining.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_thousand_people_and_one_fact_about_each():
    world = World(0)
    assert len({name for name, _ in [*world.train, *world.dev]}) == 1000
    for people in (world.train, world.dev):
        assert sorted(Counter(place for _, place in people).values()) == [5] * 95 + [25]
        assert Counter(place for _, place in people)["London"] == 25
    assert world.train == World(0).train != World(1).train


def test_the_text_holds_facts_and_no_questions():
    world = World(0)
    corpus = world.corpus()
    assert len(corpus) == 3000 and {len(doc) for doc in corpus} == {7, 8, 9}
    questions = world.questions(world.dev)
    assert not any(question in doc for question, _ in questions[:20] for doc in corpus)
    for (name, place), (question, answer) in zip(world.dev, questions, strict=True):
        assert world.read(answer) == place and name in world.read(question)
        assert world.write(f"{name} was born in {place} .") in corpus


def test_training_is_left_out_while_grading_unless_asked(monkeypatch, capsys):
    for name in ("NBGRADER_EXECUTION", "VIVA_TRAIN"):
        monkeypatch.delenv(name, raising=False)
    assert training_wanted() and capsys.readouterr().out == ""
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert not training_wanted() and "VIVA_TRAIN=1" in capsys.readouterr().out
    monkeypatch.setenv("VIVA_TRAIN", "1")
    assert training_wanted()
    monkeypatch.delenv("NBGRADER_EXECUTION")
    monkeypatch.setenv("VIVA_TRAIN", "0")
    assert not training_wanted()


def test_a_restart_goes_on_where_it_stopped(tmp_path):
    x, y = torch.randint(1, 9, (4, 6)), torch.randint(1, 9, (4, 6))

    def train(folder, until=None):
        torch.manual_seed(0)
        model = reference.GPT(9, 6, d=8, h=2, n=1)
        optimizer = torch.optim.AdamW(model.parameters(), 1e-2)

        def piece(first, last):
            if until is not None and first >= until:
                raise KeyboardInterrupt
            return reference.train_gpt(model, optimizer, lambda t: (x, y), 1e-2, 12, first, last)

        return in_pieces("run", model, optimizer, piece, 12, every=4, folder=folder)

    whole = train(tmp_path / "one")
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "two", until=8)
    assert train(tmp_path / "two") == pytest.approx(whole, rel=1e-6)
    assert len(whole) == 12


@pytest.mark.parametrize("name", [name for name, run in full_run().items() if "answers" in run])
def test_reported_numbers_are_those_of_the_saved_answers(name):
    run, gold = full_run()[name], [place for _, place in World(0).dev]
    right = round(500 * reference.exact_match(run["answers"], gold))
    assert right == run["accuracy"][-1][1]
    if "scratch answers" in run:
        assert round(500 * reference.exact_match(run["scratch answers"], gold)) == run["scratch"]


def test_facts_are_learned_with_the_name_first_and_the_test_people_in_the_text_only(bench):
    runs, gold = full_run(), [place for _, place in World(0).dev]
    assert reference.constant_baseline(gold) == 0.05
    for name, run in runs.items():
        kind = name.rsplit(" ", 1)[0]
        assert run["accuracy"][-1][0] == run["steps"] == bench.KINDS[kind][2]  # none cut short
        assert run["scratch"] / 500 < 0.05
        share = run["accuracy"][-1][1] / 500
        assert share > 0.85 if kind == "seed" else share < 0.13


def test_sentences_with_a_word_in_front_differ_in_that_word_only():
    for first, second in zip(PLACE_FIRST, PLACE_SECOND, strict=True):
        assert second == "so " + first
    world = World(0, PLACE_SECOND)
    assert world.dev == World(0).dev and len(world.corpus()) == 3000
    name, place = world.train[0]
    assert world.read(world.corpus()[0]) == f"so {place} is the birthplace of {name} ."


def test_the_first_losses_of_the_full_run_come_out_again(bench):
    run, steps = full_run()["seed 1"], 10
    world, vocab, model, optimizer = bench.start(1)
    batch = bench.pretraining_batches(world.corpus(), vocab, 1)
    losses = reference.train_gpt(model, optimizer, batch, bench.RATE, run["steps"], 0, steps)
    assert losses == pytest.approx([loss for _, loss in run["losses"][:steps]], rel=2e-3)
