"""Exams examined: every rubric on what is right, on each known mistake, on the untouched cell and
on generated mistakes, each in a process of its own. Imports examination and what lies below.
"""
