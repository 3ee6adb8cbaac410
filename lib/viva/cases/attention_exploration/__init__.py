"""Public cases of the homework attention_exploration, a module for each section."""

SECTIONS = ("choosing", "scores", "queries", "heads", "design", "positions", "sequences")
