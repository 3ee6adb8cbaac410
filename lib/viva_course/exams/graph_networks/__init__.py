"""Exams of the homework `graph_networks`."""
