"""AdamW as a torch.optim.Optimizer."""
import torch

from viva.cases.optimizers.torch_class import feed, problem, resume, train, with_closure
from viva_course.reference import optimizers as ref
from viva_course.rubric import Exercise

adamw = Exercise(
    "AdamW", expects="the weights that torch.optim.AdamW reaches",
    forbidden=("torch.optim.Adam", "torch.optim.AdamW", "torch.optim.adamw"),
)
adamw.values(2, "Training must reach the weights of torch.optim.AdamW.")


@adamw.item(1, "Each group has its own lr, betas, eps and weight_decay: biases often go without "
            "decay.")
def parameter_groups(exam, AdamW):
    weights, X, Y = problem(exam.rng)
    settings = {"lr": 0.03, "betas": (0.7, 0.9), "weight_decay": 0.5}
    biases = {"lr": 0.01, "weight_decay": 0.0, "betas": (0.8, 0.95), "eps": 1e-3}
    exam.same(train(AdamW, weights, X, Y, 3, settings, biases),
              train(ref.AdamW, weights, X, Y, 3, settings, biases), rtol=0, atol=1e-10)


@adamw.item(1, "All moments live in self.state under step, exp_avg and exp_avg_sq, so that a "
            "loaded optimizer goes on where the saved one stopped.")
def saving_and_loading(exam, AdamW):
    weights, X, Y = problem(exam.rng)
    settings = {"lr": 0.03, "weight_decay": 0.2}
    exam.same(resume(AdamW, weights, X, Y, 2, 2, settings),
              resume(ref.AdamW, weights, X, Y, 2, 2, settings), rtol=0, atol=1e-10)


@adamw.item(1, "A closure is called once with gradients enabled and its loss returned; the update "
            "leaves no autograd history.", name="closure, no history")
def closure_no_history(exam, AdamW):
    weights, X, Y = problem(exam.rng)
    exam.same(with_closure(AdamW, weights, X, Y, {"lr": 0.05}),
              with_closure(ref.AdamW, weights, X, Y, {"lr": 0.05}), rtol=0, atol=1e-10)


@adamw.item(0.5, "A parameter whose grad is None is left alone: no step, no decay.")
def no_gradient(exam, AdamW):
    starts = list(exam.rng.normal(size=(2, 3)))
    given = [[g, None] for g in exam.rng.normal(size=(3, 3))]
    settings = {"lr": 0.1, "weight_decay": 0.6}
    path = feed(AdamW, starts, given, settings)
    exam.same(path, feed(ref.AdamW, starts, given, settings), rtol=0, atol=1e-10)


@adamw.item(0.5, "Each parameter counts its own steps: one that gets its first gradient late is "
            "corrected with t = 1.")
def a_late_parameter(exam, AdamW):
    starts = list(exam.rng.normal(size=(2, 3)))
    given = [[g, h if n >= 5 else None] for n, (g, h) in enumerate(exam.rng.normal(size=(7, 2, 3)))]
    settings = {"lr": 0.1, "weight_decay": 0.6}
    path = feed(AdamW, starts, given, settings)
    exam.same(path, feed(ref.AdamW, starts, given, settings), rtol=0, atol=1e-10)


