"""Exams of the homework `linear_foundations`."""
