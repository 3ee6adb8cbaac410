"""The examiner: grades nbgrader courses with student code in a sandbox and hidden tests outside it.

Knows nothing of deep learning and imports no course: a course is found by its
`nbgrader_config.py`. Packages import downwards only, as pyproject.toml has it for import-linter:
cli; demo; adopt, explain, gradescope and nbgrader_steps; autograde, release, audit, report,
collect, written and doctor; examination; gradebook; notebook and sandbox; and at the bottom the
modules of this folder: configuration, limits, plain records and whole-file writes.
"""
