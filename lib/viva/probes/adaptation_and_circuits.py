"""Probes of the homework `adaptation_and_circuits`."""

from viva.voce.probes import growth, probe

probe("LoRALinear", """
layer = LoRALinear(torch.nn.Linear(2, 2, bias=False).double(), 1, alpha={s:2|3})
layer.base.weight.data = torch.tensor([[{a}.0, 0.0], [1.0, {b}.0]], dtype=torch.float64)
layer.A.data = torch.tensor([[{c}.0], [{d}.0]], dtype=torch.float64)
layer.B.data = torch.tensor([[1.0, {e}.0]], dtype=torch.float64)
layer(torch.tensor([[{f}.0, {g}.0]], dtype=torch.float64))
""")
probe("LoRALinear", """
layer = LoRALinear(torch.nn.Linear(2, 2, bias=False).double(), 2, alpha={s:1|4|6})
layer.base.weight.data = torch.tensor([[{a}.0, 0.0], [1.0, {b}.0]], dtype=torch.float64)
layer.A.data = torch.tensor([[{c}.0, 1.0], [0.0, {d}.0]], dtype=torch.float64)
layer.B.data = torch.tensor([[1.0, {e}.0], [{f}.0, 1.0]], dtype=torch.float64)
layer.merged_weight()
""")
probe("lora_grads", """
G = np.array([[{a}, {b}, 0], [1, {c}, {d}]])
A, B = np.array([[{e}], [{f}]]), np.array([[{g}, 1, {h}]])
lora_grads(G, A, B)[0]
""")
probe("lora_grads", """
G = np.array([[{a}, {b}, 0], [1, {c}, {d}]])
A, B = np.array([[{e}], [{f}]]), np.array([[{g}, 1, {h}]])
lora_grads(G, A, B)[1]
""")
probe("residual_contributions", """
layers = [lambda X: {a:2|3} * X, lambda X: X - {b:1|2}, lambda X: X * X]
residual_contributions(np.array([[{c}, {d}]]), layers)[0]
""")
probe("residual_contributions", """
layers = [lambda X: {a:2|3} * X, lambda X: X + {b:1|2}, lambda X: -X]
total, parts = residual_contributions(np.array([[{c:+}]]), layers)
[float(each.sum()) for each in parts]
""")
probe("head_patterns", """
X = np.eye(2)[:, [0, 1, {x:0|1}]]
head_patterns(X, np.array([[1.0, {q:0|1|2}.0]]), np.log([[{a:+}, {b:+}]]), causal=True)[1:]
""")
probe("head_patterns", """
X = np.eye(2)
heads = [(np.zeros((1, 2)), np.zeros((1, 2)), np.array([[{a}, {b}]])),
         (np.zeros((1, 2)), np.zeros((1, 2)), np.array([[{c}, {d}]]))]
multihead_concat(X, heads, np.array([[{e}, {f}], [1, {g}]]), causal=True)
""")
probe("head_patterns", """
X = np.eye(2)
heads = [(np.zeros((1, 2)), np.zeros((1, 2)), np.array([[{a}, {b}]])),
         (np.zeros((1, 2)), np.zeros((1, 2)), np.array([[{c}, {d}]]))]
multihead_additive(X, heads, np.array([[{e}, {f}], [1, {g}]]), causal=True)[1]
""")
growth("head_patterns", "head_patterns(np.ones((2, N)), np.ones((2, 2)), np.ones((2, 2)))")
probe("qk_circuit", """
qk_circuit(np.array([[{a}, {b}, {c}]]), np.array([[{d}, {e}, 1]]))[1]
""")
probe("qk_circuit", """
ov_circuit(np.array([[{a}, 1], [{b}, {c}]]), np.array([[{d}, {e}], [0, {f}]]))
""")
probe("induction_score", """
P = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [{a:0|1}, 1, 0, 0], [0, {b:0|1}, {c:0|1}, 1]]) / 2
induction_score(P, [{x:1|2}, 2, {y:1|2}, {z:1|2}])
""")
probe("induction_score", """
layers = [[lambda X: {a:2|3} * X, lambda X: X - {b:1|2}], [lambda X: X * X, lambda X: -X]]
ablate(np.array([{c}, {d}]), layers, [({i:0|1}, {h:0|1})])
""")
