"""Hidden test code: compiled so that its answers about types are those of one process."""

import ast
import builtins
import linecache
import sys
import traceback
from types import CodeType
from typing import Any

from viva_examiner.sandbox.bridge.forwarding import type_of
from viva_examiner.sandbox.bridge.proxies import Proxy
from viva_examiner.sandbox.wall_doors import formatting

FILENAME = "<hidden tests>"
TYPE = "__viva_type__"  # what `type(x)` of a test calls
FORMAT = "__viva_format__"  # what `text.format` of a test asks for the function to call
CAUGHT = "__viva_caught__"  # what `except kind` of a test asks for the classes to catch


def compiled(source: str) -> tuple[CodeType, CodeType | None]:
    """(body, trailing expression or None) as code objects. Raises SyntaxError."""
    tree = ast.fix_missing_locations(_AskForTypes().visit(ast.parse(source, FILENAME)))
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = compile(ast.Expression(tree.body.pop().value), FILENAME, "eval")
    # Assertion messages and inspect look up source lines by this name.
    linecache.cache[FILENAME] = (len(source), None, source.splitlines(keepends=True), FILENAME)
    return compile(tree, FILENAME, "exec"), last


def line_of(error: BaseException) -> int:
    """The line of the test in which an error was raised; 0 if in none."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == FILENAME]
    return frames[0].lineno or 0 if frames else 0


def caught(kinds: Any) -> tuple[type[BaseException], ...]:
    """The classes of an `except`, with that of the exception at hand for one of the student's."""
    now = sys.exception()
    found: list[type[BaseException]] = []
    for kind in kinds if isinstance(kinds, tuple) else (kinds,):
        if isinstance(kind, Proxy):
            # a stand-in for a class has `__instancecheck__` and asks the candidate
            found += [type(now)] if isinstance(now, kind) else []  # type: ignore[arg-type]
        else:
            found.append(kind)
    return tuple(found)


class _AskForTypes(ast.NodeTransformer):
    """`type(x)` of an object in the other process is its class there, not that of its proxy; and an
    `except` may name an exception of the student's; and a text that is filled in may be theirs.
    """

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "type" and (
                len(node.args) == 1 and not node.keywords):
            node.func = ast.copy_location(ast.Name(TYPE, ast.Load()), node.func)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if node.attr not in ("format", "format_map") or isinstance(node.value, ast.Constant) or (
                not isinstance(node.ctx, ast.Load)):
            return node
        asked = ast.Call(ast.Name(FORMAT, ast.Load()), [node.value, ast.Constant(node.attr)], [])
        return ast.copy_location(asked, node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        self.generic_visit(node)
        if node.type is not None:
            call = ast.Call(ast.Name(CAUGHT, ast.Load()), [node.type], [])
            node.type = ast.copy_location(call, node.type)
        return node


setattr(builtins, TYPE, type_of)
setattr(builtins, CAUGHT, caught)
setattr(builtins, FORMAT, formatting)
