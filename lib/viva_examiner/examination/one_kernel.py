"""What a test looks at that only one process would show: read off its text.

Here a test and the student's code live in two processes, and values are copied between them. Where
a test replaces functions, looks at the state of the process, asks whether two objects are the same,
or draws numbers after the student's code has, the answer here may be kinder than in one
kernel. Such a test is run the stock way as well, and a difference is left to a person.
"""

import ast
import builtins
import re

from viva_examiner.notebook.cells import imports_in, names_bound, tree_of

REPLACED = "the test replaces functions to watch the student's code"
STATE = "the test looks at the state of the process that the student's code runs in"
SAME = "the test asks whether two objects are the same one"
DRAWN = "the test draws numbers from a generator that the student's code may have used"
KEPT = "the test changes a value that the student's code may still hold"

USUAL = frozenset("np numpy pd torch math random time builtins os plt sys".split())
REPLACES = re.compile(r"\b(?:patch|monkeypatch)\b|\bsetattr\(|\bset_trace\b|\bsettrace\(|"
                      r"\bsys\.modules\b|\bvars\(|\b__dict__\b|\b__(?:set|del)attr__\b|\bdelattr\(")
LOOKS = re.compile(
    r"\b(?:errstate|seterr|setrecursionlimit|setprofile|tracemalloc|environ|getenv|getcwd|"
    r"get_state|getstate|get_printoptions|get_option|get_fignums|threading|getrefcount|"
    r"getcontext|rcParams|get_default_dtype|is_grad_enabled|get_num_threads|gc|"
    r"warns|assertWarns\w*|process_time\w*|thread_time\w*|getrusage|psutil|logging|caplog|"
    r"is_contiguous|stride|view|isnative|byteorder|newbyteorder|pd\.options|"
    r"listdir|scandir|i?glob|iterdir|rglob|walk|exists|isfile|is_file|getsize)\b|"
    r"\.(?:flags|training|requires_grad|grad|attrs)\b(?! *=[^=])|\.flags\.|record *= *True|"
    r"filter(?:warnings)?\(\s*[\"'](?:error|always)")
COMPARES = re.compile(r"\bid\(|\b(?:shares_memory|may_share_memory|assertIs|assertIsNot)\b|"
                      r"\.base\b|\bdata_ptr\b")
ASKS_AN_EXAM = re.compile(r"\bexamine\b")  # no such test is run the stock way
SEEDS = re.compile(r"\bseed\(|\bmanual_seed\(")
DRAWS = re.compile(
    r"(?:np|numpy)\.random\.(?!seed|default_rng|RandomState|Generator|[gs]et_state)\w+|"
    r"torch\.(?:rand\w*|normal|bernoulli|multinomial)|"
    r"random\.(?:random|rand\w+|choices?|uniform|shuffle|sample|gauss|normalvariate)")
BUILTINS = frozenset(dir(builtins)) - {"_"}
OURS = BUILTINS | USUAL


def one_kernel_shows(source: str) -> frozenset[str]:
    """Sentences about what a test would see in one kernel and does not see here; usually none."""
    tree = tree_of(source)
    source = source if tree is None else ast.unparse(tree)  # without comments
    found = {REPLACED: bool(REPLACES.search(source)), STATE: bool(LOOKS.search(source)),
             SAME: bool(COMPARES.search(source))}
    if tree is not None:
        found[REPLACED] |= _replaces(tree, source) or not BUILTINS.isdisjoint(names_bound(source))
        found[SAME] |= any(map(_asks_for_the_same, ast.walk(tree)))
        found[DRAWN] = SEEDS.search(source) is not None and _draws_after_them(tree, source)
    return frozenset(why for why, seen in found.items() if seen)


def _replaces(tree: ast.AST, source: str) -> bool:
    """Whether functions of the test's own are put where the student's code finds a library's."""
    modules = {name for name, (_, attribute) in imports_in(source).items() if not attribute}
    stored = [node.value for node in ast.walk(tree)
              if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del)]
    return any(isinstance(base, ast.Name) and (base.id in modules or base.id in USUAL)
               for base in stored)


def _asks_for_the_same(node: ast.AST) -> bool:
    if not isinstance(node, ast.Compare):
        return False
    sides = [node.left, *node.comparators]
    return any(isinstance(how, ast.Is | ast.IsNot) for how in node.ops) and all(
        isinstance(side, ast.Name | ast.Subscript | ast.Call | ast.Attribute)
        and not (isinstance(side, ast.Call) and _root(side.func) == "type") for side in sides)


def _draws_after_them(tree: ast.AST, source: str) -> bool:
    """Whether a test that seeds a global generator draws from it after a call of the student's
    code, which may have drawn as well.
    """
    own = OURS | imports_in(source).keys()
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    draws = [node.lineno for node in calls if DRAWS.fullmatch(ast.unparse(node.func))]
    theirs = [node.lineno for node in calls if _root(node.func) not in own]
    looped = any(isinstance(node, ast.For | ast.While | ast.FunctionDef) for node in ast.walk(tree))
    return bool(draws and theirs) and (looped or max(draws) > min(theirs))


def _root(node: ast.AST) -> str:
    """The name with which a chain of attributes, items and calls begins; "" if with none."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
