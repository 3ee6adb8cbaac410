"""How learning platforms name what they export: one table, with the source of each rule.

docs/ta.md shows the same table, and tests/support/platform_exports.py builds archives by it.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """One kind of name that a platform gives.

    form: the name; a slash ends a folder, brackets hold what may be missing
    """

    platform: str
    what: str
    form: str
    source: str


CANVAS = "instructure/canvas-lms lib/content_zipper.rb"
MOODLE = "moodle/moodle mod/assign/classes/downloader.php (4.5)"
BLACKBOARD = "kwurst/bb-file-cleanup README.md, timdrysdale/gradex-cli README.md"
BRIGHTSPACE = "seen in downloads; D2L publishes no rule"
GRADESCOPE = "ucbds-infra/otter-grader metadata parser; seen in exports"

RULES = (
    Rule("Canvas", "a file", "doejane_[LATE_]USER_FILE_work.ipynb", CANVAS),
    Rule("Canvas", "a text or a link", "doejane_[LATE_]USER_text.html, …_link.html", CANVAS),
    Rule("Canvas", "anonymous grading", "[LATE_]anon_LETTERS_FILE_work.ipynb", CANVAS),
    Rule("Canvas", "a group", "GROUP_[LATE_]USER_FILE_work.ipynb", CANVAS),
    Rule("Moodle", "in folders", "Jane Doe_PARTICIPANT_assignsubmission_file/work.ipynb", MOODLE),
    Rule("Moodle", "flat", "Jane Doe_PARTICIPANT_assignsubmission_file_work.ipynb", MOODLE),
    Rule("Moodle", "online text", "…_assignsubmission_onlinetext/onlinetext.html", MOODLE),
    Rule("Moodle", "blind marking", "Participant_PARTICIPANT_assignsubmission_file/…", MOODLE),
    Rule("Moodle", "a group", "GROUP_NUMBER_assignsubmission_file/…", MOODLE),
    Rule("Moodle", "worksheet", '"Participant 17", full name, e-mail',
         "moodle/moodle mod/assign/gradingtable.php"),
    Rule("Blackboard", "a file", "TITLE_LOGIN_attempt_2026-10-12-17-05-09_work.ipynb", BLACKBOARD),
    Rule("Blackboard", "its text", "TITLE_LOGIN_attempt_2026-10-12-17-05-09.txt, which begins "
         '"Name: Jane Doe (LOGIN)"', BLACKBOARD),
    Rule("Brightspace", "a folder", "1234-5678 - [LOGIN] Jane Doe - Sep 24, 2026 926 PM/work.ipynb",
         BRIGHTSPACE),
    Rule("Brightspace", "a list", "index.html", BRIGHTSPACE),
    Rule("Gradescope", "a folder", "assignment_7_export/submission_98/work.ipynb", GRADESCOPE),
    Rule("Gradescope", "its people", "submission_metadata.yml: :submitters, :created_at",
         GRADESCOPE),
)
