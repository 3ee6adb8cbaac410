"""Viva voce: for whoever examines, a sheet of questions about a student's own code.

`sample` draws who is asked, `sittings` has the questions made where the student's code runs,
`hearing` believes no word of that place, `sheet_page` writes the sheet.
"""
