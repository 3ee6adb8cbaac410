"""Another nbgrader course, graded by stock nbgrader and by the examiner in a copy of it, to see
what would differ: `viva adopt`. Imports examination and what lies below.
"""
