"""Probes of the homework `linear_foundations`."""

from viva.voce.probes import probe

probe("ridge_primal", """
ridge_primal(np.array([[{a:1|2}, 0], [0, 1], [{b:1|2}, 0]]), np.array([{c}, {d}, {e}]), {l:1|2}.0)
""")
