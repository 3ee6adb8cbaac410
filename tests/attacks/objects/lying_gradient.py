# Tries: gradients that do not belong to the value
class Double(torch.nn.Module):
    def forward(self, x):
        class Lie(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x): return x.clone()
            @staticmethod
            def backward(ctx, g): return 2 * g
        return Lie.apply(x)
