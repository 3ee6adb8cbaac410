"""A student's code as an examiner shows it: laid out as it was, without comments and docstrings.

Comments, docstrings and other idle texts may hold the answer, or address the examiner.
"""

import ast
import io
import textwrap
import tokenize

BODIES = ("body", "orelse", "finalbody")
MAX_LINES = 40  # of one function or class; more cannot be read in two minutes


class UnreadableCode(Exception):
    """The code cannot be shown or changed."""


def shown(source: str) -> str:
    """The code of one function or class, ready to be shown. Raises Unreadable."""
    source = textwrap.dedent(source).replace("\t", "    ")
    try:
        lines = _without_docstrings(_without_comments(source))
        text = "\n".join(line.rstrip() for line in lines if line.strip())
        if ast.dump(_bare(ast.parse(text))) != ast.dump(_bare(ast.parse(source))):
            raise UnreadableCode("the code means something else without its comments")
    except (SyntaxError, tokenize.TokenError, IndentationError, ValueError) as error:
        raise UnreadableCode(str(error)) from None
    if not text or text.count("\n") >= MAX_LINES:
        raise UnreadableCode(f"it has more than {MAX_LINES} lines")
    return text


def numbered(text: str) -> str:
    """The code with line numbers."""
    return "\n".join(f"{number:>3}  {line}" for number, line in enumerate(text.splitlines(), 1))


def _without_comments(source: str) -> str:
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    return "\n".join(lines) + "\n"


def _without_docstrings(source: str) -> list[str]:
    lines = source.splitlines()
    for text in _idle_texts(ast.parse(source)):
        for number in range(text.lineno - 1, text.end_lineno or text.lineno):
            lines[number] = ""
    return lines


def _idle_texts(tree: ast.Module) -> list[ast.stmt]:
    """Docstrings, and other texts that stand alone as a statement."""
    found: list[ast.stmt] = []
    for node in ast.walk(tree):
        for name in BODIES:
            body = getattr(node, name, None)
            if isinstance(body, list) and not all(map(_is_text, body)):
                found += filter(_is_text, body)
    return found


def _is_text(statement: ast.AST) -> bool:
    return (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            and isinstance(statement.value.value, str))


def _bare(tree: ast.Module) -> ast.Module:
    """The tree without such texts, to compare what two sources mean."""
    idle = _idle_texts(tree)
    for node in ast.walk(tree):
        for name in BODIES:
            body = getattr(node, name, None)
            if isinstance(body, list):
                body[:] = [each for each in body if each not in idle]
    return tree
