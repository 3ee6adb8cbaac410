"""torch's compiler sleeps in a candidate until somebody compiles, and nobody notices."""

import pytest

TRAIN = """
import sys, torch
torch.manual_seed(0)
layer = torch.nn.Linear(2, 2)
for optimizer in (torch.optim.Adam(layer.parameters()), torch.optim.SGD(layer.parameters(), 0.1)):
    optimizer.zero_grad()
    layer(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    optimizer.state_dict()
from torch.utils.checkpoint import checkpoint
checkpoint(layer, torch.ones(1, 2, requires_grad=True), use_reentrant=False).sum().backward()
"""
ASLEEP = "type(sys.modules['torch._dynamo']).__name__"


@pytest.mark.parametrize("use", [
    "torch.compile(lambda a: a + 1, backend='eager')(torch.ones(2)).sum().item()",
    "torch.func.grad(lambda a: (a ** 2).sum())(torch.ones(2)).sum().item()",
])
def test_it_sleeps_until_it_is_needed(session, use):
    result = session.run_cell(f"{TRAIN}\nprint({ASLEEP})\nprint({use})\nprint({ASLEEP})\n"
                              "optimizer.step()\nimport torch._dynamo.config as config\n"
                              "print(torch._dynamo.config is config)")
    assert result.error is None, result.error
    said = "".join(output.get("text", "") for output in result.outputs
                   if output.get("name") == "stdout")
    assert said.split() == ["LazyCompiler", "4.0", "module", "True"]
