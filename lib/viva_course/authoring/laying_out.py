"""A new homework, or new exercises of one: a file in every room, and the notebook's cells."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from viva_course.authoring import texts
from viva_course.authoring.joining import joined
from viva_course.authoring.places import place_for
from viva_course.authoring.rooms import AuthorError, Rooms, check_free, check_name

POINTS = 10


def lay_out(root: Path, homework: str, wanted: list[str], section: str = "") -> list[Path]:
    """Write what is missing of a homework, and its exercises; the paths that are new or changed.

    wanted: names of exercises, each with its points if they are not 10: "cosine", "cosine:5"
    section: of the homework, into which they are put; without it each has a section of its own
    """
    check_name(homework, "a homework")
    rooms, exercises = Rooms(root, homework), {}
    for word in wanted:
        name, _, points = word.partition(":")
        check_name(name, "an exercise")
        check_free(name, root)
        if name in exercises:
            raise AuthorError(f"{name} is given twice")
        exercises[name] = _points(word, points)
    is_new = not rooms.cases.is_dir()
    if not is_new and not exercises:
        raise AuthorError(f"{homework} is there already: name the exercises to add to it")
    before = rooms.table()
    if section and section not in before:
        there = ", ".join(before) or "none yet"
        raise AuthorError(f"{homework} has no section {section}: its sections are {there}")
    fields = {"homework": homework, "title": homework.replace("_", " ").capitalize()}
    written = _new_homework(rooms, fields) if is_new else []
    for name, points in exercises.items():
        written += _new_exercise(rooms, section, fields | _worth(points) | {"exercise": name})
    table = dict(before)
    for name in exercises:
        table[section or name] = [*table.get(section or name, []), [name]]
    written.append(rooms.write_table(table))
    written.append(_write_cells(rooms, fields, exercises, before, section))
    return list(dict.fromkeys(written))


def _points(word: str, points: str) -> float:
    try:
        number = float(points or POINTS)
    except ValueError:
        number = 0.0
    if number <= 0:
        raise AuthorError(f"{word}: points are a number above 0, as in {word.partition(':')[0]}:5")
    return number


def _worth(points: float) -> dict[str, str]:
    """The points of an exercise's first two items, as they stand in the exam."""
    least = 0.5 if points > 1 else points / 2
    return {"most": f"{points - least:g}", "least": f"{least:g}"}


def _new_homework(rooms: Rooms, fields: dict) -> list[Path]:
    return [
        _write(rooms.cases / "__init__.py", texts.CASES_INIT.format(**fields)),
        _write(rooms.reference / "__init__.py", texts.REFERENCE_INIT.format(**fields)),
        _write(rooms.exams / "__init__.py", texts.EXAMS_INIT.format(**fields)),
        _write(rooms.claims / "__init__.py", texts.CLAIMS_INIT.format(**fields)),
        _write(rooms.tests / f"test_{rooms.homework}.py", texts.TESTS.format(**fields)),
    ]


def _new_exercise(rooms: Rooms, section: str, fields: dict) -> list[Path]:
    """The stubs of an exercise: in files of their own, or at the end of those of its section."""
    stubs = {rooms.cases: texts.CASES, rooms.reference: texts.REFERENCE, rooms.exams: texts.EXAM}
    if rooms.claims.is_dir() and not section:
        stubs[rooms.claims] = texts.CLAIMS
    fields = fields | {"variable": f"{fields['exercise']}_exam" if section else "exam"}
    if not section:
        return [_write(room / f"{fields['exercise']}.py", text.format(**fields))
                for room, text in stubs.items()]
    changed = []
    for room, text in stubs.items():
        path = room / f"{section}.py"
        path.write_text(joined(path.read_text(), text.format(**fields)))
        changed.append(path)
    return changed


def _write(path: Path, text: str) -> Path:
    if path.exists():
        raise AuthorError(f"{path} is there already")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def _write_cells(rooms: Rooms, fields: dict, exercises: dict[str, float],
                 before: dict[str, list[list[str]]], section: str) -> Path:
    """Put the cells of new exercises into the notebook, after those of their section."""
    if rooms.notebook.is_file():
        notebook = nbformat.read(rooms.notebook, as_version=4)
    else:
        rooms.notebook.parent.mkdir(parents=True, exist_ok=True)
        notebook = new_notebook(cells=[
            new_markdown_cell(texts.TITLE.format(**fields), id="title"),
            new_code_cell(texts.SETUP.format(**fields), id="setup"),
            new_markdown_cell(texts.SUMMARY, id="summary"),
            new_code_cell(texts.SUBMIT, id="submit")])
    cells = notebook.cells
    known = [functions[0] for name, found in before.items() if section in ("", name)
             for functions in found]
    place = place_for(cells, known)
    for name, points in exercises.items():
        number = sum(cell.id.endswith("-idea") for cell in cells[:place]) + 1
        new = _cells_of(name, points, number)
        cells[place:place] = new
        place += len(new)
    nbformat.write(notebook, rooms.notebook)
    return rooms.notebook


def _cells_of(name: str, points: float, number: int) -> list:
    """What stands in the notebook for one exercise."""
    fields = {"exercise": name, "number": number}
    locked = {"grade": True, "locked": True}
    points = int(points) if points == int(points) else points
    return [
        new_markdown_cell(texts.IDEA.format(**fields), id=f"{name}-idea"),
        new_code_cell(texts.SOLUTION.format(**fields), id=f"{name}-solution",
                      metadata=_nbgrader(name, solution=True)),
        new_code_cell(texts.LOOK.format(**fields), id=f"{name}-look"),
        new_code_cell(texts.CHECK.format(**fields), id=f"{name}-check",
                      metadata=_nbgrader(f"check_{name}", points=0, **locked)),
        new_code_cell(texts.TEST.format(**fields), id=f"{name}-test",
                      metadata=_nbgrader(f"test_{name}", points=points, **locked)),
        new_markdown_cell(texts.HINTS, id=f"{name}-hints"),
    ]


def _nbgrader(name: str, **roles) -> dict:
    plain = {"grade": False, "solution": False, "locked": False, "task": False}
    return {"nbgrader": {"grade_id": name, "schema_version": 3, **plain, **roles}}
