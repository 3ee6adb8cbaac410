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
state.update(np.array([1, {a}]), np.array([{b}]))
state.update(np.array([0, 1]), np.array([{c}]))
state.query(np.array([{d}, {e}]))
""")
growth("ridge_stats", "ridge_stats(np.ones((4, N)), np.ones((4, N)))")
growth("ridge_attention", "ridge_attention(np.ones((N, 2)), np.ones((N, 2)), np.ones((N, 2)), 1.0)",
       512)
