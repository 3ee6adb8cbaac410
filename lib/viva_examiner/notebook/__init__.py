"""Notebooks as text and cells, without running any: what can be read off a cell, the markers of
hidden tests and solutions, what staff released, a submission brought back to that, and the
canonical form in the repository. Imports limits and records, and no other package of the examiner.
"""
