"""The examiner's end of autograd: gradients through the candidate, and its parameters."""

import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch

from viva import plain
from viva_examiner.sandbox.inside import gradients
from viva_examiner.sandbox.inside.protocol import Op

if TYPE_CHECKING:
    from viva_examiner.sandbox.session import Session


class Gradients:
    """Bridge nodes into the candidate's graphs, and live copies of its parameters."""

    def __init__(self, session: "Session") -> None:
        self.session = session
        self.calls = gradients.Calls()
        self.held = gradients.HeldCalls()
        self.parameters: dict[int, weakref.ref] = {}  # handle -> our copy
        self.seen: dict[int, tuple] = {}  # handle -> (version, gradient) last agreed on
        self.handles: dict[int, int] = {}  # id of our copy -> handle

    def attach(self, call: int, index: int, value: object,
               inputs: Sequence[torch.Tensor]) -> torch.Tensor:
        """A result of the candidate that has a graph there."""
        if not isinstance(value, torch.Tensor) or not value.is_floating_point():
            raise plain.Malformed("a graph without a tensor")
        return gradients.attach(Ask(self, call, index, inputs), value, inputs)

    def receive(self, call: gradients.OpenCall, value: object, is_leaf: bool) -> torch.Tensor:
        """A tensor that the candidate gives to one of our functions, requiring its gradient."""
        if not isinstance(value, torch.Tensor) or not value.is_floating_point():
            raise plain.Malformed("a gradient without a tensor")
        return call.receive(value, is_leaf)

    def parameter(self, handle: int, value: object, gradient: object) -> torch.Tensor:
        """Our copy of a parameter; always the same object while somebody holds it."""
        if not isinstance(value, torch.Tensor) or not value.is_floating_point():
            raise plain.Malformed("a parameter that is no tensor")
        known = self.parameters.get(handle, lambda: None)()
        if known is None or known.shape != value.shape or known.dtype != value.dtype:
            known = torch.nn.Parameter(value)
            self.parameters[handle] = weakref.ref(known)
            self.handles[id(known)] = handle
        else:
            with torch.no_grad():
                known.copy_(value)
        self._agree(handle, known, gradient)
        return known

    def handle(self, tensor: torch.Tensor) -> int | None:
        """The handle of a parameter that came from the candidate."""
        handle = self.handles.get(id(tensor))
        return handle if handle and self.parameters[handle]() is tensor else None

    def updates(self) -> dict:
        """Parameters that changed on our side (an optimiser's step, zero_grad), and old calls."""
        message: dict[str, list] = {}
        if self.held.dropped:
            message["drop_calls"] = self.held.take_dropped()
        changes = []
        for handle, reference in list(self.parameters.items()):
            tensor = reference()
            if tensor is None:
                del self.parameters[handle], self.seen[handle]
                self.handles = {i: h for i, h in self.handles.items() if h != handle}
                continue
            version, gradient = self.seen[handle]
            if tensor._version != version or tensor.grad is not gradient:
                data = tensor.detach() if tensor._version != version else None
                grad = None if tensor.grad is None else tensor.grad.detach()
                changes.append([tensor, data, grad])
                self.seen[handle] = (tensor._version, tensor.grad)
        if changes:
            message["sync"] = changes
        return message

    def refresh(self) -> None:
        """After a backward pass: take over the gradients that the candidate's parameters have."""
        living = [(handle, tensor) for handle, ref in self.parameters.items()
                  if (tensor := ref()) is not None]
        if not living:
            return
        message = {"op": Op.GRADIENTS_OF, "parameters": [tensor for _, tensor in living]}
        found = self.session.request(message, self.session.question_seconds).get("value")
        if not isinstance(found, list) or len(found) != len(living):
            self.session.die("sent a malformed frame (gradients)")
        for (handle, tensor), gradient in zip(living, found, strict=True):
            self._agree(handle, tensor, gradient)

    def _agree(self, handle: int, tensor: torch.Tensor, gradient: object) -> None:
        tensor.grad = gradient if (
            isinstance(gradient, torch.Tensor)
            and fits(gradient, tensor.shape, tensor.dtype)) else None
        self.seen[handle] = (tensor._version, tensor.grad)


class Ask:
    """Asks the candidate for the gradients of a call's inputs, given that of one output."""

    def __init__(self, owner: Gradients, call: int, index: int,
                 inputs: Sequence[torch.Tensor]) -> None:
        self.owner, self.call, self.index = owner, call, index
        owner.held.hold(call)
        self.shapes = [(tensor.shape, tensor.dtype) for tensor in inputs]

    def __call__(self, gradient: torch.Tensor) -> list:
        session = self.owner.session
        message = {"op": Op.GRADIENT, "call": self.call, "i": self.index,
                   "gradient": gradient.detach()}
        found = session.request(message, session.question_seconds).get("value")
        if not isinstance(found, list) or len(found) != len(self.shapes) or not all(
                fits(item, *shape) for item, shape in zip(found, self.shapes, strict=True)):
            session.die("sent a malformed frame (gradients)")
        self.owner.refresh()
        return found

    def __del__(self) -> None:
        self.owner.held.release(self.call)


def fits(item: object, shape: torch.Size, dtype: torch.dtype) -> bool:
    """Whether this can be the gradient of a tensor with that shape and dtype."""
    return item is None or (isinstance(item, torch.Tensor) and item.shape == shape
                            and item.dtype == dtype)
