"""Exams of the homework adaptation_and_circuits, a module for each section."""
