"""Written answers, question by question: the page that `viva written` opens.

`rubric` reads model answer and items from the staff's cell, `answers` collects and groups what the
class wrote, `marks` writes nbgrader's manual score and comment and nothing else, `app` serves the
page on loopback. Imports the course, the gradebook and what is autograded.
"""
