"""Exams of the homework `pretraining`."""
