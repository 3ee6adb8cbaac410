"""The course as nbgrader sees it: every nbgrader command and formgrader read this file."""
import os
import sys
from pathlib import Path

from nbgrader.converters import GenerateAssignment

from viva_examiner.refusals import RefuseLeaks

c = get_config()

c.CourseDirectory.course_id = "viva"
c.CourseDirectory.root = str(Path(__file__).resolve().parent)

# nbgrader starts alembic by its bare name: it must find the one beside this Python.
tools = str(Path(sys.executable).parent)
if tools not in os.environ["PATH"].split(os.pathsep):
    os.environ["PATH"] = tools + os.pathsep + os.environ["PATH"]

# nbgrader's own steps, then ours: what would leak or break is refused, as by `viva release`.
c.GenerateAssignment.preprocessors = [
    *GenerateAssignment.class_traits()["preprocessors"].default(), RefuseLeaks,
]
