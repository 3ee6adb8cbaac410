"""What may stand in the place of one part of a statement: the slips that people make.

`node.written` is a part of the code as the student wrote it, where somebody has put it there.
"""

import ast
from collections.abc import Iterator

TWINS = {"maximum": "minimum", "minimum": "maximum", "max": "min", "min": "max", "sum": "mean",
         "mean": "sum", "zeros": "ones", "zeros_like": "ones_like", "argmax": "argmin",
         "argmin": "argmax", "cumsum": "cumprod", "tril": "triu", "triu": "tril",
         "floor": "ceil", "ceil": "floor", "any": "all", "all": "any"}
NEAR = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"}
AXES = ("axis", "dim")
REDUCE = ("sum", "mean", "max", "min", "var", "std", "argmax", "argmin", "softmax", "cumsum", "any",
          "all", "concatenate", "stack", "cat")  # their axis may stand without its name
FORGETTABLE = ("tanh", "exp", "abs", "log", "square", "sigmoid", "relu")  # of one argument
FORGOTTEN = 14  # letters of a term or factor that somebody may leave out
PLAIN = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.Constant)  # need no brackets


def _words(node: ast.AST) -> str:
    """A part of the code as the student wrote it."""
    return getattr(node, "written", None) or ast.unparse(node)


def edits(statement: ast.stmt) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """(part, what stands there instead)."""
    if isinstance(statement, ast.AugAssign) and not _is_counter(statement):
        target = _words(statement.target)
        yield statement, f"{target} = {_words(statement.value)}"
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        yield from _first_values(statement)
        target = _words(statement.targets[0])
        value = statement.value
        if isinstance(value, ast.BinOp) and _words(value.left) == target:
            yield value, _words(value.right)
    if isinstance(statement, ast.AugAssign) and _is_counter(statement):
        return
    if isinstance(statement, ast.For):
        yield from _other_passes(statement.iter)
    if isinstance(statement, ast.If) and isinstance(statement.test, ast.Name | ast.Attribute):
        yield statement.test, f"not {_words(statement.test)}"
    for node in _own_expressions(statement):
        yield from _of_expression(node, statement)
        for part in getattr(node, "generators", ()):
            yield from _other_passes(part.iter)


def _other_passes(node: ast.expr) -> Iterator[tuple[ast.expr, str]]:
    """A loop over something that leaves one out, or goes the other way."""
    if isinstance(node, ast.Name | ast.Attribute):
        for part in ("[1:]", "[:-1]", "[::-1]"):
            yield node, f"{_words(node)}{part}"


def _is_counter(statement: ast.AugAssign) -> bool:
    return isinstance(statement.value, ast.Constant) and statement.value.value == 1


def _first_values(statement: ast.Assign) -> Iterator[tuple[ast.expr, str]]:
    value = statement.value
    if not isinstance(statement.targets[0], ast.Name):
        return  # `found[i] = 0`: nobody has to follow the code
    if isinstance(value, ast.Constant) and type(value.value) in (int, float):
        other = 1 if value.value == 0 else 0
        yield value, repr(other if isinstance(value.value, int) else float(other))


def _own_expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement; of a loop or a condition those of its header."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        for name, value in ast.iter_fields(node):
            if node is statement and name in ("body", "orelse", "finalbody", "handlers"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.expr):
                    if not isinstance(getattr(child, "ctx", None), ast.Store):
                        yield child
                    waiting.append(child)
                elif isinstance(child, ast.AST):
                    waiting.append(child)


def _of_expression(node: ast.expr, statement: ast.stmt) -> Iterator[tuple[ast.expr, str]]:
    if isinstance(node, ast.Call):
        yield from _of_call(node)
    elif isinstance(node, ast.Subscript):
        yield from _of_index(node)
    elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in NEAR:
        left, right = _words(node.left), _words(node.comparators[0])
        yield node, f"{left} {NEAR[type(node.ops[0])]} {right}"
    elif isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        yield node, _words(node.value)
    elif isinstance(node, ast.BinOp):
        yield from _of_operation(node, statement)
    if _words(node) in ("-np.inf", "-math.inf", '-float("inf")', 'float("-inf")', "-torch.inf"):
        yield node, "0"  # a mask of zeros


def _of_operation(node: ast.BinOp, statement: ast.stmt) -> Iterator[tuple[ast.expr, str]]:
    left, right = _bracketed(node.left), _bracketed(node.right)
    is_returned = isinstance(statement, ast.Return) and node is statement.value
    if isinstance(node.op, ast.MatMult) and not is_returned:
        yield node, f"{right} @ {left}"
    if isinstance(node.op, ast.Sub) and not is_returned and not _is_set(node.left):
        yield node, f"({_term(node.right)} - {_factor(node.left)})"
    if isinstance(node.op, ast.MatMult):
        if _can_be_turned(node.left):
            yield node, f"{left}.T @ {right}"
        if _can_be_turned(node.right):
            yield node, f"{left} @ {right}.T"
    if isinstance(node.op, ast.Sub) and not is_returned and not _is_set(node.left):
        yield node, f"{_term(node.left)} + {_factor(node.right)}"
    if isinstance(node.op, ast.Div) and _is_count(node.right):
        yield node.right, f"({right} - 1)"
    if isinstance(node.op, ast.Div | ast.Pow | ast.Add | ast.Sub | ast.Mult) and (
            not isinstance(node.left, ast.Constant) and len(right) <= FORGOTTEN):
        yield node, left  # a missing divisor, power, term or factor
    if isinstance(node.op, ast.Add | ast.Mult) and (
            not isinstance(node.right, ast.Constant) and len(left) <= FORGOTTEN):
        yield node, right
    if isinstance(node.op, ast.Sub) and isinstance(node.left, ast.Constant):
        yield node, right  # 1 - p, taken for p
    if isinstance(node.op, ast.Pow) and getattr(node.right, "value", None) == 2:
        yield node, f"(2 * {left})"


