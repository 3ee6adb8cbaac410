# Tries: gradients that do not belong to the value
# Says: gradient tensor([2., 2.])
class Double(torch.nn.Module):
    def forward(self, x):
        class Lie(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x): return x.clone()
            @staticmethod
            def backward(ctx, g): return 2 * g
        return Lie.apply(x)
x = torch.ones(2, requires_grad=True)
Double()(x).sum().backward()
print("gradient", x.grad)
