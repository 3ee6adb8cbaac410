"""The full run of the homework `pretraining`: the birthplace experiment, with curves.

    python bench/pretraining.py                       # about 25 minutes on one core
    python bench/pretraining.py --runs "seed 0"       # one of the runs
    python bench/pretraining.py --pieces 2 --checkpoints DIR    # two more points of each curve
    python bench/pretraining.py --steps 20 --out -    # the beginning only, printed

Runs, ten of each kind: "seed 0" ... pretrain on everybody's sentences; "unseen 0" ... on the
sentences of the people with training questions only; "place first 0" ... on sentences that begin
with the place, "place second 0" ... on the same sentences with one word in front. After every so
many steps (KINDS) a copy is finetuned on the 500 training questions and answers the 500 dev
questions. One thread, so that losses can be reproduced. Writes
lib/viva/kits/pretraining/full_run.json; with --checkpoints a run goes on where an earlier one
stopped.
"""

import argparse
import copy
import json
import os
import random
import sys
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch

from viva.kits.pretraining import MASK, PAD, World
from viva.kits.pretraining.world import PLACE_FIRST, PLACE_SECOND, TEMPLATES
from viva_course.reference import pretraining as reference

OUT = Path(__file__).resolve().parent.parent / "lib/viva/kits/pretraining/full_run.json"
KINDS = {  # templates, sentences about everybody, steps, and how often a copy is finetuned
    "seed": (TEMPLATES, True, 3000, 500),
    "unseen": (TEMPLATES, False, 1500, 500),  # reads each sentence as often as "seed"
    "place first": (PLACE_FIRST, True, 2000, 2000),
    "place second": (PLACE_SECOND, True, 2000, 2000),
}
RUNS = {f"{kind} {seed}": (seed, *rest) for seed in range(10) for kind, rest in KINDS.items()}
T, BLOCK, BATCH = 16, 32, 64
RATE, FINETUNE = 2e-3, 150
SIZES = {"d": 128, "h": 4, "n": 1}


