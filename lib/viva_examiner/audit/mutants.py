"""Generic mistakes: small changes of a solution's syntax tree, one at a time.

Mutation testing as in DeMillo, Lipton, Sayward 1978, for the mistakes of array code: operators,
axes, constants, indices, dropped lines, swapped arguments, missing transposes and scales. The known
libraries (mutmut, cosmic-ray) change files below a package and run a test command for each change;
here the code is a notebook's cell and the test an exam in this process, and their operators know
no axes, transposes or keepdims.
"""

import ast
import copy
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Any, TypeVar

Definition = ast.FunctionDef | ast.ClassDef
Slot = tuple[str, int | None]  # a field of a node, and the place in it where it is a list
Put = Callable[[], tuple[Callable[[], None], bool]]  # makes a change: how to undo it, removed?
Node = TypeVar("Node", bound=ast.AST)

OPERATORS = {
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Div,), ast.Div: (ast.Mult,),
    ast.Pow: (ast.Mult,), ast.FloorDiv: (ast.Mult,), ast.Mod: (ast.Mult,), ast.MatMult: (),
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
    ast.And: (ast.Or,), ast.Or: (ast.And,),
}
TWINS = {"maximum": "minimum", "minimum": "maximum", "max": "min", "min": "max", "sum": "mean",
         "mean": "sum", "zeros": "ones", "ones": "zeros", "argmax": "argmin", "tril": "triu",
         "triu": "tril", "cos": "sin", "sin": "cos", "argmin": "argmax", "floor": "ceil",
         "ceil": "floor", "any": "all", "all": "any"}
TRANSPOSES = {"T", "mT", "swapaxes", "transpose", "moveaxis"}
SYMMETRIC = {"maximum", "minimum", "max", "min", "add", "multiply", "broadcast_shapes"}
LIBRARIES = {"np", "numpy", "torch", "math", "F"}


@dataclass(frozen=True)
class Mutant:
    """A solution cell with one change, and the change in words that stay the same between runs."""

    change: str
    source: str


def mutants(source: str) -> list[Mutant]:
    """Every changed version of a cell, without those that compile to the same code."""
    tree = ast.parse(source)
    seen = {_code(tree)}
    found: dict[str, str] = {}
    for definition in tree.body:
        if not isinstance(definition, ast.FunctionDef | ast.ClassDef):
            continue
        for path, statement, put in _sites(definition):
            before = _words(statement)
            undo, removed = put()
            try:
                changed = ast.parse(ast.unparse(tree))
                code = _code(changed)
            except (SyntaxError, ValueError, TypeError):
                continue
            finally:
                after = "" if removed else _words(statement)
                undo()
            if code in seen:
                continue  # the same bytecode as the solution or as another mutant: proven equal
            seen.add(code)
            change = f"{path}: {before} -> {after}" if after else f"{path}: without {before}"
            count = sum(name.split(" #")[0] == change for name in found)
            found[f"{change} #{count + 1}" if count else change] = ast.unparse(changed)
    return [Mutant(change, text) for change, text in found.items()]


def _code(tree: ast.AST) -> tuple:
    """What a tree compiles to, without line numbers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a change looks like a slip is the point
        return _content(compile(ast.parse(ast.unparse(tree)), "<mutant>", "exec"))


def _content(code: CodeType) -> tuple:
    parts = tuple(_content(c) if hasattr(c, "co_code") else (type(c).__name__, repr(c))
                  for c in code.co_consts)
    return (code.co_code, parts, code.co_names, code.co_varnames, code.co_exceptiontable)


def _words(statement: ast.stmt) -> str:
    text = ast.unparse(statement).splitlines()
    return next((line for line in text if not line.startswith("@")), "")[:160].strip()


def _sites(definition: Definition) -> Iterator[tuple[str, ast.stmt, Put]]:
    """(name of the function, statement, put) of every possible change; put() -> undo, removed."""
    for statement, where, body in _statements(definition):
        yield where, statement, _dropper(body, statement)
        for parent, slot, node in _slots(statement):
            if _is_exponent(parent, node):
                continue  # a missing power is a change of the power itself
            for new in _changes(node, _squares(parent, node)):
                yield where, statement, _setter(parent, slot, new)


def _statements(definition: Definition,
                name: str = "") -> Iterator[tuple[ast.stmt, str, list[ast.stmt]]]:
    """(statement, function, the list it stands in) of all that a definition's body does."""
    name = f"{name}.{definition.name}" if name else definition.name
    stack: list[tuple[list[ast.stmt], str]] = [(definition.body, name)]
    while stack:
        body, where = stack.pop()
        for statement in body:
            if isinstance(statement, ast.FunctionDef | ast.ClassDef):
                yield from _statements(statement, where)
                continue
            if _is_text(statement) or isinstance(statement, ast.Pass):
                continue
            yield statement, where, body
            for inner in ("body", "orelse", "finalbody"):
                if isinstance(getattr(statement, inner, None), list):
                    stack.append((getattr(statement, inner), where))


def _slots(statement: ast.stmt) -> Iterator[tuple[ast.AST, Slot, ast.expr]]:
    """(parent, (field, index), expression) of the expressions of one statement, headers only."""
    stack: list[ast.AST] = [statement]
    while stack:
        parent = stack.pop()
        if isinstance(parent, ast.Raise):
            continue  # the words of an error message are free
        for name, value in ast.iter_fields(parent):
            if parent is statement and name in ("body", "orelse", "finalbody", "handlers") and (
                    isinstance(value, list)):
                continue
            values = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
            for index, child in values:
                if isinstance(child, ast.expr):
                    if not isinstance(getattr(child, "ctx", None), ast.Store):
                        yield parent, (name, index), child
                    stack.append(child)
                elif isinstance(child, ast.AST) and not isinstance(child, ast.expr_context):
                    stack.append(child)


