"""The automatic kinds as a quiz: a notebook per student, for an invigilated room.

The quiz of a homework is an assignment of its own, `<homework>_voce`, that nbgrader and `viva
autograde` grade like any other. Its source holds the keys in hidden tests, by the number of a seat;
a student's copy holds the questions, the number, and no key. Nothing of it changes a mark of the
homework: staff decide what it counts.
"""

import hashlib
import hmac
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nbformat import NotebookNode, writes
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from viva.voce.code import numbered
from viva.voce.question import Question
from viva.whole import write_whole
from viva_examiner.course import Course
from viva_examiner.release.releasing import generate
from viva_examiner.voce.sheet_page import LETTERS
from viva_examiner.voce.sittings import VoceSitting

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def name_of(homework: str) -> str:
    """The assignment that the quiz of a homework is."""
    return f"{homework}_voce"


def seat_of(secret: str, homework: str, student: str) -> str:
    """What tells the copies apart, without saying whose they are."""
    words = f"voce quiz\n{homework}\n{student}".encode()
    return hmac.new(secret.encode(), words, hashlib.sha256).hexdigest()[:12]


def write_quiz(course: Course, homework: str, sittings: Sequence[VoceSitting], count: int,
               secret: str) -> list[Path]:
    """Release the quiz, and write everybody's copy to quiz/<homework>/<student>/."""
    seats = {sitting.student: seat_of(secret, homework, sitting.student) for sitting in sittings}
    keys = [{seats[each.student]: LETTERS[each.questions[place].answer] for each in sittings
             if place < len(each.questions)} for place in range(count)]
    name = name_of(homework)
    source = Path(course.path("source", ".", name)) / f"{name}.ipynb"
    source.parent.mkdir(parents=True, exist_ok=True)
    write_whole(source, writes(_notebook("", [None] * count, keys)) + "\n", 0o600)
    generate(course, name, Path(course.path("release", ".", name)).parent, gradebook=True)
    written = []
    for sitting in sittings:
        asked: list[Question | None] = [*sitting.questions[:count]]
        asked += [None] * (count - len(asked))
        path = course.root / "quiz" / homework / sitting.student / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, writes(_notebook(seats[sitting.student], asked, None)) + "\n")
        written.append(path)
    return written


def _notebook(seat: str, asked: Sequence[Question | None],
              keys: list[dict[str, str]] | None) -> NotebookNode:
    """The quiz; with keys the staff's source of it, else somebody's copy."""
    title = ("# Questions about your own code\n\nWrite one letter between the quotes below each "
             "question, save, and hand this notebook in. Do not change the number of your seat.")
    cells = [new_markdown_cell(title, id="title"), new_code_cell(f'seat = "{seat}"', id="seat")]
    for number, question in enumerate(asked, 1):
        answer = f"answer_{number}"
        cells.append(new_markdown_cell(_text(number, question), id=f"question-{number}"))
        cells.append(new_code_cell(f'{answer} = ""', id=answer,
                                   metadata=_role(answer, solution=True)))
        test = f"# {answer} is compared with what your code returned, after you hand in.\n"
        if keys is not None:
            test += ("### BEGIN HIDDEN TESTS\n"
                     f"keys = {keys[number - 1]!r}\n"
                     f"assert str({answer}).strip().lower() == keys.get(str(seat)), "
                     '"another letter"\n### END HIDDEN TESTS')
        cells.append(new_code_cell(test, id=f"test_{answer}",
                                   metadata=_role(f"test_{answer}", grade=True)))
    return new_notebook(cells=cells, metadata={"kernelspec": KERNEL})


def _text(number: int, question: Question | None) -> str:
    if question is None:
        return f"**{number}.** There are no more questions about your code: leave this one empty."
    options = "\n".join(f"{letter})  {option}"
                        for letter, option in zip(LETTERS, question.options, strict=True))
    parts = [numbered(question.code), question.words.strip(), question.call, options]
    return f"**{number}.** Your code:\n\n" + "\n\n".join(_fenced(part) for part in parts if part)


def _fenced(text: str) -> str:
    """Text as it is: a fence that no line of it can close."""
    fence = "`" * 3
    while fence in text:
        fence += "`"
    return f"{fence}text\n{text}\n{fence}"


def _role(grade_id: str, solution: bool = False, grade: bool = False) -> dict[str, Any]:
    role = {"grade_id": grade_id, "solution": solution, "grade": grade, "locked": grade,
            "task": False, "cell_type": "code", "schema_version": 3}
    return {"nbgrader": role | ({"points": 1} if grade else {})}
