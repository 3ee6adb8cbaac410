"""What every exercise must hold, asserted in one place and called from each homework's test."""

from viva_course import expected
from viva_course.rubric import Exercise

SECRETS = ("one", "two", "three")


def stub(*args, **kwargs):
    """An untouched function of a released notebook."""
    raise NotImplementedError


class Stub:
    def __init__(self, *args, **kwargs):
        raise NotImplementedError


def untouched(exercise: Exercise) -> tuple:
    return tuple(Stub if isinstance(c, type) else stub for c in exercise.reference)


def check_exercise(exercise: Exercise, secrets=SECRETS) -> None:
    """Full marks for what is right, points lost for what is wrong, nothing for the stub."""
    caught = set()
    for secret in secrets:
        right = {"the reference": exercise.reference}
        right |= {f"variant {each.name}": each.candidates for each in exercise.variants}
        for name, candidates in right.items():
            report = exercise.examine(candidates, secret)
            assert report.score == exercise.points, f"{name}, secret {secret}: {report}"
        for mistake in exercise.mistakes:
            report = exercise.examine(mistake.candidates, secret)
            assert report.score < exercise.points, f"{mistake.slug} survives secret {secret}"
            assert report.hint in ("", mistake.hint), f"{mistake.slug} taken for {report}"
            caught |= {outcome.item for outcome in report.outcomes if not outcome.passed}
        report = exercise.examine(untouched(exercise), secret)
        assert report.score == 0, f"an untouched notebook gets {report}"
    unused = {item.name for item in exercise.items} - caught
    assert not unused, f"no mistake needs the items {unused}"


def check_public(exercise: Exercise) -> None:
    """The public record of an exercise accepts the reference and every variant."""
    from viva.checking import fault

    record = expected.public_record(exercise)
    for candidates in (exercise.reference, *(each.candidates for each in exercise.variants)):
        for case in exercise.cases:
            wrong = fault(case, case.run(candidates, "public"), record["cases"][case.name])
            assert wrong is None, f"{case.name}: {wrong}"
