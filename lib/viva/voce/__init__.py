"""Questions about a student's own code, with answers that were computed by running it.

The code is shown without comments (`code`), changed in one place (`changes`), run on tiny inputs
(`inputs`, `running`), and asked about (`questions`), with numbers that pencil and paper can reach
(`printing`). `defend` asks one question in a notebook; the staff's sheets use the same modules.
"""
