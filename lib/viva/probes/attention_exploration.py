"""Probes of the homework `attention_exploration`."""

from viva.voce.probes import growth, probe

probe("hard_attention", """
K, V = torch.tensor([[1.0, {a}], [{b}, 1.0], [{c}, {d}]]), torch.tensor([[1.0, 2], [3, 4], [5, 6]])
hard_attention(torch.tensor([1.0, {e}]), K, V)
""")
probe("hard_attention", """
K = torch.log(torch.tensor([[{a:+}.0], [{b:+}.0]], dtype=torch.float64))
V = torch.tensor([[{c}.0], [{d}.0]], dtype=torch.float64)
soft_attention(torch.tensor([2.0], dtype=torch.float64), K, V, temp={t:1|2}.0)
""")
probe("query_for", """
query_for(np.array([[1, 0], [0, {a:1|2}], [0, 0]]), [0, {b:1|2}], {c:2|4|6})
""")
probe("query_for", """
np.exp(min_beta({n:3|4|5|6}, {m:1|2}, {t:0.5|0.25|0.2}))
""")
probe("cross_attention", """
dec, enc = np.array([[[1.0], [{a:0|2}]]]), np.log(np.array([[[{b:+}], [{c:+}]]]))
cross_attention(dec, enc, np.array([[1, {m:0|1}]]), scale=1.0)[1]
""")
probe("rope", """
rope(np.array([[1.0, {a}.0], [{b}.0, 1.0]]), np.array([0, {c:1|2|3}]) * np.pi / 2).round(9)
""")
growth("cross_attention", "cross_attention(np.ones((1, N, 2)), np.ones((1, N, 2)))")