class _Base(torch.optim.Optimizer):
    """AdamW in parts, each of which can go wrong alone."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self, closure=None):
        loss = self.evaluate(closure) if closure is not None else None
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    self.update(p, group)
        return loss

    def evaluate(self, closure):
        with torch.enable_grad():
            return closure()

    def memory(self, p):
        return self.state[p]

    def count(self, memory):
        return memory.get("step", 0) + 1

    def update(self, p, group):
        self.decay(p, group)
        self.move(p, p.grad, group)

    def decay(self, p, group):
        p.mul_(1 - group["lr"] * group["weight_decay"])

    def move(self, p, g, group):
        (b1, b2), s = group["betas"], self.memory(p)
        t = self.count(s)
        m = b1 * s.get("exp_avg", 0.0) + (1 - b1) * g
        v = b2 * s.get("exp_avg_sq", 0.0) + (1 - b2) * g**2
        s.update(step=t, exp_avg=m, exp_avg_sq=v)
        p.sub_(group["lr"] * (m / (1 - b1**t)) / ((v / (1 - b2**t)).sqrt() + group["eps"]))


@adamw.mistake("global_step_counter", "One counter serves all parameters; each needs its own, in "
               "its state.")
class AdamW(_Base):
    t = 0

    def step(self, closure=None):
        self.t += 1
        return super().step(closure)

    def count(self, memory):
        return self.t


@adamw.mistake("decay_without_the_rate", "The decay of a step is the rate times weight_decay, not "
               "weight_decay alone.")
class AdamW(_Base):
    def decay(self, p, group):
        p.mul_(1 - group["weight_decay"])


@adamw.mistake("decay_after_the_step", "The old weights are decayed, not those that have moved "
               "already.")
class AdamW(_Base):
    def update(self, p, group):
        self.move(p, p.grad, group)
        self.decay(p, group)


@adamw.mistake("l2_instead", "The decay went into the gradient: this is Adam with an L2 penalty.")
class AdamW(_Base):
    def update(self, p, group):
        self.move(p, p.grad + group["weight_decay"] * p, group)


@adamw.mistake("decays_gradless", "Parameters without gradient are decayed; they must be skipped.")
class AdamW(_Base):
    def step(self, closure=None):
        loss = super().step(closure)
        with torch.no_grad():
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is None:
                        self.decay(p, group)
        return loss


@adamw.mistake("closure_lost", "step must return the loss that the closure returned.")
class AdamW(_Base):
    def step(self, closure=None):
        super().step(closure)


@adamw.mistake("closure_never_called", "The closure is never called: call it once, with gradients "
               "enabled, and return its loss.")
class AdamW(_Base):
    def step(self, closure=None):
        super().step()


@adamw.mistake("private_state", "Moments outside self.state are not saved by state_dict.")
class AdamW(_Base):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        super().__init__(params, lr, betas, eps, weight_decay)
        self.moments = {}

    def memory(self, p):
        return self.moments.setdefault(p, {})


@adamw.mistake("first_group_only", "All groups get the same settings, those of the constructor or "
               "of the first group; each group has its own.")
class AdamW(_Base):
    def update(self, p, group):
        super().update(p, self.param_groups[0])


@adamw.mistake("closure_without_grad", "Inside no_grad the closure cannot call backward: enable "
               "gradients for it.")
class AdamW(_Base):
    def evaluate(self, closure):
        return closure()


@adamw.mistake("eats_gradient", "The gradient is changed in place; it belongs to the caller.")
class AdamW(_Base):
    def update(self, p, group):
        super().update(p, group)
        p.grad.mul_(1 - group["betas"][0])


@adamw.mistake("inherited", "The class is torch's own; write the update yourself.")
class AdamW(torch.optim.AdamW):
    pass


@adamw.variant("in place, step as a tensor")
class AdamW(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        defaults = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay}
        super().__init__(params, defaults)

    def step(self, closure=None):
        loss = closure() if closure is not None else None
        with torch.no_grad():
            for group in self.param_groups:
                lr, (b1, b2) = group["lr"], group["betas"]
                for p in filter(lambda p: p.grad is not None, group["params"]):
                    s = self.state[p]
                    if not s:
                        s["step"] = torch.tensor(0.0)
                        s["exp_avg"] = torch.zeros_like(p)
                        s["exp_avg_sq"] = torch.zeros_like(p)
                    s["step"] += 1
                    t = s["step"].item()
                    s["exp_avg"].mul_(b1).add_(p.grad, alpha=1 - b1)
                    s["exp_avg_sq"].mul_(b2).addcmul_(p.grad, p.grad, value=1 - b2)
                    root = (s["exp_avg_sq"] / (1 - b2**t)).sqrt_().add_(group["eps"])
                    p.mul_(1 - lr * group["weight_decay"])
                    p.addcdiv_(s["exp_avg"], root, value=-lr / (1 - b1**t))
        return loss
