"""Training the torch head on two of the tasks."""
import torch
from torch import nn

from .torch_head import TorchHead

N_TOKENS, MAX_LEN, QK_DIM, BATCH = 3, 4, 3, 32


def train_head(task, steps=500, lr=0.05, seed=0):
    """Train a `TorchHead` with Adam on the mean squared error of one task.

    task   "identity" (output = input) or "first" (every row = first token, with positions)
    steps  each with a batch of 32 random sequences of one random length 1..4 over 3 tokens
    Returns the head and the loss of the last step. The same seed gives the same head; the
    global generator of torch is left as it was.
    """
    if task not in ("identity", "first"):
        raise ValueError(f"unknown task {task!r}: identity or first")
    rng = torch.Generator().manual_seed(seed)
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        head = TorchHead(N_TOKENS, QK_DIM, N_TOKENS, MAX_LEN if task == "first" else None, MAX_LEN)
    adam = torch.optim.Adam(head.parameters(), lr=lr, fused=True)  # one call for all matrices
    loss = torch.tensor(float("nan"))
    for T in torch.randint(1, MAX_LEN + 1, (steps,), generator=rng).tolist():
        X = torch.eye(N_TOKENS)[torch.randint(N_TOKENS, (BATCH, T), generator=rng)]    # (B, T, n)
        target = X if task == "identity" else X[:, :1].expand_as(X)
        loss = nn.functional.mse_loss(head(X), target)
        adam.zero_grad()
        loss.backward()
        adam.step()
    return head, loss.item()
