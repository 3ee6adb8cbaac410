"""Probes of the homework `kernel_attention`."""

from viva.voce.probes import growth, probe

probe("kernel_attention", """
sim = lambda Q, K: (Q @ K.T) ** 2
kernel_attention(np.array([[1, {a}], [{b}, 1]]), np.eye(2), np.array([[{c}], [{d}]]), sim, True)
""")
probe("kernel_attention", """
poly2_sim(np.array([[{a}, {b}], [1, {c}]]), np.array([[{d}, 1], [{e}, {f}]]))
""")
probe("poly2_features", """
poly2_features(np.array([{a:+}, {b:+}, {c:+}]))[[0, 4, 5, 6]]
""")
probe("LinearAttentionState", """
state = LinearAttentionState(lambda x: x ** 2 + 1, 2, 2)
state.step(np.ones(2), np.array([{b}, 1]), np.array([{c}, {d}]))
state.step(np.array([{e}, 1]), np.array([0, {f}]), np.array([{g}, {h}]))
""")
probe("MultiHeadLinearAttention", """
layer = MultiHeadLinearAttention(6, 2)
layer(torch.ones(4, 5, 6))
""")
probe("rff_variance", """
rff_variance({s:1|2|3} * np.log({a:2|3|4}), {s:1|2|3}.0, {n:1|2|4})
""")
growth("kernel_attention", "kernel_attention(np.ones((N, 2)), np.ones((N, 2)), np.ones((N, 2)), "
                           "lambda Q, K: Q @ K.T)")
growth("linear_attention", "linear_attention(np.ones((N, 4)), np.ones((N, 4)), np.ones((N, 4)))",
       2048)
growth("sample_frequencies", "rff_features(np.ones((N, 4)), np.ones((N, 4)))")
