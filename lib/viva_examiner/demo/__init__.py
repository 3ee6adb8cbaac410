"""The main job end to end on a cohort of demo students, in a course of its own. Imports all but
the command line.
"""
