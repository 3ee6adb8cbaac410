"""The same function written differently: other names, other order, other steps, same meaning."""

import ast
import inspect

from viva_examiner.demo.cohort import definition_of


def rewritten(candidate):
    """A function or class that computes the same as this one; None if its source is not known."""
    definition = definition_of(candidate)
    if definition is None:
        return None
    tree = ast.Module([definition], [])
    definition.decorator_list = []
    functions = [node for node in ast.walk(definition) if isinstance(node, ast.FunctionDef)]
    for function in functions:
        _rename(function)
    tree = ast.fix_missing_locations(_Steps().visit(tree))
    scope = dict(vars(inspect.getmodule(candidate)))
    if inspect.isfunction(candidate):
        scope |= inspect.getclosurevars(candidate).nonlocals
        named = inspect.signature(candidate).parameters
        scope |= {name: each.default for name, each in named.items()
                  if each.default is not each.empty}  # `lambda x, least=least: …` in a loop
    exec(compile(tree, "<rewritten>", "exec"), scope)
    return scope[definition.name]


def _rename(function) -> None:
    """Other names for local variables; arguments keep theirs, callers may use them."""
    arguments = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    inner = {node.name for node in ast.walk(function) if isinstance(node, ast.FunctionDef)}
    shared = {name for node in ast.walk(function) if isinstance(node, ast.Global | ast.Nonlocal)
              for name in node.names}
    local = {node.id for node in ast.walk(function)
             if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    local -= arguments | inner | shared
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id in local:
            node.id = f"my_{node.id}"


class _Steps(ast.NodeTransformer):
    """Factors in the other order, quotients as products, squares as products, named results."""

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.Mult):
            node.left, node.right = node.right, node.left
        elif isinstance(node.op, ast.Div) and not isinstance(node.right, ast.Constant):
            one = ast.BinOp(ast.Constant(1.0), ast.Div(), node.right)
            return ast.BinOp(node.left, ast.Mult(), one)
        elif isinstance(node.op, ast.Add) and _is_number(node.right):
            node.left, node.right = node.right, node.left
        elif (isinstance(node.op, ast.Pow) and isinstance(node.left, ast.Name)
              and getattr(node.right, "value", None) == 2):
            return ast.BinOp(node.left, ast.Mult(), ast.Name(node.left.id, ast.Load()))
        return node

    def visit_Return(self, node):
        self.generic_visit(node)
        if node.value is None:
            return node
        name = ast.Assign([ast.Name("the_result", ast.Store())], node.value)
        return [name, ast.Return(ast.Name("the_result", ast.Load()))]


def _is_number(node) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)
