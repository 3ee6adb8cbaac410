"""Which tests ask a student's code thousands of times: read off their loops."""

import ast
from collections import Counter
from collections.abc import Iterable

from viva_examiner.notebook.cells import tree_of

MANY = 1000
SECONDS = 0.25e-3  # for one question, both processes together (docs/scale.md)
LOOPS = (ast.For, ast.AsyncFor)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
PASS_ON = {"enumerate", "list", "tuple", "sorted", "reversed", "tqdm"}  # as long as what they get


def defined(sources: Iterable[str]) -> set[str]:
    """The functions and classes of these cells, which all live in the student's process."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    trees = filter(None, map(tree_of, sources))
    return {node.name for tree in trees for node in ast.walk(tree) if isinstance(node, kinds)}


def asks_often(source: str, names: set[str]) -> dict[str, int]:
    """{function: how often this test calls it}, for those that it calls very often.

    Counted are loops over ranges and lists whose length the text tells; any other counts as one.
    """
    tree = tree_of(source)
    if tree is None:
        return {}
    reader = _Reader(names)
    reader.visit(tree)
    return {name: times for name, times in reader.calls.items() if times >= MANY}


class _Reader(ast.NodeVisitor):
    """Counts the calls of one test, and of the functions that the test defines itself."""

    def __init__(self, names: set[str]) -> None:
        self.names, self.times = names, 1
        self.calls: Counter[str] = Counter()
        self.lengths: dict[str, int] = {}  # of what a name was last bound to
        self.numbers: dict[str, int | None] = {}
        self.helpers: dict[str, Counter[str]] = {}

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        outside, times = self.calls, self.times
        self.calls, self.times = Counter(), 1
        self.generic_visit(node)
        self.helpers[node.name] = self.calls
        self.calls, self.times = outside, times

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.lengths[target.id] = self._length(node.value)
                self.numbers[target.id] = self._number(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name):
            if (name := node.func.id) in self.helpers:
                for inner, times in self.helpers[name].items():
                    self.calls[inner] += times * self.times
            elif name in self.names:
                self.calls[name] += self.times

    def generic_visit(self, node: ast.AST) -> None:
        if isinstance(node, LOOPS):
            self.visit(node.iter)
            self._repeat([node.iter], node.body)
            for each in node.orelse:
                self.visit(each)
        elif isinstance(node, COMPREHENSIONS):
            self.visit(node.generators[0].iter)
            body = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            tests = [test for each in node.generators for test in each.ifs]
            self._repeat([each.iter for each in node.generators], body + tests)
        else:
            super().generic_visit(node)

    def _repeat(self, over: list[ast.expr], body: Iterable[ast.AST]) -> None:
        before = self.times
        for each in over:
            self.times *= self._length(each)
        for node in body:
            self.visit(node)
        self.times = before

    def _length(self, node: ast.expr) -> int:
        """How many items this has; 1 if the text does not tell."""
        if isinstance(node, ast.Name):
            return self.lengths.get(node.id, 1)
        if isinstance(node, ast.ListComp) and len(node.generators) == 1:
            return 1 if node.generators[0].ifs else self._length(node.generators[0].iter)
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return len(node.elts)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return len(node.value)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            if node.func.id in PASS_ON:
                return self._length(node.args[0])
            if node.func.id == "zip":
                return min(map(self._length, node.args))
            ends = [number for each in node.args if (number := self._number(each)) is not None]
            if node.func.id == "range" and len(ends) == len(node.args) <= 3 and ends[2:] != [0]:
                steps = range(*ends)  # len() refuses more than a machine word
                return (steps[-1] - steps[0]) // steps.step + 1 if steps else 0
        return 1

    def _number(self, node: ast.expr) -> int | None:
        """A whole number that is written here, or that the name was last bound to."""
        if isinstance(node, ast.Name):
            return self.numbers.get(node.id)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            number = self._number(node.operand)
            return None if number is None else -number
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow | ast.Mult):
            left, right = self._number(node.left), self._number(node.right)
            if left is None or right is None or max(abs(left), abs(right)) > 10**6:
                return None
            if isinstance(node.op, ast.Mult):
                return left * right
            return left**right if 0 <= right <= 9 else None
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return node.value if abs(node.value) < 1 << 40 else None
        return None
