"""Exams of the homework `width_scaling`."""
