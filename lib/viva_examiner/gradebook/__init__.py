"""What nbgrader keeps of a course: its database, the released notebooks in it, the folders of
what was submitted and of what was autograded. The only package that writes them. Imports notebook
and what lies below.
"""
