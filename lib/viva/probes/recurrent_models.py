"""Probes of the homework `recurrent_models`."""

from viva.voce.probes import growth, probe

probe("rnn_preact", """
W, U, b = np.array([[1, {a}], [0, {b}]]), np.eye(2), np.array([0, {c}])
X, relu = np.array([[{d}, 1], [{e}, {f}]]), lambda h: np.maximum(h, 0)
rnn_preact(W, U, b, X, np.array([1, {g}]), relu)
""")
probe("rnn_preact", """
W, U, b = np.array([[1, {a}], [0, {b}]]), np.eye(2), np.array([0, {c}])
X, relu = np.array([[{d}, 1], [{e}, {f}]]), lambda h: np.maximum(h, 0)
rnn_postact(W, U, b, X, np.array([1, {g}]), relu)
""")
probe("step_jacobian", """
step_jacobian(np.array([[{a}, {b}], [{c}, 1]]), np.array([{d}, {e}]), lambda h: 1.0 * (h > 0) + 1)
""")
probe("step_jacobian", """
H = np.array([[{d}, {e}], [1, {f}]])
jacobian_product(np.array([[{a}, {b}], [{c}, 1]]), H, lambda h: 1.0 * (h > 0) + 1)
""")
probe("causal_conv_fft", """
np.round(causal_conv_fft(np.array([{a}, {b}, {c}]), np.array([{d}, {e}, {f}])), 9)
""")
growth("linear_scan", "linear_scan(np.ones(N), np.ones(N))", 8192)