def seeded(model, seed):
    """The same start with every version of torch: weights from numpy's generator."""
    rng = np.random.default_rng(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim == 2:
                parameter.copy_(torch.tensor(rng.normal(0, 0.02, tuple(parameter.shape))))
    return model


def trimmed(x, y):
    """Without the columns in which nothing is asked: the same loss, for less time."""
    length = int((y != 0).any(dim=0).nonzero().max()) + 1
    return x[:, :length], y[:, :length]


def pretraining_batches(docs, vocab, seed):
    """Corrupted documents and their next characters, for each step its own draw."""

    def batch(t):
        rng = random.Random(f"pretraining {seed} {t}")
        rows = []
        for _ in range(BATCH):
            text = reference.span_corrupt(rng.choice(docs), BLOCK, rng)
            rows.append(vocab.encode(text + PAD * (T + 1 - len(text))))
        ids = torch.tensor(rows)
        return trimmed(ids[:, :-1], ids[:, 1:])

    return batch


def finetuning_batches(questions, vocab, seed):
    pairs = [reference.qa_example(*each, T, vocab) for each in questions]
    x, y = (torch.stack(each) for each in zip(*pairs, strict=True))

    def batch(t):
        rows = torch.tensor(random.Random(f"finetuning {seed} {t}").sample(range(len(x)), BATCH))
        return trimmed(x[rows], y[rows])

    return batch


def answers(model, questions, vocab):
    """Greedy answers to all questions, one symbol each: the same as decoding them one by one."""
    rows = torch.tensor([vocab.encode(question + MASK) for question, _ in questions])
    with torch.no_grad():
        best = model(rows)[0][:, -1].argmax(dim=-1)
    return [vocab.decode([i]) for i in best.tolist()]


def finetuned(model, world, vocab, seed, lr):
    """A copy of the model after finetuning: its answers to the dev questions."""
    model = copy.deepcopy(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr)
    batch = finetuning_batches(world.questions(world.train), vocab, seed)
    reference.train_gpt(model, optimizer, batch, lr, FINETUNE)
    return answers(model, world.questions(world.dev), vocab)


def right(found, world):
    return sum(a == b for a, (_, b) in zip(found, world.questions(world.dev), strict=True))


def start(seed, templates=TEMPLATES):
    """The world, its vocabulary, and a network with its optimiser before the first step."""
    world = World(0, templates)
    vocab = reference.CharVocab(world.corpus() + [q for q, _ in world.questions(world.train)])
    model = seeded(reference.GPT(len(vocab), BLOCK, **SIZES), seed)
    return world, vocab, model, torch.optim.AdamW(model.parameters(), RATE)


def without(model, world, vocab, seed):
    """What a run begins with: the answers after finetuning without pretraining."""
    found = finetuned(model, world, vocab, seed, 1e-3)
    return {"seed": seed, "losses": [], "accuracy": [], "scratch": right(found, world),
            "scratch answers": [world.read(each) for each in found]}


def run(name, steps=None, pieces=None, checkpoint=None):
    """One run as plain data, after each of its pieces; `pieces`: how many, unless all."""
    seed, templates, everybody, all_steps, every = RUNS[name]
    steps = steps or all_steps
    world, vocab, model, optimizer = start(seed, templates)
    batch = pretraining_batches(world.corpus(None if everybody else world.train), vocab, seed)
    if checkpoint is not None and checkpoint.exists():
        saved = torch.load(checkpoint, weights_only=True)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        out = saved["out"]
    else:
        out = without(model, world, vocab, seed) | {"steps": steps}
    done = out["accuracy"][-1][0] if out["accuracy"] else 0
    for first in range(done, steps, every)[:pieces]:
        last, began = min(first + every, steps), time.process_time()
        losses = reference.train_gpt(model, optimizer, batch, RATE, steps, first, last)
        out["losses"] += [[t, round(loss, 3)] for t, loss in enumerate(losses, first)
                          if t < 10 or t % 20 == 0]
        found = finetuned(model, world, vocab, seed, 5e-4)
        out["accuracy"].append([last, right(found, world)])
        out["answers"] = [world.read(each) for each in found]
        say(f"{name}: {last} steps, loss {losses[-1]:.3f}, {out['accuracy'][-1][1]} of 500, "
            f"without {out['scratch']}, {time.process_time() - began:.0f} s")
        if checkpoint is not None:
            torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(),
                        "out": out}, checkpoint)
        yield out


def shipped(name, out):
    """What the homework shows of a run."""
    kind = name.rsplit(" ", 1)[0]
    left_out = {"seed": (), "unseen": ("scratch answers",)}.get(
        kind, ("losses", "answers", "scratch answers"))
    return {key: value for key, value in out.items() if key not in left_out}


def say(line):
    print(line, file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", nargs="+", default=list(RUNS), choices=list(RUNS))
    parser.add_argument("--steps", type=int, help="instead of the run's own numbers")
    parser.add_argument("--pieces", type=int, help="at most so many finetunings per run")
    parser.add_argument("--checkpoints", type=Path, help="a folder to go on from, and for later")
    parser.add_argument("--out", default=str(OUT), help="a file, or - for the terminal")
    args = parser.parse_args()
    torch.set_num_threads(1)
    results = {}
    if args.out != "-" and Path(args.out).exists():
        results = json.loads(Path(args.out).read_text())
    for name in args.runs:
        checkpoint = args.checkpoints and args.checkpoints / f"{name}.pt"
        for out in run(name, args.steps, args.pieces, checkpoint):
            results[name] = shipped(name, out)
            if args.out != "-":
                Path(args.out).write_text(json.dumps(results, separators=(",", ":")) + "\n")
    if args.out == "-":
        print(json.dumps(results, separators=(",", ":")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
