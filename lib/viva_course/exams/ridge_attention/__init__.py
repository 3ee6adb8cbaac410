"""Exams of the homework `ridge_attention`, section by section."""
