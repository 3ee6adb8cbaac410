"""Exams of the homework `efficient_attention`, section by section."""
