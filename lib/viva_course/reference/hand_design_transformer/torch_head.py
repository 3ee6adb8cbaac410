"""The head as a torch module."""
import torch
from torch import nn


class TorchHead(nn.Module):
    r"""`attention_head` with learnable matrices: $\mathrm{softmax}(QK^T/\sqrt{d_{qk}})V$.

    Km, Qm, Vm are `nn.Linear` without bias (their weight is the transpose of the numpy
    matrix); `pos` is an `nn.Embedding` (max_seq_len, pos_dim), or None without `pos_dim`.
    """

    def __init__(self, input_dim, qk_dim, v_dim, pos_dim=None, max_seq_len=10):
        super().__init__()
        width = input_dim + (pos_dim or 0)
        self.Km = nn.Linear(width, qk_dim, bias=False)
        self.Qm = nn.Linear(width, qk_dim, bias=False)
        self.Vm = nn.Linear(width, v_dim, bias=False)
        self.pos = nn.Embedding(max_seq_len, pos_dim) if pos_dim else None

    def attention(self, seq):
        """Weights (..., T, T) and values (..., T, v_dim) for seq (..., T, input_dim)."""
        if self.pos is not None:
            T = seq.shape[-2]
            table = self.pos(torch.arange(T, device=seq.device))
            seq = torch.cat([seq, table.expand(*seq.shape[:-1], -1)], dim=-1)
        Q, K = self.Qm(seq), self.Km(seq)                                   # (..., T, qk_dim)
        scores = Q @ K.transpose(-1, -2) / Q.shape[-1] ** 0.5               # (..., T, T)
        return torch.softmax(scores, dim=-1), self.Vm(seq)

    def forward(self, seq):
        """Output (..., T, v_dim) for seq (..., T, input_dim)."""
        weights, values = self.attention(seq)
        return weights @ values

    def matrices(self):
        """Km, Qm, Vm, pos as numpy arrays for `attention_head`; pos may be None."""
        Km, Qm, Vm = (m.weight.detach().numpy().T.copy() for m in (self.Km, self.Qm, self.Vm))
        return Km, Qm, Vm, None if self.pos is None else self.pos.weight.detach().numpy().copy()
