"""The markers around solutions and hidden tests, for everybody who looks for them.

`### BEGIN KIND` and `### END KIND` on lines of their own, as nbgrader has them.
"""

import re

SOLUTION, HIDDEN_TESTS = "SOLUTION", "HIDDEN TESTS"
_KINDS = r"(BEGIN|END)[ _-]?(SOLUTION|HIDDEN[ _-]?TEST|MARK[ _-]?SCHEME)"
# Anything that looks like a marker, misspelt ones in a comment too.
LOOKS_LIKE_ONE = re.compile(rf"\b{_KINDS}|^\s*#+\s*(?i:{_KINDS})", re.MULTILINE)


def marker(edge: str, kind: str) -> re.Pattern:
    """The line that begins or ends a region."""
    return re.compile(rf"^[ \t]*#+ *{edge} {kind}[ \t]*$", re.MULTILINE)


BEGIN_HIDDEN, END_HIDDEN = marker("BEGIN", HIDDEN_TESTS), marker("END", HIDDEN_TESTS)


def regions(source: str, kind: str) -> tuple[list[str], list[str], str | None]:
    """Splits a cell at its markers of one kind, as nbgrader does: (public, secret, fault).

    The fault is None or says how the markers are wrong; the lines then are not to be used.
    """
    public: list[str] = []
    secret: list[str] = []
    inside = False
    for line in source.split("\n"):
        begins, ends = f"BEGIN {kind}" in line, f"END {kind}" in line
        if begins and inside:
            return public, secret, f"has a second BEGIN {kind} before END {kind}"
        if ends and not inside:
            return public, secret, f"has END {kind} without BEGIN {kind}"
        if begins or ends:
            inside = begins
        else:
            (secret if inside else public).append(line)
    return public, secret, f"has BEGIN {kind} without END {kind}" if inside else None
