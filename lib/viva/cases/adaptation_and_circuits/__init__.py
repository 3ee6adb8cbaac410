"""Public cases of the homework adaptation_and_circuits, a module for each section."""

SECTIONS = ("adapter", "gradients", "stream", "heads", "circuits", "paths")
