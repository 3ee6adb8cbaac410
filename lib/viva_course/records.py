"""What the reference and the known mistakes answer on the cases of a seed; kept, as many ask."""

import functools
import warnings

from viva import case as cases
from viva.checking import fault
from viva_course.declared import exercise_named
from viva_course.faults import StaffFault, place_of, reached_a_candidate
from viva_course.kept import kept


def right_record(exercise, case: cases.Case, *seed) -> dict:
    """The reference's record on a case. Raises StaffFault if the case itself cannot run.

    A forgotten import would otherwise make the reference and everybody else "agree".
    """
    answer = case.run(exercise.reference, *seed)
    if answer.error is not None and not reached_a_candidate(answer.error):
        home = case.scenario.__code__.co_filename
        raise StaffFault(
            f"the case {case.name} of {exercise.name} raises by itself "
            f"({place_of(answer.error, home)}): {type(answer.error).__name__}: {answer.error}")
    return answer.record()


@functools.lru_cache(maxsize=4096)
def reference_record(exercise: str, case_name: str, secret: str) -> dict:
    """The reference's record on one case with these secret inputs."""
    declared = exercise_named(exercise)
    case = next(case for case in declared.cases if case.name == case_name)
    return kept(exercise, f"right-{case_name}", secret,
                lambda: right_record(declared, case, "exam", secret))


@functools.lru_cache(maxsize=1024)
def mistake_records(exercise: str, secret: str) -> dict:
    """{slug: {"cases": {case: record where the mistake differs}}} on these secret inputs."""
    declared = exercise_named(exercise)

    def answers() -> dict:
        expected = {c.name: reference_record(exercise, c.name, secret) for c in declared.asked}
        return records_of_mistakes(declared, expected, "exam", secret, asked=declared.asked)

    return kept(exercise, "mistakes", secret, answers)


@functools.lru_cache(maxsize=1024)
def mistake_outcomes(exercise: str, slug: str, secret: str) -> tuple:
    """What every item says to a known mistake."""
    declared, sittings = exercise_named(exercise), {}
    mistake = next(mistake for mistake in declared.mistakes if mistake.slug == slug)
    return tuple(declared._ask(item, mistake.candidates, secret, sittings)
                 for item in declared.items)


def records_of_mistakes(exercise, expected: dict, *seed, asked=None) -> dict:
    """What each known mistake answers on the cases of a seed, where it differs from expected.

    With it the function that it replaces, and the functions that change their arguments.
    """
    found = {}
    for mistake in exercise.mistakes:
        wrong, modified = {}, set()
        for case in exercise.cases if asked is None else asked:
            with warnings.catch_warnings():  # stock nbgrader takes a warning for a failed test
                warnings.simplefilter("ignore")
                answer = case.run(mistake.candidates, *seed)
            modified.update(answer.modified)
            if fault(case, answer, expected[case.name]) is not None:
                wrong[case.name] = answer.record()
        found[mistake.slug] = {"hint": mistake.hint, "of": replaced(exercise, mistake),
                               "cases": wrong, "modified": sorted(modified)}
    return found


def replaced(exercise, mistake) -> str:
    """The function or class that a mistake stands for."""
    names = zip(exercise.candidates, exercise.reference, mistake.candidates, strict=True)
    return next((name for name, right, wrong in names if right is not wrong), exercise.name)
