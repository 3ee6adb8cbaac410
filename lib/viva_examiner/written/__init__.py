"""Written answers, question by question: what the desk's room of that name shows and does.

`rubric` reads model answer and items from the staff's cell, `answers` groups what the class wrote,
`desk` shows it in units and grades these through `gradebook.by_hand`, `reword` changes a rubric,
`rescore` follows a rubric that has changed. Imports the course and the gradebook.
"""
