"""The examiner's side of a candidate, the process in which a student's code runs.

`isolation` says how a candidate is kept apart, `forks` and `interpreter` start it, `session` is
its life and `conversation` the questions and answers over a `wire`. `bridge` decides what may
cross, `inside` is what runs on the other side. Whatever comes from there is hostile. Imports
limits and, of the kit, the codec.
"""
