"""What unmodified nbgrader loads from `nbgrader_config.py`: steps of its autograding and feedback,
exporters, and a late policy. Imports examination, gradebook and what lies below.
"""
