"""Who grades what, as the roster's column says it: `tina`, or `written_why=tina written_how=bob`.

A word without a question is about all others. A grader is called what the ledger calls them.
"""

ANY = ""  # every question that is not named


def read(words: str) -> dict[str, str]:
    """{question: grader}; ValueError says what is wrong."""
    found = {}
    for word in words.split():
        question, equals, name = word.rpartition("=")
        if not name or equals and not question:
            raise ValueError("grader is a name, or question=name, separated by spaces")
        if question in found:
            raise ValueError("grader names two people for the same answers")
        found[question] = name
    return found


def text(graders: dict[str, str]) -> str:
    return " ".join(f"{question}={name}" if question else name
                    for question, name in sorted(graders.items()))


def merged(old: str, new: str) -> str:
    """What both say; where they disagree, the newer one."""
    return text(read(old) | read(new))