def _is_set(node: ast.expr) -> bool:
    return isinstance(node, ast.Set | ast.SetComp) or _words(node).startswith("set(")


def _can_be_turned(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) or (
        isinstance(node, ast.Attribute) and node.attr not in ("T", "mT"))


def _is_count(node: ast.expr) -> bool:
    """Whether a divisor counts something: `n`, `len(x)`, `x.shape[0]`, `x.size`."""
    text = _words(node)
    return text in ("n", "N", "m", "T", "count", "steps") or text.startswith("len(") or (
        ".shape[" in text and not isinstance(node, ast.BinOp)) or text.endswith(".size")


def _bracketed(node: ast.expr) -> str:
    text = _words(node)
    return text if isinstance(node, PLAIN) else f"({text})"


def _factor(node: ast.expr) -> str:
    """As the second part of a sum: only another sum needs brackets there."""
    is_sum = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
    return _words(node) if isinstance(node, ast.BinOp) and not is_sum else _bracketed(node)


def _one_less(node: ast.expr) -> str:
    """One less than this: `n` for `n + 1`, `n - 2` for `n - 1`."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return str(node.value - 1)
    if isinstance(node, ast.BinOp) and isinstance(node.right, ast.Constant) and (
            isinstance(node.op, ast.Add | ast.Sub) and type(node.right.value) is int):
        number = node.right.value if isinstance(node.op, ast.Add) else -node.right.value
        rest = number - 1
        return f"{_words(node.left)} {'+' if rest > 0 else '-'} {abs(rest)}" if rest else (
            _words(node.left))
    return f"{_term(node)} - 1"


def _term(node: ast.expr) -> str:
    """As the first part of a sum: products and sums need no brackets there."""
    return _words(node) if isinstance(node, ast.BinOp) else _bracketed(node)


def _of_call(node: ast.Call) -> Iterator[tuple[ast.expr, str]]:
    function = node.func
    name = getattr(function, "attr", getattr(function, "id", ""))
    for keyword in node.keywords:
        value = keyword.value
        if keyword.arg in AXES:
            for other in _other_axes(value):
                yield value, other
        elif keyword.arg in ("keepdims", "keepdim") and isinstance(value, ast.Constant):
            yield value, repr(not value.value)
    if name in REDUCE and node.args and isinstance(function, ast.Attribute):
        for other in _other_axes(node.args[-1]):
            yield node.args[-1], other
    if name in FORGETTABLE and len(node.args) == 1 and not node.keywords:
        yield node, _bracketed(node.args[0])
    if name in TWINS and isinstance(function, ast.Attribute):
        yield function, f"{_words(function.value)}.{TWINS[name]}"
    if (name == "outer" and len(node.args) == 2) or (name == "where" and len(node.args) == 3):
        *first, left, right = map(_words, node.args)
        changed = [*first, right, left]
        yield node, f"{_words(function)}({', '.join(changed)})"
    if name in ("tri", "tril", "triu") and len(node.args) + len(node.keywords) == 1:
        yield node, f"{_words(node)[:-1]}, {'k=' if name == 'tri' else ''}-1)"
    if name == "triu" and node.args and _words(node.args[-1]) == "1":
        yield node.args[-1], "0"
    if name == "enumerate" and len(node.args) == 1:
        yield node.args[0], f"{_words(node.args[0])}, 1"
    if name == "range" and node.args:
        last = node.args[-1] if len(node.args) < 3 else node.args[1]
        yield last, _one_less(last)
        if len(node.args) == 1:
            yield last, f"1, {_words(last)}"
        else:
            yield node.args[0], f"{_term(node.args[0])} + 1"
    if name == "sqrt" and len(node.args) == 1:
        yield node, _bracketed(node.args[0])


def _other_axes(value: ast.expr) -> list[str]:
    number = _words(value)
    return {"0": ["1"], "1": ["0"], "-1": ["0", "-2"], "-2": ["-1"], "2": ["1"]}.get(number, [])


def _of_index(node: ast.Subscript) -> Iterator[tuple[ast.expr, str]]:
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    for part in parts:
        if isinstance(part, ast.Slice):
            if part.lower is not None and part.upper is None and part.step is None:
                yield part, f":-{_words(part.lower)}" if isinstance(
                    part.lower, ast.Constant) else ":"
            elif part.upper is not None and part.lower is None and part.step is None:
                yield part, f"{_words(part.upper)}:" if not isinstance(
                    part.upper, ast.UnaryOp) else f"{_words(part.upper.operand)}:"
            if part.upper is not None:
                yield part.upper, _one_less(part.upper)
        elif isinstance(part, ast.Name):
            yield part, f"{part.id} - 1"
            yield part, f"{part.id} + 1"
        elif isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add | ast.Sub):
            yield part, _words(part.left)
        elif isinstance(part, ast.Constant) and type(part.value) is int:
            yield part, {0: "1", 1: "0"}.get(part.value, str(part.value - 1))
        elif isinstance(part, ast.UnaryOp) and _words(part) == "-1":
            yield part, "0"
