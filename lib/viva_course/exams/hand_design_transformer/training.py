"""train_head."""
import numpy as np
import torch
from torch.nn import functional as F

from viva.cases.hand_design_transformer.training import largest, of_the_end, trained
from viva.kits.hand_design_transformer.heads import LearnableHead, one_hot
from viva_course.reference import hand_design_transformer as reference
from viva_course.rubric import Exercise

training = Exercise(
    "train_head", expects="a head that solves the task on sequences it has not seen",
    survivors={
        ("train_head: head = LearnableHead(3, 3, 3, pos_dim=4 if task == 'first' else None)"
         " -> head = LearnableHead(3, 3, 3, pos_dim=5 if task == 'first' else None)"):
            "any positional width can learn it",
        ("train_head: head = LearnableHead(3, 3, 3, pos_dim=4 if task == 'first' else None)"
         " -> head = LearnableHead(3, 3, 3, pos_dim=3 if task == 'first' else None)"):
            "any positional width can learn it",
    },
)

# What counts is what the head does on all sequences, never the loss it came with.
training.values(2.5, "The outputs and the attention must be those of the identity design.",
                only=("learns_identity",), name="identity")
training.values(2.5, "The outputs and the attention must be those of the design by position.",
                only=("learns_first",), name="first")


@training.item(1, "The same seed gives the same head; steps and lr are used.",
               name="seed, steps, lr")
def seed_steps_lr(exam, train_head):
    seed = int(exam.rng.integers(1, 1000))
    X = one_hot([(0, 1, 2, 1), (2, 1, 0, 0)], 3)
    runs = [
        trained(train_head, "first", [X], seed=seed + more, **options)
        for more, options in ((0, dict(steps=4)), (0, dict(steps=4, lr=.05)), (1, dict(steps=4)),
                              (0, dict(steps=12)), (0, dict(steps=4, lr=.2)))]
    exam.true(all(run["loss"] is not None for run in runs), "the loss must be a number")
    exam.true(0 < runs[0]["loss"] < 2, "the loss is not a mean squared error")
    exam.true(of_the_end(runs[0]), "the loss is not that of the last step")
    first, again, other, longer, larger = (run["outputs"] for run in runs)
    exam.true(largest(first, again) < 1e-6, "the same seed, with lr=0.05, gives two heads")
    exam.true(largest(first, other) > 1e-3, "two seeds give the same head")
    exam.true(largest(first, longer) > 1e-3, "4 steps and 12 steps give the same head")
    exam.true(largest(first, larger) > 1e-3, "two learning rates give the same head")
    target = np.broadcast_to(X[:, :1], X.shape)
    exam.true(largest(first, [target]) > .05, "after 4 steps nothing can be learnt yet")
    exam.rank("train_head: squared error after 12 steps", np.mean((longer[0] - target) ** 2), "asc")


def train(task, steps, lr, seed, aim=None, positions=None, lengths=(1, 2, 3, 4),
          draw=lambda T: F.one_hot(torch.randint(3, (32, T)), 3).float(), method=torch.optim.Adam,
          tell=lambda losses: losses[-1]):
    """Training with parts exchanged, for the mistakes below: another aim, other positions."""
    torch.manual_seed(seed)
    aim, positions = aim or task, task == "first" if positions is None else positions
    head = LearnableHead(3, 3, 3, 4 if positions else None, 4)
    optimizer = method(head.parameters(), lr=lr)
    losses = []
    for _ in range(steps):
        T = lengths[int(torch.randint(len(lengths), ()))]
        X = draw(T)
        optimizer.zero_grad()
        loss = F.mse_loss(head(X), X if aim == "identity" else X[:, :1].expand_as(X))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return head, tell(losses)


