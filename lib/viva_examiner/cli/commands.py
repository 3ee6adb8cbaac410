"""Every command of `viva`, with what has to be known of it before it is imported."""

from dataclasses import dataclass

STUDENT, TA, STAFF = "students", "TAs", "course staff"
ADMINISTRATOR, ANYBODY = "administrators", "anybody"
READERS = (STUDENT, TA, STAFF, ADMINISTRATOR, ANYBODY)  # the order of `viva --help`


@dataclass(frozen=True)
class Command:
    """One command. Its module `viva_examiner.cli.<name>` has HELP, EXAMPLE, `arguments`, `run`.

    grades: runs student code, so its imports begin while this process still reads arguments
    computes: runs staff's code in forks of this process, so its libraries take one thread each: a
        fork beside another thread of theirs would hang, and the cores are shared by the forks
    needs_course: is called with the course of this folder; the others find out by themselves
    knows_names: the homework and the student that are named must exist
    student: what it does for students, who type it with --student
    """

    reader: str
    line: str
    grades: bool = False
    computes: bool = False
    needs_course: bool = True
    knows_names: bool = True
    student: str = ""


COMMANDS = {
    "collect": Command(TA, "what a learning platform exports, into submitted/"),
    "autograde": Command(TA, "examine every submission of a homework", grades=True),
    "regrade": Command(TA, "whose mark changes after the exam, a case or a limit changed",
                       grades=True),
    "explain": Command(TA, "why a student has this mark, item by item", grades=True),
    "voce": Command(TA, "questions about a student's own code, for a conversation", grades=True),
    "grade-log": Command(TA, "grade logs without notebooks, by the code in them", grades=True,
                         knows_names=False),  # a log may come from anywhere
    "desk": Command(TA, "the desk for an evening of grading: class, students, answers, runs"),
    "written": Command(TA, "grade the written answers, question by question"),
    "history": Command(TA, "what people did to a student's marks, from the ledger"),
    "seen": Command(TA, "who needs a look and has not had one"),
    "requests": Command(TA, "who asks for a second look at a mark, and the answers"),
    "report": Command(TA, "one page about a class: what to teach tomorrow, what to look at"),
    "feedback": Command(TA, "a page for each student: rubric items, hints, comments"),
    "export": Command(TA, "marks for Canvas, Moodle or a spreadsheet"),
    "lms": Command(TA, "roster in and grades out, straight to the learning platform"),
    "roster": Command(TA, "extensions, late days, groups, which attempt counts, who grades"),
    "new": Command(STAFF, "lay out a homework, or add exercises to one", knows_names=False),
    "rename": Command(STAFF, "rename an exercise everywhere", knows_names=False),
    "format": Command(STAFF, "bring notebooks into their canonical form"),
    "audit": Command(STAFF, "examine the exams: right solutions pass, wrong ones lose points",
                     computes=True),
    "claims": Command(STAFF, "test what the lessons state, on the notebooks' own experiments",
                      computes=True),
    "release": Command(STAFF, "generate release/ from source/, refusing what would leak or break"),
    "bundle": Command(STAFF, "build what students download"),
    "gradescope": Command(STAFF, "build the Gradescope autograder of a homework"),
    "cluster": Command(ADMINISTRATOR, "make the keys that protect a cluster of machines"),
    "doctor": Command(ADMINISTRATOR, "whether this machine can grade, and what to do if not",
                      needs_course=False, student="whether the student kit works here"),
    "secret": Command(ADMINISTRATOR, "the seed of the hidden inputs, the same for all who grade"),
    "backup": Command(ADMINISTRATOR, "gradebook, submissions and settings in one file"),
    "restore": Command(ADMINISTRATOR, "restore what `viva backup` kept"),
    "upgrade": Command(ADMINISTRATOR, "bring an older gradebook up to date, tried on a copy first"),
    "forget": Command(ADMINISTRATOR, "remove a person from a course, and say what was removed"),
    "adopt": Command(ADMINISTRATOR, "what the examiner would change in another nbgrader course",
                     grades=True, needs_course=False),
    "demo": Command(ANYBODY, "the main job end to end, on a cohort of demo students",
                    grades=True),
}


def listing() -> str:
    """The commands, by who calls them."""
    groups = []
    for reader in READERS:
        rows = {name: command.line for name, command in COMMANDS.items()
                if command.reader == reader}
        if reader == STUDENT:
            rows = {f"{name} --student": command.student for name, command in COMMANDS.items()
                    if command.student}
        width = max(map(len, rows if reader == STUDENT else COMMANDS)) + 2
        lines = [f"  {name:<{width}}{line}" for name, line in rows.items()]
        groups.append("\n".join([f"for {reader}:", *lines]))
    return "\n\n".join(groups)
