"""The exam of purification."""
