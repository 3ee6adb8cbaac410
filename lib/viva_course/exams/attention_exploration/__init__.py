"""Exams of the homework attention_exploration, a module for each section."""
