"""The text of a new homework's files and cells. Whoever reads them knows what to write next."""

CASES_INIT = '''"""Public cases of {homework}, in the order of the notebook."""

EXERCISES = {{}}
'''

REFERENCE_INIT = '''"""{title}: the answers.

Say here what holds for all functions: shapes, dtypes, what is refused, what is not modified.
"""

from viva_course.sections import exported

globals().update(exported(__name__))
'''

EXAMS_INIT = '''"""The exam of {homework}."""
'''

CLAIMS_INIT = '''"""What the lesson {homework} states."""
'''

CLAIMS = '''"""What the section about `{exercise}` states."""
'''

CASES = '''"""Public cases of `{exercise}`: one for every rule that its text states."""

from viva.case import case


@case("{exercise}")
def first_rule(rng, {exercise}):
    """the first rule of the text, in a few words"""
    return {exercise}(rng.normal(size=(3, 4)))


@case("{exercise}")
def second_rule(rng, {exercise}):
    """the second rule, on inputs of another size"""
    return {exercise}(rng.normal(size=(5, 2)))
'''

REFERENCE = '''"""The answer to `{exercise}`."""


def {exercise}(x):
    """One sentence with the formula.

    x (..., N, D): what it is
    returns (..., N), float64; x is not modified
    """
    raise NotImplementedError
'''

EXAM = '''"""Exam of `{exercise}`."""

from viva_course.rubric import Exercise

{variable} = Exercise(
    "{exercise}",
    expects="what a right answer is, in a sentence for the student",
)

{variable}.values({most}, "What the values must be, in a sentence for the student.")
{variable}.unmodified({least}, "Nothing may be written into the arguments.")
'''

TESTS = '''"""The homework `{homework}`: its reference against an oracle, and its exam."""

import pytest

from exam_checks import check_exercise, check_public
from viva_course.rubric import exercises

EXERCISES = exercises("{homework}")


@pytest.mark.parametrize("name", EXERCISES)
def test_the_exam(name):
    check_exercise(EXERCISES[name])


@pytest.mark.parametrize("name", EXERCISES)
def test_the_public_cases(name):
    check_public(EXERCISES[name])
'''

TITLE = """# {title}

**The question that this homework answers.**

How long it takes, what one must know before, and what one can do afterwards."""

SETUP = """import numpy as np

from viva import begin, check, look, submit

begin("{homework}", student="")  # your student id between the quotes"""

IDEA = """## {number}. What `{exercise}` is about

The idea, then an example by hand, then the rules: each of them is a case of the check.

Budget: 5 lines. Difficulty 1/5 · importance 3/5 · 15 minutes."""

SOLUTION = '''def {exercise}(x):
    """One sentence, without the formula if to derive it is the exercise.

    x (..., N, D): what it is
    returns (..., N); x is not modified
    """
    ### BEGIN SOLUTION
    raise NotImplementedError
    ### END SOLUTION'''

LOOK = """with look():
    print("by hand ..., yours", {exercise}(np.array([[1.0, 2.0]])))"""

CHECK = 'check("{exercise}", {exercise})'

TEST = """# The hidden tests of {exercise} run here after you submit.
### BEGIN HIDDEN TESTS
from viva_course import examine
examine("{exercise}", {exercise})
### END HIDDEN TESTS"""

HINTS = """<details><summary>Hint: where to start</summary>

The first step, in words.
</details>
<details><summary>Hint: right by hand, wrong in the check</summary>

What the example by hand does not show.
</details>"""

SUMMARY = """# Summary

- What to remember, in a line per exercise.

Run the last cell to see what is done and to write `submission_log.json`. Hand it in with this
notebook."""

SUBMIT = "submit()"
