"""Gradients that flow back through a function of the examiner."""

import importlib.util
import sys
import types
from typing import TYPE_CHECKING, Any

from viva_examiner.sandbox.inside.protocol import Op

if TYPE_CHECKING:
    from viva_examiner.sandbox.inside.agent import Agent

GRADIENTS = "viva_examiner.sandbox.inside.gradients"
# Read now: a candidate that is another user may not read this folder once it imports torch.
SPEC: Any = importlib.util.find_spec(GRADIENTS)
CODE = SPEC.loader.get_code(GRADIENTS)


def gradients() -> types.ModuleType:
    """The module `gradients`, which needs torch."""
    if GRADIENTS not in sys.modules:
        module = types.ModuleType(GRADIENTS)
        exec(CODE, vars(module))
        sys.modules[GRADIENTS] = module
    return sys.modules[GRADIENTS]


class CallbackGradient:
    """Gradients of a callback's inputs, asked of the examiner."""

    def __init__(self, agent: "Agent", call: int, index: int) -> None:
        self.agent, self.call, self.index = agent, call, index
        agent.held.hold(call)

    def __call__(self, gradient: Any) -> Any:
        self.agent.asked += 1
        number = self.agent.asked
        self.agent.send({"op": Op.GRADIENT, "id": number, "call": self.call, "i": self.index,
                         "gradient": gradient.detach()})
        return self.agent.wait_for(number, [])["value"]

    def __del__(self) -> None:
        self.agent.held.release(self.call)
