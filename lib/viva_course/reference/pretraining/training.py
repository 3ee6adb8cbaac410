"""The training loop."""

import math


def train_gpt(model, optimizer, batch, lr, steps, first=0, last=None):
    """Steps first ... last - 1 of a run of `steps`, with rate lr (1 + cos(pi t / steps)) / 2.

    model(x, y) -> (anything, loss); batch(t) -> (x, y) of step t
    returns the list of losses
    """
    losses = []
    for t in range(first, steps if last is None else last):
        for group in optimizer.param_groups:
            group["lr"] = lr * (1 + math.cos(math.pi * t / steps)) / 2
        _, loss = model(*batch(t))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
