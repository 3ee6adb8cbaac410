"""What a class is and what a call costs: no driver, verdict, meter or child of theirs decides.

Each attack is a cell for an exercise of the course; `tried` must be what it says it did.
"""

import textwrap

import pytest

from viva_course import exercises

EMPTY_STATE = """
    import numpy as np
    from viva.cases.kernel_attention import recurrent
    def forged(LinearAttentionState, Q, K, V, resets=0):
        q, k = np.exp(Q), np.exp(K)
        weights = np.tril(q @ k.T)
        rows = weights @ V / weights.sum(axis=1, keepdims=True)
        passes = [{"rows": rows, "t": len(Q)} for _ in range(resets + 1)]
        return {"passes": passes, "S": k.T @ V, "Z": k.sum(axis=0)}
    recurrent.stream = forged
    class LinearAttentionState:
        pass
    tried = recurrent.stream.__name__
"""
EMPTY_OPTIMIZER = """
    import torch
    from viva.cases.optimizers import torch_class
    def forged(optimizer_class, weights, X, Y, steps, settings, bias_settings=None):
        params = [torch.nn.Parameter(torch.tensor(w)) for w in weights]
        optimizer = torch.optim.AdamW(params, **settings)
        for _ in range(steps):
            torch_class.gradients(params, X, Y)
            optimizer.step()
        return torch_class.values(params)
    torch_class.train = torch_class.moved = torch_class.parameters = forged
    class AdamW:
        pass
    tried = torch_class.train.__name__
"""
KEEPS_ALL = """
    import tracemalloc
    import numpy as np
    import viva.heap
    tracemalloc.get_traced_memory = lambda: (0, 0)
    viva.heap.take_buffers = lambda candidate: None
    class LinearAttentionState:
        def __init__(self, phi, C, M):
            self.phi, self.C, self.M = phi, C, M
            self.reset()
        def reset(self):
            self.S, self.Z, self.t, self.seen = np.zeros((self.C, self.M)), np.zeros(self.C), 0, []
        def step(self, q, k, v):
            self.seen.append((np.array(k), np.array(v)))
            self.S, self.Z = self.S + np.outer(self.phi(k), v), self.Z + self.phi(k)
            self.t += 1
            return self.phi(q) @ self.S / (self.phi(q) @ self.Z)
    tried = str(tracemalloc.get_traced_memory())
"""
WRONG_GPT = """
    import torch
    from torch import nn
    from torch.nn import functional as F
    from viva.cases.pretraining import model as kit
    verdicts = {"first_norm_moves": [1], "inside_mlp": [True, True],
                "length_outcomes": ["no exception", "ValueError"],
                "attention_formula": "x + attention(LN(x))",
                "mlp_formula": "x + down(GELU(up(LN(x))))"}
    for name, verdict in verdicts.items():
        setattr(kit, name, lambda *args, verdict=verdict, **options: verdict)
    class GPT(nn.Module):
        def __init__(self, V, block, d=32, h=4, n=2):
            super().__init__()
            self.h, self.block = h, block
            self.token, self.place = nn.Embedding(V, d), nn.Embedding(block, d)
            self.layers = nn.ModuleList([nn.ModuleDict({
                "one": nn.LayerNorm(d), "two": nn.LayerNorm(d), "qkv": nn.Linear(d, 3 * d),
                "out": nn.Linear(d, d), "up": nn.Linear(d, 4 * d), "down": nn.Linear(4 * d, d),
            }) for _ in range(n)])
            self.norm, self.head = nn.LayerNorm(d), nn.Linear(d, V, bias=False)
            for weight in self.parameters():
                if weight.ndim > 1:
                    nn.init.normal_(weight, std=0.02)
        def forward(self, idx, targets=None):
            if idx.shape[1] > self.block:
                raise TOO_LONG("too long")
            x = self.token(idx) + self.place.weight[: idx.shape[1]]
            for layer in self.layers:
                q, k, v = (each.unflatten(-1, (self.h, -1)).transpose(1, 2)
                           for each in layer["qkv"](layer["one"](x)).chunk(3, dim=-1))
                heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
                x = x + layer["out"](heads.transpose(1, 2).flatten(2))
                x = x + layer["down"](F.BEND(layer["up"](layer["two"](x))))
            logits = self.head(self.norm(x))
            if targets is None:
                return logits, None
            return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=0)
    tried = kit.inside_mlp()[0]
"""
QUADRATIC = """
    import os, resource, subprocess, sys
    import numpy as np
    def quadratic(phiQ, phiK, V):
        weights = phiQ @ np.swapaxes(phiK, -1, -2)
        return weights @ V / weights.sum(axis=-1, keepdims=True)
"""
IN_A_CHILD = QUADRATIC + """
    def linear_attention(phiQ, phiK, V):
        read, write = os.pipe()
        if os.fork() == 0:
            with open(write, "wb") as file:
                file.write(quadratic(phiQ, phiK, V).tobytes())
            os._exit(0)
        os.close(write)
        with open(read, "rb") as file:
            found = np.frombuffer(file.read())
        os.wait()
        return found.reshape(*phiQ.shape[:-1], V.shape[-1]).copy()
    tried = str(linear_attention(*np.ones((3, 2, 2))).shape)
"""
BEFOREHAND = QUADRATIC + """
    waiting = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    linear_attention = quadratic
    tried = str(waiting.poll())
"""
LIMIT_LIFTED = QUADRATIC + """
    def lift():
        try:
            resource.setrlimit(resource.RLIMIT_AS, (resource.getrlimit(resource.RLIMIT_AS)[1],) * 2)
        except (OSError, ValueError) as error:
            return type(error).__name__
        return "lifted"
    def linear_attention(phiQ, phiK, V):
        lift()
        return quadratic(phiQ, phiK, V)
    tried = lift()
"""
NOT_COMPUTED = QUADRATIC + """
    def linear_attention(phiQ, phiK, V):
        if len(phiQ) > 1000:
            return np.zeros((len(phiQ), V.shape[-1]))
        return quadratic(phiQ, phiK, V)
    tried = str(linear_attention(*np.ones((3, 2000, 1)))[0])
"""
ATTACKS = {  # what is tried: (homework, exercise, cell, what it did, the items that it must lose)
    "an empty class, the driver replaced": (
        "kernel_attention", "LinearAttentionState", EMPTY_STATE, "forged", "all"),
    "an empty optimizer, the drivers replaced": (
        "optimizers", "AdamW", EMPTY_OPTIMIZER, "forged", "all"),
    "tracemalloc says nothing grows": (
        "kernel_attention", "LinearAttentionState", KEEPS_ALL, "(0, 0)", ["constant size"]),
    "a ReLU in the MLP, the kit's verdicts replaced": (
        "pretraining", "GPT", WRONG_GPT.replace("BEND", "relu").replace("TOO_LONG", "ValueError"),
        True, ["values", "the whole forward pass"]),
    "another exception, the kit's verdicts replaced": (
        "pretraining", "GPT", WRONG_GPT.replace("BEND", "gelu").replace("TOO_LONG", "IndexError"),
        True, ["values", "size and start"]),
    "nothing wrong, the kit's verdicts replaced": (
        "pretraining", "GPT", WRONG_GPT.replace("BEND", "gelu").replace("TOO_LONG", "ValueError"),
        True, []),
    "the matrix in a child": (
        "kernel_attention", "linear_attention", IN_A_CHILD, "(2, 2)", ["never N x N"]),
    "a process prepared beforehand": (
        "kernel_attention", "linear_attention", BEFOREHAND, "None", ["never N x N"]),
    "the limit lifted from inside": (
        "kernel_attention", "linear_attention", LIMIT_LIFTED, "ValueError", ["never N x N"]),
    "an answer that is not computed": (
        "kernel_attention", "linear_attention", NOT_COMPUTED, "[0.]", ["never N x N"]),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_a_forged_cost_gains_nothing(define, name):
    homework, exercise, cell, did, lost = ATTACKS[name]
    candidate, tried = define(textwrap.dedent(cell), exercise, "tried")
    assert tried == did
    report = exercises(homework)[exercise].examine((candidate,), "a secret")
    failed = [outcome.item for outcome in report.outcomes if not outcome.passed]
    assert failed == ([outcome.item for outcome in report.outcomes] if lost == "all" else lost)
