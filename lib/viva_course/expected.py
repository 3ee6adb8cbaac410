"""Write what the public check compares with: outputs of the reference and of known mistakes."""

from pathlib import Path

from viva import plain
from viva.case import PUBLIC_SEED
from viva.checking import path_of_expected
from viva.compare import difference
from viva_course.records import records_of_mistakes, right_record
from viva_course.rubric import Exercise, exercises

# Two machines may differ in the last bits of a matrix product; a file is rewritten only for more.
RTOL, ATOL = 1e-7, 1e-9


def public_record(exercise: Exercise) -> dict:
    """Everything about one exercise that students may have."""
    expected = {
        case.name: right_record(exercise, case, PUBLIC_SEED) for case in exercise.cases
    }
    return {
        "expects": exercise.expects,
        "forbidden": (exercise.forbidden if isinstance(exercise.forbidden, dict)
                      else list(exercise.forbidden)),
        "cases": expected,
        "mistakes": records_of_mistakes(exercise, expected, PUBLIC_SEED),
    }


def build(homework: str) -> dict:
    """The whole content of a homework's file."""
    return {name: public_record(exercise) for name, exercise in exercises(homework).items()}


def is_current(homework: str, content: dict) -> bool:
    """Whether the file on disk holds this content, up to the last bits."""
    try:
        stored = plain.unpack(path_of_expected(homework).read_bytes(), max_nodes=5_000_000)
    except (OSError, plain.Malformed):
        return False
    return difference(stored, content, RTOL, ATOL) is None


def write(homework: str) -> Path:
    """Bring the file up to date and return its path."""
    content, path = build(homework), path_of_expected(homework)
    if not is_current(homework, content):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(plain.pack(content))
    return path
