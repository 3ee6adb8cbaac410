"""The exam of optimizers."""
