"""Exams of the homework `convolution`."""
