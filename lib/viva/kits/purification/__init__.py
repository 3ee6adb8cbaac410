"""What the notebook of purification imports: data with a known truth."""
