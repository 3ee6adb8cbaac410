"""What unmodified nbgrader loads from `nbgrader_config.py`: steps of its autograding and feedback,
exporters, and a late policy. Imports examination, gradebook and what lies below.
"""

from pathlib import Path

JUPYTER = str(Path(__file__).parent / "jupyter")  # a folder for JUPYTER_PATH: formgrader's MathJax
