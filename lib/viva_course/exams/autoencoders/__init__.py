"""Exams of the homework `autoencoders`."""
