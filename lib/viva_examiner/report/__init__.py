"""One page about a class: read from what was autograded, never graded again. Imports gradebook
and what lies below.
"""
