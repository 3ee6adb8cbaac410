"""Whether a notebook and its exam are about the same exercises, cell by cell and point by point."""

from collections.abc import Iterator

from nbformat import NotebookNode

from viva.nearest import nearest
from viva_examiner.library import Exercise
from viva_examiner.notebook.calls import exercises_called
from viva_examiner.notebook.metadata import grade_id, graded, is_test
from viva_examiner.release.problems import Problem, where

TEST, CHECK, HINTS = "test_", "check_", "-hints"


def problems_of_agreement(source: NotebookNode, exercises: dict) -> Iterator[Problem]:
    """Everything in which the source notebook and the declared exercises differ."""
    cells = {grade_id(cell): (where(index, cell), cell)
             for index, cell in enumerate(source.cells) if grade_id(cell)}
    ids = {cell.get("id") for cell in source.cells}
    for name, exercise in exercises.items():
        yield from _of_exercise(name, exercise, cells, ids)
    for name, (place, cell) in cells.items():
        yield from _of_cell(name, place, cell, exercises)


def _of_exercise(name: str, exercise: Exercise, cells: dict, ids: set) -> Iterator[Problem]:
    if name not in cells:
        yield Problem(f"the exercise {name}", "has no solution cell",
                      f"give the cell that students fill in the id {name} in nbgrader's toolbar")
    for prefix, function in ((TEST, "examine"), (CHECK, "check")):
        if prefix + name not in cells:
            yield Problem(f"the exercise {name}", f"has no cell {prefix}{name}",
                          f"add one that calls {function}(\"{name}\", "
                          f"{', '.join(exercise.candidates)})")
            continue
        place, cell = cells[prefix + name]
        yield from _call(place, cell, function, name, exercise.candidates)
    if TEST + name in cells:
        place, cell = cells[TEST + name]
        points = graded(cell).get("points")
        if points != exercise.points:
            yield Problem(place, f"has {points} points, its exam {exercise.points:g}",
                          "run `make format`: it writes the exam's points into the cell")
    if name + HINTS not in ids:
        yield Problem(f"the exercise {name}", "its check links to hints that are not there",
                      f"write hints in the cell after {TEST}{name}, then run `make format`")


def _call(place: str, cell: NotebookNode, function: str, name: str,
          candidates: tuple) -> Iterator[Problem]:
    """Whether a cell calls the function with the exercise's name and its candidates in order."""
    calls = exercises_called(cell.source, function)
    wanted = f'{function}("{name}", {", ".join(candidates)})'
    if not calls:
        yield Problem(place, f"does not call {function}", f"let it call {wanted}")
    elif len(calls) == 1 and (calls[0][0] != name or calls[0][1] != tuple(candidates)):
        said = f'{function}("{calls[0][0]}", {", ".join(calls[0][1])})'
        yield Problem(place, f"calls {said}", f"let it call {wanted}")


def _of_cell(name: str, place: str, cell: NotebookNode, exercises: dict) -> Iterator[Problem]:
    """A test or check that names an exercise which the exam does not have."""
    if not is_test(cell):
        return
    for function in ("examine", "check"):
        for called, _ in exercises_called(cell.source, function):
            if called not in exercises:
                near = nearest(called, exercises)
                yield Problem(place, f"the exam has no exercise named {called}",
                              f"did you mean {near}?" if near else "declare it in the exam")
    exercise = name.removeprefix(TEST)
    if name.startswith(TEST) and exercise in exercises and not graded(cell).get("locked"):
        yield Problem(place, "can be edited by students", "lock it in nbgrader's toolbar")
