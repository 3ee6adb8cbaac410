"""Probes of the homework `purification`."""

from viva.voce.probes import probe

probe("purifier", """
purifier(np.array([[{a:+}, 0], [0, {b:+}]]), {c:1|2|3}.0)
""")
probe("shrink", """
shrink(np.array([{a:+}, {b:+}, 0]), {c:1|2|3}.0)
""")
probe("zero_diag_purifier", """
zero_diag_purifier(np.array([[{a:1|2}, 0], [{b:1|2}, 1]]), {c:1|2}.0)
""")
probe("effective_dof", """
effective_dof(np.array([[{a:1|2}, 0], [0, {b:1|2|3}]]), {c:1|2}.0)
""")