training.mistakes_of(train_head={
    "too_few_steps": (
        "Thirty steps are not enough: take the number asked for.",
        lambda task, steps=500, lr=0.05, seed=0: train(task, min(steps, 30), lr, seed)),
    "no_positions": (
        "Without a positional table no head can find the first token.",
        lambda task, steps=500, lr=0.05, seed=0: train(task, steps, lr, seed, positions=False)),
    "never_steps": ("Gradients are computed, but the optimizer never steps.",
                    lambda task, steps=500, lr=0.05, seed=0: train(task, min(steps, 1), 0.0, seed)),
    "ignores_seed": ("The argument seed is not used: seed torch before anything else.",
                     lambda task, steps=500, lr=0.05, seed=0: train(task, steps, lr, 1)),
    "one_length": (
        "Each step draws a length from 1 to 4, not always 4.",
        lambda task, steps=500, lr=0.05, seed=0: train(task, steps, lr, seed, lengths=(4,))),
    "never_four": (
        "The length 4 is never drawn: the upper end of a range is left out.",
        lambda task, steps=500, lr=0.05, seed=0: train(task, steps, lr, seed, lengths=(1, 2, 3))),
    "mean_loss": (
        "Return the loss of the last step alone.",
        lambda task, steps=500, lr=0.05, seed=0: train(task, steps, lr, seed, tell=np.mean)),
    **{slug: ("The argument lr is not used.",
              lambda task, steps=500, lr=0.05, seed=0, rate=rate: train(task, steps, rate, seed))
       for slug, rate in (("default_lr", 0.05), ("small_lr", 0.01))},
    "plain_descent": (
        "The steps are not those of Adam: this is descent along the gradient itself.",
        lambda task, steps=500, lr=0.05, seed=0: (
            train(task, steps, lr, seed, method=torch.optim.SGD))),
})


@training.mistake("same_batches", "The sequences are drawn once and used again: draw new ones in "
                  "every step.")
def train_head(task, steps=500, lr=0.05, seed=0):
    torch.manual_seed(seed)
    drawn = {T: F.one_hot(torch.randint(3, (32, T)), 3).float() for T in (1, 2, 3, 4)}
    return train(task, steps, lr, seed, draw=drawn.get)


@training.mistake("seeded_late", "Two runs with the same seed give two heads: seed torch first, "
                  "before the head is made and before anything is drawn.")
def train_head(task, steps=500, lr=0.05, seed=0):
    torch.seed()
    return train(task, steps, lr, int(torch.randint(10**6, ())))


@training.mistake("wrong_target", "The targets of the two tasks are exchanged.")
def train_head(task, steps=500, lr=0.05, seed=0):
    aim = "first" if task == "identity" else "identity"
    return train(task, steps, lr, seed, aim, positions=True)


@training.mistake("by_hand", "The head must be trained, not filled in by hand.")
def train_head(task, steps=500, lr=0.05, seed=0):
    made = reference.design_identity(3, 4) if task == "identity" else reference.design_first(3, 4)
    head = reference.TorchHead(3, made[0].shape[1], 3, 4 if task == "first" else None, 4)
    with torch.no_grad():
        for part, matrix in zip((head.Km, head.Qm, head.Vm), made):
            part.weight.copy_(torch.tensor(matrix).T)
        if task == "first":
            head.pos.weight.copy_(torch.tensor(made[3]))
    return head, 0.0


@training.mistake("loss_tensor", "The loss is returned as a tensor: .item() makes a number of it.")
def train_head(task, steps=500, lr=0.05, seed=0):
    head, loss = train(task, steps, lr, seed)
    return head, torch.tensor(loss)


class ByWeight(reference.TorchHead):
    """A head that never calls its layers, only multiplies by their weights."""

    def forward(self, seq):
        if self.pos is not None:
            rows = self.pos.weight[:seq.shape[-2]].expand(*seq.shape[:-1], -1)
            seq = torch.cat([seq, rows], dim=-1)
        Q, K, V = (seq @ part.weight.T for part in (self.Qm, self.Km, self.Vm))
        return torch.softmax(Q @ K.mT / Q.shape[-1] ** .5, dim=-1) @ V


@training.variant("AdamW without decay, data from numpy, a head of its own")
def train_head(task, steps=500, lr=0.05, seed=0):
    rng = np.random.default_rng(seed)
    torch.manual_seed(seed)
    head = ByWeight(3, 3, 3, 5 if task == "first" else None, 6)
    optimizer = torch.optim.AdamW(head.parameters(), lr=lr, weight_decay=0)
    loss = None
    for _ in range(steps):
        X = torch.eye(3)[rng.integers(3, size=(32, rng.integers(1, 5)))]
        target = X if task == "identity" else X[:, :1].repeat(1, X.shape[1], 1)
        loss = ((head(X) - target) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return head, float(loss.detach())
