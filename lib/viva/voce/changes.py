"""Changes of one line of a student's code: the kind of thing that people get wrong.

A lost accumulation, a loop that is one too short, an index, an axis, `keepdims`, a first value, an
order. Never a crash on purpose, a message, a counter, or a sign in front of what is returned: to
find out what these do, nobody has to understand the code.
"""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from viva.voce.edits import edits


@dataclass(frozen=True)
class Change:
    """One line of the code, before and after, and the whole code with it."""

    line: int  # from 1
    before: str
    after: str
    text: str
    kind: str  # change, or swap: the line and the one below it change places


def changes(text: str) -> list[Change]:
    """Every change of one line of the code of a function or class, without repetitions."""
    lines, tree = text.splitlines(), ast.parse(text)
    found: dict[str, Change] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            node.written = ast.get_source_segment(text, node)  # type: ignore[attr-defined]
    for statement in _statements(tree.body[0]):
        for part, new in edits(statement):
            if part.lineno != part.end_lineno:
                continue
            row = part.lineno - 1
            raw = lines[row].encode()
            before, behind = raw[: part.col_offset].decode(), raw[part.end_col_offset:].decode()

            def whole(line: str, row: int = row) -> str:
                return "\n".join([*lines[:row], line, *lines[row + 1:]])

            after = _tidy(before, new, behind, whole)
            if whole(after) not in found and _differs(whole(after), text):
                found[whole(after)] = Change(row + 1, lines[row], after, whole(after), "change")
    return list(found.values())


def _tidy(before: str, new: str, behind: str, whole: Callable[[str], str]) -> str:
    """The line with `new` in it, without brackets that mean nothing: `(C)` becomes `C`."""
    line = before + new + behind
    try:
        meaning = ast.dump(ast.parse(whole(line)))
    except SyntaxError:
        return line
    while True:
        shorter = []
        if new.startswith("(") and new.endswith(")"):
            shorter.append((before, new[1:-1], behind))
        if before.endswith("(") and behind.startswith(")"):
            shorter.append((before[:-1], new, behind[1:]))
        for parts in shorter:
            if _means("".join(parts), whole, meaning):
                before, new, behind = parts
                break
        else:
            return before + new + behind


def _means(line: str, whole: Callable[[str], str], meaning: str) -> bool:
    try:
        return ast.dump(ast.parse(whole(line))) == meaning
    except SyntaxError:
        return False


def swaps(text: str) -> list[Change]:
    """Every exchange of two neighbouring statements of one line each."""
    lines, found = text.splitlines(), []
    for body in _bodies(ast.parse(text).body[0]):
        for one, other in zip(body, body[1:], strict=False):
            if not (_is_one_line(one) and _is_one_line(other) and other.lineno == one.lineno + 1):
                continue
            if isinstance(one, ast.Return | ast.Pass) or isinstance(other, ast.Return | ast.Pass):
                continue
            row = one.lineno - 1
            changed = "\n".join([*lines[:row], lines[row + 1], lines[row], *lines[row + 2:]])
            if _differs(changed, text):
                found.append(Change(row + 1, lines[row], lines[row + 1], changed, "swap"))
    return found


def _differs(changed: str, text: str) -> bool:
    """Whether a change can be compiled and means something else."""
    try:
        return ast.dump(ast.parse(changed)) != ast.dump(ast.parse(text))
    except SyntaxError:
        return False


def _bodies(definition: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(definition):
        if isinstance(node, ast.ClassDef):
            continue
        for name in ("body", "orelse"):
            body = getattr(node, name, None)
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                yield body


def _is_one_line(statement: ast.stmt) -> bool:
    return statement.lineno == statement.end_lineno and isinstance(
        statement, ast.Assign | ast.AugAssign | ast.Expr)


def _statements(definition: ast.AST) -> Iterator[ast.stmt]:
    """The statements that do something, loops and conditions with their headers only."""
    for body in _bodies(definition):
        for statement in body:
            if not isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.Raise | ast.Assert
                              | ast.Import | ast.ImportFrom | ast.Pass):
                yield statement
