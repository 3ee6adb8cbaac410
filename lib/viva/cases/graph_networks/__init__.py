"""Public cases of the homework `graph_networks`. A (n, n): row i names the edges that leave i."""

SECTIONS = ("walks", "updates", "symmetry", "labels")
