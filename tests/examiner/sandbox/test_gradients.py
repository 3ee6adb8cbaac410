"""Gradients, modules and optimisers across the boundary."""


import torch


def test_gradients_pass_through_the_candidate(define):
    f = define("import torch\ndef f(x, w): return (x @ w).tanh()", "f")
    x = torch.randn(3, 2, dtype=torch.float64, requires_grad=True)
    w = torch.randn(2, 2, dtype=torch.float64, requires_grad=True)
    f(x * 2, w).sum().backward()
    x2, w2 = x.detach().requires_grad_(), w.detach().requires_grad_()
    ((2 * x2) @ w2).tanh().sum().backward()
    torch.testing.assert_close(x.grad, x2.grad)
    torch.testing.assert_close(w.grad, w2.grad)
    assert torch.autograd.gradcheck(f, (x, w))


def test_several_outputs_and_unused_inputs(define):
    f = define("def f(x, y): return [x.sum(), {'b': (x * x).sum()}]", "f")
    x, y = (torch.ones(2, requires_grad=True) for _ in range(2))
    a, more = f(x, y)
    (3 * a + more["b"]).backward()
    assert torch.equal(x.grad, torch.full((2,), 5.0)) and y.grad is None


MODEL = """
    import torch
    class Net(torch.nn.Module):
        def __init__(self, n):
            super().__init__()
            self.lin = torch.nn.Linear(n, 1)
        def forward(self, x): return self.lin(x).squeeze(-1)
"""


def test_a_module_is_a_module(define):
    Net = define(MODEL, "Net")
    net = Net(3)
    assert isinstance(net, torch.nn.Module) and issubclass(Net, torch.nn.Module)
    x = torch.randn(5, 3)
    state = net.state_dict()
    torch.testing.assert_close(
        net(x), torch.nn.functional.linear(x, state["lin.weight"], state["lin.bias"]).squeeze(-1))
    parameters = dict(net.named_parameters())
    assert set(parameters) == {"lin.weight", "lin.bias"}
    assert parameters["lin.weight"].grad is None
    net(x).sum().backward()
    torch.testing.assert_close(parameters["lin.weight"].grad, x.sum(0, keepdim=True))
    torch.testing.assert_close(list(net.parameters())[1].grad, torch.tensor([5.0]))
    net.load_state_dict({"lin.weight": torch.zeros(1, 3), "lin.bias": torch.ones(1)})
    assert torch.equal(net(x), torch.ones(5))


def test_an_optimiser_of_ours_trains_a_module_of_theirs(define):
    net = define(MODEL, "Net")(2)
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(64, 2, generator=generator)
    y = x @ torch.tensor([1.0, -2.0]) + 0.5
    optimizer = torch.optim.SGD(net.parameters(), lr=0.3)
    for _ in range(60):
        optimizer.zero_grad()
        loss = ((net(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
    assert loss.item() < 1e-6
    torch.testing.assert_close(net.state_dict()["lin.weight"], torch.tensor([[1.0, -2.0]]),
                               atol=1e-3, rtol=0)


def test_gradients_flow_back_through_functions_of_ours(define):
    descend = define("""
        import torch
        def descend(loss, w, n):
            w = w.clone().requires_grad_()
            for _ in range(n):
                value = loss(w)
                value.backward()
                with torch.no_grad():
                    w -= .25 * w.grad
                w.grad = None
            return w.detach()
    """, "descend")
    target = torch.tensor([1.0, 2.0])
    got = descend(lambda w: ((w - target) ** 2).sum(), torch.zeros(2), 30)
    torch.testing.assert_close(got, target)


def test_modules_of_ours_can_be_given(define):
    apply = define("def apply(model, x): return model(x)", "apply")
    model = torch.nn.Linear(2, 1)
    x = torch.randn(3, 2)
    torch.testing.assert_close(apply(model, x), model(x))
    assert torch.equal(apply(torch.nn.functional.relu, -x), torch.relu(-x))
