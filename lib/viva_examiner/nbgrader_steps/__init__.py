"""What unmodified nbgrader loads from `nbgrader_config.py`: steps of its autograding and feedback,
formgrader's page, and exporters. Imports examination, gradebook and what lies below.
"""
