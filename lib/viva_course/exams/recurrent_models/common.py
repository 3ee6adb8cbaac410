"""What several exams ask: does a function's own text use a Fourier transform?"""

import ast
import builtins
import textwrap

from viva.sources import source_of


def writes_out_the_sum(candidate, known=()) -> bool:
    """Whether a function surely makes no use of an FFT.

    Its text is known, no name in it speaks of one, and it calls no helper that could: the
    functions named `known` could not.
    """
    try:
        tree = ast.parse(textwrap.dedent(source_of(candidate)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    nodes = list(ast.walk(tree))
    names = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    names |= {node.id for node in nodes if isinstance(node, ast.Name)}
    names |= {alias.name for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)
              for alias in node.names}
    own = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    helpers = {node.func.id for node in nodes if isinstance(node, ast.Call)
               and isinstance(node.func, ast.Name)} - set(dir(builtins)) - own - set(known)
    return bool(tree.body) and not helpers and not any("ft" in name.lower() for name in names)
