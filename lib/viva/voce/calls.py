"""Whether a text is a call as the generator writes them: a function, numbers and small arrays."""

import ast

LONGEST = 600  # characters of a call
MAKERS = ("np.array", "torch.tensor")
LITERAL = (ast.List, ast.Tuple, ast.UnaryOp, ast.USub, ast.Load)
MAX_WORD = 20  # letters of a text that a public case passes


def is_call(text: str, function: str) -> bool:
    """Whether this is `function(...)` with literals only, or a part `[0]` of what it returns."""
    try:
        node: ast.expr = ast.parse(text[: LONGEST + 1], mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    if len(text) > LONGEST or not text.isprintable() or "#" in text:
        return False
    while isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        node = node.value
    return isinstance(node, ast.Call) and ast.unparse(node.func) == function and (
        all(map(_is_argument, [*node.args, *(each.value for each in node.keywords)])))


def _is_argument(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        named = [ast.unparse(each) for each in node.keywords]
        return ast.unparse(node.func) in MAKERS and len(node.args) == 1 and (
            named in ([], ["dtype=torch.float64"]) and _is_literal(node.args[0]))
    return _is_literal(node)


def _is_literal(node: ast.expr) -> bool:
    """Numbers, truths, None and short words, in lists and tuples or alone."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant):
            if isinstance(part.value, str) and not (
                    part.value.replace("_", "").isalnum() and len(part.value) <= MAX_WORD):
                return False
        elif not isinstance(part, LITERAL):
            return False
    return True
