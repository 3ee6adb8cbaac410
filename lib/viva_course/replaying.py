"""`replay`: the inputs of a question of the exam, for staff, in a notebook."""

from viva import case as cases
from viva.examples import Call
from viva_course.declared import exercise_named
from viva_course.exam import Exam
from viva_course.faults import StaffFault
from viva_course.secret import course_secret


def replay(exercise: str, item: str) -> list[Call]:
    """The calls of one question with the course's secret, and what the reference answers.

    Each has `.name`, `.args`, `.kwargs` and `.output`. Only calls of functions are noted: what is
    asked of a class, or runs in the student's process, is not.
    """
    declared, secret, calls = exercise_named(exercise), course_secret(), []
    names = [each.name for each in declared.items]
    if item not in names:
        raise StaffFault(f"{exercise} has no question {item!r}; it has {', '.join(names)}")
    chosen = declared.items[names.index(item)]
    note = lambda *call: calls.append(Call(*call))
    if chosen.cases is not None:  # made of cases
        for case in declared.asked:
            if not chosen.cases or case.name in chosen.cases:
                case.run(declared.reference, "exam", secret, noting=note)
        return calls
    exam = Exam(declared, item, secret, {})
    chosen.ask(exam, *(cases.watch(each, name, note) for each, name in
                       zip(declared.reference, declared.candidates, strict=True)))
    return calls
