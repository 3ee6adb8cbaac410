"""Thin torch.optim.Optimizer classes around the pure steps."""
import torch
from torch.optim import Optimizer

from .adam import sign_step
from .adam_decay import adam_l2_step, adamw_step
from .muon import muon_step
from .muon_polynomial import muon_orthogonalize


class StepOptimizer(Optimizer):
    """What all optimizers share; a subclass gives `updated(p, grad, state, group) -> new p`.

    Parameters without gradient are skipped; a closure's loss is returned. `state` is the
    parameter's own dict in `self.state`, so that saving and loading work.
    """

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.copy_(self.updated(p, p.grad, self.state[p], group))
        return loss


class SignDescent(StepOptimizer):
    """theta <- theta - lr sign(m), m <- momentum m + (1 - momentum) g."""

    def __init__(self, params, lr=1e-3, momentum=0.0):
        super().__init__(params, {"lr": lr, "momentum": momentum})

    def updated(self, p, grad, state, group):
        mu = group["momentum"]
        state["exp_avg"] = mu * state.get("exp_avg", 0.0) + (1 - mu) * grad
        return sign_step(p, state["exp_avg"], group["lr"])


class AdamW(StepOptimizer):
    """Adam with decoupled weight decay; state keys step, exp_avg, exp_avg_sq as in torch."""

    rule = staticmethod(adamw_step)

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        super().__init__(
            params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay}
        )

    def updated(self, p, grad, state, group):
        old = {}
        if state:
            old = {"t": state["step"], "m": state["exp_avg"], "v": state["exp_avg_sq"]}
        p, new = self.rule(
            p, grad, old, group["lr"], group["betas"], group["eps"], group["weight_decay"]
        )
        state.update(step=new["t"], exp_avg=new["m"], exp_avg_sq=new["v"])
        return p


class Adam(AdamW):
    """Adam whose weight_decay is an L2 penalty that enters both moments."""

    rule = staticmethod(adam_l2_step)

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        super().__init__(params, lr, betas, eps, weight_decay)


class Muon(StepOptimizer):
    """Momentum, orthogonalised: every update has RMS -> RMS norm about lr; matrices only.

    orthogonalize: muon_orthogonalize (quintic, five steps) or newton_schulz (cubic, exact).
    """

    def __init__(self, params, lr=0.02, momentum=0.95, weight_decay=0.0,
                 orthogonalize=muon_orthogonalize):
        super().__init__(params, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})
        self.orthogonalize = orthogonalize
        shapes = [p.shape for group in self.param_groups for p in group["params"]]
        if any(len(shape) < 2 for shape in shapes):
            raise ValueError("Muon updates matrices; give vectors to another optimizer")

    def updated(self, p, grad, state, group):
        lr = group["lr"]
        decayed = (1 - lr * group["weight_decay"]) * p
        buf = state.get("momentum_buffer", torch.zeros_like(p))
        p, state["momentum_buffer"] = muon_step(
            decayed, grad, buf, lr, group["momentum"], self.orthogonalize
        )
        return p
