"""What the lessons state, as assertions on the notebooks' own experiments (docs/staff.md)."""
