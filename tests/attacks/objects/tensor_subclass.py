# Tries: a tensor that answers torch's own functions
# Stock: safe
# Told: malformed frame (a graph without a tensor)
class Agreeing(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return True
class Double(torch.nn.Module):
    def forward(self, x): return torch.zeros(2, 3).as_subclass(Agreeing)
