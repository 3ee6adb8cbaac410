"""`viva claims`: what the lessons state, tried on the notebooks' own experiments."""
