"""What learning platforms export becomes `submitted/`: `viva collect`.

`sources` finds the files of what was named, `archives` reads them within bounds. `rules` is the
table of the platforms' names; `readings`, `manifest`, `worksheet` and `plain` say how each file's
owner can be read, `students` compares that with the course's table, and `uploads` keeps what has
one owner. `choosing` finds the notebook, `taking` decides, `placing` writes. Imports the course,
the gradebook and what is submitted; nothing here runs or trusts what an archive holds.
"""
