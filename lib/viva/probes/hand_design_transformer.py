"""Probes of the homework `hand_design_transformer`. Scores are logarithms: so weights are exact."""

from viva.voce.probes import growth, probe

probe("stable_softmax", """
stable_softmax(np.log(np.array([[{a:+}, {b:+}], [{c:+}, {d:+}]])), axis={e:0|1})
""")
growth("stable_softmax", "stable_softmax(np.ones((N, N)))")

probe("attention_head", """
X = np.eye(2)[[0, {x:0|1}, 1]]
Km, Qm = np.log([[{a:+}], [{b:+}]]), np.array([[1.0], [{c:0|1|2}.0]])
Vm = np.array([[{d}.0], [{e}.0]])
attention_head(X, Km, Qm, Vm, causal=True)
""")
probe("attention_head", """
X, Qm = np.ones((3, 1)), np.array([[1.0], [0.0]])
Km = np.array([[0.0], [1.0]])
Vm = np.array([[{d}.0], [{e}.0]])
attention_head(X, Km, Qm, Vm, pos=np.log([[{a:+}], [{b:+}], [{c:+}], [4]]))
""")
probe("attention_head", """
X, pos = np.ones((2, 3, 4)), np.ones((6, 1))
Km, Qm, Vm = np.ones((5, 2)), np.ones((5, 2)), np.ones((5, 7))
attention_head(X, Km, Qm, Vm, pos)
""")
growth("attention_head",
       "attention_head(np.ones((N, 2)), np.ones((2, 2)), np.ones((2, 2)), np.ones((2, 2)))")

probe("TorchHead", """
head = TorchHead(2, 1, 1).double()
head.Km.weight.data = torch.log(torch.tensor([[{a:+}.0, {b:+}.0]], dtype=torch.float64))
head.Qm.weight.data = torch.tensor([[1.0, {c:0|1|2}.0]], dtype=torch.float64)
head.Vm.weight.data = torch.tensor([[{d}.0, {e}.0]], dtype=torch.float64)
head(torch.eye(2, dtype=torch.float64))
""")
probe("TorchHead", """
head = TorchHead(4, 2, 7, pos_dim=1, max_seq_len=6)
head(torch.ones(5, 3, 4))
""")

probe("min_score_gap", """
np.exp(min_score_gap({n:3|4|5|6}, {t:0.5|0.25|0.2}))
""")

probe("design_identity", """
Km, Qm, Vm = design_identity({n:2|3}, {t:3|4|5}, tol={c:0.5|0.25|0.2})
scores = Qm @ Km.T / np.sqrt(Km.shape[1])
np.exp(scores[0] - scores[0, 1])
""")
probe("design_first", """
Km, Qm, Vm, pos = design_first(2, 3, tol={c:0.5|0.25|0.2})
Z = np.hstack([np.eye(2)[[0, 1, {x:0|1}]], pos])
scores = Z @ Qm @ (Z @ Km).T / np.sqrt(Km.shape[1])
np.exp(scores[1] - scores[1, 1])
""")
probe("design_shift", """
Km, Qm, Vm, pos = design_shift(2, {t:4|5}, offset={k:1|2|3})
scores = pos @ Qm[2:] @ (pos @ Km[2:]).T
scores.argmax(axis=1)
""")
probe("design_shift", """
Km, Qm, Vm, pos = design_shift(2, {t:3|4|5}, tol={c:0.5|0.25|0.2})
scores = pos @ Qm[2:] @ (pos @ Km[2:]).T / np.sqrt(Km.shape[1])
np.exp(scores[2] - scores[2, 0])
""")
probe("qk_ov", """
qk_ov(np.array([[{a}, {b}], [{c}, 1]]), np.array([[{d}, 1], [{e}, {f}]]), np.eye(2))[0]
""")
probe("qk_ov", """
gauge_transform(np.array([[{a}, {b}]]), np.array([[{c}, {d}]]), np.array([[1, {e}], [0, 2]]))
""")