def _changes(node: ast.expr, squared: bool = False) -> Iterator[ast.expr]:
    """What may stand in an expression's place by mistake. `squared`: it is the base of a square."""
    if isinstance(node, ast.BinOp):
        yield from (_with(node, op=new()) for new in OPERATORS.get(type(node.op), ()))
        is_squared_gap = isinstance(node.op, ast.Sub) and squared  # (a - b)^2 = (b - a)^2 exactly
        if isinstance(node.op, ast.MatMult | ast.Sub | ast.Div | ast.Pow) and not is_squared_gap:
            yield _with(node, left=node.right, right=node.left)
        if not isinstance(node.op, ast.MatMult):
            yield node.left  # a missing term, factor, divisor or power
        if isinstance(node.op, ast.Add | ast.Mult):
            yield node.right
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not | ast.Invert):
        yield node.operand
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield from (_with(node, ops=[new()]) for new in OPERATORS.get(type(node.ops[0]), ()))
    elif isinstance(node, ast.BoolOp):
        yield from (_with(node, op=new()) for new in OPERATORS[type(node.op)])
        yield from (_with(node, values=[*node.values[:i], *node.values[i + 1:]])
                    for i in range(len(node.values)) if len(node.values) > 2)
        yield from node.values if len(node.values) == 2 else ()
    elif isinstance(node, ast.IfExp):
        yield from (node.body, node.orelse)
    elif isinstance(node, ast.Constant):
        yield from _constants(node)
    elif isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        yield node.value
    elif isinstance(node, ast.Subscript):
        yield from _indices(node)
    elif isinstance(node, ast.Call):
        yield from _calls(node)


def _squares(parent: ast.AST, node: ast.expr) -> bool:
    return (isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Pow)
            and parent.left is node and getattr(parent.right, "value", None) == 2)


def _is_exponent(parent: ast.AST, node: ast.expr) -> bool:
    return (isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Pow)
            and parent.right is node and getattr(node, "value", None) in (0.5, 2))


def _constants(node: ast.Constant) -> Iterator[ast.expr]:
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield from (ast.Constant(value + 1), ast.Constant(value - 1))
    elif isinstance(value, float):
        yield ast.Constant(2 * value if value else 1.0)


def _indices(node: ast.Subscript) -> Iterator[ast.expr]:
    cut = node.slice
    if isinstance(cut, ast.Slice):
        for bound in ("lower", "upper", "step"):
            if getattr(cut, bound) is not None:
                yield _with(node, slice=_with(cut, **{bound: None}))
    elif isinstance(cut, ast.Tuple):
        for i, part in enumerate(cut.elts):
            if isinstance(part, ast.Slice):
                for bound in ("lower", "upper", "step"):
                    if getattr(part, bound) is not None:
                        new = [*cut.elts]
                        new[i] = _with(part, **{bound: None})
                        yield _with(node, slice=ast.Tuple(new, ast.Load()))
        if len(cut.elts) == 2:
            yield _with(node, slice=ast.Tuple(cut.elts[::-1], ast.Load()))


def _calls(node: ast.Call) -> Iterator[ast.expr]:
    function, args = node.func, node.args
    name = getattr(function, "attr", getattr(function, "id", ""))
    for keyword in node.keywords:  # keepdims, axis, dtype...
        yield _with(node, keywords=[k for k in node.keywords if k is not keyword])
    # x.swapaxes(a, b) is x.swapaxes(b, a), and so is torch's transpose
    is_exchange = name in TRANSPOSES and len(args) == 2
    if len(args) >= 2 and name not in SYMMETRIC and not is_exchange:
        yield _with(node, args=[args[1], args[0], *args[2:]])
    if name in TWINS:
        twin = (_with(function, attr=TWINS[name]) if isinstance(function, ast.Attribute)
                else ast.Name(TWINS[name], ast.Load()))
        yield _with(node, func=twin)
    if name == "range":
        last = args[0] if len(args) == 1 else args[1]
        position = 0 if len(args) == 1 else 1
        for op in (ast.Add, ast.Sub):
            new = [*args]
            new[position] = ast.BinOp(last, op(), ast.Constant(1))
            yield _with(node, args=new)
        if len(args) == 1:
            yield _with(node, args=[ast.Constant(1), last])
    if isinstance(function, ast.Attribute):
        is_library = isinstance(function.value, ast.Name) and function.value.id in LIBRARIES
        if is_library and args and (len(args) == 1 or name in TRANSPOSES):
            yield args[0]  # np.sqrt(x), np.exp(x), np.swapaxes(x, ...): x
        elif not is_library and (not args and not node.keywords or name in TRANSPOSES):
            yield function.value  # x.copy(), x.transpose(0, 1): x


def _with(node: Node, **changes: Any) -> Node:
    new = copy.copy(node)
    for name, value in changes.items():
        setattr(new, name, value)
    return new


def _setter(parent: ast.AST, slot: Slot, new: ast.expr) -> Put:
    name, index = slot

    def put() -> tuple[Callable[[], None], bool]:
        old = getattr(parent, name)
        if index is None:
            setattr(parent, name, new)
        else:
            setattr(parent, name, [*old[:index], new, *old[index + 1:]])
        return (lambda: setattr(parent, name, old)), False

    return put


def _dropper(body: list[ast.stmt], statement: ast.stmt) -> Put:
    def put() -> tuple[Callable[[], None], bool]:
        old = [*body]
        body[:] = [each for each in body if each is not statement] or [ast.Pass()]
        return (lambda: body.__setitem__(slice(None), old)), True

    return put


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
