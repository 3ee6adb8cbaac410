"""Probes of the homework `graph_networks`."""

from viva.voce.probes import growth, probe

probe("propagate_sum", """
propagate_sum(np.array([[{a:0|1}, 1, 0], [0, {b:0|1}, 1], [{c:0|1}, 0, 1]]), {k:2|3})[{r:0|1|2}]
""")
probe("propagate_max", """
propagate_max(np.array([[{a:0|1}, 1, 0], [0, {b:0|1}, 1], [{c:0|1}, 0, 1]]), {k:2|3})[{r:0|1|2}]
""")
probe("spread_labels", """
A = np.array([[0, 1, 0, {a:0|1}], [1, 0, 1, 0], [0, 1, 0, 1], [{a:0|1}, 0, 1, 0]])
spread_labels(A, np.array([{b:0|1}, 0, 0, {c:0|1}]), np.array([0, 3]), steps={s:1|2|3})
""")
growth("gnn_update_edges", "gnn_update_edges(np.ones((N, 4)), np.arange(2 * N).reshape(2, N) % N, "
                           "np.ones((4, 4)), np.ones((4, 4)))", 2048)
growth("propagate_sum", "propagate_sum(np.ones((N, N)), 2)")
probe("refine_colors", """
A = np.array([[0, 1, 0, {a:0|1}], [1, 0, 1, 0], [0, 1, 0, 1], [{a:0|1}, 0, 1, 0]])
refine_colors(A, [{b:0|1}, 0, {c:0|1}, 0], {r:1|2})
""")
