"""Probes of the homework `ridge_attention`."""

from viva.voce.probes import growth, probe

probe("RunningMean", """
state = RunningMean()
state.update(np.array([{a}, {b}]))
state.update(np.array([{c}, {d}]))
state.update(np.array([{e}, {f}]))
""")
probe("RidgeAttentionState", """
state = RidgeAttentionState(2, 1, 1.0)
state.update(np.array([1, {a:0|1}]), np.array([{b}]))
state.update(np.array([0, 1]), np.array([{c}]))
state.query(np.array([{d}, {e}]))
""")
probe("ridge_attention", """
Q, K = np.array([[1, {a:0|1}], [{b}, 1]]), np.array([[1.0, 0], [{c:0|1}, 1]])
ridge_attention(Q, K, np.array([[{d}], [{e}]]), 1.0, causal=True)
""")
probe("windowed_ridge", """
K = np.array([[1.0], [{a:1|2}], [1], [{b:0|1}]])
windowed_ridge(np.ones((4, 1)), K, np.array([[{c}], [{d}], [{e}], [1]]), 1.0, 2)
""")
growth("ridge_stats", "ridge_stats(np.ones((4, N)), np.ones((4, N)))")
growth("ridge_attention", "ridge_attention(np.ones((N, 2)), np.ones((N, 2)), np.ones((N, 2)), 1.0)",
       512)
