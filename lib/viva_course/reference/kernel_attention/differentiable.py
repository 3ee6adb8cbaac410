"""Linear attention in torch: dtype and device are kept, gradients cost what values cost.

`causal_linear_attention` never holds an (N, C, M) array, neither forward nor backward:
between chunks of tokens only a (C, M + 1) state is carried, and the backward pass scans
the sequence again instead of storing what the forward pass went through.
"""

import math

import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable

CHUNK = 64  # chunk (C + M) products inside a chunk: as many as 2 C M of the state, C = M = 64


def sample_frequencies(D, n, sigma, generator, dtype=torch.float32, device="cpu"):
    """n independent frequencies w ~ N(0, I / sigma^2): (n, D)."""
    return torch.randn(n, D, generator=generator, dtype=dtype, device=device) / sigma


def orthogonal_frequencies(D, n, sigma, generator, dtype=torch.float32, device="cpu"):
    """As `sample_frequencies`, but orthogonal in blocks of D: less variance, no bias. (n, D)"""
    blocks = -(-n // D)
    gaussian = torch.randn(2, blocks, D, D, generator=generator, dtype=dtype, device=device)
    Q, R = torch.linalg.qr(gaussian[0])
    Q = Q * R.diagonal(dim1=-2, dim2=-1).sign()[:, None, :]  # QR alone is not Haar
    lengths = gaussian[1].norm(dim=-1, keepdim=True)
    return (Q * lengths).reshape(blocks * D, D)[:n] / sigma


def rff_features(X, W):
    """[sin(W x), cos(W x)] / sqrt(n): X (..., D), W (n, D) -> (..., 2n)."""
    angles = X @ W.T  # (..., n)
    return torch.cat([angles.sin(), angles.cos()], dim=-1) / math.sqrt(len(W))


def positive_features(X, W, sigma2=None, shift=0.0):
    """exp(w . x - |x|^2 / (2 sigma2) - shift) / sqrt(n): X (..., D), W (n, D) -> (..., n).

    sigma2 is sqrt(D) unless given; a shift common to all keys cancels in attention.
    """
    sigma2 = math.sqrt(X.shape[-1]) if sigma2 is None else sigma2
    half = X.square().sum(dim=-1, keepdim=True) / (2 * sigma2)  # (..., 1)
    return (X @ W.T - half - shift).exp() / math.sqrt(len(W))


def elu_features(X):
    """elu(x) + 1, coordinate by coordinate: positive, and cheap. Any shape."""
    return torch.nn.functional.elu(X) + 1


def linear_attention(phiQ, phiK, V):
    """phi(q_i) . U / phi(q_i) . z with U = sum_j phi(k_j) v_j', z = sum_j phi(k_j).

    phiQ (..., Nq, C), phiK (..., Nk, C), V (..., Nk, M) -> (..., Nq, M)
    """
    U = phiK.transpose(-1, -2) @ V  # (..., C, M)
    z = phiK.sum(dim=-2).unsqueeze(-1)  # (..., C, 1)
    denominator = phiQ @ z  # (..., Nq, 1)
    _refuse_zero(denominator)
    return phiQ @ U / denominator


def causal_linear_attention(phiQ, phiK, V, chunk=CHUNK):
    """phi(q_i) . S_i / phi(q_i) . Z_i with S_i = sum_{j<=i} phi(k_j) v_j', Z_i likewise.

    phiQ, phiK (..., N, C), V (..., N, M) -> (..., N, M). Time O(N (C M + chunk (C + M))),
    memory O(N (C + M) + C M + chunk^2) per sequence, forward and backward.
    """
    batch = torch.broadcast_shapes(phiQ.shape[:-2], phiK.shape[:-2], V.shape[:-2])
    flat = [x.expand(*batch, *x.shape[-2:]).reshape(-1, *x.shape[-2:]) for x in (phiQ, phiK, V)]
    out = _CausalLinearAttention.apply(*flat, chunk)  # (B, N, M)
    return out.reshape(*batch, *out.shape[-2:])


def _refuse_zero(denominator):
    if bool((denominator == 0).any()):
        raise ValueError("a row of similarities sums to zero")


def _with_one(v):
    """[v, 1], so that one product gives numerator and denominator: (B, n, M) -> (B, n, M + 1)."""
    return torch.cat([v, v.new_ones(*v.shape[:-1], 1)], dim=-1)


class _CausalLinearAttention(Function):
    """Forward: o_i = n_i / d_i with [n_i, d_i] = sum_{j<=i} (q_i . k_j) [v_j, 1].

    Backward, with e_i = [g_i, -g_i . o_i] / d_i, the gradient at [n_i, d_i]:
        dq_i = sum_{j<=i} (e_i . [v_j, 1]) k_j           scanned forwards, state sum k [v, 1]'
        dk_j = sum_{i>=j} (e_i . [v_j, 1]) q_i           scanned backwards, state sum q e'
        dv_j = sum_{i>=j} (q_i . k_j) e_i[:M]            with the same state
    Saved: the three inputs, the output and d. All else lives for one chunk.
    """

    @staticmethod
    def forward(ctx, q, k, v, chunk):
        (B, N, C), M = q.shape, v.shape[-1]
        state = q.new_zeros(B, C, M + 1)
        out, total = q.new_empty(B, N, M), q.new_empty(B, N, 1)
        for start in range(0, N, chunk):
            qc, kc, vc = (x[:, start : start + chunk] for x in (q, k, v))
            v1 = _with_one(vc)  # (B, n, M + 1)
            weights = torch.bmm(qc, kc.mT).tril_()  # (B, n, n)
            both = torch.bmm(qc, state).baddbmm_(weights, v1)  # (B, n, M + 1)
            state.baddbmm_(kc.mT, v1)
            total[:, start : start + chunk] = both[..., M:]
            torch.div(both[..., :M], both[..., M:], out=out[:, start : start + chunk])
        _refuse_zero(total)
        ctx.save_for_backward(q, k, v, out, total)
        ctx.chunk = chunk
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        q, k, v, out, total = ctx.saved_tensors
        (B, N, C), M = q.shape, v.shape[-1]
        dq, dk, dv = torch.empty_like(q), torch.empty_like(k), torch.empty_like(v)

        def at(start):
            now = slice(start, start + ctx.chunk)
            gc, oc = g[:, now], out[:, now]
            e = torch.cat([gc, -(gc * oc).sum(dim=-1, keepdim=True)], dim=-1) / total[:, now]
            return now, q[:, now], k[:, now], _with_one(v[:, now]), e

        starts = range(0, N, ctx.chunk)
        past = q.new_zeros(B, C, M + 1)  # sum of k [v, 1]' over the chunks before
        for start in starts:
            now, _, kc, v1, e = at(start)
            inside = torch.bmm(e, v1.mT).tril_()  # (B, n, n)
            dq[:, now] = torch.bmm(e, past.mT).baddbmm_(inside, kc)
            past.baddbmm_(kc.mT, v1)
        future = torch.zeros_like(past)  # sum of q e' over the chunks after
        for start in reversed(starts):
            now, qc, kc, v1, e = at(start)
            inside = torch.bmm(v1, e.mT).triu_()  # (B, n, n), row j, column i >= j
            dk[:, now] = torch.bmm(v1, future.mT).baddbmm_(inside, qc)
            weights = torch.bmm(kc, qc.mT).triu_()
            dv[:, now] = torch.bmm(kc, future[..., :M]).baddbmm_(weights, e[..., :M])
            future.baddbmm_(qc.mT, e)
        return dq, dk, dv, None
