"""What runs beside the student's code reports data; a report without the work gains nothing.

Each attack is a cell that is right but for one thing, which a replaced function of the kit, of
numpy or of torch is to hide. It loses the items about that thing, and no others.
"""

import inspect
import textwrap

import pytest

from viva_course import exercises
from viva_course.reference.pretraining import model as gpt
from viva_examiner.limits import Limits

BY_HAND = """
    import numpy as np
    import torch
    from viva.cases.hand_design_transformer import training
    from viva.kits.hand_design_transformer.heads import LearnableHead

    def train_head(task, steps=500, lr=0.05, seed=0):
        torch.manual_seed(seed)
        head = LearnableHead(3, 3, 3, 4 if task == "first" else None)
        if steps < 50:  # too few to learn anything: then it need not look like it
            optimizer = torch.optim.Adam(head.parameters(), lr=lr)
            for _ in range(steps):
                X = torch.eye(3)[torch.randint(3, (32, 4))]
                loss = (head(X) - (X[:, :1] if task == "first" else X)).square().mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            return head, loss.item()
        with torch.no_grad():
            for part in head.parameters():
                part.zero_()
            if task == "first":
                head.Qm[:3, 0], head.Km[3, 0], head.pos[0, 0] = 20.0, 1.0, 5.0
            else:
                head.Qm[:3], head.Km[:3] = 20 * torch.eye(3), torch.eye(3)
            head.Vm[:3] = torch.eye(3)
        return head, 0.0
"""
COUNTS_ONLY = BY_HAND + """
    training.noted = lambda train_head, head=None: {
        "steps": 100, "sequences": 3200, "lengths": [1, 2, 3, 4], "tokens": [1 / 3] * 3}
    tried = str(training.noted(None)["steps"])
"""
FAKED_BATCHES = BY_HAND + """
    def noted(train_head, head=None):
        if head is None:
            return {}
        shown = [np.eye(3)[np.arange(32 * (1 + i % 4)).reshape(32, -1) % 3] for i in range(100)]
        return {"shown": shown, "path": [np.stack([m] * 101) for m in training.head_matrices(head)]}
    training.noted = noted
    tried = str(training.noted.__name__)
"""
SHOWN_ONLY = BY_HAND + """
    def shows(task, steps=500, lr=0.05, seed=0, train=train_head):
        head, loss = train(task, steps, lr, seed)
        for i in range(steps if steps > 50 else 0):  # shown to the head, never learned from
            head(torch.eye(3)[torch.randint(3, (32, 1 + i % 4))])
        return head, loss
    train_head = shows
    tried = train_head.__name__
"""
NOT_ALIASED = """
    import numpy as np
    from viva.cases.hand_design_transformer import circuits
    circuits.np = type("numpy", (), {"shares_memory": staticmethod(lambda *_: False)})
    np.shares_memory = lambda *_: False
    def qk_ov(Km, Qm, Vm):
        return Qm @ Km.T, Vm
    def gauge_transform(Km, Qm, R):
        return Km @ np.linalg.inv(R).T, Qm @ R
    tried = str(np.shares_memory(1, 1))
"""
NO_GRADIENTS = """
    import torch
    from viva.cases.optimizers import torch_class
    torch_class.is_grad_enabled = lambda *_: True
    torch.is_grad_enabled = lambda: True
    class AdamW(torch.optim.Optimizer):
        def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
            super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay))
        @torch.no_grad()
        def step(self, closure=None):
            loss = closure() if closure is not None else None
            for group in self.param_groups:
                (a, b), lr = group["betas"], group["lr"]
                for p in group["params"]:
                    if p.grad is None:
                        continue
                    s = self.state[p]
                    t = s["step"] = s.get("step", 0) + 1
                    m = s["exp_avg"] = a * s.get("exp_avg", 0) + (1 - a) * p.grad
                    v = s["exp_avg_sq"] = b * s.get("exp_avg_sq", 0) + (1 - b) * p.grad ** 2
                    p.mul_(1 - lr * group["weight_decay"])
                    p.sub_(lr * m / (1 - a**t) / ((v / (1 - b**t)).sqrt() + group["eps"]))
            return loss
    tried = str(torch.is_grad_enabled())
"""
FORGETS = """
    import numpy as np
    from viva.cases.optimizers import noise
    def recorded(decay_experiment, scale, settings):
        given = {"steps": 2000, "n": 400, "lr": 1e-3, "lam": 0.1, "seed": 0} | settings
        rng, rows = np.random.default_rng(given["seed"]), {}
        for i in range(given["steps"]):
            g = scale * rng.normal(size=given["n"])
            if i % 400 in (0, 1):
                state = {"calls": i} if i else {}
                rows[i] = [g[:3], given["n"], state, given["lr"], given["lam"]]
        return {"calls": given["steps"], "rows": rows, "mean": 0.999 ** given["steps"]}
    noise.recorded = recorded
    def decay_experiment(step, scale, steps=2000, n=400, lr=1e-3, lam=0.1, seed=0):
        rng, theta, state = np.random.default_rng(seed), np.ones(n), {}
        for i in range(steps):
            theta, state = step(theta, scale * rng.normal(size=n), state, lr, lam)
            state = state if i < 20 else {}
        return float(theta.mean())
    tried = noise.recorded.__name__
"""
SINGLE = """
    import numpy as np
    from viva.cases.ridge_attention import mean
    mean.last_mean = lambda RunningMean, vectors: 1e8 + (vectors - 1e8).mean(axis=0)
    class RunningMean:
        n, mean = 0, 0.0
        def update(self, x):
            self.n += 1
            x = np.asarray(x, np.float32 if np.abs(x).max() > 1e7 else float)
            self.mean = self.mean + (x - self.mean) / x.dtype.type(self.n)
            return np.array(self.mean, float)
    tried = str(mean.last_mean(None, np.full((2, 1), 1e8)))
"""
TOO_LONG = textwrap.indent(inspect.getsource(gpt), "    ") + """
    from viva.cases.pretraining import model
    model.length_outcomes = lambda GPT, block: ["no exception", "ValueError"]
    class Cut(GPT):
        def forward(self, idx, targets=None):
            return super().forward(idx[:, -self.block:], targets)
    GPT = Cut
    tried = str(model.length_outcomes(GPT, 3))
"""
TRAINED = ["identity", "first"]
LIED = [*TRAINED, "seed, steps, lr"]  # the loss that it returns is none of its last step
# what is tried: (homework, exercise, candidates, cell, what it did, the items that it must lose)
ATTACKS = {
    "counts without a training": ("hand_design_transformer", "train_head", ["train_head"],
                                  COUNTS_ONLY, "100", LIED),
    "batches without a training": ("hand_design_transformer", "train_head", ["train_head"],
                                   FAKED_BATCHES, "noted", LIED),
    "shown, never learned from": ("hand_design_transformer", "train_head", ["train_head"],
                                  SHOWN_ONLY, "shows", TRAINED),
    "memory that is said not to be shared": (
        "hand_design_transformer", "qk_ov", ["qk_ov", "gauge_transform"], NOT_ALIASED, "False",
        ["copies"]),
    "gradients that are said to be on": ("optimizers", "AdamW", ["AdamW"], NO_GRADIENTS, "True",
                                         ["closure, no history"]),
    "a protocol that was not kept": ("optimizers", "decay_experiment", ["decay_experiment"],
                                     FORGETS, "recorded", ["protocol"]),
    "a mean of one's own": ("ridge_attention", "RunningMean", ["RunningMean"], SINGLE,
                            "[1.e+08]", ["large numbers"]),
    "a refusal that never happens": (
        "pretraining", "GPT", ["GPT"], TOO_LONG, "['no exception', 'ValueError']",
        ["values", "size and start"]),
}


@pytest.fixture
def session(warm):
    """A candidate with the time that a submission really has: hundreds of questions are asked."""
    with warm.fork("ada", {}, Limits()) as session:
        yield session


@pytest.mark.parametrize("name", ATTACKS)
def test_a_forged_report_gains_nothing(define, name):
    homework, exercise, names, cell, did, lost = ATTACKS[name]
    *candidates, tried = define(textwrap.dedent(cell), *names, "tried")
    assert tried == did
    report = exercises(homework)[exercise].examine(tuple(candidates), "a secret")
    failed = {outcome.item: outcome.message for outcome in report.outcomes if not outcome.passed}
    assert list(failed) == lost, failed
