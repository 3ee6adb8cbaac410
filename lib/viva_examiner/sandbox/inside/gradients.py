"""Autograd across a socket: one side's graph continues on the other.

A call may receive tensors that require gradients and return tensors that have a graph. The side
that ran the call keeps both; the side that made it holds a Bridge node whose backward asks for
the gradients of the inputs. Both sides use this module, since a function given as an argument is
called in the other direction.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.autograd.function import once_differentiable


class Bridge(torch.autograd.Function):
    """The value of a remote tensor, attached to the local inputs it was computed from."""

    @staticmethod
    def forward(ctx: Any, ask: Callable, value: torch.Tensor, anchor: torch.Tensor,
                *inputs: torch.Tensor) -> torch.Tensor:
        ctx.ask = ask
        return value.clone()

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple:
        return (None, None, None, *ctx.ask(gradient))


def attach(ask: Callable, value: torch.Tensor, inputs: Sequence[torch.Tensor]) -> torch.Tensor:
    """A tensor with this value whose backward pass calls `ask(gradient) -> input gradients`."""
    anchor = torch.zeros((), requires_grad=True)  # a graph even when no input requires one
    return Bridge.apply(ask, value, anchor, *inputs)


class Calls:
    """The calls this side ran for the other, kept while the other may ask for gradients."""

    def __init__(self) -> None:
        self.open: dict[int, tuple[list, list]] = {}
        self.last = 0

    def begin(self) -> "OpenCall":
        self.last += 1
        return OpenCall(self, self.last)

    def backward(self, number: int, index: int, gradient: torch.Tensor) -> list:
        """Run backward from one output; the gradients of the call's inputs (None where unused)."""
        leaves, outputs = self.open[number]
        kept = [leaf.grad for leaf in leaves]
        for leaf in leaves:
            leaf.grad = None
        torch.autograd.backward([outputs[index]], [gradient], retain_graph=True)
        found = [leaf.grad for leaf in leaves]
        for leaf, old in zip(leaves, kept, strict=True):
            leaf.grad = old
        return found

    def drop(self, number: int) -> None:
        self.open.pop(number, None)


class HeldCalls:
    """Calls that the other side keeps open for us; `dropped` are those nobody needs any more."""

    def __init__(self) -> None:
        self.counts: Counter[int] = Counter()
        self.dropped: list[int] = []

    def hold(self, number: int) -> None:
        self.counts[number] += 1

    def release(self, number: int) -> None:
        self.counts[number] -= 1
        if self.counts[number] <= 0:
            del self.counts[number]
            self.dropped.append(number)

    def take_dropped(self) -> list[int]:
        dropped, self.dropped = self.dropped, []
        return dropped


class OpenCall:
    """The tensors of one call: what came in with a gradient, what went out with a graph."""

    def __init__(self, calls: Calls, number: int) -> None:
        self.calls, self.number = calls, number
        self.leaves: list[torch.Tensor] = []
        self.outputs: list[torch.Tensor] = []

    def receive(self, value: torch.Tensor, is_leaf: bool) -> torch.Tensor:
        """A tensor of the caller, as a leaf of this side's graph."""
        leaf = value.detach().requires_grad_(True)
        self.leaves.append(leaf)
        return leaf if is_leaf else leaf.clone()

    def keep(self, output: torch.Tensor) -> int:
        """Remember an output that has a graph; its index."""
        self.outputs.append(output)
        self.calls.open[self.number] = (self.leaves, self.outputs)
        return len(self.outputs) - 1

    def is_mine(self, tensor: torch.Tensor) -> bool:
        return any(tensor is leaf for leaf in self.leaves)
