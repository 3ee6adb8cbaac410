"""The course as nbgrader sees it: every nbgrader command and formgrader read this file."""
import os
import sys
from pathlib import Path

from nbgrader.converters import GenerateAssignment, GenerateFeedback

from viva_examiner.nbgrader_steps.exporters import ByHomework
from viva_examiner.nbgrader_steps.feedback_page import FeedbackPage
from viva_examiner.nbgrader_steps.formgrader_page import HarmlessPage
from viva_examiner.nbgrader_steps.preprocessors import Examine, HideTests, Restore
from viva_examiner.release.kit_cell import AddKitCell
from viva_examiner.release.refusals import RefuseLeaks
from viva_examiner.release.strip_claims import StripClaims

c = get_config()

c.CourseDirectory.course_id = "viva"
c.CourseDirectory.root = str(Path(__file__).resolve().parent)

# nbgrader starts alembic by its bare name: it must find the one beside this Python.
tools = str(Path(sys.executable).parent)
if tools not in os.environ["PATH"].split(os.pathsep):
    os.environ["PATH"] = tools + os.pathsep + os.environ["PATH"]

# nbgrader's own steps, then ours: what would leak or break is refused, as by `viva release`.
c.GenerateAssignment.preprocessors = [
    StripClaims, *GenerateAssignment.class_traits()["preprocessors"].default(),
    AddKitCell, RefuseLeaks,
]
# For students in a hosted notebook: a first cell that installs the kit where it is missing.
# c.AddKitCell.url = "https://…/viva_kit-1.0.0-py3-none-any.whl"  # the wheel in the bundle
# and where Google Colab finds release/, for the buttons of `make site`:
# c.AddKitCell.colab = "https://colab.research.google.com/github/…/blob/main/release"

# Autograding, from the command line or formgrader's button, goes through the examiner: student
# code in a sandbox, hidden tests and answers out of its reach.
c.Autograde.sanitize_preprocessors = [Restore]
c.Autograde.autograde_preprocessors = [Examine]
c.GenerateFeedback.preprocessors = [
    HideTests, *GenerateFeedback.class_traits()["preprocessors"].default(),
]
c.GenerateFeedback.exporter_class = FeedbackPage
c.ExportApp.plugin_class = ByHomework  # a mark that is missing is said in words, never a zero
# Formgrader shows what students wrote, and runs and loads nothing of it; formulas need no network.
c.HTMLExporter.preprocessors = [HarmlessPage]

c.Examiner.course = "viva_course"  # the staff's library: exercises, references, exams
c.Examiner.term = [  # docs/course.md says which week, and why in this order
    "linear_foundations", "purification",
    "optimizers", "width_scaling",
    "convolution", "autoencoders",
    "graph_networks", "recurrent_models",
    "attention_exploration", "hand_design_transformer",
    "kernel_attention", "efficient_attention",
    "ridge_attention", "gradient_estimators",
    "adaptation_and_circuits", "pretraining",
]
c.Examiner.cell_seconds = 60  # a slow but honest training loop on a busy machine
c.Examiner.question_seconds = 30
c.Examiner.memory_mb = 1500

# Hand-ins from a learning platform: `viva collect`. `nbgrader zip_collect` has no pattern here on
# purpose, and unpacks nothing: whatever the pattern, it takes the owner of a file from names that a
# student chose, so one can hand in for another; a name can leave submitted/, a bomb is unpacked.
c.ExtractorPlugin.zip_ext = []

# A late policy: remove the comment signs and choose. Extensions and late days: `viva roster`.
# from viva_examiner.gradebook.lateness import LatePolicy
# c.AssignLatePenalties.plugin_class = LatePolicy
# c.LatePolicy.grace_minutes, c.LatePolicy.percent_per_day, c.LatePolicy.cap_percent = 60, 10, 50
